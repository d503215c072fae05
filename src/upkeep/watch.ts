import { relative, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { toFailure } from '../base/failure.js';
import type { IndexPlace } from '../index/fresh.js';
import { runIndex } from '../index/run.js';
import type { FileEvent } from '../index/sync.js';
import { isHiddenName, PAGE_FOLDERS } from '../memory/pages.js';

/** What `watch` tells: once that it is ready, then each file that was indexed anew, and what went wrong. */
export type WatchEvent =
  | { readonly event: 'ready'; readonly files: number }
  | (FileEvent & { readonly at: string })
  | { readonly event: 'embedded'; readonly texts: number }
  | { readonly event: 'failed'; readonly message: string };

/** Editors write in several steps; after so many ms of quiet the index is brought up to date. */
const QUIET_MS = 150;

export interface WatchRequest {
  readonly signal: AbortSignal;
  readonly onEvent: (event: WatchEvent) => void;
  /** Makes the vectors that are missing, where there are some already; returns how many it made. */
  readonly embed: () => Promise<number>;
}

/**
 * Keeps the index up to date until `signal` ends it. Only folders are watched, so that descriptors do not grow with the
 * files; what changed in them the index finds out itself. Folders may go and come back.
 */
export async function watch(place: IndexPlace, { signal, onEvent, embed }: WatchRequest): Promise<void> {
  const { watch: watchFolders } = await import('chokidar');
  const bell = new Bell();
  const vectors = new Filling(embed, signal, onEvent);
  const watcher = watchFolders(place.root, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path, stats) => stats?.isFile() === true || !isWatched(relative(place.root, path)),
  });
  try {
    await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
    for (const event of ['raw', 'addDir', 'unlinkDir'] as const) watcher.on(event, () => bell.ring());
    watcher.on('error', (error) => onEvent({ event: 'failed', message: toFailure(error).message }));
    const { files } = await runIndex(place, {});
    onEvent({ event: 'ready', files });
    vectors.start();
    await untilAborted(signal, bell, async () => {
      if (await update(place, onEvent)) vectors.start();
    });
  } finally {
    await Promise.all([watcher.close(), vectors.ended]);
  }
}

/** @returns whether anything changed */
async function update(place: IndexPlace, onEvent: WatchRequest['onEvent']): Promise<boolean> {
  try {
    const { changes } = await runIndex(place, {});
    for (const change of changes) onEvent({ ...change, at: place.clock.now().toISOString() });
    return changes.length > 0;
  } catch (error) {
    // The next change tries again; a workspace that is gone may come back.
    onEvent({ event: 'failed', message: toFailure(error).message });
    return false;
  }
}

/** Makes vectors beside the indexing, for a model may be slow: one run at a time, and another one for what came meanwhile. */
class Filling {
  ended: Promise<void> = Promise.resolve();
  private isRunning = false;
  private again = false;
  /** What is wrong stays wrong for long: it is said once. */
  private said = '';

  constructor(
    private readonly embed: WatchRequest['embed'],
    private readonly signal: AbortSignal,
    private readonly onEvent: WatchRequest['onEvent'],
  ) {}

  start(): void {
    this.again = true;
    if (!this.isRunning) this.ended = this.run();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.again && !this.signal.aborted) {
      this.again = false;
      await this.once();
    }
    this.isRunning = false;
  }

  private async once(): Promise<void> {
    try {
      const texts = await this.embed();
      if (texts > 0) this.onEvent({ event: 'embedded', texts });
      this.said = '';
    } catch (error) {
      const { type, message } = toFailure(error);
      if (type === 'interrupted' || message === this.said) return;
      this.said = message;
      this.onEvent({ event: 'failed', message: `no vectors: ${message}` });
    }
  }
}

async function untilAborted(signal: AbortSignal, bell: Bell, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await bell.rung(signal);
    if (signal.aborted) return;
    do {
      bell.silence();
      await delay(QUIET_MS, undefined, { signal }).catch(() => {});
    } while (bell.isRinging && !signal.aborted);
    if (!signal.aborted) await work();
  }
}

/** Rings when something changed; remembers it for whoever comes to listen. */
class Bell {
  isRinging = false;
  private wake: () => void = () => {};

  ring(): void {
    this.isRinging = true;
    this.wake();
  }

  silence(): void {
    this.isRinging = false;
  }

  async rung(signal: AbortSignal): Promise<void> {
    if (this.isRinging || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.wake = () => {
        signal.removeEventListener('abort', this.wake);
        resolve();
      };
      signal.addEventListener('abort', this.wake);
    });
  }
}

function isWatched(path: string): boolean {
  const parts = path.split(sep);
  const [top = ''] = parts;
  if (path === '') return true;
  return (top === 'sessions' || PAGE_FOLDERS.some((folder) => folder === top)) && !parts.some(isHiddenName);
}
