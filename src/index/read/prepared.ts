import type { EntityPage } from '../../memory/entity-page.js';
import type { Unit } from '../../memory/unit.js';
import type { PageUnits } from '../../memory/units.js';
import { rowSum, type UnitValues } from '../row.js';
import type { TreeFile } from '../tree-files.js';

/** A file as it was read for the index. */
export interface ReadFile extends TreeFile {
  readonly hash: string;
  /** Changed so shortly before it was read that its state may not show a later change. */
  readonly racy: boolean;
  /** Why it has no units or unusual ones. */
  readonly notice: string | null;
}

/**
 * A file with its rows as they are written, without the ids that the writer assigns. Plain data that other threads send as
 * JSON.
 */
export interface PreparedFile {
  readonly file: ReadFile;
  /** Null if the index has them already: the content is the same. */
  readonly units: (Iterable<PreparedUnit> & { readonly length: number }) | null;
  readonly entity: EntityPage | null;
  readonly forgotten: number;
}

/** The values of a row in column order, their checksum, and the values for other tables. */
export interface PreparedUnit {
  readonly values: UnitValues;
  readonly sum: number;
  /** The text to search; undefined if it equals the text of the unit. */
  readonly search?: string | undefined;
  readonly slugs?: readonly string[] | undefined;
}

export function prepareFile(file: ReadFile, { units, entity, forgotten }: PageUnits): PreparedFile {
  return { file, units: new Rows(units), entity, forgotten };
}

/**
 * Creates each row when it is consumed: for a million lines, both forms at once would take half a gigabyte. One generator
 * for all files: V8 gives a generator that is created in a function its own shape, which becomes old and keeps everything
 * that it references.
 */
class Rows {
  constructor(private readonly units: readonly Unit[]) {}

  get length(): number {
    return this.units.length;
  }

  *[Symbol.iterator](): Generator<PreparedUnit> {
    for (const unit of this.units) yield rowOf(unit);
  }
}

function rowOf(unit: Unit): PreparedUnit {
  const { text, slugs, search } = unit;
  const values: UnitValues = [
    unit.line,
    unit.endLine,
    unit.kind,
    unit.section,
    text,
    unit.fact,
    unit.validFrom,
    unit.validTo,
    unit.isPeriod ? 1 : 0,
    unit.detail === null ? null : JSON.stringify(unit.detail),
  ];
  // Always the same object shape; JSON omits undefined values.
  return {
    values,
    sum: rowSum(values),
    search: search === text ? undefined : search,
    slugs: slugs.length === 0 ? undefined : slugs,
  };
}
