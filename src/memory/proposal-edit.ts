import { splitLines } from '../markdown/lines.js';
import { dominantEnd } from '../text/bytes.js';
import type { CoreEdit } from './core-edit.js';
import { type CoreChange, comparable } from './proposals.js';

/**
 * The edit that makes a suggested change of the core file's text, or `applied` when it stands there already, by whoever
 * did it. An added text of one line becomes a list item; what moves out takes its whole line along. Pure.
 */
export function proposalEdit(core: string, change: Exclude<CoreChange, PageChange>): CoreEdit | 'applied' {
  switch (change.action) {
    case 'add':
      return isThere(core, change.text) ? 'applied' : { type: 'append', text: asListItem(change.text) };
    case 'shorten': {
      const { old, text } = change;
      const isDone = core.includes(text) && (!core.includes(old) || text.includes(old));
      return isDone ? 'applied' : { type: 'replace', old, new: text };
    }
    case 'move-out': {
      const old = wholeLine(core, change.text);
      return core.includes(old) ? { type: 'replace', old, new: '' } : 'applied';
    }
  }
}

type PageChange = Extract<CoreChange, { action: 'change' }>;

/**
 * What a suggested change of whole lines makes of a page: null when nothing is left of it, the page as it is when it was
 * made already. Undefined when the lines are not there, or not once. Each other line keeps its end. Pure.
 */
export function changedPage(page: string | null, { old, text }: PageChange): string | null | undefined {
  if (page === null) return text === '' ? null : undefined;
  const { lines, starts } = splitLines(page);
  const found = placesOf(lines, old.split('\n'));
  const made = text.split('\n');
  const [at] = found;
  if (at === undefined || found.length > 1) return text !== '' && placesOf(lines, made).length > 0 ? page : undefined;
  const count = old.split('\n').length;
  const end = dominantEnd(page);
  const [from, to] = [starts[at] ?? 0, starts[at + count] ?? page.length];
  const last = to === page.length && !/[\r\n]$/.test(page) ? '' : end;
  const changed = page.slice(0, from) + (text === '' ? '' : made.join(end) + last) + page.slice(to);
  return changed.trim() === '' ? null : changed;
}

/** Where some lines stand in a page, as the numbers of the first, from 0. */
function placesOf(lines: readonly string[], wanted: readonly string[]): readonly number[] {
  return lines.flatMap((_, at) => (wanted.every((line, index) => lines[at + index] === line) ? [at] : []));
}

/** Whether a text stands in a page: as a line of it, in a list or not; one of several lines exactly. */
export function isThere(page: string, text: string): boolean {
  if (/[\r\n]/.test(text.trim())) return page.replace(/\r\n?/g, '\n').includes(text.replace(/\r\n?/g, '\n').trim());
  const wanted = comparable(text);
  return splitLines(page).lines.some((line) => comparable(withoutComment(line)) === wanted);
}

/** One line without a marker of its own, as an item of a list. */
export function asListItem(text: string): string {
  const bare = text.trim();
  return /[\r\n]/.test(bare) || /^(?:[-*+>]|#{1,6}|\d+[.)])\s/.test(bare) ? bare : `- ${bare}`;
}

/** The line that has nothing but this text, with its list marker, comment and end; else the text. */
export function wholeLine(core: string, text: string): string {
  const { lines, starts } = splitLines(core);
  const wanted = withoutMarker(text);
  const index = lines.findIndex((line) => withoutMarker(withoutComment(line)) === wanted);
  return index < 0 ? text : core.slice(starts[index], starts[index + 1]);
}

function withoutMarker(line: string): string {
  return line.trim().replace(/^[-*+]\s+/, '');
}

/** Lines of the core may end in `<!-- importance: 7 -->` and the like. */
function withoutComment(line: string): string {
  const at = line.endsWith('-->') ? line.indexOf('<!--') : -1;
  return at < 0 ? line : line.slice(0, at);
}
