import { hash } from 'node:crypto';
import type { Day } from '../../base/clock.js';
import { addDays, parseDay } from '../../language/time/calendar.js';
import { redactSecrets } from '../../text/redact.js';
import { stripInjected } from '../../text/strip.js';

/** One message, highlight, mail or event of an export. */
export interface ExportEntry {
  /** Day in the zone of the user. Null if the export does not say it. */
  readonly day: Day | null;
  /** `HH:MM`, or '' for an entry without a time. */
  readonly time: string;
  /** Who says the text. Null for an entry that nobody says, such as an event. */
  readonly speaker: string | null;
  readonly text: string;
  /** The id that the program gives the entry. Only for entries that a later export may change or call off. */
  readonly key?: string;
  readonly isEdited?: boolean;
  /** Set if the entry was called off: it is not written, and removed if an earlier import wrote it. */
  readonly isCancelled?: boolean;
}

/** One chat, book, calendar or thread of mails. It becomes one page, or one page for each month. */
export interface ExportChat {
  /** The program that the export comes from. It is the name of a folder in `memory/imports/`. */
  readonly program: ExportProgram;
  readonly title: string;
  /** In the order of the export. */
  readonly entries: readonly ExportEntry[];
  /** Number of messages that nobody wrote: joins, calls, changes of the subject. */
  readonly leftOut: number;
  readonly warnings?: readonly string[];
}

/** Number of days in which most people edit a message that they wrote. */
const EDITED_WITHIN = 2;

/**
 * Makes a chat of messages, oldest first. Of entries with a key, only those that were edited or may still be keep it.
 * @param toEntry undefined for a message that nobody wrote
 */
export function chatOf<T>(
  program: ExportProgram,
  title: string,
  messages: readonly T[],
  toEntry: (message: T) => ExportEntry | undefined,
): ExportChat {
  const entries = messages.flatMap((message) => toEntry(message) ?? []);
  const last = entries.at(-1)?.day ?? null;
  const from = last === null ? '' : addDays(last, -EDITED_WITHIN);
  const kept = entries.map(({ key, isEdited, ...entry }) =>
    key !== undefined && (isEdited || (entry.day ?? '') >= from) ? { ...entry, key } : entry,
  );
  return { program, title, entries: kept, leftOut: messages.length - entries.length };
}

export type ExportProgram = 'whatsapp' | 'telegram' | 'slack' | 'discord' | 'kindle' | 'mail' | 'calendar';

/** An entry as it is written: one list item, which may go on in indented lines. */
export interface EntryBlock extends Omit<ExportEntry, 'speaker' | 'text'> {
  readonly lines: readonly string[];
}

/** Control characters, and invisible marks of the writing direction. */
const UNSEEN = /[\0-\x08\x0b-\x1f\x7f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/g;

/**
 * Writes an entry as a list item: `- 09:20 Anna Schmidt: text`. Secrets and injected memories are removed. No line can be
 * read as a heading, a fence, a comment or a task. Undefined if no text is left.
 */
export function formatEntry({ speaker, text, ...entry }: ExportEntry): EntryBlock | undefined {
  const clean = redactSecrets(stripInjected(text.replace(/\r\n?|[\u2028\u2029]/g, '\n'))).text;
  const said = clean.split('\n').flatMap((line) => plainLine(line.replace(UNSEEN, '').trim()) || []);
  const [first, ...rest] = said;
  if (first === undefined) return undefined;
  const by = speaker === null ? '' : `${entry.time} ${speakerName(speaker)}: `;
  const lines = [`- ${by}${first}`, ...rest.map((line) => `  ${line}`)];
  if (entry.key !== undefined) lines[0] += ` ${blockId(entry.key, lines)}`;
  return { ...entry, lines };
}

/** A title as one line, which may stand after the mark of a heading. */
export function plainTitle(title: string): string {
  return plainLine(title.replace(UNSEEN, ' ').replace(/\s+/gu, ' ').trim());
}

/** A name without colons, marks of Markdown and line ends, so that it ends where the text begins. */
function speakerName(name: string): string {
  const plain = name.replace(UNSEEN, '').replace(/[\s:：*`[\]<>|#@~]+/gu, ' ');
  return plain.trim().slice(0, LONGEST_NAME).trim() || '?';
}

const LONGEST_NAME = 60;

/** A line of a text that begins no block of Markdown. */
function plainLine(line: string): string {
  return line
    .replace(/<!--/g, '<\\!--')
    .replace(/%%/g, '%\\%')
    .replace(/^(?=#|>|```|~~~|[-*_=]{3,}$)/, '\\')
    .replace(/^([-*+]|\d{1,9}[.)])\s+\[(?=[^\]]\])/, '$1 \\[');
}

/** The block id of an entry that may change: a hash of its key, then a hash of its lines as we write them. */
function blockId(key: string, lines: readonly string[]): string {
  return `^e-${hash('sha256', key).slice(0, ID_PART)}${hash('sha256', lines.join('\n').trimEnd()).slice(0, ID_PART)}`;
}

const ID_PART = 7;
const BLOCK_ID = new RegExp(`^(.*) \\^e-([0-9a-f]{${ID_PART}})([0-9a-f]{${ID_PART}})$`);

export function withoutBlockId(line: string): string {
  return BLOCK_ID.exec(line)?.[1] ?? line;
}

/** Reads the hash of the key of an item with a block id, and whether the item still is as we wrote it. */
export function readBlockId([first = '', ...rest]: readonly string[]) {
  const [, written, key, own = ''] = BLOCK_ID.exec(first) ?? [];
  if (written === undefined || key === undefined) return undefined;
  return { key, isOurs: hash('sha256', [written, ...rest].join('\n').trimEnd()).startsWith(own) };
}

/** Writes a time as `HH:MM`. @param half `a` or `p` on a clock of twelve hours, in any case; else undefined */
export function formatClock(hours: string, minutes: string, half: string | undefined): string {
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}

/** Changes Unix ms to the day and time in a zone. Has one formatter for all, since making one takes long. */
export function localTimeReader(zone: string): (ms: number) => Pick<ExportEntry, 'day' | 'time'> {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  return (ms) => {
    if (!(Math.abs(ms) <= MOST_MS)) return { day: null, time: '' };
    const [day, time = ''] = format.format(ms).split(' ');
    return { day: parseDay(day), time };
  };
}

/** The last time of four-digit years, in Unix ms. */
const MOST_MS = Date.UTC(9999, 11, 30);
