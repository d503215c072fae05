import { type Failure, MemoryError } from './failure.js';

/** The outcome of something that may go wrong in a way its caller must handle. */
export type Result<T, E = Failure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}

/**
 * The value of an outcome, where nobody but the user can handle another.
 * @throws MemoryError with the failure
 */
export function orThrow<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new MemoryError(result.error);
}

/** What some work gives, or something else where it throws, whatever that is. */
export function attempt<T, E>(work: () => T, otherwise: E): T | E {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
