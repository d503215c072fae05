import { join } from 'node:path';
import { Cache, lazy } from '../base/cache.js';
import { tryWithFallback } from '../base/failure.js';
import { asRecord } from '../base/json.js';
import { ALL_HAN_RANGES, KANA_RANGES } from '../language/scripts.js';
import { contentHash, readBytes } from '../workspace/files.js';
import { packageFolder } from '../workspace/templates.js';

/** The letters at the beginning of a model file. */
const MAGIC = 'STA2';
/** Number of bytes of a file that tell it from other models. To hash the whole file would slow down every start. */
const IDENTIFYING_BYTES = 65_536;
/** Number of centroids that a code of one byte can name. */
const CENTROIDS = 256;
/** Number of numbers that a byte of a code names. */
const GROUP = 4;
/** Maximum number of characters of an entry, with the mark of a beginning. */
const LONGEST_ENTRY = 25;
/** Maximum number of characters of a run that is read. A longer one is no word: a key, a link, binary data. */
const LONGEST_RUN = 64;
/** Cost of a character that no entry covers. Entries cost at most 255. */
const UNKNOWN_COST = 250;
/** The numbers of centroids are kept as whole multiples of 1 / UNITS. None is larger than 1. */
const UNITS = 512;
/** Number of vectors that can be added up before a half of an integer may overflow. */
const MOST_ADDED = 60;
/** An entry of a lower cost is so frequent that it says nothing: more than one word in 200. */
const LEAST_COST = 53;
/** Marks the beginning of a word in scripts that put spaces between words. */
const BEGINNING = '▁';
const CACHED_RUNS = 50_000;

/** Scripts whose words stand without spaces between them in the model. Korean words stand with spaces. */
const SIGN = `[${ALL_HAN_RANGES}${KANA_RANGES}]`;
const RUN = new RegExp(`${SIGN}+|(?:(?!${SIGN})[\\p{L}\\p{N}\\p{M}])+`, 'gu');
const STARTS_WITH_SIGN = new RegExp(`^${SIGN}`, 'u');

/** The parts of a model file, in the order in which they stand there after its header. */
interface Parts {
  /** First hash of each entry, in ascending order. */
  readonly hashes: Uint32Array;
  /** For each byte of a code, 256 groups of four numbers, two in each integer: see {@link packPairs}. */
  readonly centroids: Int32Array;
  /** Second hash of each entry. It tells entries with the same first hash apart. */
  readonly checks: Uint8Array;
  /** Cost of each entry: the rarer, the higher. */
  readonly costs: Uint8Array;
  /** The vector of each entry: `bytes` bytes. */
  readonly codes: Uint8Array;
}

/** A part of a run that is an entry. */
interface Piece {
  readonly entry: number;
  readonly text: string;
}

/**
 * A static embedding model: one vector for each word or piece of a word, whatever stands beside it. The vector of a text
 * is the sum of those of its words. Needs no server and no library. A text takes about 0.1 ms.
 */
export class WordVectors {
  private readonly known = new Cache<string, readonly number[]>(CACHED_RUNS);
  private readonly words = new Cache<string, readonly string[]>(CACHED_RUNS);

  /** The sum of the text that is being read. Made once, because a new array for each text takes as long as the sum. */
  private readonly added: Int32Array;

  private constructor(
    /** Digest of the beginning of the file. Vectors of models with different digests are never compared. */
    readonly digest: string,
    readonly dimension: number,
    /** Usual size of each number of a text's vector of length 1. */
    readonly spread: readonly number[],
    private readonly parts: Parts,
    /** Number of bytes of the code of one entry. Byte `b` has the numbers b, b + bytes, b + 2 bytes and so on. */
    private readonly bytes: number,
  ) {
    this.added = new Int32Array(dimension / 2);
  }

  /** Reads a model from the bytes of its file. Undefined if they are not a whole model. */
  static read(file: Buffer): WordVectors | undefined {
    if (file.toString('latin1', 0, 4) !== MAGIC) return undefined;
    const start = 8 + file.readUInt32LE(4);
    const header = asRecord(tryWithFallback((): unknown => JSON.parse(file.toString('utf8', 8, start)), undefined));
    const [rows, dimension, bytes] = [header?.rows, header?.dim, header?.m].map((value) => Number(value) || 0);
    if (!rows || !dimension || !bytes || dimension !== GROUP * bytes) return undefined;
    const numbers = CENTROIDS * dimension;
    if (file.length !== start + 4 * (rows + numbers) + rows * (2 + bytes)) return undefined;
    const afterNumbers = start + 4 * (rows + numbers);
    // Copies, because arrays of 32-bit numbers must begin at a multiple of four.
    const copy = (from: number, to: number): ArrayBuffer => new Uint8Array(file.subarray(from, to)).buffer;
    const parts = {
      hashes: new Uint32Array(copy(start, start + 4 * rows)),
      centroids: packPairs(new Float32Array(copy(start + 4 * rows, afterNumbers))),
      checks: file.subarray(afterNumbers, afterNumbers + rows),
      costs: file.subarray(afterNumbers + rows, afterNumbers + 2 * rows),
      codes: file.subarray(afterNumbers + 2 * rows),
    };
    const spread = Array.isArray(header?.spread) ? header.spread.map(Number) : [];
    if (spread.length !== dimension) return undefined;
    return new WordVectors(contentHash(file.subarray(0, IDENTIFYING_BYTES)), dimension, spread, parts, bytes);
  }

  /** Adds the vectors of the words of a text to a vector. */
  addTo(sum: Float32Array, text: string): void {
    let count = 0;
    for (const run of runsOf(text)) {
      if (run.length > LONGEST_RUN) continue;
      for (const entry of this.known.get(run) ?? this.known.add(run, this.tellingEntries(run))) {
        addEntry(this.added, this.parts, entry, this.bytes);
        if (++count % MOST_ADDED === 0) this.takeAdded(sum);
      }
    }
    this.takeAdded(sum);
  }

  /** Adds what was added up to a vector, and starts again. */
  private takeAdded(sum: Float32Array): void {
    for (let byte = 0; byte < this.bytes; byte++)
      for (let half = 0; half < 2; half++) {
        const pair = this.added[2 * byte + half] ?? 0;
        const low = (pair << 16) >> 16;
        const at = 2 * half * this.bytes + byte;
        sum[at] = (sum[at] ?? 0) + low / UNITS;
        sum[at + this.bytes] = (sum[at + this.bytes] ?? 0) + ((pair - low) >> 16) / UNITS;
      }
    this.added.fill(0);
  }

  /**
   * Whether every word of a text is an entry. The vector of a word that is made of pieces says little. Numbers, and words of
   * scripts without spaces, count as known.
   */
  knowsWordsOf(text: string): boolean {
    return runsOf(text).every(
      (run) => STARTS_WITH_SIGN.test(run) || /\d/.test(run) || this.piecesOf(BEGINNING + run).length === 1,
    );
  }

  /** The words of a text that are entries. Of scripts without spaces, those of two characters or more. */
  knownWords(text: string): readonly string[] {
    return runsOf(text).flatMap((run) => this.words.get(run) ?? this.words.add(run, this.wordsOfRun(run)));
  }

  private wordsOfRun(run: string): readonly string[] {
    if (run.length > LONGEST_RUN) return [];
    if (STARTS_WITH_SIGN.test(run)) return this.piecesOf(run).flatMap(({ text }) => (text.length > 1 ? text : []));
    return this.piecesOf(BEGINNING + run).length === 1 ? [run] : [];
  }

  /** The vector of a text, of length 1. Undefined if it has no known word. */
  embed(text: string): Float32Array | undefined {
    const sum = new Float32Array(this.dimension);
    this.addTo(sum, text);
    return scaleToOne(sum) ? sum : undefined;
  }

  /** The entries of a run, without those that are so frequent that they say nothing. */
  private tellingEntries(run: string): readonly number[] {
    const pieces = this.piecesOf(STARTS_WITH_SIGN.test(run) ? run : BEGINNING + run);
    return pieces.flatMap(({ entry }) => ((this.parts.costs[entry] ?? 0) >= LEAST_COST ? entry : []));
  }

  /** The pieces of a run that are entries and cover it at the lowest cost, the last first. */
  private piecesOf(run: string): readonly Piece[] {
    const { costs } = this.parts;
    const cost = new Float64Array(run.length + 1).fill(Number.POSITIVE_INFINITY);
    const from = new Int32Array(run.length + 1);
    const entry = new Int32Array(run.length + 1).fill(-1);
    cost[0] = 0;
    const reach = (at: number, start: number, total: number, found: number): void => {
      if (total >= (cost[at] ?? 0)) return;
      cost[at] = total;
      from[at] = start;
      entry[at] = found;
    };
    for (let start = 0; start < run.length; start++) {
      const before = cost[start] ?? 0;
      let [hash, check] = [0x811c9dc5, 0x9e3779b9];
      for (let end = start; end < run.length && end < start + LONGEST_ENTRY; end++) {
        const code = run.charCodeAt(end);
        hash = Math.imul(hash ^ code, 0x01000193);
        check = Math.imul(check ^ code, 0x85ebca6b);
        const found = this.find(hash >>> 0, check >>> 24);
        if (found >= 0) reach(end + 1, start, before + (costs[found] ?? 0), found);
      }
      reach(start + 1, start, before + UNKNOWN_COST, -1);
    }
    const pieces: Piece[] = [];
    for (let at = run.length; at > 0; at = from[at] ?? 0)
      if ((entry[at] ?? -1) >= 0) pieces.push({ entry: entry[at] ?? 0, text: run.slice(from[at], at) });
    return pieces;
  }

  /** Number of the entry with these hashes; -1 if there is none. */
  private find(hash: number, check: number): number {
    const { hashes, checks } = this.parts;
    let [low, high] = [0, hashes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((hashes[middle] ?? 0) < hash) low = middle + 1;
      else high = middle;
    }
    for (; hashes[low] === hash; low++) if (checks[low] === check) return low;
    return -1;
  }
}

function runsOf(text: string): readonly string[] {
  return text.normalize('NFKC').toLowerCase().match(RUN) ?? [];
}

/**
 * Packs numbers in pairs, as whole multiples of 1/512: the first in the lower half of an integer, the second in its upper
 * half. To add two integers adds both, in half the time.
 */
function packPairs(numbers: Float32Array): Int32Array {
  const pairs = new Int32Array(numbers.length / 2);
  for (let pair = 0; pair < pairs.length; pair++) {
    const low = Math.round((numbers[2 * pair] ?? 0) * UNITS);
    pairs[pair] = low + (Math.round((numbers[2 * pair + 1] ?? 0) * UNITS) << 16);
  }
  return pairs;
}

/** Adds the vector of an entry to a sum, whose pairs stand in the order of the bytes of its code. */
function addEntry(sum: Int32Array, { centroids, codes }: Parts, entry: number, bytes: number): void {
  for (let byte = 0; byte < bytes; byte++) {
    const from = 2 * (byte * CENTROIDS + (codes[entry * bytes + byte] ?? 0));
    sum[2 * byte] = (sum[2 * byte] ?? 0) + (centroids[from] ?? 0);
    sum[2 * byte + 1] = (sum[2 * byte + 1] ?? 0) + (centroids[from + 1] ?? 0);
  }
}

/** Adds a vector, times `weight`, to another one. */
export function addTimes(sum: Float32Array, other: Float32Array, weight: number): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + weight * (other[i] ?? 0);
}

/** Scales a vector to length 1. @returns false if it is zero */
export function scaleToOne(vector: Float32Array): boolean {
  let square = 0;
  for (const number of vector) square += number * number;
  if (square < 1e-18) return false;
  const length = Math.sqrt(square);
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / length;
  return true;
}

/** The model that comes with the package. Undefined if its file is missing or damaged: then words alone are searched. */
export const builtInModel = lazy((): WordVectors | undefined =>
  tryWithFallback(() => WordVectors.read(readBytes(join(packageFolder(), 'models', 'built-in.bin'))), undefined),
);
