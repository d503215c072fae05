import { fail } from '../../base/failure.js';
import { readBeginning } from '../../workspace/files.js';

/** The description of a model in the header of its file. */
export interface ModelFileHeader {
  /** Name of the model; '' if the file has none. */
  readonly title: string;
  /** Context window in tokens for which the model was trained. */
  readonly window: number;
  readonly dimension: number;
}

type Value = string | number | undefined;

const MAGIC = 'GGUF';
/** Maximum size of a header in bytes. It contains the vocabulary, which is largest for multilingual models. */
const LONGEST_HEAD = 64 * 1024 * 1024;
/** Sizes in bytes of numbers and booleans, by type number. Types 4 and 5 are 32-bit integers. */
const SIZES: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };
const [TEXT, LIST] = [8, 9];
const RERANKS = 4;

/**
 * Reads the header of a model file (GGUF, version 2 or 3). Refuses files that are not embedding models. Without a pooling
 * type in the header, the vectors would look right but be wrong.
 * @throws MemoryError `refused` with the reason, and errors of the system
 */
export function readModelFileHeader(path: string): ModelFileHeader {
  const values = readHead(path);
  const family = String(values.get('general.architecture') ?? '');
  const number = (key: string): number => Number(values.get(`${family}.${key}`) ?? 0);
  const pooling = number('pooling_type');
  if (pooling === RERANKS) return unfit(path, 'is a reranker, which makes no vectors');
  if (pooling === 0) return unfit(path, 'has no pooling type, so it is not an embedding model, or was converted badly');
  if (Number(values.get('split.count') ?? 1) > 1) return unfit(path, 'is only one of several parts');
  const [window, dimension] = [number('context_length'), number('embedding_length')];
  if (!(window >= 16 && dimension >= 1)) return unfit(path, 'has no context length');
  return { title: String(values.get('general.name') ?? ''), window, dimension };
}

/** Reads the keys of the header, with values that are strings or 32-bit integers. Other values are skipped. */
function readHead(path: string): ReadonlyMap<string, Value> {
  const head = new Reader(readBeginning(path, LONGEST_HEAD));
  try {
    const version = head.text(MAGIC.length) === MAGIC ? head.uint32() : 0;
    if (version < 2 || version > 3) return unfit(path, 'is not a model file (GGUF, version 2 or 3)');
    head.uint64();
    const values = new Map<string, Value>();
    for (let left = head.uint64(); left > 0; left--) values.set(head.text(), head.value());
    return values;
  } catch (error) {
    // Thrown if the header goes on beyond the end of the file.
    if (error instanceof RangeError) return unfit(path, 'is not a model file, or damaged: its header has no end');
    throw error;
  }
}

function unfit(path: string, what: string): never {
  return fail('refused', `${path} ${what}`, 'see docs/models.md for models that work');
}

/** Reads one value after another. @throws RangeError beyond the end */
class Reader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  uint32(): number {
    return this.bytes.readUInt32LE(this.pass(4));
  }

  uint64(): number {
    return Number(this.bytes.readBigUInt64LE(this.pass(8)));
  }

  text(length = this.uint64()): string {
    return this.bytes.toString('utf8', this.pass(length), this.at);
  }

  value(type = this.uint32()): Value {
    if (type === TEXT) return this.text();
    if (type === 4 || type === 5) return this.uint32();
    if (type === LIST) {
      const [of, count] = [this.uint32(), this.uint64()];
      if (of !== TEXT) this.pass(count * sizeOf(of));
      else for (let left = count; left > 0; left--) this.pass(this.uint64());
    } else this.pass(sizeOf(type));
    return undefined;
  }

  /** Skips some bytes. @returns the offset of the first skipped byte */
  private pass(length: number): number {
    const from = this.at;
    this.at += length;
    // Written as a negation, so that NaN (the size of an unknown type) is caught, too.
    if (!(this.at <= this.bytes.length)) throw new RangeError('behind the end');
    return from;
  }
}

function sizeOf(type: number): number {
  return SIZES[type] ?? Number.NaN;
}
