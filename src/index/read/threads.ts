import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { DateOrder } from '../../base/clock.js';
import { packageFolder } from '../../workspace/templates.js';
import type { StaleFile, SyncSource } from '../changes.js';
import type { PreparedFile } from './prepared.js';

/** The data that a thread gets at its start. */
export interface ReaderData {
  readonly root: string;
  readonly dateOrder: DateOrder | undefined;
  /** The digest of the tombstones. */
  readonly forgotten: string;
}

/** A request to read files. */
export interface ReadRequest {
  readonly id: number;
  readonly files: readonly StaleFile[];
  /** The clock at the time of the request: a file that changed later may change again. */
  readonly machineMs: number;
}

interface ReadAnswer {
  readonly id: number;
  /** The prepared files; null if one of them could not be read. */
  readonly json: string | null;
}

/** Each thread costs about 40 MB, and one thread writes. */
const MOST_THREADS = 2;
/** Batches in flight per thread: a thread that has answered goes on with the next one at once. */
const AHEAD = 3;
/** Heap limits: the results for a few files are short-lived. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 };
/**
 * Limits the heap growth of this process too: V8 lets a heap grow to several times its live size before it collects. Node
 * 20, 22 and 24 know the flag.
 */
const HEAP_GROWTH = '--heap-growing-percent=20';

/** Threads that read files for the index; undefined with one core, or without a built program to run. */
export function startReaders(source: SyncSource): ReaderThreads | undefined {
  const count = Math.min(MOST_THREADS, availableParallelism() - 1);
  const program = join(packageFolder(), 'bin', 'reader.js');
  const isBuilt = !import.meta.url.endsWith('.ts') && existsSync(program);
  if (!isBuilt || count < 1) return undefined;
  setFlagsFromString(HEAP_GROWTH);
  return new ReaderThreads(program, count, source);
}

export class ReaderThreads {
  private readonly threads: readonly Worker[];
  /** By id. Not a Map: V8 chains the hash tables that a map outgrows, and old tables keep everything that they once held. */
  private readonly waiting: ({ done(json: string): void; failed(): void } | undefined)[] = [];
  private answered = 0;
  private isLost = false;

  constructor(
    program: string,
    count: number,
    private readonly source: SyncSource,
  ) {
    const { root, clock, tree } = source;
    const workerData: ReaderData = { root, dateOrder: clock.dateOrder, forgotten: tree.forgotten.digest };
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

  /** Whether a thread would otherwise wait for work. */
  get isFree(): boolean {
    return !this.isLost && this.waiting.length - this.answered < AHEAD * this.threads.length;
  }

  /** @throws an error without details if a thread ended or could not read one of the files */
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
