import { setTimeout as delay } from 'node:timers/promises';
import { details, digestOf, type FakeModel } from './model.js';
import { type ServerError, timestamp } from './wire.js';

/** Options with which a model's process was started; different ones need another process. */
interface RunnerOptions {
  readonly contextLength: number;
  readonly batch: number;
  readonly shift: boolean;
}

interface Runner {
  readonly model: FakeModel;
  readonly options: RunnerOptions;
  expires: number;
  /** Resolves when the queued work is done. */
  tail: Promise<void>;
  pending: number;
}

export interface Slot {
  readonly options: RunnerOptions;
  readonly loadMs: number;
  release(): void;
}

export const BUSY: ServerError = {
  status: 503,
  message: 'server busy, please try again.  maximum pending requests exceeded',
};

const DEFAULT_CONTEXT = 4_096;
const DEFAULT_KEEP_MS = 300_000;

/** Loaded models: one request at a time each, a bounded queue, and a reload when the options of the process change. */
export class Scheduler {
  private readonly runners = new Map<string, Runner>();
  loads = 0;

  constructor(private readonly settings: { readonly maxQueue: number; readonly loadMs: number }) {}

  /** Waits for the model's slot. Returns undefined if the queue is full; a client that disconnects while queued gives up. */
  async acquire(
    model: FakeModel,
    options: RunnerOptions,
    keepMs: number,
    gone: AbortSignal,
  ): Promise<Slot | undefined> {
    let runner = this.runners.get(model.name);
    let loadMs = 0;
    if (runner !== undefined && runner.pending > this.settings.maxQueue) return undefined;
    if (runner === undefined || !sameOptions(runner.options, options) || runner.expires < Date.now()) {
      this.loads++;
      loadMs = this.settings.loadMs + 1;
      const after = runner?.tail ?? Promise.resolve();
      const tail = after.then(() => delay(this.settings.loadMs));
      runner = { model, options, expires: Number.POSITIVE_INFINITY, tail, pending: 0 };
      this.runners.set(model.name, runner);
    }
    const before = runner.tail;
    let release = () => {};
    runner.pending++;
    const held = runner;
    runner.tail = new Promise<void>((resolve) => {
      release = () => {
        held.pending--;
        held.expires = keepMs < 0 ? Number.POSITIVE_INFINITY : Date.now() + keepMs;
        if (keepMs === 0) this.runners.delete(model.name);
        resolve();
      };
    });
    await Promise.race([before, aborted(gone)]);
    // A client that is gone keeps its place until its turn.
    if (gone.aborted) void before.then(release);
    return { options, loadMs, release: gone.aborted ? () => {} : release };
  }

  unload(name: string): void {
    this.runners.delete(name);
  }

  /** The answer of `/api/ps`. */
  running(): readonly Readonly<Record<string, unknown>>[] {
    const live = [...this.runners.values()].filter(({ expires }) => expires >= Date.now());
    return live.map(({ model, options, expires }) => ({
      name: model.name,
      model: model.name,
      size: model.sizeBytes,
      digest: digestOf(model),
      details: details(model),
      expires_at: timestamp(new Date(Number.isFinite(expires) ? expires : Date.now() + 1e10)),
      size_vram: 0,
      context_length: options.contextLength,
    }));
  }
}

/** Returns the options of the process for a request, completed like the server does. */
export function runnerOptions(
  model: FakeModel,
  asked: Readonly<Record<string, unknown>>,
  shift: boolean,
): RunnerOptions {
  const wanted = typeof asked.num_ctx === 'number' ? asked.num_ctx : DEFAULT_CONTEXT;
  const contextLength = Math.min(wanted, model.contextLength);
  const usual = model.kind === 'embedding' ? Math.min(2_048, contextLength) : 512;
  return { contextLength, batch: typeof asked.num_batch === 'number' ? asked.num_batch : usual, shift };
}

/** Returns the milliseconds of a `keep_alive`: a number means seconds, text a Go duration, a negative value forever. */
export function keepAliveMs(value: unknown): number {
  if (typeof value === 'number') return value * 1_000;
  const [, amount = '', unit = 's'] = /^(-?[\d.]+)(ms|s|m|h)$/.exec(typeof value === 'string' ? value : '') ?? [];
  if (amount === '') return DEFAULT_KEEP_MS;
  return Number(amount) * ({ ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }[unit] ?? 1_000);
}

function sameOptions(one: RunnerOptions, other: RunnerOptions): boolean {
  return one.contextLength === other.contextLength && one.batch === other.batch && one.shift === other.shift;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
