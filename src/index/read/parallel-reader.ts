import { setImmediate as yieldToMessages } from 'node:timers/promises';
import type { StaleFile, SyncSource } from '../changes.js';
import { readFile } from '../read-file.js';
import type { Threads } from '../threads.js';
import type { PreparedFile } from './prepared.js';

/**
 * If there are fewer files than this, the main thread reads them alone. Another thread would have to compile the code again,
 * which takes half a second of CPU time.
 */
const MANY = 1_280;
/** Maximum number of batches that are read ahead while an earlier, slow batch is not finished. */
const MOST_WAITING = 8;

/** A request to read files in another thread. It answers with JSON: a list of prepared files. */
export interface ReadRequest {
  readonly files: readonly StaleFile[];
  /** The time of the request in ms. A file that changed only shortly before it may change again without a visible trace. */
  readonly machineMs: number;
}

type Batch = readonly StaleFile[];
type Read = readonly PreparedFile[];
type ReaderThreads = Threads<ReadRequest, string>;

/**
 * Reads files in order. If there are many files, other threads read them in advance. This thread helps while the other
 * threads are too slow.
 * @param atOnce number of files per batch. Progress, Ctrl-C and messages of other threads are handled only between
 * batches
 */
export async function* readFilesInOrder(
  source: SyncSource,
  files: readonly StaleFile[],
  atOnce: number,
): AsyncGenerator<Read> {
  const batches = Array.from({ length: Math.ceil(files.length / atOnce) }, (_, i) =>
    files.slice(i * atOnce, (i + 1) * atOnce),
  );
  const threads = files.length < MANY ? undefined : await startThreadsFor(source);
  if (threads !== undefined) return yield* readAhead(source, batches, threads);
  for (const batch of batches) {
    yield await readHere(source, batch);
    await yieldToMessages();
  }
}

async function startThreadsFor({ root, clock, tree }: SyncSource): Promise<ReaderThreads | undefined> {
  const { startThreads } = await import('../threads.js');
  const task = { task: 'read', root, dateOrder: clock.dateOrder, forgotten: tree.forgotten.digest } as const;
  return startThreads(task, 1);
}

/**
 * A batch that was requested. The JSON that another thread sends stays one string until the batch is needed, because parsed
 * objects take more memory.
 */
class Asked {
  isRead = false;
  readonly read: Promise<() => Read>;

  constructor(reading: Promise<() => Read>) {
    this.read = reading.finally(() => {
      this.isRead = true;
    });
    // Code that awaits `read` gets the error. The empty handler only prevents Node from reporting the error as
    // unhandled.
    this.read.catch(() => {});
  }
}

async function* readAhead(source: SyncSource, batches: readonly Batch[], threads: ReaderThreads): AsyncGenerator<Read> {
  const rest = batches.values();
  const asked: Asked[] = [];
  /** Requests the next batch. @returns false if no batch was left */
  const ask = (read: (batch: Batch) => Promise<() => Read>): boolean => {
    const { value: batch } = rest.next();
    if (batch !== undefined) asked.push(new Asked(read(batch)));
    return batch !== undefined;
  };
  const here = async (batch: Batch): Promise<() => Read> => {
    const read = await readHere(source, batch);
    return () => read;
  };
  const inThread = async (files: Batch): Promise<() => Read> => {
    const json = await threads.ask({ files, machineMs: source.clock.machineMs() });
    return () => JSON.parse(json);
  };
  const askThreads = (): void => {
    while (threads.isFree && ask((batch) => inThread(batch).catch(() => here(batch))));
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
    await threads.stop();
  }
}

async function readHere({ root, clock, tree }: SyncSource, batch: Batch): Promise<Read> {
  const read: PreparedFile[] = [];
  for (const file of batch) read.push(await readFile(root, file, clock, tree.forgotten));
  return read;
}
