import { setTimeout as delay } from 'node:timers/promises';
import type { Failure, FailureType } from '../base/failure.js';
import { err, ok, type Result } from '../base/failure.js';

/** Why a call to a model server failed. */
export type CallProblem =
  /** No server answers at the address, or the host name is unknown. */
  | 'away'
  /** The server took longer than one of our time limits. */
  | 'slow'
  | 'busy'
  /** The process that runs the model ended. */
  | 'stopped'
  /** The connection broke, or a proxy failed. */
  | 'broken_off'
  /** The response was not valid JSON of Ollama. A second try may succeed. */
  | 'garbled'
  /** The model is not installed. */
  | 'missing'
  /** The model is installed, but it can't do what was asked, for example use tools. */
  | 'unfit'
  /** The server refused the request with a message that we do not know. */
  | 'rejected'
  | 'too_long'
  /** The model wrote a tool call that the server could not read. */
  | 'tool_call'
  /** The server does not speak the Ollama protocol. */
  | 'protocol'
  | 'interrupted';

const PASSING: ReadonlySet<CallProblem> = new Set(['busy', 'stopped', 'broken_off', 'garbled']);
const FAILURE_TYPES: Partial<Record<CallProblem, FailureType>> = { too_long: 'refused', interrupted: 'interrupted' };

/** A failed call to a model server. Used only inside `model/`; other code gets a {@link Failure}. */
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

  /** Whether a second try may succeed. False after a deadline, because the time is used up. */
  get again(): boolean {
    return PASSING.has(this.problem);
  }
}

/**
 * Problems that an input of an embedding call may cause: the model rejects the input, crashes, or never finishes. If other
 * inputs work, the input was the cause.
 */
const OF_THE_INPUT: ReadonlySet<CallProblem> = new Set<CallProblem>(['too_long', 'rejected', 'stopped', 'slow']);

/** Turns an error of an embedding call into a failure. Its type is `refused` if the inputs may be the cause. */
export function embedInputFailure({ problem, failure, message }: CallError): Failure {
  return OF_THE_INPUT.has(problem) ? { ...failure, type: 'refused', message } : failure;
}

/** Returns the failure of a thrown {@link CallError}. @throws any other error again, because it is a bug */
export function failureOf(error: unknown): Failure {
  if (error instanceof CallError) return error.failure;
  throw error;
}

export function interruptedCallError(): CallError {
  return new CallError('interrupted', 'the call of the model was interrupted', 'run the command again');
}

/** Runs `work`. Runs it a second time after a failure that may be temporary. */
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
  /**
   * Maximum time from the request to the first part of the answer. It includes loading the model and reading the prompt.
   */
  readonly firstMs: number;
  /** Maximum time between two parts of an answer. */
  readonly idleMs: number;
  /** Maximum time for all calls of one question, including the second try and the question after an invalid answer. */
  readonly totalMs: number;
  /** Maximum time for calls that need no model: the version, the installed models. */
  readonly infoMs: number;
  /** How long to wait before a second try. */
  readonly retryAfterMs: number;
}

const INFO_MS = 5_000;
/** Maximum times in ms: `load` for loading an embedding model, `input` for each input. */
const PATIENCE = { load: 120_000, input: 2_000 };
const RETRY_AFTER_MS = 250;

/** How long a call waits, in ms, if the environment says nothing else. */
const USUAL = { connectMs: 2_000, firstMs: 600_000, idleMs: 60_000, totalMs: 1_800_000 };

/** The deadlines of calls. A call that needs no model never waits longer than a call to a model. */
export function deadlinesOf({ waitMs }: { readonly waitMs?: number | undefined } = {}): Deadlines {
  const own =
    waitMs === undefined ? USUAL : { connectMs: waitMs, firstMs: waitMs, idleMs: waitMs, totalMs: 3 * waitMs };
  return { ...own, infoMs: Math.min(INFO_MS, own.firstMs), retryAfterMs: RETRY_AFTER_MS };
}

/** Time limit in ms for embedding. It grows with the number of inputs. */
export function embedTimeoutMs({ firstMs }: Deadlines, inputs: number): number {
  return Math.min(firstMs, PATIENCE.load + PATIENCE.input * inputs);
}

/** A signal that aborts after a time. Node may drop a signal of a timer that has no listener, so this one has one. */
export function timeoutSignal(ms: number): AbortSignal {
  const signal = AbortSignal.timeout(ms);
  signal.addEventListener('abort', () => {}, { once: true });
  return signal;
}

/** A signal that aborts with the first of the given signals. */
export function joinSignals(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal !== undefined));
}

/** Creates a signal that aborts when the caller's signal does, or after the time limit with a {@link CallError} `slow`. */
export function startTimeLimit(ms: number, signal: AbortSignal | undefined) {
  const timer = new AbortController();
  const timeout = setTimeout(() => {
    timer.abort(
      new CallError('slow', `the model did not finish within ${formatSeconds(ms)}`, 'choose a smaller model'),
    );
  }, ms);
  return { signal: joinSignals(timer.signal, signal), clear: () => clearTimeout(timeout) };
}

/** Runs `work` with a time limit. @returns a thrown {@link CallError} as a failure */
export async function withTimeLimit<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (limit: AbortSignal) => Promise<T>,
): Promise<Result<T, CallError>> {
  const limit = startTimeLimit(ms, signal);
  try {
    return ok(await work(limit.signal));
  } catch (error) {
    if (error instanceof CallError) return err(error);
    throw error;
  } finally {
    limit.clear();
  }
}

/** Whether an address is one of this machine, which nobody else answers. */
export function isLocalAddress({ hostname }: URL): boolean {
  return /^(?:127\.[\d.]+|\[::1\]|localhost)$/u.test(hostname);
}

export function formatSeconds(ms: number): string {
  return `${ms / 1_000} s`;
}
