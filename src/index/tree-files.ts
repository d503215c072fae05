import type { Stats } from 'node:fs';
import type { Page } from '../memory/pages.js';

/** A file to index, as it is on disk now. */
export interface TreeFile {
  /** Relative to the workspace, with `/`; absolute outside of it. */
  readonly path: string;
  readonly page: Page;
  /** Bytes. */
  readonly size: number;
  /** Unix time in ms. Doubles still resolve 0.25 µs here, and bigint stats cost twice as much. */
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
}

/** Changes whenever the file may have changed. */
export function stateOf({ size, mtimeMs, ctimeMs, inode }: Omit<TreeFile, 'path' | 'page'>): string {
  return `${size}:${mtimeMs}:${ctimeMs}:${inode}`;
}

/** The order in which files are indexed: the same files give the same index. */
export function inPathOrder<T extends TreeFile>(files: Iterable<T>): readonly T[] {
  return [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
}

type FileStat = Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>;

/** Length of the state of a file. */
const STATE_NUMBERS = 4;

/**
 * The files of a tree, as their folders list them. Most files are only checked for changes. Their states are therefore
 * numbers in one array, which is compared at once, and a {@link TreeFile} is created only on demand.
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

  /** {@link STATE_NUMBERS} numbers per file, in the order of the paths. */
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
   * The same files, some of them with a new state.
   * @param stats by index
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
