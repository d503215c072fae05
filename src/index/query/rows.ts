import type { Day } from '../../base/clock.js';
import type { PageRole } from '../../memory/pages.js';
import type { UnitKind } from '../../memory/unit.js';

/** In the order of {@link UNIT_COLUMNS}: better-sqlite3 makes arrays twice as fast as objects, and rows are what a question costs. */
export type UnitRow = readonly [
  id: number,
  file: number,
  line: number,
  endLine: number,
  kind: UnitKind,
  section: number,
  text: string,
  fact: string | null,
  validFrom: Day | null,
  validTo: Day | null,
  period: number,
  detail: string | null,
  sum: number,
];

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
  'id, file, line, end_line, kind, section, text, fact, valid_from, valid_to, period, detail, sum';
