import { hash } from 'node:crypto';
import type { Day } from '../base/clock.js';
import { parseJson } from '../base/json.js';
import { parseDay } from '../language/time/calendar.js';
import { splitLines } from '../markdown/lines.js';
import { dominantLineEnd } from '../text/bytes.js';
import type { CoreEdit } from './core-edit.js';
import { normaliseText } from './fact.js';

/** A suggested change of the core file or of a page. Its texts are kept exactly, and may have several lines. */
type CoreChange =
  | { readonly action: 'add'; readonly text: string }
  | { readonly action: 'shorten'; readonly old: string; readonly text: string }
  | { readonly action: 'move-out'; readonly text: string }
  /** Replaces whole lines of a page that a person wrote; an empty replacement of all lines deletes the page. */
  | { readonly action: 'change'; readonly page: string; readonly old: string; readonly text: string };

/** A suggested change with its reason and its sources, for example `memory/2026-01-02.md#L3`. */
export type Proposal = CoreChange & { readonly reason: string; readonly citations: readonly string[] };

/** A proposal on a page of proposals, whatever became of it. */
export interface KnownProposal {
  readonly proposal: Proposal;
  /** Day on which it was made. */
  readonly day: Day | null;
  readonly isWaiting: boolean;
}

/**
 * `ticked`: a person checked the box, but `core accept` has not applied it yet. `accepted`: applied on the day that the
 * item names.
 */
export type ProposalState = 'open' | 'ticked' | 'accepted' | 'rejected';

/** A checkbox item of a page in `bank/proposals/`. */
export interface ProposalItem {
  readonly id: string;
  readonly proposal: Proposal;
  readonly state: ProposalState;
  /** Number of the line of the item, from 1. */
  readonly line: number;
}

const WORDS = { add: 'add to the core', shorten: 'shorten in the core', 'move-out': 'move out of the core' } as const;
const ITEM = /^( {0,3}[-*+] \[)(.)(\] )(?:(add to|shorten in|move out of)( the core: )|(change) in (\S+): )(.*)$/su;
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
/** The quoted text of a proposal. Or two quoted texts with `->` between: the old text and the new text. */
const TEXTS = new RegExp(`^(${QUOTED})(?: -> (${QUOTED}))?`, 's');
const CITES = 'cites ';
const ACCEPTED = /(?:^|; )accepted (\d{4}-\d\d-\d\d)$/;

/**
 * Id of a change: `p-` and 10 hexadecimal digits of a hash of action and texts. Texts that differ only in case, white
 * space, a list marker or a final period get the same id, so that a rejected proposal does not come back slightly
 * altered.
 */
export function proposalId(change: CoreChange): string {
  const texts = [...('old' in change ? [change.old] : []), change.text].map(normaliseListItem);
  const page = change.action === 'change' ? [change.page] : [];
  return `p-${hash('sha256', JSON.stringify([change.action, ...page, ...texts]), 'hex').slice(0, 10)}`;
}

/** Normalises a text for comparing list items: as {@link normaliseText}, without a list marker. */
function normaliseListItem(text: string): string {
  return normaliseText(text.trim().replace(/^[-*+]\s+/, ''));
}

/**
 * Writes a proposal as one line, without its end:
 *
 *     - [ ] add to the core: TEXT (REASON; cites PATH#L3, PATH#L7)
 *     - [ ] shorten in the core: "OLD" -> "NEW" (REASON)
 *     - [ ] move out of the core: "TEXT" (REASON)
 *     - [ ] change in bank/profile.md: "OLD" -> "NEW" (REASON)
 *
 * Quoted texts are JSON strings. A text to add has quotes only if it could not be read back without them. That is so if
 * it has a line break or another control character, starts with `"`, or begins or ends with white space. It is also so if
 * the text ends with `)` and no part in parentheses follows. That part is left out if there is no reason and no citation.
 * Parentheses in the reason become brackets, so the last ` (` of the line always begins that part.
 */
export function formatProposal(proposal: Proposal): string {
  const tail = formatTail(proposal);
  const where = proposal.action === 'change' ? `change in ${encodeCitation(proposal.page)}` : WORDS[proposal.action];
  return `- [ ] ${where}: ${formatTexts(proposal, tail)}${tail}`;
}

/** Parses all proposals of a page. Ignores all other lines and items: a person wrote them. Takes linear time. */
export function parseProposals(page: string) {
  const items: ProposalItem[] = [];
  /** Items that begin like a proposal but can't be parsed. */
  const unreadable: { readonly line: number; readonly reason: string }[] = [];
  for (const [index, text] of splitLines(page).lines.entries()) {
    const item = readItem(text);
    const line = index + 1;
    if (typeof item === 'string') unreadable.push({ line, reason: item });
    else if (item !== undefined) {
      const { proposal, mark, accepted } = item;
      items.push({ id: proposalId(proposal), proposal, state: stateOf(mark, accepted), line });
    }
  }
  return { items, unreadable };
}

/**
 * Marks the box of the proposal on `line`. An accepted proposal gets `x`, and the day after its citations. A rejected
 * proposal gets `-`. The rest of the page stays the same to the byte.
 * @param line 1-based, as {@link parseProposals} returns it. If there is no proposal on this line, the page is returned
 * unchanged
 */
export function markProposal(page: string, line: number, as: { readonly accepted: Day } | 'rejected'): string {
  const { lines, starts, ends } = splitLines(page);
  const item = readItem(lines[line - 1] ?? '');
  if (item === undefined || typeof item === 'string') return page;
  const { proposal, head, behind, words, texts } = item;
  const day = as === 'rejected' ? undefined : as.accepted;
  const tail = formatTail(proposal, day);
  const marked = `${head}${day === undefined ? '-' : 'x'}${behind}${words}${texts}${tail}`;
  return page.slice(0, starts[line - 1]) + marked + page.slice(ends[line - 1]);
}

/** Parses an item. Returns a string with the reason if it can't be parsed, and undefined for any other line. */
function readItem(text: string) {
  const found = ITEM.exec(text);
  const [, head, mark = ' ', behind = '', verb = '', core = '', changed = '', page = '', rest = ''] = found ?? [];
  if (head === undefined) return undefined;
  const [action, where] = page === '' ? [verb, core] : [changed, ` in ${page}: `];
  const read = readTexts(action, rest.trimEnd(), decodeCitation(page));
  if (read === undefined) return `after "${action}${where.trimEnd()}" there must be ${EXPECTED[action] ?? 'a text'}`;
  const { change, written } = read;
  const tail = readTail(rest.slice(written.length).trim());
  if (tail === undefined) return 'behind the text there must be nothing, or one part in parentheses';
  const { accepted, ...grounds } = tail;
  const proposal: Proposal = { ...change, ...grounds };
  // `head` and `behind` are the text before and after the mark in the checkbox. `words` is the action. All are as written.
  return { proposal, mark, accepted, head, behind, words: action + where, texts: written };
}

const EXPECTED: Readonly<Record<string, string>> = {
  'add to': 'a text, in double quotes where it begins with one',
  'shorten in': 'two texts: "OLD" -> "NEW"',
  'move out of': 'a text in double quotes',
  change: 'two texts: "OLD" -> "NEW"',
};

function stateOf(mark: string, accepted: Day | undefined): ProposalState {
  if (mark === '-') return 'rejected';
  if (mark !== 'x' && mark !== 'X') return 'open';
  return accepted === undefined ? 'ticked' : 'accepted';
}

/**
 * The change that an item's texts describe, and the part of the line that has these texts. Undefined if the action needs
 * other texts.
 */
function readTexts(
  action: string,
  rest: string,
  page: string,
): { readonly change: CoreChange; readonly written: string } | undefined {
  if (action === 'add to' && !rest.startsWith('"')) {
    const text = rest.slice(0, bareEnd(rest)).trimEnd();
    return text === '' ? undefined : { written: text, change: { action: 'add', text } };
  }
  const [both = '', written = '', second = ''] = TEXTS.exec(rest) ?? [];
  const [old, text] = [parseJson(written), parseJson(second)];
  if (typeof old !== 'string' || old === '') return undefined;
  if (action === 'add to') return { written, change: { action: 'add', text: old } };
  if (action === 'move out of') return { written, change: { action: 'move-out', text: old } };
  if (typeof text !== 'string') return undefined;
  if (action === 'change') return { written: both, change: { action, page, old, text } };
  return text === '' ? undefined : { written: both, change: { action: 'shorten', old, text } };
}

/** Offset of the final part in parentheses, or the line's length if there is none. */
function bareEnd(rest: string): number {
  const start = rest.lastIndexOf(' (');
  const isTail = start >= 0 && rest.endsWith(')') && rest.indexOf(')', start) === rest.length - 1;
  return isTail ? start : rest.length;
}

function formatTexts(change: CoreChange, tail: string): string {
  if ('old' in change) return `${JSON.stringify(change.old)} -> ${JSON.stringify(change.text)}`;
  return change.action === 'add' && isBare(change.text, tail) ? change.text : JSON.stringify(change.text);
}

function isBare(text: string, tail: string): boolean {
  return text === text.trim() && !/^"|[\p{Cc}\p{Cs}]/u.test(text) && !(tail === '' && text.endsWith(')'));
}

type Grounds = Pick<Proposal, 'reason' | 'citations'>;

function formatTail({ reason, citations }: Grounds, accepted?: Day): string {
  const parts = [
    cleanReason(reason),
    citations.length > 0 ? CITES + citations.map(encodeCitation).join(', ') : '',
    accepted === undefined ? '' : `accepted ${accepted}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

/** The reason on one line, without parentheses and without text that looks like the following parts. */
function cleanReason(reason: string): string {
  return reason
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
    .replaceAll('(', '[')
    .replaceAll(')', ']')
    .replace(/(^|; )(cites|accepted) /g, '$1$2: ');
}

function readTail(tail: string): (Grounds & { readonly accepted: Day | undefined }) | undefined {
  if (tail === '') return { reason: '', citations: [], accepted: undefined };
  const inner = /^\(([^()]*)\)$/.exec(tail)?.[1];
  if (inner === undefined) return undefined;
  const day = ACCEPTED.exec(inner);
  const accepted = parseDay(day?.[1]) ?? undefined;
  const grounds = accepted === undefined ? inner : inner.slice(0, day?.index);
  const at = grounds.startsWith(CITES) ? 0 : grounds.indexOf(`; ${CITES}`);
  if (at < 0) return { reason: grounds.trim(), citations: [], accepted };
  const listed = grounds.slice(at).replace(/^; /, '').slice(CITES.length);
  return { reason: grounds.slice(0, at).trim(), citations: listed.split(', ').map(decodeCitation), accepted };
}

/** Percent-encodes characters that have a meaning in the line. */
function encodeCitation(citation: string): string {
  return citation.replace(/[%(),;\s\p{Cc}]/gu, (sign) => PARENTHESES[sign] ?? encodeURIComponent(sign));
}

const PARENTHESES: Readonly<Record<string, string>> = { '(': '%28', ')': '%29' };

function decodeCitation(written: string): string {
  return written.trim().replace(/(?:%[0-9a-f]{2})+/gi, (signs) => {
    try {
      return decodeURIComponent(signs);
    } catch {
      return signs;
    }
  });
}

/**
 * The edit that applies a suggested change to the core file's text, or `applied` if the text already has it. A one-line
 * addition becomes a list item; a text that moves out is removed with its whole line. Pure.
 */
export function editOfProposal(core: string, change: Exclude<CoreChange, PageChange>): CoreEdit | 'applied' {
  switch (change.action) {
    case 'add':
      return isTextOnPage(core, change.text) ? 'applied' : { type: 'append', text: formatListItem(change.text) };
    case 'shorten': {
      const { old, text } = change;
      const isDone = core.includes(text) && (!core.includes(old) || text.includes(old));
      return isDone ? 'applied' : { type: 'replace', old, new: text };
    }
    case 'move-out': {
      const old = findLineWithText(core, change.text);
      return core.includes(old) ? { type: 'replace', old, new: '' } : 'applied';
    }
  }
}

type PageChange = Extract<CoreChange, { action: 'change' }>;

/**
 * Applies a suggested change of whole lines to a page. Returns null if nothing is left of the page, and the page
 * unchanged if the change is already made. Undefined if the lines are missing or occur more than once. Other lines keep
 * their line ends. Pure.
 */
export function applyPageChange(page: string | null, { old, text }: PageChange): string | null | undefined {
  if (page === null) return text === '' ? null : undefined;
  const { lines, starts } = splitLines(page);
  const found = placesOf(lines, old.split('\n'));
  const made = text.split('\n');
  const [at] = found;
  if (at === undefined || found.length > 1) return text !== '' && placesOf(lines, made).length > 0 ? page : undefined;
  const count = old.split('\n').length;
  const end = dominantLineEnd(page);
  const [from, to] = [starts[at] ?? 0, starts[at + count] ?? page.length];
  const last = to === page.length && !/[\r\n]$/.test(page) ? '' : end;
  const changed = page.slice(0, from) + (text === '' ? '' : made.join(end) + last) + page.slice(to);
  return changed.trim() === '' ? null : changed;
}

/** 0-based indexes at which the wanted lines occur in a page. */
function placesOf(lines: readonly string[], wanted: readonly string[]): readonly number[] {
  return lines.flatMap((_, at) => (wanted.every((line, index) => lines[at + index] === line) ? [at] : []));
}

/**
 * Whether a page contains a text. A text of one line must be a whole line or list item; a text of several lines must occur
 * exactly.
 */
export function isTextOnPage(page: string, text: string): boolean {
  if (/[\r\n]/.test(text.trim())) return page.replace(/\r\n?/g, '\n').includes(text.replace(/\r\n?/g, '\n').trim());
  const wanted = normaliseListItem(text);
  return splitLines(page).lines.some((line) => normaliseListItem(withoutComment(line)) === wanted);
}

/** Turns one line without a marker into a list item. */
export function formatListItem(text: string): string {
  const bare = text.trim();
  return /[\r\n]/.test(bare) || /^(?:[-*+>]|#{1,6}|\d+[.)])\s/.test(bare) ? bare : `- ${bare}`;
}

/**
 * The whole line that contains only this text, with list marker, comment and line end. The text itself if there is no such
 * line.
 */
export function findLineWithText(core: string, text: string): string {
  const { lines, starts } = splitLines(core);
  const wanted = withoutMarker(text);
  const index = lines.findIndex((line) => withoutMarker(withoutComment(line)) === wanted);
  return index < 0 ? text : core.slice(starts[index], starts[index + 1]);
}

function withoutMarker(line: string): string {
  return line.trim().replace(/^[-*+]\s+/, '');
}

/** Strips a trailing comment such as `<!-- importance: 7 -->`, which lines of the core may have. */
function withoutComment(line: string): string {
  const at = line.endsWith('-->') ? line.indexOf('<!--') : -1;
  return at < 0 ? line : line.slice(0, at);
}
