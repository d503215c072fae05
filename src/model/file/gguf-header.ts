import { fail } from '../../base/failure.js';
import { readBeginning } from '../../workspace/files.js';

/** What a model file says of itself. */
export interface ModelFacts {
  /** As its makers call it, or ''. */
  readonly title: string;
  /** Tokens that it was trained to read at once. */
  readonly window: number;
  readonly dimension: number;
}

type Value = string | number | undefined;

const MAGIC = 'GGUF';
/** The longest head is that of a model of many languages: its vocabulary is in it. */
const LONGEST_HEAD = 64 * 1024 * 1024;
/** Bytes of the values that are no text and no list, by the number of their type; 4 and 5 are whole numbers. */
const SIZES: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };
const [TEXT, LIST] = [8, 9];
const RERANKS = 4;

/**
 * Reads the head of a model file (GGUF, version 2 or 3), and refuses what is no embedding model: without a stated way to
 * make one vector of those of all tokens, vectors would be plausible and wrong.
 * @throws MemoryError `refused` with what is wrong, and the system's errors
 */
export function readFacts(path: string): ModelFacts {
  const values = readHead(path);
  const family = String(values.get('general.architecture') ?? '');
  const number = (key: string): number => Number(values.get(`${family}.${key}`) ?? 0);
  const pooling = number('pooling_type');
  if (pooling === RERANKS) return unfit(path, 'is a reranker, which makes no vectors');
  if (pooling === 0) return unfit(path, 'states no pooling: it is no embedding model, or was converted badly');
  if (Number(values.get('split.count') ?? 1) > 1) return unfit(path, 'is one of several parts');
  const [window, dimension] = [number('context_length'), number('embedding_length')];
  if (!(window >= 16 && dimension >= 1)) return unfit(path, 'does not say how much it reads');
  return { title: String(values.get('general.name') ?? ''), window, dimension };
}

/** Its keys with what is one text or whole number; the rest is passed over. */
function readHead(path: string): ReadonlyMap<string, Value> {
  const head = new Reader(readBeginning(path, LONGEST_HEAD));
  try {
    const version = head.text(MAGIC.length) === MAGIC ? head.uint32() : 0;
    if (version < 2 || version > 3) return unfit(path, 'is no model file (GGUF, version 2 or 3)');
    head.uint64();
    const values = new Map<string, Value>();
    for (let left = head.uint64(); left > 0; left--) values.set(head.text(), head.value());
    return values;
  } catch (error) {
    // Of bytes that are not there.
    if (error instanceof RangeError) return unfit(path, 'is no model file, or damaged: its head has no end');
    throw error;
  }
}

function unfit(path: string, what: string): never {
  return fail('refused', `${path} ${what}`, 'docs/models.md names some that are worth trying');
}

/** Reads one value after the other. @throws RangeError behind the end */
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

  /** @returns where it begins */
  private pass(length: number): number {
    const from = this.at;
    this.at += length;
    // Of a type that nobody knows it is no number.
    if (!(this.at <= this.bytes.length)) throw new RangeError('behind the end');
    return from;
  }
}

function sizeOf(type: number): number {
  return SIZES[type] ?? Number.NaN;
}
