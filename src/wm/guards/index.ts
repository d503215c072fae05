import { splitByScript } from '../../language/scripts.js';
import { meaningfulBigrams, TITLE_STOP_WORDS } from '../anchors.js';
import { contentItems, hasContent, itemKey } from '../items.js';
import type { RequestedOperation } from '../operations.js';
import { readPaths } from '../paths.js';
import {
  appendNewItems,
  findNewItems,
  makeAppendRuling,
  makeKeepRuling,
  makeUpdateRuling,
  type Ruling,
  type SectionGuard,
} from '../ruling.js';
import { findSection, isDocumentTitle, type SectionName } from '../sections.js';
import { readIssue } from '../status.js';
import { headingText, makeContentSafe } from '../structure.js';
import { guardKeyFacts } from './key-facts.js';
import { guardOpenIssues } from './open-issues.js';

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

const GUARDS: Readonly<Record<SectionName, SectionGuard>> = {
  'Session Title': guardTitle,
  'Current State': guardFree,
  'Task & Goals': guardFree,
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
  if (hasContent(old)) return GUARDS[name](old, content);
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
