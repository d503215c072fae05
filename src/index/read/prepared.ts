import type { EntityPage } from '../../memory/entity-page.js';
import type { Unit } from '../../memory/unit.js';
import type { PageUnits } from '../../memory/units.js';
import { rowSum, type UnitValues } from '../row.js';
import type { TreeFile } from '../tree-files.js';

/** A file as it was read for the index. */
export interface ReadFile extends TreeFile {
  readonly hash: string;
  /** Changed so shortly before it was read that its state may not tell a later change. */
  readonly racy: boolean;
  /** Why it has no or odd units. */
  readonly notice: string | null;
}

/** A file with its rows as they are written, but for the ids that the writer gives. Plain data, which other threads send as JSON. */
export interface PreparedFile {
  readonly file: ReadFile;
  /** Null where the index has them: its content is the same. */
  readonly units: (Iterable<PreparedUnit> & { readonly length: number }) | null;
  readonly entity: EntityPage | null;
  readonly forgotten: number;
}

/** The values of a row in the order of its columns, the sum over them, and what other tables get of it. */
export interface PreparedUnit {
  readonly values: UnitValues;
  readonly sum: number;
  /** What is searched; left out where it is the text. */
  readonly search?: string | undefined;
  readonly slugs?: readonly string[] | undefined;
}

export function prepareFile(file: ReadFile, { units, entity, forgotten }: PageUnits): PreparedFile {
  return { file, units: new Rows(units), entity, forgotten };
}

/**
 * Each row is made when it is taken: of a million lines, both forms at once would take half a gigabyte. One generator
 * for all files: V8 gives each that is made in a function a shape of its own, which is old and keeps all that it knows.
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
  // Of one shape, whatever they lack: what is undefined stays out of JSON.
  return {
    values,
    sum: rowSum(values),
    search: search === text ? undefined : search,
    slugs: slugs.length === 0 ? undefined : slugs,
  };
}
