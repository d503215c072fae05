import { createHash } from 'node:crypto';
import { closeSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { err, type Failure, fail, ok, type Result, toFailure, tryWithFallback } from '../../base/failure.js';
import { parseRecord, type UnknownFields } from '../../base/json.js';
import { editFile, makeFolder, openToRead, readBeginning, readTextIfThere } from '../../workspace/files.js';
import { isOnNetwork } from '../../workspace/locate.js';
import { realpathOrSame } from '../../workspace/read-scope.js';

/**
 * Reads the description and the digest of a model file that a person has named. Reads the whole file.
 * @throws MemoryError `refused` if it is no embedding model, `interrupted`, and errors of the system
 */
export async function examineModelFile(path: string, signal?: AbortSignal): Promise<AllowedModelFile> {
  const stat = regularFile(path);
  const real = realpathSync(path);
  const facts = readModelFileHeader(real);
  const digest = await digestOfFile(real, signal);
  return { ...facts, path: real, digest, ...placeOf(stat), digestNow: digest };
}

/**
 * Checks whether a model file may be opened: it must be allowed and unchanged. A file that was never allowed is not opened.
 * A file with a new time stamp or inode is hashed again. Failures: `model_unavailable`, `interrupted`.
 */
export async function checkModelFileAllowed(
  configFolder: string,
  path: string,
  signal?: AbortSignal,
): Promise<Result<AllowedModelFile>> {
  try {
    const stat = regularFile(path);
    const known = findAllowedModel(configFolder, path);
    if (known === undefined) return err(notAllowed(path, `you have not allowed ${path} to be opened`));
    const now = await lookAgain(configFolder, known, stat, signal);
    return now.digestNow === now.digest ? ok(now) : err(notAllowed(path, `${path} has changed since you allowed it`));
  } catch (error) {
    const failure = toFailure(error);
    return err(failure.type === 'interrupted' ? failure : { ...failure, type: 'model_unavailable' });
  }
}

async function lookAgain(
  configFolder: string,
  known: AllowedModelFile,
  stat: Stats,
  signal: AbortSignal | undefined,
): Promise<AllowedModelFile> {
  const { size, mtimeMs, ino } = placeOf(stat);
  if (size !== known.size) return { ...known, digestNow: '' };
  if (mtimeMs === known.mtimeMs && ino === known.ino) return known;
  const now = { ...known, mtimeMs, ino, digestNow: await digestOfFile(known.path, signal) };
  // If this fails, the only effect is that the file is hashed again next time.
  tryWithFallback(() => recordAllowedModel(configFolder, now), undefined);
  return now;
}

/**
 * Size, times and inode of a regular local file.
 * @throws MemoryError `refused` for paths of other machines, folders, pipes and devices
 */
function regularFile(path: string): Stats {
  const hint = 'write the full path, or one from your home folder: file:~/…';
  if (!isLocalPath(path)) fail('refused', `file:${path} is not a full path`, hint);
  const stat = statSync(path);
  if (!stat.isFile()) fail('refused', `${path} is not a regular file`, 'use a real file, not a pipe, device or folder');
  if (isOnNetwork(path)) fail('refused', `${path} is on another machine`, 'copy it to this machine');
  return stat;
}

/**
 * SHA-256 of a file, in hexadecimal digits. Can be interrupted, because the file may be large.
 * @throws MemoryError `interrupted`, and errors of the system
 */
export async function digestOfFile(path: string, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash('sha256');
  const file = openToRead(path);
  const bytes = Buffer.allocUnsafe(4 * 1024 * 1024);
  try {
    for (let read = readSync(file, bytes); read > 0; read = readSync(file, bytes)) {
      hash.update(bytes.subarray(0, read));
      await yieldToOthers();
      if (signal?.aborted) fail('interrupted', `reading ${path} was interrupted`, 'run the command again');
    }
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

function placeOf({ size, mtimeMs, ino }: Stats) {
  return { size, mtimeMs, ino };
}

function notAllowed(path: string, message: string): Failure {
  return { type: 'model_unavailable', message, hint: `if you trust this file: ${commandToAllowModel(path)}` };
}

/**
 * A model file that the user has allowed. It is identified by its content, so that another file in its place is not allowed.
 */
export interface AllowedModelFile extends ModelFileHeader {
  /** Path with symbolic links resolved. */
  readonly path: string;
  readonly digest: string;
  /**
   * Digest of the content at the last check. '' if the size had changed: then the file is certainly not the allowed one, and
   * is not hashed. `size`, `mtimeMs` and `ino` belong to the last content that was hashed.
   */
  readonly digestNow: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
}

/** File name of the list; one JSON line per model. */
const NAME = 'allowed-models';

/** All allowed files, whether or not they still exist. Invalid lines are ignored. */
export function readAllowedModels(configFolder: string, text = readTextIfThere(join(configFolder, NAME)) ?? '') {
  return text.split('\n').map(parseRecord).filter(isKnown);
}

/** The entry of a file, or `undefined` if the file was not allowed. Does not open the file. */
export function findAllowedModel(configFolder: string, path: string): AllowedModelFile | undefined {
  if (!isLocalPath(path)) return undefined;
  const real = realpathOrSame(path);
  return readAllowedModels(configFolder).find((known) => known.path === real);
}

/**
 * Whether a path is an absolute path on this machine. Paths of network shares are rejected by their form, without opening
 * them.
 */
function isLocalPath(path: string): boolean {
  return isAbsolute(path) && !/^[/\\]{2}/.test(path);
}

/** The command that a person must run to allow a file. */
function commandToAllowModel(path: string): string {
  return `openclaw memory models use ${/\s/.test(path) ? JSON.stringify(path) : path}`;
}

/** Adds a file to the list of allowed files, or updates its entry. */
export function recordAllowedModel(configFolder: string, model: AllowedModelFile): void {
  makeFolder(configFolder);
  editFile(join(configFolder, NAME), (current) => {
    const others = readAllowedModels(configFolder, current?.toString('utf8')).filter(({ path }) => path !== model.path);
    return [...others, model].map((one) => `${JSON.stringify(one)}\n`).join('');
  });
}

const TEXTS = ['path', 'digest', 'digestNow', 'title'];
const NUMBERS = ['size', 'mtimeMs', 'ino', 'window', 'dimension'];

function isKnown(value: UnknownFields | undefined): value is UnknownFields & AllowedModelFile {
  if (value === undefined) return false;
  return TEXTS.every((key) => typeof value[key] === 'string') && NUMBERS.every((key) => typeof value[key] === 'number');
}

/** The description of a model in the header of its file. */
interface ModelFileHeader {
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
function readModelFileHeader(path: string): ModelFileHeader {
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
