import type { Database } from '../../db/open.js';
import { builtInModel, scaleToOne, type WordVectors } from '../../model/word-vectors.js';
import type { FoundFile } from '../found.js';
import { IndexSearch } from '../search.js';
import { languageGroupOf, type UnitText, unitText } from '../vectors/embedded-text.js';
import { createTextContextReader } from '../vectors/places.js';
import { codeBytes, writeCode } from './codes.js';
import {
  CODE_BYTES,
  filesWithoutCodes,
  packCodes,
  packedBytes,
  readCodesModel,
  storeCodesModel,
  type UnitOfCode,
} from './line-codes.js';

/** Number of files per transaction. */
const FILES_AT_ONCE = 64;
/** Up to this number of units, each gets a code. Beyond it, only facts do: a search would take too long. */
const MOST_UNITS = 500_000;
/** How much the words around a line count, where those of the line itself count 1. */
export const AROUND = { title: 0.5, before: 0.6 } as const;

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
  const bytes = Number(db.prepare('SELECT coalesce(sum(length(codes)), 0) FROM meaning').pluck().get());
  const insert = db.prepare('INSERT OR REPLACE INTO meaning (file, codes) VALUES (?, ?)');
  const search = IndexSearch.of([{ db, masked: new Set() }]);
  const encoder = new FileEncoder(search, model);
  let [total, done] = [bytes / packedBytes(CODE_BYTES), 0];
  for (let at = 0; at < missing.length && done < most && !signal?.aborted; at += FILES_AT_ONCE) {
    db.transaction(() => {
      for (const path of missing.slice(at, at + FILES_AT_ONCE)) {
        const file = search.file(path);
        if (file === undefined || done >= most) continue;
        const { units, codes } = encoder.encode(file, total >= MOST_UNITS);
        insert.run(file.id, packCodes(units, codes));
        total += units.length;
        done += units.length;
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

  /** The codes of the units of a file that have words. */
  encode(file: FoundFile, factsOnly: boolean): { readonly units: readonly UnitOfCode[]; readonly codes: Uint8Array } {
    const found = file.lastUnit < file.firstUnit ? [] : this.search.range(file.firstUnit, file.lastUnit);
    const byKey = new Map(found.map((unit) => [unit.key, unit]));
    const around = createTextContextReader((key) => byKey.get(key));
    const sums = new Map<string, Float32Array>();
    const units: UnitOfCode[] = [];
    const codes = new Uint8Array(found.length * CODE_BYTES);
    for (const unit of found) {
      if (factsOnly && unit.fact === null) continue;
      const text = unitText(unit, around);
      const vector = text && this.vectorOf(text, sums);
      if (text === undefined || vector === undefined) continue;
      writeCode(vector, this.model.spread, codes, units.length * CODE_BYTES);
      units.push({ position: unit.key - file.firstUnit, tongue: languageGroupOf(unit, text, around) });
    }
    return { units, codes: codes.subarray(0, units.length * CODE_BYTES) };
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

function addTimes(sum: Float32Array, other: Float32Array, weight: number): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + weight * (other[i] ?? 0);
}
