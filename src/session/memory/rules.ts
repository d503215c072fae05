import { BASIC_HAN_RANGES } from '../../language/scripts.js';
import { estimateTokens } from '../../text/tokens.js';
import {
  bySectionName,
  contentItems,
  formatItemAsBullet,
  hasContent,
  itemKey,
  itemOfLine,
  itemTextWithoutMarker,
  makeContentSafe,
  parseDocument,
  SECTION_NAMES,
  type SectionName,
} from '../../wm/document.js';
import { type MergeResult, mergeByRulings } from '../../wm/merge.js';
import { makeKeepRuling, makeUpdateRuling, type Ruling } from '../../wm/ruling.js';
import type { SessionMessage } from '../message.js';
import { type CallWithResult, callsWithResults, type NumberedMessage } from './ledger/calls.js';
import { readCallErrors, workStateLines } from './ledger/errors.js';
import { pickNotableFiles, updateTouchedFiles } from './ledger/files.js';
import { type LedgerEntry, type MemoryLedger, SECTION_FULL_REASON } from './ledger/ledger.js';
import { settleFacts, shortenItem } from './ledger/statements.js';
import { isCodingSession, readTurns, type TurnFindings } from './ledger/turns.js';

/** Maximum number of tokens that the rules write into each section. */
const BUDGETS: Readonly<Record<SectionName, number>> = {
  'Session Title': 60,
  'Current State': 700,
  'Task & Goals': 2_000,
  'Key Facts & Decisions': 2_000,
  'Files & Context': 2_000,
  'Errors & Corrections': 900,
  'Open Issues': 700,
};

/**
 * Updates a Working Memory without a model. Writes requests, decisions, changes and errors in short lines with the words of
 * the messages, newest first, up to a budget per section. The result lists removed lines with the reason. Pure.
 * @param before the ledger of the lines in `old`
 */
export function mergeMessagesByRules(old: string | null, before: MemoryLedger, messages: readonly SessionMessage[]) {
  const { bodies } = parseDocument(old);
  const numbered = messages.map((message, index): NumberedMessage => ({ message, at: before.messages + index + 1 }));
  const known = bySectionName((name) => present(before.entries, name, bodies[name]));
  const calls = callsWithResults(numbered);
  const worked = before.entries.filter(({ file }) => file !== undefined);
  const turns = readTurns(numbered, known['Open Issues'], worked.length > 0 || isCodingSession(messages, calls));
  const settled = settleFacts(inOrder(known['Key Facts & Decisions']), turns.facts);
  const { facts } = settled;
  const said = new Set(facts.map(({ text }) => itemKey(text)));
  const asked = once([...inOrder(known['Task & Goals']), ...inWhole(turns.tasks, known['Task & Goals'])], new Set());
  const resent = asked.filter((task, at) =>
    asked.slice(at + 1, at + 3).some((later) => isResent(task.text, later.text)),
  );
  const tasks = asked.filter((task) => !resent.includes(task));
  const met = readCallErrors(known['Errors & Corrections'], calls);
  const gone = new Map([
    ...settled.gone,
    ...met.gone,
    ...resent.map(({ text }) => [text, 'sent again, changed'] as const),
  ]);
  const own: Readonly<Record<SectionName, readonly LedgerEntry[]>> = {
    'Session Title': titleOf(known['Session Title'], contentItems(bodies['Session Title']), settled.gone, [
      ...turns.firstRequests,
      ...tasks,
      ...facts,
    ]),
    'Current State': currentState(
      turns,
      calls,
      contentItems(bodies['Current State']),
      before.messages + messages.length,
    ),
    'Task & Goals': tasks,
    'Key Facts & Decisions': facts,
    'Files & Context': updateTouchedFiles(worked, calls, turns.named),
    'Errors & Corrections': once([...met.errors, ...turns.corrections], new Set()),
    'Open Issues': once(turns.open, new Set([...said, ...tasks.map(({ text }) => itemKey(text))])),
  };
  const composed = bySectionName((name): ComposedSection => {
    const shown = pickNotableFiles(own[name]);
    if (name === 'Session Title') return composeTitle(bodies[name], shown);
    const body = name === 'Current State' ? '' : bodies[name];
    return composeSection(body, shown, known[name], before.messages + 1, BUDGETS[name]);
  });
  const rulings = bySectionName((name) => ruling(name, bodies[name], composed[name], gone, own[name]));
  const merge = withNewlyCut(
    mergeByRulings(old, rulings, (name) => rulings[name].decision),
    composed,
  );
  // A file that was read only a few times has no line yet. Its entry stays in the ledger, so that later reads are added to
  // its count.
  const worth = new Set(pickNotableFiles(own['Files & Context']));
  const counted = own['Files & Context'].filter((entry) => !worth.has(entry)).slice(-MOST_COUNTED);
  const entries = [...Object.values(composed).flatMap((each) => each.entries), ...counted];
  const ledger: MemoryLedger = { messages: before.messages + messages.length, entries };
  return { merge, ledger };
}

/** Adds the new lines for which there was no room to the list of removed lines. */
function withNewlyCut(merge: MergeResult, composed: Readonly<Record<SectionName, ComposedSection>>): MergeResult {
  const sections = bySectionName((name) => {
    const section = merge.sections[name];
    const named = new Set(section.removed.map(({ item }) => item));
    const cut = [...composed[name].gone]
      .filter(([item]) => !named.has(item))
      .map(([item, reason]) => ({ item, reason }));
    return cut.length === 0 ? section : { ...section, removed: [...section.removed, ...cut] };
  });
  return { ...merge, sections };
}

const MOST_COUNTED = 100;

/**
 * The new ledger, after a model or an agent has read `count` more messages and rewritten the document. Keeps only the
 * entries whose lines are still in the document. Pure.
 */
export function updateLedgerAfterModel(
  { messages, entries }: MemoryLedger,
  document: string,
  count: number,
): MemoryLedger {
  const { bodies } = parseDocument(document);
  const kept = SECTION_NAMES.flatMap((name) => present(entries, name, bodies[name]));
  return { messages: messages + count, entries: kept };
}

/**
 * Cuts one section of a document to a budget. First removes the lines that the rules wrote, beginning with the oldest. If
 * that is not enough, removes the other lines, from the top of the section on.
 * @param budget in tokens
 */
export function cutSectionToBudget(
  document: string,
  name: SectionName,
  { entries }: MemoryLedger,
  budget: number,
): MergeResult {
  const { bodies } = parseDocument(document);
  const own = present(entries, name, bodies[name])
    .toSorted((a, b) => a.at - b.at)
    .map(({ text }) => itemKey(text));
  const all = contentItems(bodies[name]).map(itemKey);
  const order = [...own, ...all.filter((key) => !own.includes(key))];
  let lines = bodies[name].split('\n');
  for (const key of order) {
    if (estimateTokens(lines.join('\n')) <= budget) break;
    lines = lines.filter((line) => itemKey(itemOfLine(line)) !== key);
  }
  const cut = bySectionName((each) =>
    each === name
      ? makeUpdateRuling(
          lines.join('\n'),
          'over its budget',
          () => 'over the budget of the section: the oldest goes first',
        )
      : makeKeepRuling('kept'),
  );
  return mergeByRulings(document, cut, (each) => (each === name ? 'CUT' : 'KEEP'));
}

/** The entries whose lines are still in the section. */
function present(entries: readonly LedgerEntry[], section: SectionName, body: string): readonly LedgerEntry[] {
  const items = new Set(contentItems(body).map(itemKey));
  return entries.filter((entry) => entry.section === section && items.has(itemKey(entry.text)));
}

function inOrder(entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
  return entries.toSorted((a, b) => a.at - b.at);
}

/** Keeps each line once, at its latest place. Drops the lines that are in `elsewhere`, because another section has them. */
function once(entries: readonly LedgerEntry[], elsewhere: ReadonlySet<string>): readonly LedgerEntry[] {
  const byKey = new Map<string, LedgerEntry>();
  for (const entry of entries) {
    const key = itemKey(entry.text);
    if (key !== '' && !elsewhere.has(key)) byKey.set(key, entry);
  }
  return [...byKey.values()];
}

/**
 * True if a person probably stopped the agent, changed the message and sent it again: the later message begins with the
 * first 60 % of the earlier one, and with at least 40 characters of it.
 */
function isResent(first: string, later: string): boolean {
  const least = Math.max(40, Math.ceil(0.6 * first.length));
  return first.length >= least && later.startsWith(first.slice(0, least));
}

/**
 * Possible maximum lengths of a request, in characters. The largest one with which all requests fit is used. Requests are
 * cut as little as possible, because their words contain the decisions.
 */
const TASK_LENGTHS = [1_200, 1_000, 800, 700, 600, 500, 400, 300] as const;

function inWhole(tasks: readonly LedgerEntry[], known: readonly LedgerEntry[]): readonly LedgerEntry[] {
  const cut = (most: number): readonly LedgerEntry[] =>
    tasks.map((task) => ({ ...task, text: shortenItem(task.text, most) }));
  const fits = (some: readonly LedgerEntry[]): boolean =>
    estimateTokens([...known, ...some].map(({ text }) => `- ${text}\n`).join('')) <= BUDGETS['Task & Goals'];
  return TASK_LENGTHS.map(cut).find(fits) ?? cut(TASK_LENGTHS[7]);
}

/** Makes the title from the first request. Replaces a title that names an outdated value. */
function titleOf(
  known: readonly LedgerEntry[],
  items: readonly string[],
  gone: ReadonlyMap<string, string>,
  requests: readonly LedgerEntry[],
): readonly LedgerEntry[] {
  const title = known[0]?.text ?? '';
  const stale = [...gone.keys()].map(titleText).some((text) => text !== '' && title.includes(text));
  if (items.length > 0 && !stale) return known;
  const usable = requests.filter(({ text }) => !gone.has(text) && /[\p{L}\p{N}]/u.test(titleText(text)));
  const asked = usable.find(({ text }) => saysWork(withoutAddresses(text))) ?? usable[0];
  return asked === undefined ? known : [{ ...asked, section: 'Session Title', text: titleText(asked.text) }];
}

/** Maximum length of a title, in characters. */
const LONGEST_TITLE = 90;

const SAYS_SOMETHING = new RegExp(String.raw`(?:[\p{L}\p{N}]\S*\s+){3}\S|[${BASIC_HAN_RANGES}]{5,}`, 'u');

/** True if a title has at least four words or five Chinese characters, so that it says what the work is. */
function saysWork(title: string): boolean {
  return SAYS_SOMETHING.test(title);
}

/** A request as a title: without Markdown marks and addresses, cut between words. */
function titleText(text: string): string {
  const line = text
    .replace(/^[#>*\-\s]+/u, '')
    .replace(/\s+/gu, ' ')
    .trim();
  const bare = withoutAddresses(line);
  const said = saysWork(bare) ? bare : line;
  const cut = said.length <= LONGEST_TITLE ? said : said.slice(0, LONGEST_TITLE).replace(/\s\S*$/u, '');
  return cut.replace(/[\s.,:;!(。，！…]+$/u, '');
}

function withoutAddresses(text: string): string {
  return text
    .replace(/\b[a-z]+:\/\/\S+|@?"[^"\n]*[\\/][^"\n]*"/giu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

/**
 * Matches a line of Current State that stays until a new line with the same label replaces it. The newest messages may not
 * contain, for example, a request: the earlier line is then still right.
 */
const LASTING = /^(?:Last request|Last answer|Todo|Last command|Commits)(?=[:,])/u;

function currentState(
  turns: TurnFindings,
  calls: readonly CallWithResult[],
  before: readonly string[],
  at: number,
): readonly LedgerEntry[] {
  const waiting = turns.open.filter(({ asks }) => asks !== undefined).length;
  const told = [
    ...labelled('Last request', turns.lastRequest),
    ...labelled('Before that', turns.requestBefore),
    ...labelled('Last answer', turns.lastAnswer),
    ...(waiting > 0 ? [`Open: ${waiting} ${waiting === 1 ? 'question' : 'questions'} under Open Issues`] : []),
    ...workStateLines(calls),
  ];
  const labels = new Set(told.map((line) => LASTING.exec(line)?.[0]));
  const kept = before.filter((item) => LASTING.test(item) && !labels.has(LASTING.exec(item)?.[0]));
  const lines = turns.lastRequest === undefined ? [...kept, ...told] : [...told, ...kept];
  return lines.map((text, index) => ({ section: 'Current State', text, at: at + lines.length - index }));
}

function labelled(label: string, text: string | undefined): readonly string[] {
  return text === undefined ? [] : [`${label}: ${text}`];
}

function ruling(
  name: SectionName,
  body: string,
  { content, gone }: ComposedSection,
  replaced: ReadonlyMap<string, string>,
  own: readonly LedgerEntry[],
): Ruling {
  if (content === body) return makeKeepRuling('nothing new');
  return makeUpdateRuling(content, 'written by rules', (item) => gone.get(item) ?? reasonIn(name, item, replaced, own));
}

/** The reason why an update removed a line, if {@link composeSection} gave no reason for that line. */
function reasonIn(
  name: SectionName,
  item: string,
  replaced: ReadonlyMap<string, string>,
  own: readonly LedgerEntry[],
): string {
  if (name === 'Current State') return 'written anew by every commit';
  if (name === 'Session Title') return 'it named what holds no more';
  if (name === 'Open Issues') return 'answered';
  const reason = replaced.get(item);
  if (reason !== undefined) return reason;
  if (name === 'Key Facts & Decisions') return SECTION_FULL_REASON;
  const updated = updatedFile(item, own);
  if (updated !== undefined) return updated;
  if (name !== 'Errors & Corrections') return 'said in another section';
  const isKept = own.some(({ text }) => text.startsWith(item.slice(0, 130)));
  return isKept ? 'updated: with what resolved it' : SECTION_FULL_REASON;
}

function updatedFile(item: string, own: readonly LedgerEntry[]): string | undefined {
  const path = /^`([^`]+)`/u.exec(item)?.[1];
  const file = own.find((entry) => entry.file?.path === path);
  if (file === undefined) return undefined;
  return pickNotableFiles(own).includes(file) ? `updated: "${file.text}"` : 'only read, where others were changed';
}

/**
 * A section that the rules wrote. `entries`: the lines of the section that the rules wrote. `gone`: each earlier line that
 * is no longer in the section, with the reason.
 */
interface ComposedSection {
  readonly content: string;
  readonly entries: readonly LedgerEntry[];
  readonly gone: ReadonlyMap<string, string>;
}

/**
 * Writes a section: first the lines of the rules, newest first, then the lines that a person or a model wrote. If the
 * section is over its budget, removes lines in this order: older lines of the rules, the oldest of the other lines, new
 * lines of the rules. The newest line always stays. Pure.
 * @param body the current section
 * @param own current entries of the rules, in any order; other lines in `body` that the rules wrote are removed
 * @param before the lines of `body` that the rules wrote
 * @param newSince number of the first message of this commit
 * @param budget in tokens
 */
function composeSection(
  body: string,
  own: readonly LedgerEntry[],
  before: readonly LedgerEntry[],
  newSince: number,
  budget: number,
): ComposedSection {
  const mine = new Set([...before, ...own].map(({ text }) => itemKey(text)));
  // The lines of the section that the rules did not write.
  const isOther = (line: string): boolean => itemOfLine(line) === '' || !mine.has(itemKey(itemOfLine(line)));
  const others = hasContent(body) ? body.split('\n').filter(isOther) : [];
  const newest = own
    .map(asItem)
    .filter(({ text }) => hasContent(text))
    .toReversed()
    .toSorted((a, b) => b.at - a.at);
  const kept: LedgerEntry[] = [];
  const gone = new Map<string, string>();
  let room = budget;
  const foreign = estimateTokens(others.join('\n'));
  for (const entry of newest) {
    const size = estimateTokens(`- ${entry.text}\n`);
    // An old entry must leave room for the lines that the rules did not write. A new entry need not.
    const most = entry.at >= newSince ? room : room - foreign;
    if (kept.length > 0 && size > most) {
      gone.set(entry.text, SECTION_FULL_REASON);
      continue;
    }
    kept.push(entry);
    room -= size;
  }
  let left = others;
  while (left.length > 0 && estimateTokens(left.join('\n')) > room) {
    const [first = '', ...rest] = left;
    if (itemOfLine(first) !== '') gone.set(itemOfLine(first), SECTION_FULL_REASON);
    left = rest;
  }
  const lines = kept.map(({ text }) => formatItemAsBullet(text));
  const rest = left.join('\n').replace(/^\n+|\s+$/gu, '');
  const content = [lines.join('\n'), rest].filter((part) => part !== '').join(rest.startsWith('#') ? '\n\n' : '\n');
  return { content: makeContentSafe(content), entries: kept, gone };
}

/** Writes the title: one line, not a list. */
function composeTitle(body: string, own: readonly LedgerEntry[]): ComposedSection {
  const [entry] = own.map(asItem);
  return { content: entry?.text ?? body, entries: entry === undefined ? [] : [entry], gone: new Map() };
}

/** The entry with its text as one plain list item, without Markdown structure. */
function asItem(entry: LedgerEntry): LedgerEntry {
  const text = itemOfLine(formatItemAsBullet(itemTextWithoutMarker(entry.text.replace(/\n/gu, ' '))));
  return text === entry.text ? entry : { ...entry, text };
}
