import type { Day } from '../base/clock.js';
import type { UnitDetail, UnitKind } from '../line/unit.js';
import type { PageRole } from '../memory/pages.js';
import { hashText, mixHashes } from '../text/hash.js';

/** Values of a row of the table `unit` in column order, without the ids that the writer assigns. */
export type UnitValues = readonly [
  line: number,
  endLine: number,
  kind: UnitKind,
  section: number,
  text: string,
  fact: string | null,
  validFrom: Day | null,
  validTo: Day | null,
  period: number,
  day: Day | null,
  speaker: string | null,
  form: number,
  head: number,
  series: number | null,
  detail: string | null,
];

/**
 * A row in the order of {@link UNIT_COLUMNS}. An array, because better-sqlite3 creates arrays twice as fast as objects, and
 * most of the time of a question goes into rows.
 */
export type UnitRow = readonly [...values: UnitValues, id: number, file: number, sum: number];

/** A row in the order of {@link FILE_COLUMNS}. */
export type FileRow = readonly [
  path: string,
  day: Day | null,
  role: PageRole,
  pageType: string | null,
  firstUnit: number,
  lastUnit: number,
  sum: number,
];

export const FILE_COLUMNS = 'path, day, role, page_type, first_unit, last_unit, sum';

export const UNIT_COLUMNS =
  'line, end_line, kind, section, text, fact, valid_from, valid_to, period, day, speaker, form, head, series, detail, id, file, sum';

/** Position of the file id in a {@link UnitRow}. */
export const FILE_ID_COLUMN_POSITION = 16;

/** Parses the detail of a unit. Only the index writes it, so its shape is not checked. */
export function parseDetail(json: string): UnitDetail {
  return JSON.parse(json);
}

/**
 * Checksum of the values of a row, which is stored in the row. SQLite checks the structure of its file, but not the values.
 * NaN if a value has a type that our rows never have.
 * @param sum checksum of the values that come before these in the row; 0 if there are none
 */
export function rowChecksum(values: readonly unknown[], sum = 0, count = values.length): number {
  for (let i = 0; i < count; i++) {
    const value = values[i];
    if (typeof value === 'string') sum = mixHashes(sum, hashText(value) + value.length);
    else if (typeof value === 'number') sum = mixHashes(sum, (value ^ (value / 0x1_0000_0000)) + 1);
    else if (value === null) sum = mixHashes(sum, 0);
    else return Number.NaN;
  }
  return sum;
}

/**
 * Checks a row against its checksum.
 * @param count number of values to check
 * @throws an error with SQLite's code for a damaged file if the row differs from what was written
 */
export function checkRowChecksum(values: readonly unknown[], sum: number, count = values.length): void {
  if (rowChecksum(values, 0, count) !== sum) throwDamagedRow();
}

export function throwDamagedRow(): never {
  throw Object.assign(new Error('a row of the index is not as it was written'), { code: 'SQLITE_CORRUPT' });
}
