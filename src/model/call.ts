import { setTimeout as delay } from 'node:timers/promises';
import type { Failure, FailureType } from '../base/failure.js';
import { err, ok, type Result } from '../base/result.js';
import type { Settings } from '../workspace/settings.js';

/** What kind of thing went wrong between us and a model server. */
export type CallProblem =
  /** Nothing listens, or the name is unknown. */
  | 'away'
  /** A deadline of ours has passed. */
  | 'slow'
  | 'busy'
  /** The model's process died. */
  | 'stopped'
  /** The connection did, or what stands between. */
  | 'broken_off'
  /** What came is no answer of Ollama's, this time. */
  | 'garbled'
  /** The model is not installed. */
  | 'missing'
  /** The model is there and can't do what is asked. */
  | 'unfit'
  /** The question is not taken, and nothing says what would help. */
  | 'rejected'
  | 'too_long'
  /** The model wrote a tool call that the server could not read. */
  | 'tool_call'
  /** What answers does not speak as Ollama does. */
  | 'protocol'
  | 'interrupted';

const PASSING: ReadonlySet<CallProblem> = new Set(['busy', 'stopped', 'broken_off', 'garbled']);
const FAILURE_TYPES: Partial<Record<CallProblem, FailureType>> = { too_long: 'refused', interrupted: 'interrupted' };

/** A call to a model server that failed. Stays inside of `model/`: what leaves it is a {@link Failure}. */
export class CallError extends Error {
  readonly failure: Failure;

  constructor(
    readonly problem: CallProblem,
    message: string,
    hint: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.failure = { type: FAILURE_TYPES[problem] ?? 'model_unavailable', message, hint };
  }

  /** Whether the same call may well succeed now. Not after a deadline: that time has been waited once already. */
  get again(): boolean {
    return PASSING.has(this.problem);
  }
}

/** Of a text that a model does not take, falls over or never ends with; whether the text is to blame, others show. */
const OF_THE_INPUT: ReadonlySet<CallProblem> = new Set<CallProblem>(['too_long', 'rejected', 'stopped', 'slow']);

/** Why inputs got no vectors: `refused` where they may be to blame. */
export function inputFailure({ problem, failure, message }: CallError): Failure {
  return OF_THE_INPUT.has(problem) ? { ...failure, type: 'refused', message } : failure;
}

/** Of what a call threw. @throws whatever is no {@link CallError}: a bug */
export function failureOf(error: unknown): Failure {
  if (error instanceof CallError) return error.failure;
  throw error;
}

export function interrupted(): CallError {
  return new CallError('interrupted', 'the model was not waited for', 'run the command again');
}

/** Does it, and once more when it failed in a way that may pass. */
export async function withOneRetry<T>(work: () => Promise<T>, afterMs: number, signal?: AbortSignal): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CallError) || !error.again || signal?.aborted) throw error;
    await delay(afterMs, undefined, { signal }).catch(() => {});
    return work();
  }
}

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
  const { modelConnectMs: connectMs, modelFirstTokenMs: firstMs, modelIdleMs: idleMs } = settings;
  const infoMs = Math.min(INFO_MS, firstMs);
  return { connectMs, firstMs, idleMs, totalMs: settings.modelTotalMs, infoMs, retryAfterMs: RETRY_AFTER_MS };
}

/** How long so many inputs of an embedding model are waited for, in ms. */
export function timeoutFor({ firstMs }: Deadlines, inputs: number): number {
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
export async function withTimeLimit<T>(
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
