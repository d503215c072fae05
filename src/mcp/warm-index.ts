import { existsSync, lstatSync, type Stats } from 'node:fs';
import { systemErrorCode } from '../base/failure.js';
import { type FreshIndex, type IndexContext, openFreshIndex } from '../index/fresh.js';
import { indexInode } from '../index/open.js';
import { digestOfTree, type FileTree } from '../index/tree.js';
import { CORE_FILE_NAMES, isTransientFile } from '../memory/pages.js';
import { fullPathOf, pathInWorkspace } from '../workspace/read-scope.js';
import { WatchedFolders } from '../workspace/watched-folders.js';

/**
 * An open index. `readers`: number of calls that read it now. `isRetired`: no new call may use it, and the last reader
 * closes it.
 */
interface Held {
  readonly index: FreshIndex;
  /** Identifies everything that the index was made from, except files: for example the settings. */
  readonly key: string;
  readers: number;
  isRetired: boolean;
}

/**
 * Keeps one index open between answers while its folders are watched, so that an answer need not check every file: only the
 * changed pages are read. If the folders can't be watched, every answer checks all files.
 */
export class WatchedIndex {
  private folders: WatchedFolders | undefined;
  private held: Held | undefined;
  private unwatchable: string | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  /** @param onUnwatchable called once with the reason why every answer checks all files */
  constructor(private readonly onUnwatchable: (why: string) => void) {}

  /** Like {@link openFreshIndex}, but reuses the held index if nothing has changed. Calls run one after the other. */
  readonly open = (context: IndexContext): Promise<FreshIndex> => {
    const opened = this.turn.then(() => this.heldOrNew(context));
    this.turn = opened.catch(() => {});
    return opened;
  };

  close(): void {
    this.retire();
    this.folders?.close();
    this.folders = undefined;
  }

  private async heldOrNew(context: IndexContext): Promise<FreshIndex> {
    const { root, stateFolder, clock, reads } = context;
    const key = JSON.stringify([root, stateFolder, clock.zone, clock.dateOrder, reads, indexInode(stateFolder)]);
    const { held } = this;
    const changes = held?.key === key ? await this.folders?.changes() : undefined;
    if (held && changes?.size === 0) return this.lend(held);
    // Drop the held index first. If anything fails from here on, the next answer checks all files.
    this.retire();
    return this.look(context, key, held && changes && changedTree(root, held.index.tree, changes));
  }

  /** @param tree the known files; undefined if all files must be checked */
  private async look(context: IndexContext, key: string, tree: FileTree | undefined): Promise<FreshIndex> {
    // The workspace does not exist yet, and reading must not create it.
    if (!existsSync(context.stateFolder)) return openFreshIndex(context);
    const folders = this.watchedFor(context);
    if (tree === undefined) folders?.expectChanges();
    const index = await openFreshIndex(context, tree);
    if (folders === undefined || index.stale || index.segments.length !== 1 || !this.watches(folders, context, index))
      return index;
    this.held = { index, key, readers: 0, isRetired: false };
    return this.lend(this.held);
  }

  private watches(folders: WatchedFolders, { root }: IndexContext, { tree }: FreshIndex): boolean {
    try {
      if (tree.isLinked) return this.giveUp('some pages are links to other places, where changes are not reported');
      const full = tree.folders.map((folder) => fullPathOf(root, folder));
      if (full.some((folder) => !folder.startsWith(root) && !WatchedFolders.can(folder)))
        return this.giveUp('not all changes in extraFolders are reported');
      folders.cover(full);
      return true;
    } catch (error) {
      return this.giveUp(`no more folders can be watched (${systemErrorCode(error) ?? 'unknown'})`);
    }
  }

  private watchedFor({ root, stateFolder }: IndexContext): WatchedFolders | undefined {
    if (this.unwatchable !== undefined) return undefined;
    if (this.folders) return this.folders;
    if (!WatchedFolders.can(root) || !WatchedFolders.can(stateFolder)) {
      this.giveUp('this file system does not report all changes');
      return undefined;
    }
    try {
      this.folders = new WatchedFolders(stateFolder);
    } catch (error) {
      this.giveUp(`folders can't be watched (${systemErrorCode(error) ?? 'unknown'})`);
    }
    return this.folders;
  }

  private giveUp(why: string): false {
    this.unwatchable = why;
    this.folders?.close();
    this.folders = undefined;
    this.onUnwatchable(why);
    return false;
  }

  private lend(held: Held): FreshIndex {
    held.readers++;
    let isOpen = true;
    return {
      ...held.index,
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        held.readers--;
        if (held.isRetired && held.readers === 0) held.index.close();
      },
    };
  }

  private retire(): void {
    const { held } = this;
    this.held = undefined;
    if (held === undefined) return;
    held.isRetired = true;
    if (held.readers === 0) held.index.close();
  }
}

/**
 * The tree of known files, in which only the changed pages are read again. Undefined if more than the content of pages may
 * have changed, so that all files must be checked.
 * @param changed absolute paths
 */
function changedTree(root: string, tree: FileTree, changed: ReadonlySet<string>): FileTree | undefined {
  const paths = new Set([...changed].map((full) => pathInWorkspace(root, full)));
  // If a core file has changed, check all files. A workspace may have two core files, and the content of one may decide
  // whether the other is used.
  if (CORE_FILE_NAMES.some((name) => paths.has(name))) return undefined;
  if ([...tree.compared].some((path) => paths.has(path))) return undefined;
  const again = new Map<number, Stats>();
  for (const path of [...paths]) {
    const index = tree.files.paths.indexOf(path);
    if (index === -1) continue;
    paths.delete(path);
    const stat = lstatSync(fullPathOf(root, path), { throwIfNoEntry: false });
    if (stat === undefined || !stat.isFile() || stat.nlink > 1) return undefined;
    again.set(index, stat);
  }
  const left = new Set([...tree.folders, ...tree.notices.map(({ path }) => path)]);
  if ([...paths].some((path) => left.has(path) || !hasPassed(root, path))) return undefined;
  const files = tree.files.with(again);
  return { ...tree, files, digest: digestOfTree(files, tree.forgotten) };
}

/**
 * True if a changed file was only temporary and no longer exists. For example, a program may write a temporary file and then
 * give it the name of a page.
 */
function hasPassed(root: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  // In the folder of a session, files that begin with a dot record its progress (`.done`). These files are not temporary.
  if (path.startsWith('sessions/') || !isTransientFile(name)) return false;
  return lstatSync(fullPathOf(root, path), { throwIfNoEntry: false }) === undefined;
}
