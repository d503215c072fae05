import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { isRecord, parseJson } from '../../base/json.js';
import { isLauncher } from '../../upkeep/launcher.js';
import { readBytes } from '../../workspace/files.js';

/** The first `openclaw` on the path that is not ours, by whatever name or link. */
export function findHost(path: string | undefined): string | undefined {
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, 'openclaw')).find((file) => canRun(file) && !isOurs(file));
}

/** A program that is found by its name. */
export function findOnPath(name: string, path: string | undefined): string | undefined {
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(canRun);
}

export function isOnPath(name: string, path: string | undefined): boolean {
  return findOnPath(name, path) !== undefined;
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a program starts this package. */
export function isOurs(file: string): boolean {
  try {
    const real = realpathSync(file);
    if (isLauncher(readBytes(real).toString('latin1'))) return true;
    const manifest = parseJson(readBytes(join(dirname(dirname(real)), 'package.json')).toString('utf8'));
    return isRecord(manifest) && manifest.name === 'openclaw-memory';
  } catch {
    // A program without a package around it is none of ours.
    return false;
  }
}
