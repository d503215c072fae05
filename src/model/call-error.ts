import { setTimeout as delay } from 'node:timers/promises';
import type { Failure, FailureType } from '../base/failure.js';

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
export function ofInputs({ problem, failure, message }: CallError): Failure {
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
