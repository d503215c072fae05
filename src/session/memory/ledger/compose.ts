import { estimateTokens } from '../../../text/tokens.js';
import {
  formatItemAsBullet,
  hasContent,
  itemKey,
  itemOfLine,
  itemTextWithoutMarker,
  makeContentSafe,
} from '../../../wm/document.js';
import { type LedgerEntry, SECTION_FULL_REASON } from './ledger.js';

/**
 * A section that the rules wrote. `entries`: the lines of the section that the rules wrote. `gone`: each earlier line that
 * is no longer in the section, with the reason.
 */
export interface ComposedSection {
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
export function composeSection(
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
export function composeTitle(body: string, own: readonly LedgerEntry[]): ComposedSection {
  const [entry] = own.map(asItem);
  return { content: entry?.text ?? body, entries: entry === undefined ? [] : [entry], gone: new Map() };
}

/** The entry with its text as one plain list item, without Markdown structure. */
function asItem(entry: LedgerEntry): LedgerEntry {
  const text = itemOfLine(formatItemAsBullet(itemTextWithoutMarker(entry.text.replace(/\n/gu, ' '))));
  return text === entry.text ? entry : { ...entry, text };
}
