import { detectScriptGroup } from '../../language/language-group.js';
import { addTimes, scaleToOne, type WordVectors } from '../../model/word-vectors.js';
import type { IndexSearch } from '../search.js';
import { type UnitText, unitText } from '../vectors/embedded-text.js';
import { createTextContextReader } from '../vectors/places.js';
import { FileCodes } from './blocks.js';
import { writeCode } from './codes.js';

/** How much the words around a line count, where those of the line itself count 1. */
const AROUND = { title: 0.5, before: 0.6 } as const;

/** A request to make the codes of some files. */
export interface CodesRequest {
  readonly paths: readonly string[];
  /** Whether only facts get a code. */
  readonly factsOnly: boolean;
}

/** Makes the codes of the units of a file, by the model that comes with the package. */
export class CodeMaker {
  private readonly titles = new Map<string, Float32Array>();
  private readonly own: Float32Array;

  constructor(
    private readonly search: IndexSearch,
    private readonly model: WordVectors,
  ) {
    this.own = new Float32Array(model.dimension);
  }

  /** The bytes of the codes of each file. Empty for a file that is not in the index. */
  codesOfFiles({ paths, factsOnly }: CodesRequest): readonly Uint8Array[] {
    return paths.map((path) => this.encode(path, factsOnly).bytes);
  }

  private encode(path: string, factsOnly: boolean): FileCodes {
    const file = this.search.file(path);
    if (file === undefined || file.lastUnit < file.firstUnit) return FileCodes.empty(0);
    const found = this.search.range(file.firstUnit, file.lastUnit);
    const byKey = new Map(found.map((unit) => [unit.key, unit]));
    const around = createTextContextReader((key) => byKey.get(key));
    const sums = new Map<string, Float32Array>();
    const codes = FileCodes.empty(found.length);
    for (const unit of found) {
      const text = factsOnly && unit.fact === null ? undefined : unitText(unit, around);
      const vector = text && this.vectorOf(text, sums);
      if (text === undefined || vector === undefined) continue;
      codes.set(unit.key - file.firstUnit, detectScriptGroup(text.text), (into, at) =>
        writeCode(vector, this.model.spread, into, at),
      );
    }
    return codes;
  }

  /** The vector of a line with its context; valid until the next call. Undefined if no word of the line is known. */
  private vectorOf({ title, before, text }: UnitText, sums: Map<string, Float32Array>): Float32Array | undefined {
    const own = this.own.fill(0);
    // A line with lines before it is probably itself before another one.
    if (before.length > 0) own.set(this.sumOf(text, sums));
    else this.model.addTo(own, text);
    if (own.every((number) => number === 0)) return undefined;
    for (const line of before) addTimes(own, this.sumOf(line, sums), AROUND.before);
    if (title !== null) addTimes(own, this.sumOf(title, this.titles), AROUND.title);
    return scaleToOne(own) ? own : undefined;
  }

  /** The sum of the vectors of a text's words, computed once. */
  private sumOf(text: string, known: Map<string, Float32Array>): Float32Array {
    let sum = known.get(text);
    if (sum === undefined) {
      sum = new Float32Array(this.model.dimension);
      this.model.addTo(sum, text);
      known.set(text, sum);
    }
    return sum;
  }
}
