import { fail } from '../../../base/failure.js';

export function twoFromStdin(options: string): never {
  return fail('usage', `${options} cannot both be read from stdin`, 'give one of them as a file');
}
