import { setImmediate as yieldToMessages } from 'node:timers/promises';
import type { StaleFile, SyncSource } from '../changes.js';
import { readFile } from '../read-file.js';
import type { PreparedFile } from './prepared.js';
import type { ReaderThreads } from './threads.js';

/** Below this number one thread reads all: another thread must compile the reader code again, half a second of CPU time. */
const MANY = 1_280;
/** Maximum number of batches that wait for a slow one. */
const MOST_WAITING = 8;

type Batch = readonly StaleFile[];
type Read = readonly PreparedFile[];

/**
 * Reads files in order. Many files are read by other threads, ahead of the consumer; this thread reads too while they are
 * behind.
 * @param atOnce files per batch: progress, Ctrl-C and messages of other threads wait for one batch
 */
export async function* readFilesInOrder(
  source: SyncSource,
  files: readonly StaleFile[],
  atOnce: number,
): AsyncGenerator<Read> {
  const batches = Array.from({ length: Math.ceil(files.length / atOnce) }, (_, i) =>
    files.slice(i * atOnce, (i + 1) * atOnce),
  );
  const threads = files.length < MANY ? undefined : (await import('./threads.js')).startReaders(source);
  if (threads !== undefined) return yield* readAhead(source, batches, threads);
  for (const batch of batches) {
    yield await readHere(source, batch);
    await yieldToMessages();
  }
}

/** A requested batch. The JSON of another thread is parsed only when the batch is consumed: until then it is one string. */
class Asked {
  isRead = false;
  readonly read: Promise<() => Read>;

  constructor(reading: Promise<() => Read>) {
    this.read = reading.finally(() => {
      this.isRead = true;
    });
    // The consumer of `read` receives the error; avoid an unhandled rejection.
    this.read.catch(() => {});
  }
}

async function* readAhead(source: SyncSource, batches: readonly Batch[], threads: ReaderThreads): AsyncGenerator<Read> {
  const rest = batches.values();
  const asked: Asked[] = [];
  /** @returns whether there was another batch to request */
  const ask = (read: (batch: Batch) => Promise<() => Read>): boolean => {
    const { value: batch } = rest.next();
    if (batch !== undefined) asked.push(new Asked(read(batch)));
    return batch !== undefined;
  };
  const here = async (batch: Batch): Promise<() => Read> => {
    const read = await readHere(source, batch);
    return () => read;
  };
  const askThreads = (): void => {
    while (threads.isFree && ask((batch) => threads.read(batch).catch(() => here(batch))));
  };
  try {
    for (askThreads(); asked.length > 0 || ask(here); askThreads()) {
      const first = asked.shift();
      while (first?.isRead === false && asked.length < MOST_WAITING && ask(here)) {
        await yieldToMessages();
        askThreads();
      }
      if (first !== undefined) yield (await first.read)();
      await yieldToMessages();
    }
  } finally {
    threads.stop();
  }
}

async function readHere({ root, clock, tree }: SyncSource, batch: Batch): Promise<Read> {
  const read: PreparedFile[] = [];
  for (const file of batch) read.push(await readFile(root, file, clock, tree.forgotten));
  return read;
}
