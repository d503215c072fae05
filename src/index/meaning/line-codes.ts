import { placesOfLargest } from '../../base/order.js';
import type { Database } from '../../db/open.js';
import { LANGUAGE_GROUPS, type LanguageGroup } from '../../language/language-group.js';
import { builtInModel } from '../../model/word-vectors.js';
import type { IndexSegment, UnitKey } from '../found.js';
import { BLOCK_BYTES, BLOCK_UNITS, CODE_BYTES, NO_CODE } from './blocks.js';
import { addCode, codeSimilarity, partialSimilarities } from './codes.js';

/** Number of units whose mean stands for that of all units. */
const MEAN_SAMPLE = 256;
/**
 * All units are compared by this number of bytes of their codes first, and the best of them by the whole code. The first
 * numbers of a vector vary most, so they say most.
 */
const FIRST_BYTES = 16;
/** For each unit that is wanted, this number of units is compared by the whole code. */
const COMPARED_WHOLE = 8;
/** The name under which `meta` has the digest of the model. */
const MODEL = 'meaning';

/** Digest of the model that made the codes in an index. Undefined if there are none. */
function readCodesModel(db: Database): string | undefined {
  const digest = db.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(MODEL);
  return typeof digest === 'string' ? digest : undefined;
}

/** Whether the codes of an index are of the model with this digest, and none of them was cut. */
export function areCodesWhole(db: Database, digest: string): boolean {
  const cut = db.prepare('SELECT 1 FROM meaning WHERE length(codes) <> ? LIMIT 1');
  return readCodesModel(db) === digest && cut.get(BLOCK_BYTES) === undefined;
}

/** Removes all codes. Those that come next are of the model with this digest. */
export function startCodesOf(db: Database, digest: string): void {
  db.exec('DELETE FROM meaning');
  db.exec('UPDATE file SET coded = 0 WHERE coded = 1');
  db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(MODEL, digest);
}

/** SQL: files that were read and whose units have no codes yet. */
const UNCODED = "FROM file WHERE coded = 0 AND hash <> ''";

/** A file whose units have no codes yet. */
export interface FileWithoutCodes {
  readonly id: number;
  readonly path: string;
  /** Id of its first unit. */
  readonly firstUnit: number;
  readonly units: number;
}

/** The files whose units have no codes yet, the newest first. */
export function filesWithoutCodes(db: Database): readonly FileWithoutCodes[] {
  const columns = 'id, path, first_unit AS firstUnit, last_unit - first_unit + 1 AS units';
  return db.prepare<[], FileWithoutCodes>(`SELECT ${columns} ${UNCODED} ORDER BY day DESC, id DESC`).all();
}

/** Whether the units of all files have codes of the built-in model. Also true without that model. */
export function hasAllCodes(db: Database): boolean {
  const model = builtInModel();
  if (model === undefined) return true;
  return areCodesWhole(db, model.digest) && db.prepare(`SELECT 1 ${UNCODED} LIMIT 1`).get() === undefined;
}

/** How many lines have a code, and how many files have none yet. */
export interface CodesOverview {
  readonly lines: number;
  readonly filesWithout: number;
}

export function codesOverview(db: Database): CodesOverview {
  const filesWithout = Number(db.prepare(`SELECT count(*) ${UNCODED}`).pluck().get());
  const codes = readLineCodes({ db, masked: new Set() }, 0, readCodesModel(db) ?? '');
  return { lines: codes?.count() ?? 0, filesWithout };
}

/** Number of units that there is room for in the blocks of an index. */
export function countUnitsInBlocks(db: Database): number {
  return BLOCK_UNITS * Number(db.prepare('SELECT count(*) FROM meaning').pluck().get());
}

/** Reads the codes of a segment into memory: 49 bytes a unit. Undefined if there are none of the model with this digest. */
export function readLineCodes({ db, masked }: IndexSegment, base: number, digest: string): LineCodes | undefined {
  if (readCodesModel(db) !== digest) return undefined;
  const units = countUnitsInBlocks(db);
  const [groups, codes] = [new Uint8Array(units), new Uint8Array(units * CODE_BYTES)];
  const firstKeys: UnitKey[] = [];
  const blocks = db.prepare<[], [number, Buffer]>('SELECT block, codes FROM meaning ORDER BY block').raw();
  for (const [block, bytes] of blocks.iterate()) {
    if (bytes.length !== BLOCK_BYTES) continue;
    const at = firstKeys.length * BLOCK_UNITS;
    groups.set(bytes.subarray(0, BLOCK_UNITS), at);
    codes.set(bytes.subarray(BLOCK_UNITS), at * CODE_BYTES);
    firstKeys.push(base + block * BLOCK_UNITS);
  }
  const found = new LineCodes(
    firstKeys,
    groups.subarray(0, firstKeys.length * BLOCK_UNITS),
    codes.subarray(0, firstKeys.length * BLOCK_BYTES - firstKeys.length * BLOCK_UNITS),
  );
  const range = db.prepare<[number], [number, number]>('SELECT first_unit, last_unit FROM file WHERE id = ?').raw();
  for (const file of masked) {
    const [first, last] = range.get(file) ?? [0, -1];
    found.leaveOut(base + first, base + last);
  }
  return found;
}

/** The codes of the units of a segment, in blocks. Units without words have none. */
export class LineCodes {
  private readonly places: ReadonlyMap<UnitKey, number>;
  private sample: { readonly sum: Float32Array; readonly count: number } | undefined;

  /** @param firstKeys key of the first unit of each block */
  constructor(
    private readonly firstKeys: readonly UnitKey[],
    private readonly groups: Uint8Array,
    private readonly codes: Uint8Array,
  ) {
    this.places = new Map(firstKeys.map((key, block) => [key, block * BLOCK_UNITS]));
  }

  /** Number of places. */
  get size(): number {
    return this.groups.length;
  }

  has(place: number): boolean {
    return this.groups[place] !== NO_CODE;
  }

  /** Number of units that have a code. */
  count(): number {
    return this.groups.reduce((count, group) => count + Number(group !== NO_CODE), 0);
  }

  keyAt(place: number): UnitKey {
    return (this.firstKeys[Math.floor(place / BLOCK_UNITS)] ?? 0) + (place % BLOCK_UNITS);
  }

  /** Place of a unit. Undefined if it has no code. */
  placeOf(key: UnitKey): number | undefined {
    const start = this.places.get(key - (key % BLOCK_UNITS));
    if (start === undefined) return undefined;
    const place = start + (key % BLOCK_UNITS);
    return this.has(place) ? place : undefined;
  }

  groupAt(place: number): LanguageGroup {
    return LANGUAGE_GROUPS[this.groups[place] ?? NO_CODE] ?? 'other';
  }

  /** Removes the codes of some units from memory. */
  leaveOut(first: UnitKey, last: UnitKey): void {
    for (let key = first; key <= last; key++) {
      const place = this.placeOf(key);
      if (place !== undefined) this.groups[place] = NO_CODE;
    }
  }

  /** The sum of the vectors of a sample of the units, and how many these are. */
  sumOfSample(spread: readonly number[]): { readonly sum: Float32Array; readonly count: number } {
    this.sample ??= this.readSample(spread);
    return this.sample;
  }

  private readSample(spread: readonly number[]) {
    const sum = new Float32Array(spread.length);
    const step = Math.max(1, Math.floor(this.size / MEAN_SAMPLE));
    let count = 0;
    for (let place = 0; place < this.size; place += step) {
      if (!this.has(place)) continue;
      addCode(sum, this.codes, place * CODE_BYTES, spread);
      count++;
    }
    return { sum, count };
  }

  /** How similar the unit at a place is to the question of a table: nearly the cosine. */
  similarity(table: Float32Array, place: number): number {
    return codeSimilarity(table, this.codes, place * CODE_BYTES, CODE_BYTES);
  }

  /** The places of about the `limit` units nearest to the question of a table, in no particular order. */
  nearest(table: Float32Array, limit: number): readonly number[] {
    const rough = partialSimilarities(table, this.codes, CODE_BYTES, FIRST_BYTES);
    for (let at = 0; at < rough.length; at++) if (this.groups[at] === NO_CODE) rough[at] = -2;
    const near = placesOfLargest(rough, COMPARED_WHOLE * limit).filter((place) => this.has(place));
    const whole = Float32Array.from(near, (place) => this.similarity(table, place));
    return placesOfLargest(whole, limit).map((at) => near[at] ?? 0);
  }
}
