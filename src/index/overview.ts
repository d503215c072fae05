import type { Database } from '../db/open.js';
import type { UnitKind } from '../line/unit.js';
import { ENTITY_LINK_FILTER } from './entity-list.js';

/** How much an index contains: numbers of files, units, facts and entities. */
export interface IndexOverview {
  readonly files: number;
  readonly units: number;
  readonly facts: number;
  readonly byKind: Partial<Record<UnitKind, number>>;
  readonly entities: number;
  /** First and last day of the daily logs. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  /** Conflict copies beside pages, and the lines that exist only in them. */
  readonly copies: { readonly files: number; readonly lines: number };
}

export function readIndexOverview(db: Database): IndexOverview {
  const number = (sql: string): number => Number(db.prepare(sql).pluck().get());
  const kinds = db
    .prepare<[], [UnitKind, number]>('SELECT kind, count(*) FROM unit GROUP BY kind ORDER BY kind')
    .raw()
    .all();
  const [firstDay, lastDay] = db
    .prepare<[], [string | null, string | null]>('SELECT min(day), max(day) FROM file')
    .raw()
    .get() ?? [null, null];
  return {
    files: number('SELECT count(*) FROM file'),
    units: number('SELECT count(*) FROM unit'),
    facts: number('SELECT count(DISTINCT fact) FROM unit WHERE fact IS NOT NULL'),
    byKind: Object.fromEntries(kinds),
    entities: number(
      `SELECT count(DISTINCT slug) FROM (SELECT slug FROM link WHERE ${ENTITY_LINK_FILTER} UNION ALL SELECT slug FROM entity)`,
    ),
    firstDay,
    lastDay,
    copies: {
      files: number("SELECT count(*) FROM file WHERE role = 'copy'"),
      lines: number("SELECT coalesce(sum(last_unit - first_unit + 1), 0) FROM file WHERE role = 'copy'"),
    },
  };
}
