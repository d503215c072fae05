import { type FSWatcher, mkdirSync, rmdirSync, rmSync, statfsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { tryWithFallback } from '../base/failure.js';

/**
 * Maximum number of events whose paths are used. If there are more, the system may have lost some, so any path may have
 * changed.
 */
const MOST_TOLD = 50;
/**
 * How long to wait for the event of a barrier (see {@link WatchedFolders}), in ms. If it does not come in time, anything may
 * have changed.
 */
const BARRIER_MS = 250;

/**
 * The file systems on which the kernel reports every change, by their numbers in `statfs`. File systems of networks and
 * virtual machines are left out, because another machine can change files there.
 */
const LOCAL = new Set([
  0xef53, // ext
  0x58465342, // xfs
  0x9123683e, // btrfs
  0x2fc12fc1, // zfs
  0xf2f52010, // f2fs
  0x01021994, // tmpfs
  0x858458f6, // ramfs
  0x794c7630, // overlayfs
]);

/**
 * Watches folders for changes. All events of a process are in one queue, in the order of the changes (inotify). So we create
 * a folder as a barrier: when its event arrives, all earlier changes have been reported.
 */
export class WatchedFolders {
  private readonly watchers = new Map<string, FSWatcher>();
  private readonly barriers = new Map<string, (came: boolean) => void>();
  private readonly barrierFolder: string;
  private made = 0;
  /**
   * `told`: the changed paths that the system has reported. `events`: the number of its reports. `isUnknown`: whether
   * other paths may have changed, too.
   */
  private told = new Set<string>();
  private events = 0;
  private isUnknown = true;

  /** @param stateFolder folder in which barriers are created. Its own changes are not reported */
  constructor(stateFolder: string) {
    this.barrierFolder = join(stateFolder, 'barrier');
    mkdirSync(this.barrierFolder, { recursive: true });
    this.add(this.barrierFolder, (name) => this.barriers.get(name)?.(true));
  }

  /** Whether the system reports all changes in a folder. */
  static can(folder: string): boolean {
    return tryWithFallback(() => process.platform === 'linux' && LOCAL.has(statfsSync(folder).type), false);
  }

  /**
   * Drops the changes that were reported so far. Must be called before the folders are read, so that a change during
   * the reading is not lost.
   */
  expectChanges(): void {
    this.isUnknown = this.events > MOST_TOLD;
    this.events = 0;
    this.told = new Set();
  }

  /**
   * Watches exactly these folders. A folder that was not watched before counts as changed, because it may have changed since
   * it was read.
   * @throws the system's error if it can't watch more folders
   */
  cover(folders: Iterable<string>): void {
    const wanted = new Set([this.barrierFolder, ...folders]);
    for (const [folder, watcher] of this.watchers) {
      if (wanted.has(folder)) continue;
      watcher.close();
      this.watchers.delete(folder);
    }
    for (const folder of wanted) {
      if (this.watchers.has(folder)) continue;
      this.add(folder, (name) => this.change(name === '' ? undefined : join(folder, name)));
      this.change(undefined);
    }
  }

  /**
   * Returns the absolute paths that changed since {@link expectChanges}, up to the moment of the call. Undefined if anything
   * may have changed. If it returns paths, it forgets them, so that the next call returns only later changes.
   */
  async changes(): Promise<ReadonlySet<string> | undefined> {
    if (this.isUnknown || !(await this.barrier())) return undefined;
    if (this.isUnknown || this.events > MOST_TOLD) return undefined;
    const { told } = this;
    this.expectChanges();
    return told;
  }

  close(): void {
    for (const watcher of this.watchers.values()) watcher.close();
    this.watchers.clear();
    for (const came of this.barriers.values()) came(false);
    rmSync(this.barrierFolder, { recursive: true, force: true });
  }

  private add(folder: string, onEvent: (name: string) => void): void {
    const watcher = watch(folder, (_, name) => onEvent(name ?? ''));
    // A watcher that fails may have missed changes, so any path may have changed. If a watched folder is removed, the
    // watcher of its parent reports that.
    watcher.on('error', () => this.change(undefined));
    this.watchers.set(folder, watcher);
  }

  private change(path: string | undefined): void {
    this.events++;
    if (path === undefined) this.isUnknown = true;
    else if (this.events <= MOST_TOLD) this.told.add(path);
  }

  private async barrier(): Promise<boolean> {
    const name = `${process.pid}-${this.made++}`;
    const folder = join(this.barrierFolder, name);
    const came = new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, BARRIER_MS, false);
      this.barriers.set(name, (value) => {
        clearTimeout(timer);
        resolve(value);
      });
    });
    try {
      mkdirSync(folder);
      const hasCome = await came;
      rmdirSync(folder);
      return hasCome;
    } catch {
      return false;
    } finally {
      this.barriers.get(name)?.(false);
      this.barriers.delete(name);
    }
  }
}
