import { relative, sep } from 'node:path';
import { toFailure } from '../base/failure.js';
import type { IndexContext } from '../index/fresh.js';
import { runIndex } from '../index/run.js';
import type { FileEvent } from '../index/sync.js';
import type { Notice } from '../index/tree.js';
import { HOST_PAGES, isSkippedFolder, PAGE_FOLDERS } from '../memory/pages.js';
import { pathInWorkspace } from '../workspace/read-scope.js';

/**
 * An event of `watch`. The first event is `ready`. Each later event reports a file that was indexed again, new vectors,
 * or an error.
 */
export type WatchEvent =
  | { readonly event: 'ready'; readonly files: number }
  | (FileEvent & { readonly at: string })
  | { readonly event: 'embedded'; readonly texts: number; readonly at: string }
  | { readonly event: 'failed'; readonly message: string };

/** The index is updated after this time without changes, in ms. Editors write a file in several steps. */
const QUIET_MS = 150;

interface WatcherOptions {
  readonly signal: AbortSignal;
  readonly onEvent: (event: WatchEvent) => void;
  /** Called after a change of the watched folders, also if another process has indexed it first. */
  readonly onChange?: () => void;
  /**
   * Makes the missing vectors of indexed texts, if the workspace has vectors. Does not look for changed files. Takes the
   * notices about unread files, and returns the number of new vectors.
   */
  readonly embed: (notices: readonly Notice[]) => Promise<number>;
}

/**
 * Keeps the index up to date until `signal` aborts. Watches only folders, so that the number of open file descriptors
 * does not grow with the files. The index itself finds the changed files. Folders may disappear and return. Vectors are
 * made in the background, one run at a time, so that no event waits for a model.
 */
export async function watch(
  context: IndexContext,
  { signal, onEvent, onChange, embed }: WatcherOptions,
): Promise<void> {
  const { watch: watchFolders } = await import('chokidar');
  let notices: readonly Notice[] = [];
  const vectors = behind(embedMissing(context, { signal, onEvent, embed: () => embed(notices) }));
  // If `onEvent` throws, the watch ends with that error.
  let giveUp: (error: unknown) => void = () => {};
  const again = async () => {
    if (signal.aborted) return;
    try {
      const { changes, notices: found } = await runIndex(context, {});
      notices = found;
      for (const change of changes) onEvent({ ...change, at: context.clock.now().toISOString() });
      onChange?.();
      if (changes.length > 0) vectors.ask();
    } catch (error) {
      // Report the error and go on: the next change tries again, and a missing workspace may return.
      onEvent({ event: 'failed', message: toFailure(error).message });
    }
  };
  const indexing = behind(() => again().catch((error: unknown) => giveUp(error)));
  let quiet: NodeJS.Timeout | undefined;
  const watcher = watchFolders([context.root, ...(context.reads?.extraFolders ?? [])], {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path, stats) => stats?.isFile() === true || !isWatched(context, path),
  });
  try {
    await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
    const first = runIndex(context, {});
    // If files change during the first update of the index, wait for its end, and then update the index again.
    const look = () => void first.then(indexing.ask, () => {});
    const lookSoon = () => {
      clearTimeout(quiet);
      quiet = setTimeout(look, QUIET_MS);
    };
    for (const event of ['raw', 'addDir', 'unlinkDir'] as const) watcher.on(event, lookSoon);
    watcher.on('error', (error) => onEvent({ event: 'failed', message: toFailure(error).message }));
    const { files, notices: found } = await first;
    notices = found;
    onEvent({ event: 'ready', files });
    vectors.ask();
    await new Promise<void>((resolve, reject) => {
      giveUp = reject;
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    await watcher.close();
    clearTimeout(quiet);
    await indexing.done();
    await vectors.done();
  }
}

function embedMissing(
  { clock }: IndexContext,
  { signal, onEvent, embed }: Pick<WatcherOptions, 'signal' | 'onEvent'> & { embed: () => Promise<number> },
): () => Promise<void> {
  // A model usually keeps failing for a while: report the same error only once.
  let said = '';
  return async () => {
    if (signal.aborted) return;
    try {
      const texts = await embed();
      if (texts > 0) onEvent({ event: 'embedded', texts, at: clock.now().toISOString() });
      said = '';
    } catch (error) {
      const { type, message } = toFailure(error);
      // `busy`: another process is making vectors, and makes ours, too. `interrupted`: the next change starts a new
      // attempt.
      if (type === 'busy' || type === 'interrupted' || message === said) return;
      said = message;
      onEvent({ event: 'failed', message });
    }
  };
}

/**
 * Returns a function that starts some work in the background, one run at a time. All requests during a run together
 * cause only one more run after it.
 */
function behind(work: () => Promise<void>) {
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  const run = async () => {
    do {
      isAskedAgain = false;
      await work();
    } while (isAskedAgain);
    running = undefined;
  };
  const ask = () => {
    if (running === undefined) running = run();
    else isAskedAgain = true;
  };
  return { ask, done: () => running };
}

/** Whether the files of a folder are watched for changes. The index then decides which of them are read. */
function isWatched({ root, reads }: IndexContext, full: string): boolean {
  const path = pathInWorkspace(root, full);
  const extra = reads?.extraFolders.find((folder) => full === folder || full.startsWith(folder + sep));
  if (extra !== undefined) return !relative(extra, full).split(sep).some(isSkippedFolder);
  const parts = path.split('/');
  const isOfHost = HOST_PAGES.some((page) => page === path || page.startsWith(`${path}/`));
  const isOwn =
    path === '' || isOfHost || parts[0] === 'sessions' || PAGE_FOLDERS.some((folder) => folder === parts[0]);
  // Also watch a folder that contains an extra folder.
  const leadsToExtra = reads?.extraFolders.some((folder) => folder.startsWith(full + sep)) ?? false;
  return leadsToExtra || (isOwn && !parts.some(isSkippedFolder));
}
