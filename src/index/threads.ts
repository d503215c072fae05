import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { DateOrder } from '../base/clock.js';
import { packageFolder } from '../workspace/templates.js';

/** The task that a thread gets when it starts: to read files for the index, or to make the codes of its lines. */
export type ThreadTask =
  | {
      readonly task: 'read';
      readonly root: string;
      readonly dateOrder: DateOrder | undefined;
      /** Digest of the tombstones. It shows whether both threads know the same tombstones. */
      readonly forgotten: string;
    }
  | {
      readonly task: 'encode';
      /** Path of the database of the index. */
      readonly index: string;
    };

export interface ThreadRequest<Request> {
  readonly id: number;
  readonly request: Request;
}

interface ThreadAnswer<Answer> {
  readonly id: number;
  /** Null if the thread could not do what was asked. */
  readonly answer: Answer | null;
}

/** Maximum number of threads. Each needs about 40 MB. */
const MOST_THREADS = 2;
/** Number of requests that are sent to a thread before it answers, so that it always has a next one. */
const AHEAD = 3;
/** Limits for the memory of a thread. Small limits are enough, because the results for a few files are soon released. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 };
/**
 * Limits the memory of this process, too. Without this flag, V8 lets the memory grow to several times of what is in use
 * before it collects garbage. Node 20, 22 and 24 know the flag.
 */
const HEAP_GROWTH = '--heap-growing-percent=20';

/**
 * Starts threads. Undefined if there is no core for them, or if the program was not built.
 * @param busy number of cores that this thread needs itself
 */
export function startThreads<Request, Answer>(task: ThreadTask, busy: 0 | 1): Threads<Request, Answer> | undefined {
  const cores = availableParallelism();
  const count = cores === 1 ? 0 : Math.min(MOST_THREADS, cores - busy);
  const program = join(packageFolder(), 'bin', 'thread.js');
  const isBuilt = !import.meta.url.endsWith('.ts') && existsSync(program);
  if (!isBuilt || count < 1) return undefined;
  setFlagsFromString(HEAP_GROWTH);
  return new Threads(program, count, task);
}

export class Threads<Request, Answer> {
  private readonly threads: readonly Worker[];
  /**
   * Requests that wait for an answer, by id. An array and not a Map: when a Map grows, V8 may keep its old tables with
   * everything that was in them.
   */
  private readonly waiting: ({ done(answer: Answer): void; failed(): void } | undefined)[] = [];
  private answered = 0;
  private isLost = false;

  constructor(program: string, count: number, workerData: ThreadTask) {
    this.threads = Array.from({ length: count }, () => {
      const thread = new Worker(program, { workerData, resourceLimits: LIMITS, execArgv: [] });
      thread.on('message', ({ id, answer }: ThreadAnswer<Answer>) => {
        const one = this.waiting[id];
        this.waiting[id] = undefined;
        this.answered++;
        if (answer === null) one?.failed();
        else one?.done(answer);
      });
      for (const event of ['error', 'exit']) thread.on(event, () => this.lose());
      return thread;
    });
  }

  /** Whether the threads can take another request, so that none of them has to wait for work. */
  get isFree(): boolean {
    return !this.isLost && this.waiting.length - this.answered < AHEAD * this.threads.length;
  }

  /** Asks a thread. @throws an error without details if the thread ended or could not do what was asked */
  async ask(request: Request): Promise<Answer> {
    const id = this.waiting.length;
    const thread = this.threads[id % this.threads.length];
    if (thread === undefined || this.isLost) throw new Error('no thread answers');
    return new Promise<Answer>((done, failed) => {
      this.waiting.push({ done, failed: () => failed(new Error('a thread could not answer')) });
      thread.postMessage({ id, request } satisfies ThreadRequest<Request>);
    });
  }

  /** Ends the threads, and waits until they have closed what they opened. */
  async stop(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.terminate()));
  }

  private lose(): void {
    this.isLost = true;
    for (const one of this.waiting) one?.failed();
  }
}
