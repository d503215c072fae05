import { closeSync, fstatSync, readSync } from 'node:fs';
import { fail } from '../../base/failure.js';
import { openToRead } from '../../workspace/files.js';

/** What a model file says of itself. */
export interface ModelFacts {
  /** As its makers call it, or ''. */
  readonly title: string;
  /** Tokens that it was trained to read at once. */
  readonly window: number;
  readonly dimension: number;
}

type Value = string | number | undefined;

const MAGIC = 0x46554747;
/** Bytes of the numbers, by the type's number in the format. */
const SIZES: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };
const UINT32 = 4;
const TEXT = 8;
const LIST = 9;
/** What no model has more of: its vocabulary is the longest list. */
const MOST = { keys: 65_536, text: 16 * 1024 * 1024, items: 16_777_216 };
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

/** Its keys with what is one text or number; lists are passed over. */
function readHead(path: string): ReadonlyMap<string, Value> {
  const file = openToRead(path);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return unfit(path, 'is no regular file');
    const head = new Reader(file, path, stat.size);
    const version = head.uint32() === MAGIC ? head.uint32() : 0;
    if (version < 2 || version > 3) return unfit(path, 'is no model file (GGUF, version 2 or 3)');
    head.count(MOST.keys);
    const keys = head.count(MOST.keys);
    const values = new Map<string, Value>();
    for (let i = 0; i < keys; i++) values.set(head.text(), head.value(head.uint32()));
    return values;
  } finally {
    closeSync(file);
  }
}

function unfit(path: string, what: string): never {
  return fail('refused', `${path} ${what}`, 'docs/models.md names some that are worth trying');
}

const CHUNK = 1024 * 1024;

/** Reads one value after the other, and never more of the file than it has. */
class Reader {
  private chunk: Buffer = Buffer.alloc(0);
  private at = 0;
  private readTo = 0;

  constructor(
    private readonly file: number,
    private readonly path: string,
    private readonly size: number,
  ) {}

  uint32(): number {
    return this.take(4).readUInt32LE();
  }

  /** A number of things, of which there are no more than this. */
  count(most: number): number {
    const count = Number(this.take(8).readBigUInt64LE());
    return count > most ? unfit(this.path, 'is damaged: its head says what no model has') : count;
  }

  text(): string {
    return this.take(this.count(MOST.text)).toString('utf8');
  }

  value(type: number): Value {
    if (type === TEXT) return this.text();
    if (type === LIST) return this.passList();
    const size = SIZES[type] ?? unfit(this.path, `is damaged: its head has a value of the unknown type ${type}`);
    const bytes = this.take(size);
    return type === UINT32 || type === UINT32 + 1 ? bytes.readUInt32LE() : undefined;
  }

  private passList(): undefined {
    const type = this.uint32();
    const count = this.count(MOST.items);
    const size = SIZES[type];
    if (size !== undefined) return this.pass(count * size);
    if (type !== TEXT) return unfit(this.path, 'is damaged: its head has a list of lists');
    for (let i = 0; i < count; i++) this.pass(this.count(MOST.text));
  }

  private take(length: number): Buffer {
    if (this.at + length > this.chunk.length) this.fill(length);
    this.at += length;
    return this.chunk.subarray(this.at - length, this.at);
  }

  private pass(length: number): undefined {
    for (let left = length; left > 0; ) {
      const step = Math.min(left, CHUNK);
      this.take(step);
      left -= step;
    }
  }

  /** Reads on, so that so many bytes lie ahead. */
  private fill(length: number): void {
    const rest = this.chunk.subarray(this.at);
    const more = Math.min(Math.max(CHUNK, length), this.size - this.readTo);
    const bytes = Buffer.alloc(Math.max(0, more));
    const read = readSync(this.file, bytes, 0, bytes.length, this.readTo);
    this.readTo += read;
    this.chunk = Buffer.concat([rest, bytes.subarray(0, read)]);
    this.at = 0;
    if (this.chunk.length < length) unfit(this.path, 'is damaged: it ends within its head');
  }
}
