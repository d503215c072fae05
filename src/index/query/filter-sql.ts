import type { Day } from '../../base/clock.js';
import type { DaySpan } from '../../language/time/calendar.js';
import type { UnitKind } from '../../line/unit.js';
import { tagSlug } from '../../memory/page/names.js';

/** Conditions that every unit of an answer must meet. */
export interface UnitFilter {
  readonly kinds?: readonly UnitKind[] | undefined;
  /** Slugs of entities. The unit must be linked to at least one of these entities. */
  readonly entities?: readonly string[] | undefined;
  /** Globs. The path of the unit's page must match at least one of these globs. */
  readonly paths?: readonly string[] | undefined;
  /** The unit, its section or its page must have one of these tags, in the form of `tagKeys`. */
  readonly tags?: readonly string[] | undefined;
  /**
   * Spans of days. Either the day of the unit or of its file is within one of them, or the validity of the unit overlaps with
   * one.
   */
  readonly days?: readonly DaySpan[] | undefined;
  /**
   * Latest day that counts. The day of the unit's file must not be after it; in a file without a day, that of the unit. If the unit states
   * its validity, this must overlap with the days from `asOfFrom` to `asOf`.
   */
  readonly asOf?: Day | undefined;
  readonly asOfFrom?: Day | undefined;
  readonly withResources: boolean;
}

/** SQL conditions on `unit` and `file`, with the values to bind. */
export interface FilterConditions {
  readonly conditions: readonly string[];
  readonly values: readonly unknown[];
}

interface FilterSource {
  /** Ids of files whose rows are outdated and must be ignored. */
  readonly masked: ReadonlySet<number>;
  readonly hasResources: () => boolean;
  /** Ids of the files whose path matches one of the globs. */
  readonly filesAt: (globs: readonly string[]) => readonly number[];
}

export function buildFilterConditions(filter: UnitFilter, source: FilterSource): FilterConditions {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const add = (condition: string, ...bound: unknown[]): void => {
    conditions.push(condition);
    values.push(...bound);
  };
  if (source.masked.size > 0) add(`file.id NOT IN (${[...source.masked].join(',')})`);
  if (!filter.withResources && source.hasResources()) add("file.role <> 'resource'");
  if (filter.paths !== undefined)
    add('file.id IN (SELECT value FROM json_each(?))', JSON.stringify(source.filesAt(filter.paths)));
  if (filter.tags !== undefined) {
    // Tagged units, units below a tagged heading, and units of a tagged page.
    const tagged = `SELECT unit FROM link WHERE slug IN (${placeholders(filter.tags)})`;
    const slugs = filter.tags.map(tagSlug);
    const section = 'unit.section >= 0 AND file.first_unit + unit.section IN';
    add(
      `(unit.id IN (${tagged}) OR file.first_unit IN (${tagged}) OR ${section} (${tagged}))`,
      ...slugs,
      ...slugs,
      ...slugs,
    );
  }
  if (filter.kinds !== undefined) add(`unit.kind IN (${placeholders(filter.kinds)})`, ...filter.kinds);
  if (filter.entities !== undefined) {
    add(`unit.id IN (SELECT unit FROM link WHERE slug IN (${placeholders(filter.entities)}))`, ...filter.entities);
  }
  if (filter.days !== undefined) {
    const ranges = filter.days.map(dayRange);
    const inRange = `file.day BETWEEN ? AND ? OR unit.day BETWEEN ? AND ? OR ${VALIDITY_FILTER}`;
    add(
      `(${ranges.map(() => inRange).join(' OR ')})`,
      ...ranges.flatMap(([since, until]) => [since, until, since, until, until, since]),
    );
  }
  if (filter.asOf !== undefined) {
    add('coalesce(file.day, unit.day, ?) <= ?', filter.asOf, filter.asOf);
    add(`(unit.period = 0 OR ${VALIDITY_FILTER})`, filter.asOf, filter.asOfFrom ?? filter.asOf);
  }
  return { conditions, values };
}

/**
 * SQL condition: the written validity of a unit overlaps with a range of days. Bind the last day of the range first,
 * then the first day. If a unit has only an end, its validity starts on the day of its file. A unit is never found if
 * it has neither a written start nor a written end. A unit that has only an end is not found either if its file has no
 * day.
 */
export const VALIDITY_FILTER = `((unit.valid_from IS NOT NULL OR unit.valid_to IS NOT NULL)
  AND coalesce(unit.valid_from, file.day) <= ? AND coalesce(unit.valid_to, '9999') >= ?)`;

/** The first and the last day of a span. */
export function dayRange({ since, until }: DaySpan): readonly [Day, Day] {
  return [since ?? '0000-01-01', until ?? '9999-12-31'];
}

function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
