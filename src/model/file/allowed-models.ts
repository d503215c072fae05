import { isAbsolute, join } from 'node:path';
import { parseRecord, type UnknownFields } from '../../base/json.js';
import { editFile, makeFolder, readTextIfThere } from '../../workspace/files.js';
import { realpathOrSame } from '../../workspace/permissions.js';
import type { ModelFileHeader } from './gguf-header.js';

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
export function isLocalPath(path: string): boolean {
  return isAbsolute(path) && !/^[/\\]{2}/.test(path);
}

/** The command that a person must run to allow a file. */
export function commandToAllowModel(path: string): string {
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
