import { findFirstNotBelow } from '../base/order.js';
import { splitByScript } from '../language/scripts.js';
import {
  contentItems,
  findSection,
  formatItemAsBullet,
  hasContent,
  headingText,
  isDocumentTitle,
  itemKey,
  makeContentSafe,
  type SectionName,
  startsWithWholeWords,
} from './document.js';
import { guardKeyFacts, meaningfulBigrams, TITLE_STOP_WORDS } from './key-facts.js';
import type { RequestedOperation } from './operations.js';
import { readPaths } from './paths.js';
import {
  appendNewItems,
  findNewItems,
  makeAppendRuling,
  makeKeepRuling,
  makeUpdateRuling,
  type Ruling,
  type SectionGuard,
} from './ruling.js';
import { type OpenIssue, RESTORED_TAG, readIssue, withoutRestoredTag } from './status.js';

/** Session Title: a new title must share a meaningful word with the old one. */
const guardTitle: SectionGuard = (old, content) => {
  const before = titleWords(old);
  const shared = before.size === 0 ? undefined : [...titleWords(content)].find((word) => before.has(word));
  if (before.size > 0 && shared === undefined)
    return makeKeepRuling('the new title shares no meaningful word with the old one');
  const reason = shared === undefined ? 'the old title has no meaningful word' : `the titles share "${shared}"`;
  return makeUpdateRuling(content, reason, () => 'replaced by the new title');
};

/** The words of a title, in lower case: words of three letters and more, numbers, and the bigrams of unspaced text. */
function titleWords(body: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const token of contentItems(body).join('\n').normalize('NFKC').toLowerCase().match(TOKEN) ?? []) {
    for (const run of splitByScript(token)) {
      if (run.isUnspaced) for (const pair of meaningfulBigrams(run.text)) words.add(pair);
      else if (isMeaningful(run.text)) words.add(run.text);
    }
  }
  return words;
}

const TOKEN = /[\p{L}\p{M}\p{N}]+(?:\.[\p{L}\p{M}\p{N}]+)*/gu;

function isMeaningful(word: string): boolean {
  return (word.length > 2 || /\p{N}/u.test(word)) && !TITLE_STOP_WORDS.has(word);
}

/** Errors & Corrections is append-only: an UPDATE appends its new items. */
const guardErrors: SectionGuard = (old, content) =>
  appendNewItems(contentItems(content), old, 'this section is append-only: the update is taken as additions');

/**
 * Accepts any UPDATE. Used for the sections whose content changes with every update, such as Current State. The report of
 * the merge lists the items that a section loses.
 */
const guardFree: SectionGuard = (_old, content) =>
  makeUpdateRuling(content, 'this section is rewritten freely', () => 'replaced by the update');

/**
 * Guards the section Files & Context, which must keep every path. An UPDATE that loses a path is rejected, and the new paths
 * in it are appended.
 */
const guardFiles: SectionGuard = (old, content) => {
  const before = readPaths(contentItems(old).join('\n'));
  const items = contentItems(content);
  const byPath = firstItemByPath(items);
  const lost = before.filter((path) => !byPath.has(path));
  if (lost.length === 0) {
    return makeUpdateRuling(content, 'every path is still there', () => 'rewritten by an update that keeps every path');
  }
  const known = new Set(before);
  const added = [...byPath.keys()].filter((path) => !known.has(path)).sort();
  const fresh = findNewItems(
    added.map((path) => byPath.get(path) ?? path),
    old,
  );
  const loss = `update rejected: it loses ${listed(lost)}`;
  const left = leftOut(items, fresh, old);
  return fresh.length === 0
    ? makeKeepRuling(`${loss}${left}`)
    : makeAppendRuling(fresh, `${loss}; its new paths are appended${left}`);
};

function firstItemByPath(items: readonly string[]): ReadonlyMap<string, string> {
  const byPath = new Map<string, string>();
  for (const item of items) for (const path of readPaths(item)) if (!byPath.has(path)) byPath.set(path, item);
  return byPath;
}

function leftOut(items: readonly string[], taken: readonly string[], old: string): string {
  const known = new Set(taken.map(itemKey));
  const left = findNewItems(items, old).filter((item) => !known.has(itemKey(item)));
  return left.length === 0 ? '' : `; not taken: ${listed(left)}`;
}

const MAX_LISTED = 20;

function listed(texts: readonly string[]): string {
  const shown = texts.slice(0, MAX_LISTED).map((text) => `"${text.replaceAll('\n', ' ')}"`);
  return texts.length > MAX_LISTED ? `${shown.join(', ')} and ${texts.length - MAX_LISTED} more` : shown.join(', ');
}

/**
 * Guards the section Open Issues. An issue may go only when it is marked as resolved. Issues that an UPDATE leaves out are
 * restored.
 */
const guardOpenIssues: SectionGuard = (old, content) => {
  const before = contentItems(old).map(readIssue);
  const reasonFor = goingOn(contentItems(content).map(readIssue), before);
  const reasons = new Map<string, string>();
  const restored: string[] = [];
  for (const issue of before) {
    const reason = reasonFor(issue) ?? (issue.resolved ? 'it was resolved' : undefined);
    if (reason === undefined) restored.push(withoutRestoredTag(issue.item));
    else reasons.set(issue.item, reason);
  }
  const whyRemoved = (item: string) => reasons.get(item) ?? 'a heading or description, not an issue';
  if (restored.length === 0)
    return makeUpdateRuling(content, 'every open issue is still there or resolved', whyRemoved);
  const bullets = restored.map((item) => formatItemAsBullet(`${RESTORED_TAG} ${item}`));
  return {
    operation: { op: 'UPDATE', content: [asList(content), ...bullets].filter((part) => part !== '').join('\n') },
    decision: 'RESTORE',
    reason: `${restored.length} of ${before.length} issues were left out without being resolved`,
    restored,
    whyRemoved,
  };
};

/**
 * If the only item is an italic line, makes it a bullet. Otherwise the line would be read as the description of the
 * section as soon as other lines follow it.
 */
function asList(content: string): string {
  const [only, ...more] = contentItems(content);
  if (only === undefined || more.length > 0 || !/^[_*]/u.test(only)) return content;
  const lines = content.split('\n').map((line) => (line.trim() === only ? formatItemAsBullet(only) : line));
  return makeContentSafe(lines.join('\n'));
}

/**
 * Returns a function that describes, for the report, how an old issue continues in an update: `it is now "…"`. The function
 * returns undefined if the issue does not continue. An issue continues in the issue with the same text, or in a new issue
 * whose text begins with the old text.
 */
function goingOn(issues: readonly OpenIssue[], before: readonly OpenIssue[]): (old: OpenIssue) => string | undefined {
  const known = new Set(before.map(({ key }) => key));
  const byKey = new Map(issues.map((issue) => [issue.key, issue]));
  const unmatched = [...byKey.keys()].filter((key) => !known.has(key)).sort();
  const taken = new Set<string>();
  return ({ key, resolved }) => {
    const from = findFirstNotBelow(unmatched.length, (place) => (unmatched[place] ?? '') < key);
    const near = byKey.has(key) ? [] : unmatched.slice(from, from + MAX_TRIED);
    const longer = near.find((candidate) => startsWithWholeWords(candidate, key) && !taken.has(candidate));
    if (longer !== undefined) taken.add(longer);
    const heir = byKey.get(longer ?? key);
    if (heir === undefined) return undefined;
    return heir.resolved && !resolved ? `resolved: "${heir.item}"` : `it is now "${heir.item}"`;
  };
}

const MAX_TRIED = 16;

/** The guards of the sections. A section without one may be rewritten freely. */
const GUARDS: Readonly<Partial<Record<SectionName, SectionGuard>>> = {
  'Session Title': guardTitle,
  'Key Facts & Decisions': guardKeyFacts,
  'Files & Context': guardFiles,
  'Errors & Corrections': guardErrors,
  'Open Issues': guardOpenIssues,
};

/** Decides about the operation for one section: cleans the model's content, then applies the section's guard. */
export function decideRuling(name: SectionName, old: string, asked: RequestedOperation): Ruling {
  const ruling = decide(name, old, asked);
  return asked.problem === undefined || asked.operation.op === 'KEEP'
    ? ruling
    : { ...ruling, reason: `${ruling.reason}; ${asked.problem}` };
}

function decide(name: SectionName, old: string, { operation, problem }: RequestedOperation): Ruling {
  if (operation.op === 'KEEP') return makeKeepRuling(problem ?? 'kept as asked');
  if (operation.op === 'APPEND') {
    const { items } = operation;
    return items.length === 0 ? makeKeepRuling('nothing to append') : appendNewItems(items, old, 'appended');
  }
  const content = makeContentSafe(withoutOwnHeadings(name, operation.content));
  if (!hasContent(content)) return emptyUpdate(name, old);
  if (hasContent(old)) return (GUARDS[name] ?? guardFree)(old, content);
  return makeUpdateRuling(content, 'the section was empty', () => 'a description or heading, not content');
}

function emptyUpdate(name: SectionName, old: string): Ruling {
  if (name === 'Open Issues' && contentItems(old).some((item) => !readIssue(item).resolved)) {
    return guardOpenIssues(old, '');
  }
  return makeKeepRuling('an empty update never wipes a section');
}

// Removes the heading of the section, which models often repeat in its content.
function withoutOwnHeadings(name: SectionName, content: string): string {
  const heading = /\s*(#{1,6}[ \t][^\n]*)(?:\n|$)/uy;
  let start = 0;
  for (let match = heading.exec(content); match !== null; match = heading.exec(content)) {
    const title = headingText(match[1] ?? '');
    if (findSection(title) !== name && !isDocumentTitle(title)) break;
    start = heading.lastIndex;
  }
  return content.slice(start);
}
