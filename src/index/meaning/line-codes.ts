import { findFirstNotBelow } from '../../base/order.js';
import type { Database } from '../../db/open.js';
import { LANGUAGE_GROUPS, type LanguageGroup } from '../../language/language-group.js';
import { addTimes, builtInModel } from '../../model/word-vectors.js';
import type { IndexSegment, UnitKey } from '../found.js';
import { codeSimilarity, codeTable, readCode } from './codes.js';

/** Number of bytes of a code of the built-in model. */
export const CODE_BYTES = 48;
/** Number of bytes that a unit takes: one for its language group, and its code. */
const UNIT_BYTES = 1 + CODE_BYTES;
/** Number of units whose mean stands for that of all units. */
const MEAN_SAMPLE = 256;
/** Group of a unit that has no code. */
const NO_CODE = 255;
/** The name under which `meta` has the digest of the model. */
const MODEL = 'meaning';

/** The codes of all units of a file: first the language group of each, then the code of each. */
export class FileCodes {
  private readonly bytes: Buffer;

  constructor(private readonly units: number) {
    this.bytes = Buffer.alloc(units * UNIT_BYTES);
    this.bytes.fill(NO_CODE, 0, units);
  }

  /**
   * Sets the code of a unit.
   * @param position position of the unit in its file
   * @param write writes the code into bytes, from a place on
   */
  set(position: number, group: LanguageGroup, write: (into: Uint8Array, at: number) => void): void {
    this.bytes[position] = LANGUAGE_GROUPS.indexOf(group);
    write(this.bytes, this.units + position * CODE_BYTES);
  }

  packed(): Buffer {
    return this.bytes;
  }
}

/** Digest of the model that made the codes in an index. Undefined if there are none. */
export function readCodesModel(db: Database): string | undefined {
  const digest = db.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(MODEL);
  return typeof digest === 'string' ? digest : undefined;
}

/** SQL: files that were read and whose units have no codes yet. */
const UNCODED = "FROM file WHERE hash <> '' AND NOT EXISTS (SELECT 1 FROM meaning WHERE meaning.file = file.id)";

/** Paths of the files whose units have no codes yet, the newest first. */
export function filesWithoutCodes(db: Database): readonly string[] {
  return db.prepare<[], string>(`SELECT path ${UNCODED} ORDER BY day DESC, id DESC`).pluck().all();
}

/** Whether the units of all files have codes of the built-in model. Also true without that model. */
export function hasAllCodes(db: Database): boolean {
  const model = builtInModel();
  if (model === undefined) return true;
  return readCodesModel(db) === model.digest && db.prepare(`SELECT 1 ${UNCODED} LIMIT 1`).get() === undefined;
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

export function storeCodesModel(db: Database, digest: string): void {
  db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(MODEL, digest);
}

/** Number of units in the files that have codes, with headings. */
export function countUnitsWithCodes(db: Database): number {
  return Math.floor(
    Number(db.prepare('SELECT coalesce(sum(length(codes)), 0) FROM meaning').pluck().get()) / UNIT_BYTES,
  );
}

/** Reads the codes of a segment into memory: 49 bytes a unit. Undefined if there are none of the model with this digest. */
export function readLineCodes({ db, masked }: IndexSegment, base: number, digest: string): LineCodes | undefined {
  if (readCodesModel(db) !== digest) return undefined;
  const firstUnits = new Map(db.prepare<[], [number, number]>('SELECT id, first_unit FROM file').raw().all());
  const most = countUnitsWithCodes(db);
  const [groups, codes] = [new Uint8Array(most), new Uint8Array(most * CODE_BYTES)];
  const files: CodedFile[] = [];
  let start = 0;
  const rows = db.prepare<[], [number, Buffer]>('SELECT file, codes FROM meaning').raw();
  for (const [id, blob] of rows.iterate()) {
    const units = blob.length / UNIT_BYTES;
    const firstUnit = firstUnits.get(id);
    if (masked.has(id) || firstUnit === undefined || !Number.isInteger(units)) continue;
    groups.set(blob.subarray(0, units), start);
    codes.set(blob.subarray(units), start * CODE_BYTES);
    files.push({ firstKey: base + firstUnit, start, units });
    start += units;
  }
  return new LineCodes(files, groups.subarray(0, start), codes);
}

interface CodedFile {
  /** Key of the first unit of the file. */
  readonly firstKey: UnitKey;
  /** Place of the first unit among all units of the segment that may have codes. */
  readonly start: number;
  readonly units: number;
}

/** The codes of the units of a segment. Units without words have none. */
export class LineCodes {
  private readonly byKey: readonly CodedFile[];
  private sample: { readonly sum: Float32Array; readonly count: number } | undefined;

  /** @param files in the order of their places */
  constructor(
    private readonly files: readonly CodedFile[],
    private readonly groups: Uint8Array,
    private readonly codes: Uint8Array,
  ) {
    this.byKey = files.toSorted((a, b) => a.firstKey - b.firstKey);
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
    const file = this.files[findFirstNotBelow(this.files.length, (at) => (this.files[at]?.start ?? 0) <= place) - 1];
    return file === undefined ? -1 : file.firstKey + place - file.start;
  }

  groupAt(place: number): LanguageGroup {
    return LANGUAGE_GROUPS[this.groups[place] ?? NO_CODE] ?? 'other';
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
      addTimes(sum, readCode(this.codes, place * CODE_BYTES, spread), 1);
      count++;
    }
    return { sum, count };
  }

  /** Place of a unit. Undefined if it has no code. */
  placeOf(key: UnitKey): number | undefined {
    const at = findFirstNotBelow(this.byKey.length, (one) => (this.byKey[one]?.firstKey ?? 0) <= key) - 1;
    const file = this.byKey[at];
    if (file === undefined || key >= file.firstKey + file.units) return undefined;
    const place = file.start + key - file.firstKey;
    return this.has(place) ? place : undefined;
  }

  /** How similar each unit is to a question: nearly the cosine. -2 for a unit without a code. */
  similarities(question: Float32Array, spread: readonly number[]): Float32Array {
    const table = codeTable(question, spread);
    const found = new Float32Array(this.size);
    for (let at = 0; at < found.length; at++)
      found[at] = this.has(at) ? codeSimilarity(table, this.codes, at * CODE_BYTES, CODE_BYTES) : -2;
    return found;
  }
}
