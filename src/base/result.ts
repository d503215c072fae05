import { type Failure, MemoryError } from './failure.js';

/** The outcome of an operation whose failure the caller must handle. */
export type Result<T, E = Failure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}

/** The value of a result. For callers that can't handle the failure themselves. @throws MemoryError with the failure */
export function valueOrThrow<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new MemoryError(result.error);
}

/** The result of some work, or a fallback if the work throws anything. */
export function tryWithFallback<T, E>(work: () => T, otherwise: E): T | E {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
