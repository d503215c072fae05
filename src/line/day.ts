import type { DateOrder, Day } from '../base/clock.js';
import { makeDay, noonOf } from '../language/time/calendar.js';
import { STATEMENT_POLICY } from '../language/time/policy.js';
import type { TimeReader } from '../language/time/read-time.js';
import { isWeekday } from '../language/words/time-words.js';
import type { Heading, MarkdownScan } from '../markdown/block.js';
import { type FrontMatterField, readFrontMatterFields } from '../markdown/front-matter.js';
import { findDateOrder, readLeadingDate } from './date.js';
import { LINE_FORM } from './form.js';
import { hasNoText, isLineBelowTableHeader, tableCells } from './table.js';

/** Matches the marks before the date of a line: of a quote, a list, a task, brackets, emphasis. */
const LEAD = /^[\s>]*(?:(?:[-*+]|\d{1,3}[.)])\s+)?(?:\[[^\]]\]\s+)?[\u200e\u200f]?(?:\*\*|__|[[(（【<])*/;
/** Maximum number of characters before the date of a line: marks and brackets. */
const MOST_MARKS = 12;
/** Matches the text behind the date of a line: a time, and then a mark or the end. */
const AFTER_DATE = /^(?:,?[\sT]+\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?)?(?=$|[\])）】>*_,:：;|–—\s-])/i;
const CLOCK_BEHIND = /^,?[\sT]+\d{1,2}[:.]\d{2}/;
/** A field of a page or a message that says its day: `**Date:** 3 March 2026`. */
const DATE_FIELD =
  /^[\s>*_]*(?:date|sent|datum|gesendet(?: am)?|fecha|enviado(?: el)?|data|envoyé(?: le)?|дата|日期|日付|送信日時|发送时间|날짜)[*_\s]*[:：][*_\s]*(\S.{3,60})$/iu;
/** A quick test for {@link DATE_FIELD}: the pattern with all names is slow. */
const MAY_BE_DATE_FIELD = /^[\s>*_]*[dDsSfFeEдД日送发날][^:：]{1,20}[:：]/;
/** The head of a table's column with the day of each row. */
const DAY_COLUMN = /^(?:date|day|when|datum|tag|fecha|d[ií]a|data|jour|giorno|дата|день|日期|日付|날짜)$/iu;
/** A column with a day that is not the day of the row. */
const OTHER_COLUMN =
  /(?<!\p{L})(?:due|until|till|since|from|to|deadline|start|end|expires?|next|valid|notice|fällig|frist|bis|seit|beginn|ende|vence|hasta|desde|plazo|échéance|jusqu|depuis|scadenza|fino|срок|до)(?!\p{L})|截止|到期|期限|开始|结束|締切/iu;
/** Maximum number of words behind the date of a heading. A heading with more is a sentence that mentions a day. */
const MOST_WORDS = 6;

/** Matches the path of a diary's file below folders of its year and month: `2026/04/23.md`, `2026/04-April/23.md`. */
const DAY_IN_FOLDERS = /(?:^|\/)(\d{4})\/(\d{2})(?:[ _-]\p{L}+)?\/(\d{2})\.md$/u;

/** The day of a line. */
interface LineDay {
  readonly day: Day;
  /** The bit of {@link LINE_FORM} that says what the line has its day by. 0: by its page. */
  readonly form: number;
}

/** Whether a line begins with the mark of a quote. */
export function isQuotedLine(line: string): boolean {
  return /^\s*>/.test(line);
}

/** Whether a line introduces the quote below it, as mail programs do: it has a year, and a colon at its end. */
export function introducesQuotedText(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  return /[:：]$/.test(line.slice(-3).trimEnd()) && /\d{4}/.test(line) && isQuotedLine(lines[at + 1] ?? '');
}

/** Whether a line is a field that says the day of its page or message. */
export function isDateField(line: string): boolean {
  return MAY_BE_DATE_FIELD.test(line) && DATE_FIELD.test(line) && /\d/.test(line);
}

/** Opens a reader of dates with the names of months, in the languages of a text. */
export type DateReaderOf = (text: string) => Pick<TimeReader, 'read'>;

/**
 * The day that the structure of a page gives each line, and not a date in a sentence: the first that is there of a date at
 * the beginning of the line, the day of its row, the nearest heading or date field above, and the page. Null where there is
 * none. A date after the day of the page's file is only mentioned. Pure.
 * @param letters numbers of the lines that begin the header of a letter
 */
export function readLineDays(
  path: string,
  fileDay: Day | null,
  scan: MarkdownScan,
  dates: DateReaderOf,
  letters: ReadonlySet<number>,
): readonly (LineDay | null)[] {
  return new DayReader(path, fileDay, scan, dates, letters).read();
}

/** A quick test for lines that may begin with a date: a digit before the first letter. */
function mayBeginWithDate(line: string): boolean {
  for (let at = 0; at <= MOST_MARKS; at++) {
    const code = line.charCodeAt(at);
    if (code >= 48 && code <= 57) return true;
    if (!(code < 128) ? /\p{L}/u.test(line.charAt(at)) || Number.isNaN(code) : (code | 32) >= 97 && (code | 32) <= 122)
      return false;
  }
  return false;
}

/** The order of day and month that the dates with slashes of a page show. */
function readDateOrder(lines: readonly string[]): DateOrder {
  return findDateOrder(lines.filter((line) => /\d\/\d/.test(line)).map((line) => line.replace(LEAD, '')));
}

/**
 * Number of the first line with a date that stays unread, because the page does not show the order of day and month.
 * Undefined if there is none. Pure.
 */
export function findUnreadDate({ lines, blocks }: MarkdownScan): number | undefined {
  if (readDateOrder(lines) !== 'auto') return undefined;
  const isCode = (line: number): boolean =>
    blocks.some(({ type, startLine, endLine }) => type === 'fence' && startLine <= line && line <= endLine);
  const at = lines.findIndex(
    (line, index) => WITH_SLASHED_DATE.test(line) && hasSlashedDate(line) && !isCode(index + 1),
  );
  return at < 0 ? undefined : at + 1;
}

const WITH_SLASHED_DATE = /\d\/\d{1,2}\/\d/;

/** Whether a line begins with a date with slashes, or has one in a cell of its own. */
function hasSlashedDate(line: string): boolean {
  if (line.includes('|'))
    return tableCells(line).some(
      (cell) => readLeadingDate(cell)?.length === cell.length && WITH_SLASHED_DATE.test(cell),
    );
  const rest = line.replace(LEAD, '');
  const read = readLeadingDate(rest);
  if (read === undefined || !WITH_SLASHED_DATE.test(rest.slice(0, read.length))) return false;
  const behind = rest.slice(read.length);
  return AFTER_DATE.test(behind) && (!read.isShort || CLOCK_BEHIND.test(behind));
}

/** A date with its place in a text. */
interface DateInText {
  readonly day: Day;
  readonly start: number;
  readonly end: number;
}

class DayReader {
  private readonly order: DateOrder;
  private readonly code: ReadonlySet<number>;
  private readonly headings: ReadonlyMap<number, Heading>;
  private readonly hasQuotes: boolean;
  private readonly pageDay: Day | null;
  /** The headings above the next line, each with the day that it or one above it gives. */
  private readonly chain: { readonly depth: number; readonly day: Day | null }[] = [];
  /** The day of the last date field. Null in a message without one, undefined before the first field. */
  private field: Day | null | undefined;
  /** Whether the last line has the day of what stands above it, and not that of the page. */
  private isBelowDay = false;
  /** The day of the text that is quoted. Undefined where nothing is quoted. */
  private quoted: Day | null | undefined;

  constructor(
    path: string,
    private readonly fileDay: Day | null,
    private readonly scan: MarkdownScan,
    private readonly dates: DateReaderOf,
    private readonly letters: ReadonlySet<number>,
  ) {
    const code = new Set<number>();
    const headings = new Map<number, Heading>();
    for (const block of scan.blocks)
      if (block.type === 'heading') headings.set(block.startLine, block);
      else if (block.type === 'fence' || block.type === 'code')
        for (let line = block.startLine; line <= block.endLine; line++) code.add(line);
    this.code = code;
    this.headings = headings;
    this.order = readDateOrder(scan.lines);
    this.hasQuotes = scan.lines.some(isQuotedLine);
    this.pageDay = fileDay === null ? (this.frontMatterDay() ?? dayInName(path) ?? this.dayAsName(path)) : null;
  }

  read(): readonly (LineDay | null)[] {
    const rows = this.rowDays();
    return this.scan.lines.map((line, at) => {
      const around = this.around(line, at + 1);
      if (this.code.has(at + 1)) return null;
      const [stamp, row] = [this.stamp(line), rows.get(at + 1)];
      const day = this.notAhead(stamp ?? row ?? around);
      if (day === null) return null;
      const above = this.isBelowDay ? LINE_FORM.ofHeading : 0;
      return { day, form: stamp !== null ? LINE_FORM.stamped : row === undefined ? above : LINE_FORM.ofRow };
    });
  }

  /** The day that the nearest heading, field or introduction above gives a line. Must be called for each line in order. */
  private around(line: string, number: number): Day | null {
    const heading = this.headings.get(number);
    if (heading !== undefined) this.enter(heading);
    else if (this.letters.has(number)) this.field = null;
    else if (isDateField(line)) this.field = this.fieldDay(line) ?? this.field;
    if (this.hasQuotes) {
      const isQuote = isQuotedLine(line);
      if (!isQuote && line.trim() !== '')
        this.quoted = introducesQuotedText(this.scan.lines, number - 1) ? (this.dateIn(line) ?? null) : undefined;
      this.isBelowDay = isQuote;
      if (isQuote && this.quoted !== undefined) return this.quoted;
    }
    const above = this.field === undefined ? (this.chain.at(-1)?.day ?? null) : null;
    this.isBelowDay = above !== null;
    return this.field === undefined ? (above ?? this.pageDay) : this.field;
  }

  private enter({ depth, text }: Heading): void {
    while ((this.chain.at(-1)?.depth ?? 0) >= depth) this.chain.pop();
    const day = this.headingDay(text);
    this.chain.push({ depth, day: day ?? this.chain.at(-1)?.day ?? null });
    if (day !== null) this.field = undefined;
  }

  private notAhead(day: Day | null): Day | null {
    return day === null || this.fileDay === null || day < this.fileDay ? day : null;
  }

  /** The date at the beginning of a line, which stands there for the whole line. */
  private stamp(line: string): Day | null {
    if (!mayBeginWithDate(line)) return null;
    const rest = line.replace(LEAD, '');
    const read = readLeadingDate(rest, this.order);
    if (read === undefined) return null;
    const behind = rest.slice(read.length);
    if (!AFTER_DATE.test(behind) || (read.isShort && !CLOCK_BEHIND.test(behind))) return null;
    return read.day;
  }

  /** The day of a heading or field that is a date, with a weekday, a number or a version before it and a title behind it. */
  private headingDay(text: string): Day | null {
    const plain = text.replace(/[[\]*_`]/g, '').trim();
    if (!/\d{4}|\d[./-]\d/.test(plain)) return null;
    const date = this.digits(plain) ?? this.mention(plain);
    if (date === undefined) return null;
    const [before, behind] = [plain.slice(0, date.start), plain.slice(date.end)];
    return wordsIn(before) <= 1 && wordsIn(behind) <= MOST_WORDS ? date.day : null;
  }

  private fieldDay(line: string): Day | null {
    const [, value] = DATE_FIELD.exec(line) ?? [];
    return value === undefined ? null : this.headingDay(value);
  }

  /** The one day that a short text names with its year. */
  private dateIn(text: string): Day | undefined {
    return (this.digits(text) ?? this.mention(text))?.day;
  }

  /** The first date in digits, wherever it stands in a text. */
  private digits(text: string): DateInText | undefined {
    for (const { index } of text.matchAll(/(?<![\d.])\d{1,4}(?=[-./_年]\d{1,2}[-./_月]\d)/g)) {
      const read = readLeadingDate(text.slice(index), this.order);
      if (read !== undefined && read.day !== null && !read.isShort)
        return { day: read.day, start: index, end: index + read.length };
    }
    return undefined;
  }

  private mention(text: string): DateInText | undefined {
    if (!/\b(?:19|20)\d\d\b/.test(text)) return undefined;
    const now = noonOf('2000-01-01');
    for (const { start, end, span } of this.dates(text).read(text, { ...now, policy: STATEMENT_POLICY }))
      if (span.since !== null && span.since === span.until && text.includes(span.since.slice(0, 4)))
        return { day: span.since, start, end };
    return undefined;
  }

  /** The day that a file has as its whole name: `2026/04/23.md`, `April 26th, 2026.md`. A weekday may stand beside it. */
  private dayAsName(path: string): Day | null {
    const [, year, month, day] = DAY_IN_FOLDERS.exec(path) ?? [];
    if (year !== undefined) return makeDay(Number(year), Number(month), Number(day)) ?? null;
    // Without the point, English and German dates are read alike: `26. April 2026`.
    const name = path.slice(path.lastIndexOf('/') + 1, -'.md'.length).replace(/^(\d{1,2})\. ?/, '$1 ');
    const date = this.mention(name);
    const rest =
      date === undefined ? [] : `${name.slice(0, date.start)} ${name.slice(date.end)}`.match(/[\p{L}\p{N}]+/gu);
    return date === undefined || rest?.every(isWeekday) === false ? null : date.day;
  }

  private frontMatterDay(): Day | null {
    if (this.scan.blocks[0]?.type !== 'frontMatter') return null;
    const fields = readFrontMatterFields(this.scan.lines);
    for (const name of ['date', 'created']) {
      const day = readLeadingDate(textOf(fields.find(({ key }) => key.toLowerCase() === name)))?.day;
      if (day != null) return day;
    }
    return null;
  }

  /** The days of the rows of tables with a column for them, by line. */
  private rowDays(): ReadonlyMap<number, Day> {
    const found = new Map<number, Day>();
    const { lines } = this.scan;
    for (let at = 1; at < lines.length; at++) {
      const [head = '', divider = ''] = [lines[at - 1], lines[at]];
      if (!head.includes('|') || this.code.has(at + 1) || !isLineBelowTableHeader(divider)) continue;
      const rows: (readonly string[])[] = [];
      while ((lines[at + 1 + rows.length] ?? '').includes('|'))
        rows.push(tableCells(lines[at + 1 + rows.length] ?? ''));
      const column = this.dayColumn(tableCells(head), rows);
      for (const [i, cells] of rows.entries()) {
        const day = column === undefined ? null : this.cellDay(cells[column] ?? '');
        if (day !== null) found.set(at + 2 + i, day);
      }
      at += rows.length;
    }
    return found;
  }

  private dayColumn(heads: readonly string[], rows: readonly (readonly string[])[]): number | undefined {
    const named = heads.findIndex((head) => DAY_COLUMN.test(head.replace(/[*_`]/g, '')));
    if (named >= 0) return named;
    const dated = [...heads.keys()].filter((column) => {
      const said = rows.map((cells) => cells[column] ?? '').filter((cell) => !hasNoText(cell));
      return said.length > 0 && said.every((cell) => this.cellDay(cell) !== null);
    });
    const [only] = dated;
    return dated.length === 1 && only !== undefined && !OTHER_COLUMN.test(heads[only] ?? '') ? only : undefined;
  }

  private cellDay(cell: string): Day | null {
    return readLeadingDate(cell.replace(/[*_`]/g, ''), this.order)?.day ?? null;
  }
}

function textOf(field: FrontMatterField | undefined): string {
  const value = field?.value;
  return typeof value === 'string' ? value.replace(/^["'[\s]+/, '') : '';
}

function wordsIn(text: string): number {
  return text.match(/\p{L}+/gu)?.length ?? 0;
}

/** The day in the name of a file, wherever it stands there: `Session 03 - 2026-02-07.md`. */
function dayInName(path: string): Day | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const from = name.search(/(?<!\d)\d{4}([-._])\d{1,2}\1\d{1,2}(?!\d)/);
  return from < 0 ? null : (readLeadingDate(name.slice(from))?.day ?? null);
}
