import { lstatSync } from 'node:fs';
import { digestOf, type Tree, type TreeFile } from '../index/tree.js';
import { CORE_NAMES, isPassing } from '../memory/pages.js';
import { fileOf, pathIn } from '../workspace/reads.js';

/**
 * A tree in which some pages were written again; undefined when more may have changed than what stands in them: all has
 * to be looked at then.
 * @param changed absolute paths
 */
export function changedTree(root: string, tree: Tree, changed: ReadonlySet<string>): Tree | undefined {
  const paths = new Set([...changed].map((full) => pathIn(root, full)));
  // What stands in one of two core files may make the other one count.
  if (CORE_NAMES.some((name) => paths.has(name))) return undefined;
  const again = new Map<string, TreeFile>();
  for (const file of tree.files) {
    if (!paths.delete(file.path)) continue;
    const stat = lstatSync(fileOf(root, file.path), { throwIfNoEntry: false });
    if (stat === undefined || !stat.isFile() || stat.nlink > 1) return undefined;
    const { size, mtimeMs, ctimeMs, ino: inode } = stat;
    again.set(file.path, { ...file, size, mtimeMs, ctimeMs, inode });
  }
  const left = new Set([...tree.folders, ...tree.notices.map(({ path }) => path)]);
  if ([...paths].some((path) => left.has(path) || !hasPassed(root, path))) return undefined;
  const files = tree.files.map((file) => again.get(file.path) ?? file);
  return { ...tree, files, digest: digestOf(files, tree.forgotten) };
}

/** Whether what changed was there for a while only, such as what is written before it gets the name of a page. */
function hasPassed(root: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  // Of a session, what begins with a dot says how far it is.
  if (path.startsWith('sessions/') || !isPassing(name)) return false;
  return lstatSync(fileOf(root, path), { throwIfNoEntry: false }) === undefined;
}
