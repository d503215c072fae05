import * as z from 'zod';
import { SECTION_NAMES } from './sections.js';

// `op` as a one-value enum, not a constant: more JSON Schema readers understand it.
const OPERATION = z.discriminatedUnion('op', [
  z.strictObject({ op: z.enum(['KEEP']) }),
  z.strictObject({ op: z.enum(['UPDATE']), content: z.string() }),
  z.strictObject({ op: z.enum(['APPEND']), items: z.array(z.string()) }),
]);

/** The answer that is asked for: an operation for each of the seven sections and nothing else. */
export const ANSWER = z.strictObject({
  sections: z.strictObject({
    [SECTION_NAMES[0]]: OPERATION,
    [SECTION_NAMES[1]]: OPERATION,
    [SECTION_NAMES[2]]: OPERATION,
    [SECTION_NAMES[3]]: OPERATION,
    [SECTION_NAMES[4]]: OPERATION,
    [SECTION_NAMES[5]]: OPERATION,
    [SECTION_NAMES[6]]: OPERATION,
  }),
});
