import { fileOfError, inodeOf, isCorruptError, mayMeanDamage } from '../db/open.js';
import { renameUnusableDatabase } from '../db/owned.js';
import type { IndexContext } from './fresh.js';
import { indexInode, indexPath, unusableWarning } from './open.js';
import { hasVectors, vectorsPath } from './vectors/path.js';

/**
 * Runs a function that reads the index and its vectors. If one of them turns out to be damaged, it is renamed and the
 * function runs once more: with a rebuilt index, or without vectors.
 * @param work gets the warnings about the repair
 */
export async function withIndexRepair<T>(
  context: IndexContext,
  work: (healed: readonly string[]) => Promise<T>,
): Promise<T> {
  try {
    return await work([]);
  } catch (error) {
    const healed = mayMeanDamage(error) ? await heal(context, error) : undefined;
    if (healed === undefined) throw error;
    return work([healed]);
  }
}

/**
 * Finds out what is damaged, and repairs it. @returns a warning that says what was done, or undefined when nothing is
 * damaged
 */
async function heal(context: IndexContext, error: unknown): Promise<string | undefined> {
  const { stateFolder } = context;
  const file = fileOfError(error);
  if (file?.path === vectorsPath(stateFolder)) return renameDamagedVectors(stateFolder, file.inode);
  if (file !== undefined && file.path !== indexPath(stateFolder)) return undefined;
  const before = file?.inode ?? indexInode(stateFolder);
  const isCertain = isCorruptError(error);
  const { runIndex } = await import('./run.js');
  // Do not rebuild the index if another process has done so already. A rebuilt index has another inode.
  if (isCertain && before === indexInode(stateFolder)) await runIndex(context, { force: true, keepOld: true });
  else if (!isCertain) {
    const { verify } = await runIndex(context, { verify: true });
    if (verify !== null && verify.differences.length > 0) await runIndex(context, { force: true, keepOld: true });
    else if (before === indexInode(stateFolder)) return healVectors(stateFolder);
  }
  return unusableWarning('damaged');
}

/**
 * Checks the database of vectors. Called if an error may mean damage, but the index is not damaged.
 * @returns a warning if it was damaged
 */
async function healVectors(stateFolder: string): Promise<string | undefined> {
  if (!hasVectors(stateFolder)) return undefined;
  const { areVectorsWhole } = await import('./vectors/open.js');
  return areVectorsWhole(stateFolder)
    ? undefined
    : renameDamagedVectors(stateFolder, inodeOf(vectorsPath(stateFolder)));
}

/**
 * Renames a damaged database of vectors. No text is embedded again here.
 * @param inode inode of the file that was read. If the file at the path has another inode now, another process has renamed
 * the damaged one, and nothing happens
 * @returns the warning
 */
export function renameDamagedVectors(stateFolder: string, inode: number | undefined): string {
  const path = vectorsPath(stateFolder);
  if (inodeOf(path) === inode) renameUnusableDatabase(path);
  return 'the vectors were damaged and moved to vectors.sqlite.unusable; make them again: openclaw memory index --embed';
}
