import type { Database } from '../../db/open.js';
import { detectScriptGroup } from '../../language/language-group.js';
import { addTimes, builtInModel, scaleToOne, type WordVectors } from '../../model/word-vectors.js';
import type { FoundFile } from '../found.js';
import { IndexSearch } from '../search.js';
import { type UnitText, unitText } from '../vectors/embedded-text.js';
import { createTextContextReader } from '../vectors/places.js';
import { codeBytes, writeCode } from './codes.js';
import {
  CODE_BYTES,
  countUnitsWithCodes,
  FileCodes,
  filesWithoutCodes,
  readCodesModel,
  storeCodesModel,
} from './line-codes.js';

/** Number of files per transaction. */
const FILES_AT_ONCE = 64;
/** Up to this number of units, each gets a code. Beyond it, only facts do: a search would take too long. */
const MOST_UNITS = 500_000;
/** How much the words around a line count, where those of the line itself count 1. */
const AROUND = { title: 0.5, before: 0.6 } as const;

interface FillOptions {
  /** Maximum number of units that get a code now. Default: all. */
  readonly most?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Gives the units of an index their codes, as far as they have none: the newest files first. Only under the writer lock,
 * and after the words were committed. If it stops, the next call continues.
 */
export async function fillCodes(db: Database, options: FillOptions = {}): Promise<void> {
  const { most = Number.POSITIVE_INFINITY, signal } = options;
  const model = builtInModel();
  if (model === undefined || codeBytes(model.dimension) !== CODE_BYTES) return;
  if (readCodesModel(db) !== model.digest)
    db.transaction(() => {
      db.exec('DELETE FROM meaning');
      storeCodesModel(db, model.digest);
    }).immediate();
  const missing = filesWithoutCodes(db);
  if (missing.length === 0) return;
  const insert = db.prepare('INSERT OR REPLACE INTO meaning (file, codes) VALUES (?, ?)');
  const search = IndexSearch.of([{ db, masked: new Set() }]);
  const encoder = new FileEncoder(search, model);
  let [total, done] = [countUnitsWithCodes(db), 0];
  for (let at = 0; at < missing.length && done < most && !signal?.aborted; at += FILES_AT_ONCE) {
    db.transaction(() => {
      // In ascending order of row ids, because SQLite leaves pages half empty that are filled in descending order.
      for (const path of missing.slice(at, at + FILES_AT_ONCE).reverse()) {
        const file = search.file(path);
        if (file === undefined || done >= most) continue;
        insert.run(file.id, encoder.encode(file, total >= MOST_UNITS).packed());
        const units = file.lastUnit - file.firstUnit + 1;
        total += units;
        done += units;
      }
    }).immediate();
    await new Promise((resolve) => void setImmediate(resolve));
  }
}

class FileEncoder {
  private readonly titles = new Map<string, Float32Array>();

  constructor(
    private readonly search: IndexSearch,
    private readonly model: WordVectors,
  ) {}

  encode(file: FoundFile, factsOnly: boolean): FileCodes {
    const found = file.lastUnit < file.firstUnit ? [] : this.search.range(file.firstUnit, file.lastUnit);
    const byKey = new Map(found.map((unit) => [unit.key, unit]));
    const around = createTextContextReader((key) => byKey.get(key));
    const sums = new Map<string, Float32Array>();
    const codes = new FileCodes(found.length);
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

  private vectorOf({ title, before, text }: UnitText, sums: Map<string, Float32Array>) {
    const own = this.sumOf(text, sums).slice();
    if (own.every((number) => number === 0)) return undefined;
    for (const line of before) addTimes(own, this.sumOf(line, sums), AROUND.before);
    if (title !== null) addTimes(own, this.sumOf(title, this.titles), AROUND.title);
    return scaleToOne(own) ? own : undefined;
  }

  /** The sum of the vectors of a text's words, computed once: the lines before a line were lines themselves. */
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
