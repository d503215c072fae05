import { fail, MemoryError } from '../../../base/failure.js';
import type { Result } from '../../../base/result.js';

export function orThrow<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new MemoryError(result.error);
}

export function twoFromStdin(options: string): never {
  return fail('usage', `${options} cannot both be read from stdin`, 'give one of them as a file');
}
