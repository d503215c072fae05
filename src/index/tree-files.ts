import type { Stats } from 'node:fs';
import type { Page } from '../memory/pages.js';

/** A file to index, as it is on disk now. */
export interface TreeFile {
  /** Path relative to the workspace, with `/` between folders. An absolute path if the file is outside the workspace. */
  readonly path: string;
  readonly page: Page;
  /** Size in bytes. */
  readonly size: number;
  /**
   * Time of the last write, as Unix time in ms. A floating-point number is still exact to 0.25 µs. Reading bigint times
   * would take twice as long.
   */
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
}

/** The state of a file as text: size, times and inode. It changes whenever the file may have changed. */
export function fileState({ size, mtimeMs, ctimeMs, inode }: Omit<TreeFile, 'path' | 'page'>): string {
  return `${size}:${mtimeMs}:${ctimeMs}:${inode}`;
}

/** Sorts files by path. They are indexed in this order, so that the same files always give the same index. */
export function sortByPath<T extends TreeFile>(files: Iterable<T>): readonly T[] {
  return [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
}

type FileStat = Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>;

/** How many numbers make up the state of a file: size, two times, inode. */
const STATE_NUMBERS = 4;

/**
 * The files of a workspace, in the order in which they were found. Most files are only checked for changes. So the states
 * of all files are numbers in one array, which is compared as a whole. A {@link TreeFile} object is created only when it is
 * needed.
 */
export class TreeFiles implements Iterable<TreeFile> {
  constructor(
    readonly paths: string[] = [],
    private readonly pages: Page[] = [],
    private numbers = new Float64Array(256 * STATE_NUMBERS),
  ) {}

  get length(): number {
    return this.paths.length;
  }

  /** The states of all files: {@link STATE_NUMBERS} numbers for each, in the order of the paths. */
  get states(): Float64Array {
    return this.numbers.subarray(0, this.length * STATE_NUMBERS);
  }

  add(path: string, page: Page, stat: FileStat): void {
    const count = this.paths.push(path);
    this.pages.push(page);
    if (count * STATE_NUMBERS > this.numbers.length) {
      const longer = new Float64Array(2 * this.numbers.length);
      longer.set(this.numbers);
      this.numbers = longer;
    }
    this.set(count - 1, stat);
  }

  *[Symbol.iterator](): Generator<TreeFile> {
    for (let index = 0; index < this.length; index++) yield* this.only(index);
  }

  /** The files with the given paths. */
  named(paths: ReadonlySet<string>): readonly TreeFile[] {
    return this.paths.flatMap((path, index) => (paths.has(path) ? this.only(index) : []));
  }

  /**
   * The files whose state has changed.
   * @param before {@link states} of the same paths
   */
  changedSince(before: Float64Array): readonly TreeFile[] {
    const changed: TreeFile[] = [];
    for (let index = 0; index < this.length; index++) {
      const from = index * STATE_NUMBERS;
      let at = from;
      while (at < from + STATE_NUMBERS && this.numbers[at] === before[at]) at++;
      if (at < from + STATE_NUMBERS) changed.push(...this.only(index));
    }
    return changed;
  }

  /**
   * Returns a copy with the same files, in which some files have a new state.
   * @param stats new states, by the position of the file in `paths`
   */
  with(stats: ReadonlyMap<number, FileStat>): TreeFiles {
    const files = new TreeFiles(this.paths, this.pages, this.numbers.slice());
    for (const [index, stat] of stats) files.set(index, stat);
    return files;
  }

  private only(index: number): readonly TreeFile[] {
    const [path, page] = [this.paths[index], this.pages[index]];
    if (path === undefined || page === undefined) return [];
    const from = index * STATE_NUMBERS;
    const [size = 0, mtimeMs = 0, ctimeMs = 0, inode = 0] = this.numbers.subarray(from, from + STATE_NUMBERS);
    return [{ path, page, size, mtimeMs, ctimeMs, inode }];
  }

  private set(index: number, { size, mtimeMs, ctimeMs, ino }: FileStat): void {
    const { numbers } = this;
    let at = index * STATE_NUMBERS;
    numbers[at++] = size;
    numbers[at++] = mtimeMs;
    numbers[at++] = ctimeMs;
    numbers[at] = ino;
  }
}
