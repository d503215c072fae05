import type { Day } from '../base/clock.js';
import { findExportedTurns, findTurns, type SpeakerTurn } from '../language/speakers.js';
import { parseDay } from '../language/time/calendar.js';
import type { MarkdownScan } from '../markdown/block.js';
import { type DateReaderOf, introducesQuotedText, isDateField, isQuotedLine, readLineDays } from './day.js';
import { LINE_FORM } from './form.js';

/** The facts about a line that its place on the page shows. */
interface LinePlace {
  /**
   * The day that the line has of its own, by its structure (see `readLineDays`). Null where it has none, or where it is the
   * day of the file.
   */
  readonly day: Day | null;
  /** Name of the speaker, as written. Null if the author of the page speaks. */
  readonly speaker: string | null;
  /** Number of the line that says who speaks, if it is another one. */
  readonly head: number | null;
  /** The forms that its place gives the line, as bits of {@link LINE_FORM}. */
  readonly form: number;
}

/** The places of the lines of a page, by their number, counted from 1. */
export type LinePlaces = (line: number) => LinePlace;

/** A place that shows nothing about its line. */
export const NO_LINE_PLACE: LinePlace = { day: null, speaker: null, head: null, form: 0 };

/** A field of the header of a message: `**To:** support`. */
const FIELD = /^[\s>]*(?:\*\*|__)?[\p{L}][\p{L} -]{1,20}(?:\*\*|__)?\s*[:：]/u;

/**
 * Reads the day, the speaker and the form that the place of each line gives it. Pure.
 * @param fileDay the day of a daily log
 * @param visible the lines of the page without comments
 * @param dates opens a reader of dates with the names of months
 * @param isImport whether the page is one of imports; with the headings that `import` writes, it is read as such
 */
export function readLinePlaces(
  path: string,
  fileDay: Day | null,
  scan: MarkdownScan,
  visible: readonly string[],
  dates: DateReaderOf,
  isImport = false,
): LinePlaces {
  const isExport = isImport && visible.some((line) => DAY_HEADING.test(line));
  const queries = queryLines(scan);
  const turns = isExport ? findExportedTurns(visible) : findTurns(visible);
  const letters = turns.flatMap((turn, at) =>
    isHeadOf(turn, visible[at] ?? '') && FIELD.test(visible[at] ?? '') ? at + 1 : [],
  );
  const days = isExport ? readExportedDays(visible) : readLineDays(path, fileDay, scan, dates, new Set(letters));
  const quotes = readQuotes(visible);
  let head: number | null = null;
  let isInHeader = false;
  const places = visible.map((line, at): LinePlace => {
    const turn = turns[at];
    const isHead = isHeadOf(turn, line);
    if (isHead) head = at + 1;
    isInHeader = (isHead || isInHeader) && FIELD.test(line);
    const { day = null, form: dayForm = 0 } = days[at] ?? {};
    let form = (quotes?.[at] ?? 0) | dayForm;
    if (isHead || isInHeader || isDateField(line)) form |= LINE_FORM.header;
    if (queries.has(at + 1)) form |= LINE_FORM.query;
    if (day === null && turn === undefined && form === 0) return NO_LINE_PLACE;
    return { day, speaker: turn?.name ?? null, head: turn === undefined || isHead ? null : head, form };
  });
  return (line) => places[line - 1] ?? NO_LINE_PLACE;
}

/** The heading of a day on a page that `import` wrote. */
const DAY_HEADING = /^## \d{4}-\d{2}-\d{2}$/;

/** The days of the lines of a page that `import` wrote. Only its headings count: a message may begin with any other date. */
function readExportedDays(lines: readonly string[]): ReturnType<typeof readLineDays> {
  let day: Day | null = null;
  return lines.map((line) => {
    if (DAY_HEADING.test(line)) day = parseDay(line.slice('## '.length));
    return day === null ? null : { day, form: LINE_FORM.ofHeading };
  });
}

/** Whether a line only names the speaker of the lines below. */
function isHeadOf(turn: SpeakerTurn | undefined, line: string): boolean {
  return turn?.said === '' && line.trim() !== '';
}

/** Numbers of the lines in blocks that ask another program for a list. They have words of a question, but answer none. */
function queryLines({ blocks }: MarkdownScan): ReadonlySet<number> {
  const found = new Set<number>();
  for (const block of blocks)
    if (block.type === 'fence' && QUERY_LANGUAGE.test(block.info))
      for (let line = block.startLine; line <= block.endLine; line++) found.add(line);
  return found;
}

const QUERY_LANGUAGE = /^(?:dataview|dataviewjs|tasks|query|datacore|base|tracker|button|meta-bind)\b/i;

/**
 * The forms of the lines of mails: quoted below a line that introduces a quote, which is a header. Undefined for a page
 * without quotes.
 */
function readQuotes(lines: readonly string[]): readonly number[] | undefined {
  if (!lines.some(isQuotedLine)) return undefined;
  let isQuoting = false;
  return lines.map((line, at) => {
    if (isQuotedLine(line)) return isQuoting ? LINE_FORM.quoted : 0;
    if (line.trim() !== '') isQuoting = introducesQuotedText(lines, at);
    return isQuoting && line.trim() !== '' ? LINE_FORM.header : 0;
  });
}
