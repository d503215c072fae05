import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { DateOrder } from '../../base/clock.js';
import { packageFolder } from '../../workspace/templates.js';
import type { StaleFile, SyncSource } from '../changes.js';
import type { PreparedFile } from './prepared.js';

/** What a thread is told at its start. */
export interface ReaderData {
  readonly root: string;
  readonly dateOrder: DateOrder | undefined;
  /** The digest of what is forgotten. */
  readonly forgotten: string;
}

/** Some files to be read. */
export interface ReadRequest {
  readonly id: number;
  readonly files: readonly StaleFile[];
  /** Of the clock when they were asked for: what changed later may have been changed again. */
  readonly machineMs: number;
}

interface ReadAnswer {
  readonly id: number;
  /** The prepared files; null where one could not be. */
  readonly json: string | null;
}

/** Each costs some 40 MB, and one thread writes. */
const MOST_THREADS = 2;
/** A thread that has answered goes on with what it was asked meanwhile. */
const AHEAD = 3;
/** What is made of a few files lives no longer than that. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 };
/** Nor here: V8 lets a heap grow by several times what is alive before it looks. Known to Node 20, 22 and 24. */
const HEAP_GROWTH = '--heap-growing-percent=20';

/** Threads that read files for the index; undefined where there is one core, or no built program that they could run. */
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
  /** By their ids. No map: V8 chains the tables that one outgrows, and old ones keep all that they once held. */
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

  /** Whether one of them would wait for work. */
  get isFree(): boolean {
    return !this.isLost && this.waiting.length - this.answered < AHEAD * this.threads.length;
  }

  /** @throws nothing of use where a thread ended or could not read one of the files */
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
