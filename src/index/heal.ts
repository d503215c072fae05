import { fileOfError, inodeOf } from '../db/naming.js';
import { isCorrupt, mayBeDamage } from '../db/open.js';
import { setAside } from '../db/owned.js';
import type { IndexContext } from './fresh.js';
import { indexFile, indexPath, unusableWarning } from './open.js';
import { hasVectors, vectorsPath } from './vectors/path.js';

/**
 * Runs work that reads the index and its vectors. If one of them proves damaged, it is set aside, the index is rebuilt, and
 * the work runs once more (by words only, if the vectors were damaged).
 * @param work receives the warnings about the repair
 */
export async function withHealing<T>(
  context: IndexContext,
  work: (healed: readonly string[]) => Promise<T>,
): Promise<T> {
  try {
    return await work([]);
  } catch (error) {
    const healed = mayBeDamage(error) ? await heal(context, error) : undefined;
    if (healed === undefined) throw error;
    return work([healed]);
  }
}

/** @returns a warning that says what was done, or undefined when nothing is damaged */
async function heal(context: IndexContext, error: unknown): Promise<string | undefined> {
  const { stateFolder } = context;
  const file = fileOfError(error);
  if (file?.path === vectorsPath(stateFolder)) return setVectorsAside(stateFolder, file.inode);
  if (file !== undefined && file.path !== indexPath(stateFolder)) return undefined;
  const before = file?.inode ?? indexFile(stateFolder);
  const isCertain = isCorrupt(error);
  const { runIndex } = await import('./run.js');
  // Another process may have rebuilt it already.
  if (isCertain && before === indexFile(stateFolder)) await runIndex(context, { force: true, keepOld: true });
  else if (!isCertain) {
    const { verify } = await runIndex(context, { verify: true });
    if (verify !== null && verify.differences.length > 0) await runIndex(context, { force: true, keepOld: true });
    else if (before === indexFile(stateFolder)) return healVectors(stateFolder);
  }
  return unusableWarning('damaged');
}

/**
 * Checks the vectors when the error does not name its file.
 * @returns a warning if they were damaged
 */
async function healVectors(stateFolder: string): Promise<string | undefined> {
  if (!hasVectors(stateFolder)) return undefined;
  const { areWhole } = await import('./vectors/open.js');
  return areWhole(stateFolder) ? undefined : setVectorsAside(stateFolder, inodeOf(vectorsPath(stateFolder)));
}

/**
 * Sets damaged vectors aside; no text is embedded again here.
 * @param inode the file that they were read from; another process may have set it aside already
 * @returns the warning
 */
export function setVectorsAside(stateFolder: string, inode: number | undefined): string {
  const path = vectorsPath(stateFolder);
  if (inodeOf(path) === inode) setAside(path);
  return 'the vectors were damaged; they were set aside (vectors.sqlite.unusable): "index --embed" makes them again';
}
