import { ZodType } from 'zod';
import type { AnswerSchema } from './answer-schema.js';

/** The zod schema that the schema of an answer is. @throws TypeError when it is none */
export function asZod<T>(schema: AnswerSchema<T>): ZodType<T> {
  if (isZod(schema)) return schema;
  throw new TypeError('the schema of an answer is a zod schema');
}

function isZod<T>(schema: AnswerSchema<T>): schema is AnswerSchema<T> & ZodType<T> {
  return schema instanceof ZodType;
}
