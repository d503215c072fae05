import { constants, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { tryWithFallback } from '../../base/failure.js';
import { parseRecord } from '../../base/json.js';
import { isLauncher } from '../../upkeep/openclaw.js';
import { mayAccessPath, readBytes } from '../../workspace/files.js';

/** Finds the host's program: the first `openclaw` on PATH that does not start this package, after resolving links. */
export function findHost(path: string | undefined): string | undefined {
  return findPrograms('openclaw', path).find((file) => !isOurProgram(file));
}

export function isOnPath(name: string, path: string | undefined): boolean {
  return findPrograms(name, path).length > 0;
}

/** All programs of this name on PATH. */
export function findPrograms(name: string, path = ''): readonly string[] {
  const files = path.split(delimiter).flatMap((folder) => (folder === '' ? [] : join(folder, name)));
  return files.filter((file) => mayAccessPath(file, constants.X_OK));
}

/** Whether a program starts this package: it is our launcher, or it lies inside our package. */
export function isOurProgram(file: string): boolean {
  return tryWithFallback(() => {
    const real = realpathSync(file);
    if (isLauncher(readBytes(real).toString('latin1'))) return true;
    const manifest = readBytes(join(dirname(dirname(real)), 'package.json')).toString('utf8');
    return parseRecord(manifest)?.name === 'openclaw-memory';
  }, false);
}
