import { groupBy } from '../../base/order.js';
import { noonOf } from '../../language/time/calendar.js';
import { STATEMENT_POLICY } from '../../language/time/policy.js';
import { openTimeReader } from '../../language/time/read-time.js';
import { type ExportChat, type ExportEntry, formatClock } from './entry.js';

const RULE = /^={10}\s*$/m;
/** The line below the title: `- Your Highlight on page 12 | Location 123-125 | Added on Monday, 4 May 2026 22:10:05`. */
const PLACE = /^\s*-\s.*\|/;
/** The word for a note, in the languages of Kindle that write it with Latin letters. */
const NOTE = /\bnot(?:e|iz|a|itie)\b/i;
const CLOCK = /\b(\d{1,2}):(\d{2})(?::\d{2})?(?:\s?([AP])M)?\b/i;

/** Whether a text is the file of clippings of a Kindle. */
export function isKindle(text: string): boolean {
  const [, place = ''] = text.replace(/^\ufeff/, '').split(/\r?\n/, 2);
  return PLACE.test(place) && RULE.test(text);
}

/** Maximum length of the line with the place, in characters. */
const LONGEST_PLACE = 300;

interface Clipping {
  readonly book: string;
  readonly entry: ExportEntry;
  /** What was highlighted or noted. */
  readonly text: string;
  readonly isNote: boolean;
  /** The last page or location that it covers. */
  readonly end: number;
}

/** Reads the clippings of a Kindle: for each book its highlights, and its notes. Bookmarks have no text. Pure. */
export function readKindle(text: string): readonly ExportChat[] {
  const clippings = text.split(RULE).flatMap((part) => readClipping(part) ?? []);
  return [...groupBy(clippings, ({ book }) => book)].map(([title, ofBook]) => ({
    program: 'kindle',
    title,
    entries: entriesOf(ofBook),
    leftOut: 0,
  }));
}

function readClipping(part: string): Clipping | undefined {
  const [title = '', place = '', ...lines] = part.replace(/^\s+/, '').split(/\r?\n/);
  const said = lines.join('\n').trim();
  if (said === '' || !PLACE.test(place)) return undefined;
  const parts = place
    .slice(0, LONGEST_PLACE)
    .replace(/^\s*-\s*/, '')
    .split('|');
  const added = parts.at(-1)?.trim() ?? '';
  const where = parts.slice(0, -1).map((one) => one.trim());
  const isNote = NOTE.test(where[0] ?? '');
  const ends = where.map((one) => Number(/(\d+)\D*$/.exec(one)?.[1] ?? 0));
  const at = where.flatMap((one) => /[\p{L}.]+\s[\d-]+$/u.exec(one)?.[0] ?? []).join(', ');
  const text = isNote ? `Note: ${said}` : `“${said}”${at === '' ? '' : ` (${at})`}`;
  return {
    book: title.replace(/\ufeff/g, '').trim(),
    entry: { day: readDay(added), time: readClock(added), speaker: null, text },
    text: said,
    isNote,
    end: ends.at(-1) ?? 0,
  };
}

/** The entries of a book. A note names the beginning of the highlight that ends where the note is. */
function entriesOf(clippings: readonly Clipping[]): readonly ExportEntry[] {
  const highlights = new Map(clippings.flatMap(({ isNote, end, text }) => (isNote ? [] : [[end, text] as const])));
  return clippings.map(({ entry, isNote, end, text }) => {
    const about = isNote ? highlights.get(end) : undefined;
    return about === undefined ? entry : { ...entry, text: `Note on “${shortened(about)}”: ${text}` };
  });
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= MOST_NAMED ? line : `${line.slice(0, MOST_NAMED).replace(/\s\S*$/, '')} …`;
}

/** Maximum number of characters of a highlight that its note repeats. */
const MOST_NAMED = 80;

/** The day in the languages that the program reads. */
function readDay(added: string): ExportEntry['day'] {
  const now = { ...noonOf('2000-01-01'), policy: STATEMENT_POLICY };
  const found = openTimeReader(added)
    .read(added, now)
    .find(({ span }) => span.since !== null && span.since === span.until);
  return found?.span.since ?? null;
}

function readClock(added: string): string {
  const [, hours, minutes = '', half] = CLOCK.exec(added) ?? [];
  return hours === undefined ? '' : formatClock(hours, minutes, half);
}
