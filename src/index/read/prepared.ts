import type { Unit } from '../../line/unit.js';
import type { EntityPage } from '../../memory/entity-page.js';
import type { PageUnits } from '../../memory/units.js';
import { rowChecksum, type UnitValues } from '../row.js';
import type { TreeFile } from '../tree-files.js';

/** A file as it was read for the index. */
export interface ReadFileResult extends TreeFile {
  readonly hash: string;
  /** Whether the file changed so shortly before it was read that a later change may leave its size and times the same. */
  readonly racy: boolean;
  /** Why the file has no units, or only some of its lines. Null for an ordinary file. */
  readonly notice: string | null;
}

/**
 * A file with its rows, ready to be written, but without the ids that the writer assigns. Plain data, because other threads
 * send it as JSON.
 */
export interface PreparedFile {
  readonly file: ReadFileResult;
  /** Null if the content has not changed, so that the index has the units already. */
  readonly units: (Iterable<PreparedUnit> & { readonly length: number }) | null;
  readonly entity: EntityPage | null;
  readonly forgotten: number;
}

/** The values of a row in column order, their checksum, and the values for other tables. */
interface PreparedUnit {
  readonly values: UnitValues;
  readonly sum: number;
  /** The text to search; undefined if it equals the text of the unit. */
  readonly search?: string | undefined;
  readonly slugs?: readonly string[] | undefined;
}

export function prepareFile(file: ReadFileResult, { units, entity, forgotten }: PageUnits): PreparedFile {
  return { file, units: new Rows(units), entity, forgotten };
}

/**
 * The rows of a file. Each row is created only when it is needed, because all units and rows of a million lines would take
 * half a gigabyte. The generator is a method of a class, so that V8 uses one shape for all files. A generator that is
 * created inside a function gets its own shape, and V8 then keeps everything that it refers to.
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
    unit.day,
    unit.speaker,
    unit.form,
    unit.head,
    unit.series,
    unit.detail === null ? null : JSON.stringify(unit.detail),
  ];
  // All objects have the same keys, which is faster in V8. JSON omits undefined values.
  return {
    values,
    sum: rowChecksum(values),
    search: search === text ? undefined : search,
    slugs: slugs.length === 0 ? undefined : slugs,
  };
}
