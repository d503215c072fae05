import { err, ok, type Result } from '../base/result.js';
import { readAnswer } from './answer.js';
import { plainSchema } from './format.js';
import type { AnswerFailure, Question } from './model.js';

/** A question as it is printed for the calling agent's own model. */
export interface PromptForm {
  readonly system: string;
  readonly user: string;
  /** JSON schema of the answer. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly schemaName: string;
}

/** What an agent's model has to be told so that its answer can be applied by {@link applyAnswer}. */
export function promptForm({
  prompt,
  schema,
  name,
}: Pick<Question<unknown>, 'prompt' | 'schema' | 'name'>): PromptForm {
  return { ...prompt, schema: plainSchema(schema), schemaName: name };
}

/**
 * A question that says which part of something it is, and that the answer has to say so, too.
 * @param subject what is in parts, with its verb: "These pairs are"
 * @param field what the answer has besides, and how that begins
 */
export function namingPart<T extends PromptForm>(
  form: T,
  { part, parts, subject, field }: PartName & { readonly part: number; readonly parts: number },
): T {
  const [name, value] = field;
  const note = `${subject} part ${part} of ${parts}. Begin the answer with it: {"part": ${part}, "${name}": ${value}}.`;
  // First, and whatever the schema itself says of it.
  const named = { part: { type: 'integer', enum: [part] } };
  const properties = Object.assign({}, named, form.schema.properties, named);
  const schema = { ...form.schema, properties, required: ['part', name] };
  return { ...form, user: `${form.user}\n\n${note}`, schema };
}

/** How a part of something is named to a model. */
export interface PartName {
  readonly subject: string;
  readonly field: readonly [name: string, value: string];
}

/**
 * The text that an agent's model answered, under the same checks as an answer of our own model.
 * @returns failure: `invalid_answer` with the text
 */
export async function applyAnswer<T>(
  { schema, recover }: Pick<Question<T>, 'schema' | 'recover'>,
  text: string,
): Promise<Result<T, AnswerFailure>> {
  const read = await readAnswer(text, schema);
  if (read.ok) return ok(read.value);
  const value = recover?.(text);
  return value === undefined ? err(invalidAnswer('the answer', read.problems, text)) : ok(value);
}

export function invalidAnswer(who: string, problems: readonly string[], raw: string): AnswerFailure {
  const subject = who === 'the answer' ? 'the answer is' : `the answer of ${who} is`;
  return {
    type: 'invalid_answer',
    message: `${subject} not usable: ${problems.join('; ')}`,
    hint: 'try again, or use a larger model',
    raw,
  };
}
