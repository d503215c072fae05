import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { asRecord } from '../../base/json.js';
import { packageFolder } from '../../workspace/templates.js';
import { CallError, interrupted, timeLimit } from '../call.js';

/** What a process runs. */
export interface EngineTask {
  /** Of the engine. */
  readonly addon: string;
  /** The model, and what is in it. */
  readonly file: string;
  readonly digest: string;
  /** Of one text, at most. */
  readonly tokens: number;
}

/** A question may come again; longer than this, its memory is worth more. */
const IDLE_MS = 15 * 60_000;
/** More threads than cores make many texts slower by far, and one core is left to who asks. */
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));
/** What a host has set for Node itself is not meant for the engine, and certificates cost a tenth of a second. */
const NOT_PASSED_ON = { NODE_OPTIONS: undefined, NODE_EXTRA_CA_CERTS: undefined, NODE_V8_COVERAGE: undefined };

const running = new Map<string, EngineProcess>();

/**
 * Vectors of some texts, by the one process that this one keeps for a model; started when there is none.
 * @throws CallError `unfit` when the model can't be loaded, `rejected` for a text that it does not take, `stopped` when its
 * process ended, `slow`, `interrupted`
 */
export function embedInProcess(
  task: EngineTask,
  texts: readonly string[],
  ms: number,
  signal: AbortSignal | undefined,
): Promise<Vectors> {
  const key = JSON.stringify(task);
  let engine = running.get(key);
  if (engine === undefined) {
    // Memory is for one model: those that nobody waits for make room.
    for (const other of running.values()) other.giveWay();
    engine = new EngineProcess(task, () => void (running.get(key) === engine && running.delete(key)));
    running.set(key, engine);
  }
  return engine.embed(texts, ms, signal);
}

type Vectors = readonly (readonly number[])[];

interface Waiting {
  readonly done: (vectors: Vectors) => void;
  readonly failed: (error: CallError) => void;
}

/** A process with a model, which may be killed at any time. It keeps nobody from ending while nothing is asked of it. */
class EngineProcess {
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, Waiting>();
  private readonly killWithUs = () => void this.child.kill('SIGKILL');
  private asked = 0;
  private isReady = false;

  constructor(
    private readonly task: EngineTask,
    private readonly onEnd: () => void,
  ) {
    const how = JSON.stringify({ ...task, threads: THREADS, idleMs: IDLE_MS });
    this.child = spawn(process.execPath, [join(packageFolder(), 'bin', 'engine.js'), how], {
      // Libraries are looked for in the current folder, too.
      cwd: dirname(task.addon),
      env: { ...process.env, ...NOT_PASSED_ON },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    this.child.on('message', (message: unknown) => this.hear(asRecord(message)));
    this.child.on('error', (error) => this.end(`could not be started: ${error.message}`));
    this.child.on('exit', (code, signal) => this.end(`ended (${signal ?? `exit code ${code}`})`));
    process.once('exit', this.killWithUs);
    this.hold();
  }

  async embed(texts: readonly string[], ms: number, signal: AbortSignal | undefined): Promise<Vectors> {
    const id = this.asked++;
    const limit = timeLimit(ms, signal, 'modelFirstTokenMs');
    const onAbort = () => {
      const { reason } = limit.signal;
      this.waiting.get(id)?.failed(reason instanceof CallError ? reason : interrupted());
      // What it does not end with, it will not begin anything after.
      if (!signal?.aborted) this.killWithUs();
    };
    const answer = new Promise<Vectors>((done, failed) => void this.waiting.set(id, { done, failed }));
    limit.signal.addEventListener('abort', onAbort);
    if (limit.signal.aborted) onAbort();
    // Whoever can't be told any more has ended, and says so.
    else this.child.send({ id, texts }, () => {});
    try {
      this.hold();
      return await answer;
    } finally {
      limit.clear();
      limit.signal.removeEventListener('abort', onAbort);
      this.waiting.delete(id);
      this.hold();
    }
  }

  /** Ends unless it is asked for something. */
  giveWay(): void {
    if (this.waiting.size === 0) this.killWithUs();
  }

  private hear({ id, vectors, refused, ready, failed }: Readonly<Record<string, unknown>>): void {
    if (ready !== undefined) this.isReady = true;
    const unfit = `${this.task.file} can't be loaded: ${failed}`;
    if (typeof failed === 'string') this.failAll(new CallError('unfit', unfit, 'fetch it again, or set another'));
    const waiting = typeof id === 'number' ? this.waiting.get(id) : undefined;
    if (Array.isArray(vectors)) waiting?.done(vectors.map((one) => (one instanceof Float32Array ? [...one] : [])));
    else if (typeof refused === 'string') waiting?.failed(new CallError('rejected', refused, 'shorten the text'));
  }

  private end(how: string): void {
    this.onEnd();
    process.off('exit', this.killWithUs);
    const message = `the engine ${how}${this.isReady ? '' : ` while it loaded ${this.task.file}`}`;
    this.failAll(new CallError('stopped', message, 'run it again; when it comes again, set another embedding model'));
  }

  private failAll(error: CallError): void {
    for (const { failed } of this.waiting.values()) failed(error);
  }

  /** This process waits for the other one only while it has asked for something. */
  private hold(): void {
    const how = this.waiting.size > 0 ? 'ref' : 'unref';
    this.child[how]();
    this.child.channel?.[how]();
  }
}
