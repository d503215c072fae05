import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { DateOrder } from '../../base/clock.js';
import { packageFolder } from '../../workspace/templates.js';
import type { StaleFile, SyncSource } from '../changes.js';
import type { PreparedFile } from './prepared.js';

/** The data that a reading thread gets when it starts. */
export interface ReaderThreadData {
  readonly root: string;
  readonly dateOrder: DateOrder | undefined;
  /** Digest of the tombstones. It shows whether both threads know the same tombstones. */
  readonly forgotten: string;
}

/** A request to read files. */
export interface ReadRequest {
  readonly id: number;
  readonly files: readonly StaleFile[];
  /** The time of the request in ms. A file that changed only shortly before it may change again without a visible trace. */
  readonly machineMs: number;
}

interface ReadAnswer {
  readonly id: number;
  /** The prepared files; null if one of them could not be read. */
  readonly json: string | null;
}

/** Maximum number of threads. Each needs about 40 MB, and the main thread is busy with writing. */
const MOST_THREADS = 2;
/** Number of batches that are sent to a thread before it answers, so that it always has a next one. */
const AHEAD = 3;
/** Limits for the memory of a thread. Small limits are enough, because the results for a few files are soon released. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 };
/**
 * Limits the memory of this process, too. Without this flag, V8 lets the memory grow to several times of what is in use
 * before it collects garbage. Node 20, 22 and 24 know the flag.
 */
const HEAP_GROWTH = '--heap-growing-percent=20';

/** Starts threads that read files for the index. Undefined if there is only one core, or if the program was not built. */
export function startReaderThreads(source: SyncSource): ReaderThreads | undefined {
  const count = Math.min(MOST_THREADS, availableParallelism() - 1);
  const program = join(packageFolder(), 'bin', 'reader.js');
  const isBuilt = !import.meta.url.endsWith('.ts') && existsSync(program);
  if (!isBuilt || count < 1) return undefined;
  setFlagsFromString(HEAP_GROWTH);
  return new ReaderThreads(program, count, source);
}

export class ReaderThreads {
  private readonly threads: readonly Worker[];
  /**
   * Requests that wait for an answer, by id. An array and not a Map: when a Map grows, V8 may keep its old tables with
   * everything that was in them.
   */
  private readonly waiting: ({ done(json: string): void; failed(): void } | undefined)[] = [];
  private answered = 0;
  private isLost = false;

  constructor(
    program: string,
    count: number,
    private readonly source: SyncSource,
  ) {
    const { root, clock, tree } = source;
    const workerData: ReaderThreadData = { root, dateOrder: clock.dateOrder, forgotten: tree.forgotten.digest };
    this.threads = Array.from({ length: count }, () => {
      const thread = new Worker(program, { workerData, resourceLimits: LIMITS, execArgv: [] });
      thread.on('message', ({ id, json }: ReadAnswer) => {
        const one = this.waiting[id];
        this.waiting[id] = undefined;
        this.answered++;
        if (json === null) one?.failed();
        else one?.done(json);
      });
      for (const event of ['error', 'exit']) thread.on(event, () => this.lose());
      return thread;
    });
  }

  /** Whether the threads can take another batch, so that none of them has to wait for work. */
  get isFree(): boolean {
    return !this.isLost && this.waiting.length - this.answered < AHEAD * this.threads.length;
  }

  /** Lets a thread read files. @throws an error without details if a thread ended or could not read one of the files */
  async read(files: readonly StaleFile[]): Promise<() => readonly PreparedFile[]> {
    const id = this.waiting.length;
    const thread = this.threads[id % this.threads.length];
    if (thread === undefined) throw new Error('no thread reads');
    const request: ReadRequest = { id, files, machineMs: this.source.clock.machineMs() };
    const json = await new Promise<string>((done, failed) => {
      this.waiting.push({ done, failed: () => failed(new Error('a thread could not read')) });
      thread.postMessage(request);
    });
    return () => JSON.parse(json);
  }

  stop(): void {
    for (const thread of this.threads) void thread.terminate();
  }

  private lose(): void {
    this.isLost = true;
    for (const one of this.waiting) one?.failed();
  }
}
