import { err, ok, type Result } from '../base/result.js';
import type { Settings } from '../workspace/settings.js';
import { CallError } from './call-error.js';

/** How long to wait for a model server, in ms. */
export interface Deadlines {
  readonly connectMs: number;
  /** From the request to the first piece of the answer: loading the model and reading the prompt are in it. */
  readonly firstMs: number;
  /** Between two pieces. */
  readonly idleMs: number;
  /** For everything that one question needs: with a second try and a question about a bad answer. */
  readonly totalMs: number;
  /** For what needs no model: its version, what is installed. */
  readonly infoMs: number;
  /** Before a second try. */
  readonly retryAfterMs: number;
}

const INFO_MS = 5_000;
/** Loading an embedding model, and then its inputs one by one, takes no longer than this, in ms. */
const PATIENCE = { load: 120_000, input: 2_000 };
const RETRY_AFTER_MS = 250;

/** The deadlines that are set. What needs no model never waits longer than what needs one. */
export function deadlinesOf(settings: Settings): Deadlines {
  const {
    modelConnectMs: connectMs,
    modelFirstTokenMs: firstMs,
    modelIdleMs: idleMs,
    modelTotalMs: totalMs,
  } = settings;
  const infoMs = Math.min(INFO_MS, firstMs);
  return { connectMs, firstMs, idleMs, totalMs, infoMs, retryAfterMs: RETRY_AFTER_MS };
}

/** How long so many inputs of an embedding model are waited for, in ms. */
export function patienceOf({ firstMs }: Deadlines, inputs: number): number {
  return Math.min(firstMs, PATIENCE.load + PATIENCE.input * inputs);
}

/** A signal that is aborted with the first of those that there are. */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal !== undefined));
}

/** A signal that is aborted with the caller's, or with a {@link CallError} when the time is up. */
export function timeLimit(ms: number, signal: AbortSignal | undefined, setting = 'modelTotalMs') {
  const timer = new AbortController();
  const timeout = setTimeout(() => {
    const hint = `set "${setting}" higher, or choose a smaller model`;
    timer.abort(new CallError('slow', `the model did not finish within ${seconds(ms)}`, hint));
  }, ms);
  return { signal: anySignal(timer.signal, signal), clear: () => clearTimeout(timeout) };
}

/** Does something within a time. @returns what it threw on the way, where that is a failed call */
export async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (limit: AbortSignal) => Promise<T>,
): Promise<Result<T, CallError>> {
  const limit = timeLimit(ms, signal);
  try {
    return ok(await work(limit.signal));
  } catch (error) {
    if (error instanceof CallError) return err(error);
    throw error;
  } finally {
    limit.clear();
  }
}

export function seconds(ms: number): string {
  return `${ms / 1_000} s`;
}
