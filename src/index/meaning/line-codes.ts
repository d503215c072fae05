import type { Database } from '../../db/open.js';
import { LANGUAGE_GROUPS, type LanguageGroup } from '../../language/language-group.js';
import type { IndexSegment, UnitKey } from '../found.js';
import { codeSimilarity, codeTable, readCode } from './codes.js';

/** Number of bytes before the code of a unit: four for its position in the file, one for its language group. */
const HEAD = { position: 4, tongue: 1 } as const;
/** The name under which `meta` has the digest of the model. */
const MODEL = 'meaning';

/** A unit that has a code. */
export interface UnitOfCode {
  /** Position of the unit in its file: 0 is the first unit. */
  readonly position: number;
  readonly tongue: LanguageGroup;
}

/** Packs the codes of a file: all positions, then all language groups, then all codes. */
export function packCodes(units: readonly UnitOfCode[], codes: Uint8Array): Buffer {
  const packed = Buffer.alloc(units.length * (HEAD.position + HEAD.tongue) + codes.length);
  for (const [at, { position, tongue }] of units.entries()) {
    packed.writeUInt32LE(position, at * HEAD.position);
    packed[units.length * HEAD.position + at] = LANGUAGE_GROUPS.indexOf(tongue);
  }
  packed.set(codes, packed.length - codes.length);
  return packed;
}

/** Number of bytes that a unit takes in the packed codes of a file. */
export function packedBytes(bytes: number): number {
  return HEAD.position + HEAD.tongue + bytes;
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

/** Whether the units of all files have codes, of whatever model. */
export function hasAllCodes(db: Database): boolean {
  return db.prepare(`SELECT 1 ${UNCODED} LIMIT 1`).get() === undefined;
}

/** How many lines have a code, and how many files have none yet. */
export interface CodesOverview {
  readonly lines: number;
  readonly filesWithout: number;
}

export function codesOverview(db: Database): CodesOverview {
  const bytes = Number(db.prepare('SELECT coalesce(sum(length(codes)), 0) FROM meaning').pluck().get());
  const filesWithout = Number(db.prepare(`SELECT count(*) ${UNCODED}`).pluck().get());
  return { lines: Math.round(bytes / packedBytes(CODE_BYTES)), filesWithout };
}

export function storeCodesModel(db: Database, digest: string): void {
  db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(MODEL, digest);
}

/** Reads the codes of a segment into memory: 57 bytes a unit. Undefined if there are none of the model with this digest. */
export function readLineCodes({ db, masked }: IndexSegment, base: number, digest: string): LineCodes | undefined {
  if (readCodesModel(db) !== digest) return undefined;
  const sql = 'SELECT id, first_unit, codes FROM meaning JOIN file ON file.id = meaning.file ORDER BY first_unit';
  const all = Number(db.prepare('SELECT coalesce(sum(length(codes)), 0) FROM meaning').pluck().get());
  const each = packedBytes(CODE_BYTES);
  const most = Math.floor(all / each);
  const keys = new Float64Array(most);
  const tongues = new Uint8Array(most);
  const codes = new Uint8Array(most * CODE_BYTES);
  let count = 0;
  for (const [id, firstUnit, blob] of db.prepare<[], [number, number, Buffer]>(sql).raw().iterate()) {
    const units = blob.length / each;
    if (masked.has(id) || !Number.isInteger(units)) continue;
    for (let at = 0; at < units; at++) keys[count + at] = base + firstUnit + blob.readUInt32LE(at * HEAD.position);
    tongues.set(blob.subarray(units * HEAD.position, units * (HEAD.position + HEAD.tongue)), count);
    codes.set(blob.subarray(blob.length - units * CODE_BYTES), count * CODE_BYTES);
    count += units;
  }
  return new LineCodes(keys.subarray(0, count), tongues, codes);
}

/** Number of bytes of a code of the built-in model. */
export const CODE_BYTES = 48;

/** The codes of the units of a segment, in the order of their keys. */
export class LineCodes {
  constructor(
    private readonly keys: Float64Array,
    private readonly tongues: Uint8Array,
    private readonly codes: Uint8Array,
  ) {}

  get size(): number {
    return this.keys.length;
  }

  keyAt(at: number): UnitKey {
    return this.keys[at] ?? 0;
  }

  tongueAt(at: number): LanguageGroup {
    return LANGUAGE_GROUPS[this.tongues[at] ?? 0] ?? 'other';
  }

  vectorAt(at: number, spread: readonly number[]): Float32Array {
    return readCode(this.codes, at * CODE_BYTES, spread);
  }

  /** Place of a unit; -1 if it has no code. */
  indexOf(key: UnitKey): number {
    let [low, high] = [0, this.keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.keys[middle] ?? 0) < key) low = middle + 1;
      else high = middle;
    }
    return this.keys[low] === key ? low : -1;
  }

  /** How similar each unit is to a question: nearly the cosine. */
  similarities(question: Float32Array, spread: readonly number[]): Float32Array {
    const table = codeTable(question, spread);
    const found = new Float32Array(this.size);
    for (let at = 0; at < found.length; at++)
      found[at] = codeSimilarity(table, this.codes, at * CODE_BYTES, CODE_BYTES);
    return found;
  }
}
