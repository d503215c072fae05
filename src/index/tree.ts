import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { sep } from 'node:path';
import { systemCode } from '../base/failure.js';
import type { Forgotten } from '../memory/forgotten.js';
import { CORE_NAMES, isHiddenName, isPassing, PAGE_FOLDERS, pageAt } from '../memory/pages.js';
import { readForgotten } from './forgotten-page.js';

/** A file that is to be indexed, as it is on disk now. */
export interface TreeFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Unix time in ms; as doubles these times still tell 0.25 µs apart, and bigint stats cost twice as much. */
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
}

/** Changes whenever the file may have. Not part of every {@link TreeFile}: for most files nobody asks. */
export function stateOf({ size, mtimeMs, ctimeMs, inode }: Omit<TreeFile, 'path'>): string {
  return `${size}:${mtimeMs}:${ctimeMs}:${inode}`;
}

/** The order in which files are indexed, so that the same files make the same index. */
export function inPathOrder(files: readonly TreeFile[]): readonly TreeFile[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

export interface Tree {
  /** As their folders list them: sorting is for those who index. */
  readonly files: readonly TreeFile[];
  /** Changes whenever any file or its state does, or what is forgotten. */
  readonly digest: string;
  readonly forgotten: Forgotten;
  readonly notices: readonly Notice[];
}

/** A file or folder that is there but not indexed, and why. */
export interface Notice {
  readonly path: string;
  readonly reason: string;
}

/**
 * Lists the indexable files of a workspace. Sync calls: for many small files they are twice as fast as promises.
 * Links that leave the workspace are not followed.
 */
export function readTree(root: string): Tree {
  const walk = new Walk(root);
  for (const name of walk.names('')) if (name.isFile() || name.isSymbolicLink()) walk.file('', name);
  for (const folder of PAGE_FOLDERS) walk.folder(folder);
  walk.overviews();
  return walk.tree();
}

class Walk {
  private readonly files: TreeFile[] = [];
  private readonly notices: Notice[] = [];
  private realRoot: string | undefined;

  constructor(private readonly root: string) {}

  names(folder: string): readonly Dirent[] {
    try {
      return readdirSync(`${this.root}/${folder}`, { withFileTypes: true });
    } catch (error) {
      const code = systemCode(error);
      if (code !== 'ENOENT' && code !== 'ENOTDIR')
        this.notices.push({ path: folder, reason: `can't be read (${code})` });
      return [];
    }
  }

  /** Walks a folder without recursion: a deep tree must not overflow the stack. */
  folder(top: string): void {
    const waiting = [top];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      for (const entry of this.names(folder)) {
        if (entry.isDirectory()) {
          if (!isHiddenName(entry.name)) waiting.push(`${folder}/${entry.name}`);
        } else if (entry.isSymbolicLink() && this.linkedFolder(`${folder}/${entry.name}`)) {
          this.notices.push({ path: `${folder}/${entry.name}`, reason: 'is a link to a folder and not followed' });
        } else this.file(folder, entry);
      }
    }
  }

  file(folder: string, entry: Dirent): void {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (pageAt(path) === undefined) {
      if (folder !== '' && entry.name.endsWith('.md') && isPassing(entry.name) && !entry.name.startsWith('.')) {
        this.notices.push({ path, reason: 'is a temporary file or a conflict copy' });
      }
      return;
    }
    if (entry.isSymbolicLink() && this.leaves(path)) {
      this.notices.push({ path, reason: 'is a link out of the workspace and not followed' });
      return;
    }
    this.add(path);
  }

  /** Each session's newest archive that was completed: sidecars of others are history. */
  overviews(): void {
    for (const session of this.names('sessions')) {
      if (!session.isDirectory() || isHiddenName(session.name)) continue;
      const history = `sessions/${session.name}/history`;
      const archives = this.names(history)
        .map((entry) => entry.name)
        .filter((name) => /^archive_\d+$/.test(name))
        .sort((a, b) => archiveNumber(b) - archiveNumber(a));
      const newest = archives.find((name) => this.stat(`${history}/${name}/.done`) !== undefined);
      if (newest !== undefined) this.add(`${history}/${newest}/.overview.md`);
    }
  }

  tree(): Tree {
    const files = onlyOneCore(this.files, this.notices);
    const forgotten = readForgotten(this.root);
    const digest = digestOf(files, forgotten);
    return { files, digest, forgotten, notices: this.notices };
  }

  private add(path: string): void {
    const stat = this.stat(path);
    if (stat === undefined || !stat.isFile()) return;
    const { size, mtimeMs, ctimeMs, ino } = stat;
    this.files.push({ path, size, mtimeMs, ctimeMs, inode: ino });
  }

  private stat(path: string): Stats | undefined {
    try {
      return statSync(`${this.root}/${path}`, { throwIfNoEntry: false });
    } catch (error) {
      this.notices.push({ path, reason: `can't be read (${systemCode(error)})` });
      return undefined;
    }
  }

  private linkedFolder(path: string): boolean {
    return this.stat(path)?.isDirectory() === true;
  }

  private leaves(path: string): boolean {
    try {
      this.realRoot ??= realpathSync(this.root);
      return !realpathSync(`${this.root}/${path}`).startsWith(this.realRoot + sep);
    } catch {
      return true;
    }
  }
}

function digestOf(files: readonly TreeFile[], forgotten: Forgotten): string {
  const numbers = new Float64Array(files.length * 4);
  const paths: string[] = [];
  let at = 0;
  for (const { path, size, mtimeMs, ctimeMs, inode } of files) {
    numbers[at++] = size;
    numbers[at++] = mtimeMs;
    numbers[at++] = ctimeMs;
    numbers[at++] = inode;
    paths.push(path);
  }
  return createHash('sha1').update(paths.join('\n')).update(numbers).update(forgotten.digest).digest('hex');
}

function archiveNumber(name: string): number {
  return Number(name.slice('archive_'.length));
}

/** `MEMORY.md` and `memory.md` may be one file on disk (compared by inode) or two; only one is the core. */
function onlyOneCore(files: readonly TreeFile[], notices: Notice[]): TreeFile[] {
  const [canonical, alias] = CORE_NAMES;
  const core = files.find((file) => file.path === canonical);
  const other = files.find((file) => file.path === alias);
  if (core === undefined || other === undefined) return [...files];
  if (stateOf(core) !== stateOf(other)) {
    notices.push({ path: alias, reason: `is ignored: ${canonical} is the core file and both exist` });
  }
  return files.filter((file) => file !== other);
}
