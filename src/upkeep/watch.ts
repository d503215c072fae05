import { relative, sep } from 'node:path';
import { toFailure } from '../base/failure.js';
import type { IndexContext } from '../index/fresh.js';
import { type IndexReport, runIndex } from '../index/run.js';
import type { FileEvent } from '../index/sync.js';
import type { Notice } from '../index/tree.js';
import { isSkippedFolder, PAGE_FOLDERS } from '../memory/pages.js';
import { pathIn } from '../workspace/read-scope.js';

/** What `watch` tells: once that it is ready, then each file that was indexed anew, vectors made, what went wrong. */
export type WatchEvent =
  | { readonly event: 'ready'; readonly files: number }
  | (FileEvent & { readonly at: string })
  | { readonly event: 'embedded'; readonly texts: number; readonly at: string }
  | { readonly event: 'failed'; readonly message: string };

/** Editors write in several steps; after so many ms of quiet the index is brought up to date. */
const QUIET_MS = 150;

export interface WatcherOptions {
  readonly signal: AbortSignal;
  readonly onEvent: (event: WatchEvent) => void;
  /** Makes the vectors of what is indexed, where there are some already; looks for no changes. Told what was not read;
   * returns how many it made. */
  readonly embed: (notices: readonly Notice[]) => Promise<number>;
}

/**
 * Keeps the index up to date until `signal` ends it. Only folders are watched, so that descriptors do not grow with the
 * files; what changed in them the index finds out itself. Folders may go and come back. Vectors are made behind it, one
 * run at a time, so that no event waits for a model.
 */
export async function watch(context: IndexContext, { signal, onEvent, embed }: WatcherOptions): Promise<void> {
  const { watch: watchFolders } = await import('chokidar');
  let notices: readonly Notice[] = [];
  const vectors = behind(embedMissing(context, { signal, onEvent, embed: () => embed(notices) }));
  // Who is told may fail, too.
  let giveUp: (error: unknown) => void = () => {};
  const again = async () => {
    if (signal.aborted) return;
    const report = await update(context, onEvent);
    notices = report?.notices ?? notices;
    if (report !== undefined && report.changes.length > 0) vectors.ask();
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
    // What changes while the first run goes on is looked at after it.
    const look = () => void first.then(indexing.ask, () => {});
    const onChange = () => {
      clearTimeout(quiet);
      quiet = setTimeout(look, QUIET_MS);
    };
    for (const event of ['raw', 'addDir', 'unlinkDir'] as const) watcher.on(event, onChange);
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

async function update(context: IndexContext, onEvent: (event: WatchEvent) => void): Promise<IndexReport | undefined> {
  try {
    const report = await runIndex(context, {});
    for (const change of report.changes) onEvent({ ...change, at: context.clock.now().toISOString() });
    return report;
  } catch (error) {
    // The next change tries again; a workspace that is gone may come back.
    onEvent({ event: 'failed', message: toFailure(error).message });
    return undefined;
  }
}

function embedMissing(
  { clock }: IndexContext,
  { signal, onEvent, embed }: Omit<WatcherOptions, 'embed'> & { embed: () => Promise<number> },
): () => Promise<void> {
  // What is wrong with a model stays wrong for long: it is said once.
  let said = '';
  return async () => {
    if (signal.aborted) return;
    try {
      const texts = await embed();
      if (texts > 0) onEvent({ event: 'embedded', texts, at: clock.now().toISOString() });
      said = '';
    } catch (error) {
      const { type, message } = toFailure(error);
      // Another process that makes them makes ours too; the next change tries again what failed.
      if (type === 'busy' || type === 'interrupted' || message === said) return;
      said = message;
      onEvent({ event: 'failed', message });
    }
  };
}

/** Does some work behind what goes on, one run at a time; what is asked for during a run is done once more after it. */
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

/** Whether a folder is looked at; whether its files are read the index decides. */
function isWatched({ root, reads }: IndexContext, full: string): boolean {
  const path = pathIn(root, full);
  const extra = reads?.extraFolders.find((folder) => full === folder || full.startsWith(folder + sep));
  if (extra !== undefined) return !relative(extra, full).split(sep).some(isSkippedFolder);
  const parts = path.split('/');
  const isOwn = path === '' || parts[0] === 'sessions' || PAGE_FOLDERS.some((folder) => folder === parts[0]);
  // Further up than an extra folder, for that may lie below.
  const leadsToExtra = reads?.extraFolders.some((folder) => folder.startsWith(full + sep)) ?? false;
  return leadsToExtra || (isOwn && !parts.some(isSkippedFolder));
}
