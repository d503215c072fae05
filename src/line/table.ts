import type { Day } from '../base/clock.js';
import { readLeadingDate } from './date.js';

/** Whether a line is the line of dashes below the header of a table: `|---|---|`. */
export function isLineBelowTableHeader(line: string): boolean {
  return line.includes('|') && /^[\s>]*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/.test(line);
}

/** Cells of a table row, trimmed. Pure. */
export function tableCells(text: string): readonly string[] {
  const inside = text.trim().replace(/^\||\|$/g, '');
  return inside.split('|').map((cell) => cell.trim());
}

/** Whether a cell says nothing: it is empty or only a dash. */
export function hasNoText(cell: string): boolean {
  return /^[-–—]?$/.test(cell);
}

/** A table row with the first and the last day of its period. A null day means that this end is open. */
interface Period {
  readonly key: string;
  readonly from: Day | null;
  readonly to: Day | null;
}

/**
 * Finds the row that is valid on a day in place of a row that has ended. Both rows have the same key. The period of the
 * new row begins when the ended row ends, or later, and includes the day. The key of a row is its cell in the first
 * column that does not contain only days. A table has periods only if at least two columns contain only days. The first
 * of these columns has the first days of the periods, and the last of them has the last days. The headings of the columns
 * are ignored. Undefined if there is no such row. Pure.
 * @param rows cells of all rows of the table, without the header
 * @param at index of the ended row
 */
export function currentRowIndex(rows: readonly (readonly string[])[], at: number, day: Day): number | undefined {
  const periods = periodsOf(rows);
  const ended = periods?.[at];
  if (periods === undefined || ended === undefined || ended.key === '' || ended.to === null || ended.to >= day)
    return undefined;
  const end = ended.to;
  const holds = ({ key, from, to }: Period): boolean =>
    key === ended.key && from !== null && from >= end && from <= day && (to === null || to >= day);
  const holding = periods.flatMap((period, index) =>
    index !== at && holds(period) ? [{ index, from: period.from }] : [],
  );
  return holding.sort((a, b) => ((a.from ?? '') > (b.from ?? '') ? -1 : 1))[0]?.index;
}

function periodsOf(rows: readonly (readonly string[])[]): readonly Period[] | undefined {
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const columns = Array.from({ length: width }, (_, column) => column);
  const ofDays = columns.filter((column) => {
    const said = rows.map((cells) => cells[column] ?? '').filter((cell) => cell !== '');
    return said.length > 0 && said.every((cell) => dayOfCell(cell) !== undefined);
  });
  const [first, last] = [ofDays[0], ofDays.at(-1)];
  const keyed = columns.find((column) => !ofDays.includes(column));
  if (first === undefined || last === undefined || first === last || keyed === undefined) return undefined;
  const dayAt = (cells: readonly string[], column: number): Day | null => dayOfCell(cells[column] ?? '') ?? null;
  const periods = rows.map((cells) => ({
    key: (cells[keyed] ?? '').normalize('NFKC').toLowerCase(),
    from: dayAt(cells, first),
    to: dayAt(cells, last),
  }));
  return periods.every(({ from, to }) => from === null || to === null || from <= to) ? periods : undefined;
}

/** The day of a cell that contains nothing else. */
function dayOfCell(cell: string): Day | undefined {
  const read = readLeadingDate(cell);
  return read === undefined || read.length < cell.length || read.isShort ? undefined : (read.day ?? undefined);
}
