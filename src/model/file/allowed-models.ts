import { isAbsolute, join } from 'node:path';
import { type Fields, parseRecord } from '../../base/json.js';
import { editFile, makeFolder, readTextIfThere } from '../../workspace/files.js';
import { realpathOr } from '../../workspace/permissions.js';
import type { ModelFacts } from './gguf-header.js';

/** A model file that this machine's user has allowed: by what is in it, so that another in its place is not. */
export interface KnownModel extends ModelFacts {
  /** Without links. */
  readonly path: string;
  readonly digest: string;
  /** What was in it when it was last looked at, and how it stood then. */
  readonly digestNow: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
}

/** A line each. */
const NAME = 'allowed-models';

/** Every file that is allowed, whether or not it is still there. What is no line of ours allows nothing. */
export function allowedModels(configFolder: string, text = readTextIfThere(join(configFolder, NAME)) ?? '') {
  return text.split('\n').map(parseRecord).filter(isKnown);
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
export function rememberModel(configFolder: string, model: KnownModel): void {
  makeFolder(configFolder);
  editFile(join(configFolder, NAME), (current) => {
    const others = allowedModels(configFolder, current?.toString('utf8')).filter(({ path }) => path !== model.path);
    return [...others, model].map((one) => `${JSON.stringify(one)}\n`).join('');
  });
}

const TEXTS = ['path', 'digest', 'digestNow', 'title'];
const NUMBERS = ['size', 'mtimeMs', 'ino', 'window', 'dimension'];

function isKnown(value: Fields | undefined): value is Fields & KnownModel {
  if (value === undefined) return false;
  return TEXTS.every((key) => typeof value[key] === 'string') && NUMBERS.every((key) => typeof value[key] === 'number');
}
