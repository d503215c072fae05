import type { Day } from '../../base/clock.js';
import type { PageRole } from '../../memory/pages.js';
import type { UnitValues } from '../read/prepared.js';

/** In the order of {@link UNIT_COLUMNS}: better-sqlite3 makes arrays twice as fast as objects, and rows are what a question costs. */
export type UnitRow = readonly [...values: UnitValues, id: number, file: number, sum: number];

export type FileRow = readonly [
  path: string,
  day: Day | null,
  role: PageRole,
  pageType: string | null,
  firstUnit: number,
  lastUnit: number,
  sum: number,
];

export const UNIT_COLUMNS =
  'line, end_line, kind, section, text, fact, valid_from, valid_to, period, detail, id, file, sum';
