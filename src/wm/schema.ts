import * as z from 'zod';
import { SECTION_NAMES, type SectionName } from './sections.js';

// `op` as a one-value enum, not a constant: more JSON Schema readers understand it.
const OPERATION = z.discriminatedUnion('op', [
  z.strictObject({ op: z.enum(['KEEP']) }),
  z.strictObject({ op: z.enum(['UPDATE']), content: z.string() }),
  z.strictObject({ op: z.enum(['APPEND']), items: z.array(z.string()) }),
]);

/** The answer that is asked for: an operation for each of some sections and nothing else. */
export function answerFor(names: readonly SectionName[]) {
  return z.strictObject({ sections: z.strictObject(Object.fromEntries(names.map((name) => [name, OPERATION]))) });
}

/** The answer for all seven. */
export const ANSWER = answerFor(SECTION_NAMES);
