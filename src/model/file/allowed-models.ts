import { isAbsolute, join } from 'node:path';
import { asRecord, parseRecord } from '../../base/json.js';
import { realpathOr } from '../../workspace/allowed.js';
import { editFile, makeFolder, readTextIfThere } from '../../workspace/files.js';
import type { ModelFacts } from './gguf-header.js';

/** A model file that this machine's user has allowed: by what is in it, so that another in its place is not. */
export interface AllowedModel extends ModelFacts {
  /** Without links. */
  readonly path: string;
  readonly digest: string;
  readonly size: number;
}

/** As it is kept, a line each: the digest that was allowed, and the one that the file had when it was last looked at. */
export interface KnownModel extends AllowedModel {
  readonly mtimeMs: number;
  readonly ino: number;
  readonly digestNow: string;
}

const NAME = 'allowed-models';

/** Every file that is allowed, whether or not it is still there. */
export function allowedModels(configFolder: string): readonly KnownModel[] {
  return parse(readTextIfThere(join(configFolder, NAME)) ?? '');
}

/** What is known of a file that was allowed; undefined of every other. Opens nothing of it. */
export function allowedModel(configFolder: string, path: string): KnownModel | undefined {
  if (!isLocal(path)) return undefined;
  const real = realpathOr(path);
  return allowedModels(configFolder).find((known) => known.path === real);
}

/** Whether a path names a file of this machine in one way only: a share of another is not even looked for. */
export function isLocal(path: string): boolean {
  return isAbsolute(path) && !/^[/\\]{2}/.test(path);
}

/** The line that says how a person allows a file. */
export function useLine(path: string): string {
  return `openclaw memory models use ${/\s/.test(path) ? JSON.stringify(path) : path}`;
}

/** Keeps what is known of a file. */
export function keepModel(configFolder: string, model: KnownModel): void {
  makeFolder(configFolder);
  editFile(join(configFolder, NAME), (current) => {
    const others = parse(current?.toString('utf8') ?? '').filter(({ path }) => path !== model.path);
    return [...others, model].map((one) => `${JSON.stringify(one)}\n`).join('');
  });
}

/** What is no line of ours allows nothing. */
function parse(text: string): readonly KnownModel[] {
  return text.split('\n').flatMap((line) => {
    const { path, digest, digestNow, title, ...numbers } = asRecord(parseRecord(line));
    const { size, mtimeMs, ino, window, dimension } = numbers;
    const isText = typeof path === 'string' && typeof digest === 'string' && typeof digestNow === 'string';
    if (!isText || typeof title !== 'string' || typeof window !== 'number' || typeof dimension !== 'number') return [];
    if (typeof size !== 'number' || typeof mtimeMs !== 'number' || typeof ino !== 'number') return [];
    return { path, digest, digestNow, title, size, mtimeMs, ino, window, dimension };
  });
}
