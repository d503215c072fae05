import { basename, dirname } from 'node:path';
import type { Clock, DateOrder } from '../../base/clock.js';
import { findDateOrder, readLeadingDate } from '../../line/date.js';
import { type ExportChat, formatClock } from './entry.js';

const MARKS = '[\\u200e\\u200f\\u202a-\\u202e\\ufeff]*';
/**
 * The beginning of a message: `03.05.26, 09:20 - ` on Android, `[5/3/26, 9:20:11 AM] ` on iOS. A short word may stand before
 * the time, as in Finnish: `3.5.2026 klo 9.20`.
 */
const HEAD = new RegExp(
  `^${MARKS}(\\[?)(\\d{1,4}[-./]\\s?\\d{1,2}[-./]\\s?\\d{1,4})\\.?,?\\s(?:\\p{L}{1,4}\\s)?(\\d{1,2})[:.](\\d{2})(?:[:.]\\d{2})?(?:\\s?([ap])\\.?\\s?m\\.?)?(?:\\]|\\s[-–])\\s(.*)$`,
  'iu',
);
/** A name never has a quotation mark: `Bo changed the subject to “Plan: B”` is the text of the program. */
const SPOKEN = /^([^:"“”„«»]{1,60}):(?:\s(.*))?$/u;
/** On iOS, a text that the program wrote begins with this mark. */
const MACHINE = '\u200e';
const NAMES_FILE = /[^\s<>]+\.\p{L}[\p{L}\d]{1,4}(?![\p{L}\d])/u;
/** A text that stands for a file that was not exported (`<Media omitted>`), or follows an edited message. */
const PLACEHOLDER = /\u200e?<[^<>]*>$/u;

/** Whether a text is a chat as WhatsApp exports it: one of its first lines begins with a date, a time and a speaker. */
export function isWhatsApp(text: string): boolean {
  return text
    .slice(0, 4_000)
    .split(/\r?\n/, 20)
    .some((line) => HEAD.test(line));
}

/** The beginning of a message, and the rest of its first line. */
interface Head {
  readonly isBracketed: boolean;
  readonly date: string;
  readonly time: string;
  /** Whether the time has only twelve hours. */
  readonly isHalfDay: boolean;
  readonly speaker: string | undefined;
  readonly text: string;
}

/** Reads a chat that was exported from WhatsApp as text. Pure. */
export function readWhatsApp(path: string, text: string, clock: Pick<Clock, 'dateOrder'>): ExportChat {
  const messages: { readonly head: Head; readonly lines: string[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const head = readHead(line);
    if (head !== undefined) messages.push({ head, lines: [head.text] });
    else messages.at(-1)?.lines.push(line);
  }
  const { order, warnings } = readOrder(
    path,
    messages.map(({ head }) => head),
    clock.dateOrder,
  );
  const said = messages.flatMap(({ head: { isBracketed, date, time, speaker, text: first }, lines }) => {
    const isMachine = isBracketed && first.startsWith(MACHINE) && !NAMES_FILE.test(first);
    if (speaker === undefined || isMachine) return [];
    const day = readLeadingDate(date, order)?.day ?? null;
    return [{ day, time, speaker, text: withoutPlaceholder(lines.join('\n').trimEnd()) }];
  });
  const speakers = [...new Set(said.map(({ speaker }) => speaker))];
  const title = titleOf(path, messages[0]?.head, speakers);
  return { program: 'whatsapp', title, entries: said, leftOut: messages.length - said.length, warnings };
}

/** The order of day and month: as the dates show it, as the settings say, or as phones with such a clock write it. */
function readOrder(path: string, heads: readonly Head[], set: DateOrder = 'auto') {
  const dates = heads.flatMap(({ date }) => (date.includes('/') ? [date] : []));
  const shown = findDateOrder(dates);
  const known = shown === 'auto' ? set : shown;
  if (known !== 'auto') return { order: known, warnings: [] };
  const isHalfDay = heads.some((head) => head.isHalfDay);
  const order: DateOrder = isHalfDay ? 'mdy' : 'dmy';
  const reading = isHalfDay ? 'month first' : 'day first';
  const unsure = `${basename(path)} does not show the order of day and month; its dates are read ${reading}; if this is wrong, set dateOrder`;
  return { order, warnings: dates.length === 0 ? [] : [unsure] };
}

function readHead(line: string): Head | undefined {
  const [, bracket, date, hours, minutes = '', half, rest] = HEAD.exec(line) ?? [];
  if (date === undefined || hours === undefined || rest === undefined) return undefined;
  const [, name, text = ''] = SPOKEN.exec(rest) ?? [];
  return {
    isBracketed: bracket === '[',
    // Dutch phones write the day first, with hyphens.
    date: date.replace(/\s/g, '').replace(/^(\d{1,2})-(\d{1,2})-/, '$1.$2.'),
    time: formatClock(hours, minutes, half),
    isHalfDay: half !== undefined,
    speaker: name?.replace(/^[\s~\u200e\u202a-\u202e]+/u, ''),
    text,
  };
}

function withoutPlaceholder(text: string): string {
  const found = PLACEHOLDER.exec(text);
  return found === null || NAMES_FILE.test(found[0]) ? text : text.slice(0, found.index).trimEnd();
}

/**
 * The title of a chat: from the name of its file or folder (`WhatsApp Chat with Family.txt`), from its first line, which the
 * program writes in the name of the group, or its speakers.
 */
function titleOf(path: string, first: Head | undefined, speakers: readonly string[]): string {
  for (const name of [basename(path, '.txt'), basename(dirname(path))]) {
    const [, title] = /[Ww]hats[Aa]pp(?:[-\s][Cc]hat)?\s(?:-|\p{Ll}+)\s(.+?)(?:\s?\(\d+\))?$/u.exec(name) ?? [];
    if (title !== undefined) return title;
  }
  if (basename(path) !== '_chat.txt') return basename(path, '.txt');
  return first?.text.startsWith(MACHINE) && first.speaker ? first.speaker : speakers.slice(0, 3).join(', ');
}
