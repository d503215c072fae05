import { err, ok, type Result, tryWithFallback } from '../base/failure.js';
import { isRecord, measureJsonNesting, parseJson } from '../base/json.js';
import { object, type ReportFields, type ReportOf, text } from '../base/report.js';
import { toJsonSchema } from './format.js';
import type { AnswerFailure, AnswerIssue, AnswerSchema, CheckedAnswer, Question } from './model.js';

/** A parsed answer, or its problems for the model to correct. One line for each problem. */
type ParsedAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly string[] };

const MOST_PROBLEMS = 10;
const MOST_REPAIR = 256 * 1_024;

/**
 * Parses the text of an answer as JSON: first as it is, then without thoughts, code fences and sentences around it, and at
 * last repaired. The result must match the schema.
 * @param cut whether the answer was truncated. Then it is not repaired, because a part of an answer would pass for the whole
 * @param own restores the original names of keys, see {@link ./format.ts}
 */
export async function readAnswer<T>(
  text: string,
  schema: AnswerSchema<T>,
  { cut = false, own = (value) => value }: { cut?: boolean; own?: (value: unknown) => unknown } = {},
): Promise<ParsedAnswer<T>> {
  let problems: readonly string[] | undefined;
  const check = (value: unknown): ParsedAnswer<T> => {
    const checked = checkAnswerLeniently(schema, own(value));
    if (checked.success) return { ok: true, value: checked.data };
    const issues = checked.error.issues.slice(0, MOST_PROBLEMS);
    problems ??= issues.map(({ path, message }) => `${path.map(String).join('.') || 'the answer'}: ${message}`);
    return { ok: false, problems };
  };
  const candidates = findJsonCandidates(text);
  for (const candidate of candidates) {
    const value = parseJson(candidate);
    const read = value === undefined ? undefined : check(value);
    if (read?.ok) return read;
  }
  if (cut) return { ok: false, problems: ['the answer was too long and is cut off'] };
  const jsonrepair = candidates.some(isJsonLike) ? (await import('jsonrepair')).jsonrepair : undefined;
  for (const candidate of candidates) {
    // Do not repair a truncated value: half of it would be accepted.
    const value = endsWithin(candidate) ? undefined : repairJson(candidate, jsonrepair);
    const read = value === undefined ? undefined : check(value);
    if (read?.ok) return read;
  }
  return { ok: false, problems: problems ?? ['there is no JSON object in the answer'] };
}

/** Parts of a text that may be the JSON of the answer, the most likely first. Takes linear time. Pure. */
export function findJsonCandidates(text: string): readonly string[] {
  const whole = text.trim();
  const said = withoutThoughts(whole);
  const fences = [...said.matchAll(/^[ \t]*```[\w-]*[ \t]*\n([\s\S]*?)^[ \t]*```/gmu)];
  const inFences = fences.map(([, inner = '']) => inner.trim()).toReversed();
  const found = [whole, said, ...inFences, ...inFences.map(outermost), outermost(said)];
  return [...new Set(found)].filter((candidate) => candidate !== '');
}

/**
 * Removes the thoughts of a model (`<think>…</think>`) before its answer. The opening tag may be missing, because some chat
 * templates add it to the prompt. If the closing tag is missing, there is no answer: ''.
 */
export function withoutThoughts(text: string): string {
  if (/^\s*[{[]/u.test(text)) return text;
  const closed = /<\/think(?:ing)?>/u.exec(text);
  if (closed !== null) return text.slice(closed.index + closed[0].length).trim();
  return /^\s*<think(?:ing)?>/u.test(text) ? '' : text;
}

function outermost(text: string): string {
  const start = text.search(/[{[]/u);
  if (start < 0) return '';
  const end = text.lastIndexOf(text[start] === '{' ? '}' : ']');
  return end < start ? text.slice(start) : text.slice(start, end + 1);
}

/** Whether a text may be repaired. It must begin with a bracket, because any other text would become a JSON string. */
function isJsonLike(text: string): boolean {
  return /^[{[]/u.test(text) && text.length <= MOST_REPAIR;
}

/** Parses JSON with errors, such as missing closing brackets. Returns `undefined` if it can't be repaired. */
export function repairJson(text: string, jsonrepair: ((text: string) => string) | undefined): unknown {
  if (!isJsonLike(text) || jsonrepair === undefined) return undefined;
  return tryWithFallback(() => parseJson(jsonrepair(text)), undefined);
}

/** A question as it is printed for an agent, whose own model answers it. */
export const PROMPT_FORM = {
  system: text(),
  user: text(),
  /** JSON schema of the answer. */
  schema: object<Readonly<Record<string, unknown>>>(),
  schemaName: text(),
} satisfies ReportFields;

export type PromptForm = ReportOf<typeof PROMPT_FORM>;

/** Builds the prompt for an agent's own model. {@link checkAnswer} can check the answer. */
export function toPromptForm(question: Pick<Question<unknown>, 'prompt' | 'schema' | 'name'>): PromptForm {
  return { ...question.prompt, schema: toJsonSchema(question.schema), schemaName: question.name };
}

/**
 * Marks a question as one part of several, for example as part 2 of 5. The answer must repeat the number of the part and
 * another key.
 * @param subject the beginning of a sentence about the part: "These pairs are" is followed by "part 2 of 5"
 * @param field the other key, and its value in the example answer that the prompt shows
 */
export function addPartName<T extends PromptForm>(
  form: T,
  { part, parts, subject, field }: PartName & { readonly part: number; readonly parts: number },
): T {
  const [name, value] = field;
  const note = `${subject} part ${part} of ${parts}. Begin the answer with it: {"part": ${part}, "${name}": ${value}}.`;
  // The schema lists `part` first, because the answer must begin with it. It replaces a property of the same name.
  const named = { part: { type: 'integer', enum: [part] } };
  const properties = Object.assign({}, named, form.schema.properties, named);
  const schema = { ...form.schema, properties, required: ['part', name] };
  return { ...form, user: `${form.user}\n\n${note}`, schema };
}

/** The words by which the prompt introduces one part of a split question, and the key that the answer must repeat. */
interface PartName {
  readonly subject: string;
  readonly field: readonly [name: string, value: string];
}

/**
 * Checks the answer of an agent's own model in the same way as an answer of our model.
 * @returns failure: `invalid_answer` with the text
 */
export async function checkAnswer<T>(
  { schema, recover }: Pick<Question<T>, 'schema' | 'recover'>,
  text: string,
): Promise<Result<T, AnswerFailure>> {
  const read = await readAnswer(text, schema);
  if (read.ok) return ok(read.value);
  const value = recover?.(text);
  return value === undefined ? err(invalidAnswerFailure('the answer', read.problems, text)) : ok(value);
}

export function invalidAnswerFailure(who: string, problems: readonly string[], raw: string): AnswerFailure {
  const subject = who === 'the answer' ? 'the answer is' : `the answer of ${who} is`;
  const message = `${subject} not usable: ${problems.join('; ')}`;
  return { type: 'invalid_answer', message, hint: 'try again, or use a larger model', raw };
}

/** Whether JSON text ends inside a string or number, or where a value is missing. Takes linear time. */
function endsWithin(json: string): boolean {
  const { open, inText } = measureJsonNesting(json);
  return inText || (open > 0 && !/[}\]",[{]\s*$/u.test(json));
}

/** Maximum number of times that a value is corrected and checked again, because one correction may reveal another error. */
const MOST_ROUNDS = 4;

/**
 * Checks a value against a schema. Accepts equivalent forms: `"5"` for 5, 5 for `"5"`, null for a missing value. Pure.
 * @param unknown `drop`: also ignores unknown keys
 */
export function checkAnswerLeniently<T>(schema: AnswerSchema<T>, given: unknown, unknown?: 'drop'): CheckedAnswer<T> {
  const first = schema.safeParse(given);
  let [checked, value] = [first, given];
  for (let round = 0; round < MOST_ROUNDS && !checked.success; round++) {
    const issues = checked.error.issues.filter(({ keys }) => keys === undefined || unknown === 'drop');
    const next = issues.reduce<unknown>((whole, issue) => mended(whole, issue, issue.path), value);
    if (next === value) break;
    value = next;
    checked = schema.safeParse(value);
  }
  return checked.success ? checked : first;
}

/** Corrects one error of a value. Returns the same value if it can't. */
function mended(value: unknown, issue: AnswerIssue, path: readonly PropertyKey[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return atIssue(value, issue);
  if (Array.isArray(value) && typeof key === 'number') {
    const next = mended(value[key], issue, rest);
    return next === value[key] ? value : value.with(key, next === ABSENT ? null : next);
  }
  if (!isRecord(value) || typeof key !== 'string' || !Object.hasOwn(value, key)) return value;
  const next = mended(value[key], issue, rest);
  if (next === value[key]) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, old]) =>
      name !== key ? [[name, old]] : next === ABSENT ? [] : [[name, next]],
    ),
  );
}

/** A value that means: remove this key. */
const ABSENT = Symbol('absent');

function atIssue(value: unknown, { expected, keys, errors }: AnswerIssue): unknown {
  const [branch] = (errors ?? []).toSorted((a, b) => a.length - b.length);
  if (branch?.every((issue) => issue.keys === undefined))
    return branch.reduce<unknown>((whole, issue) => mended(whole, issue, issue.path), value);
  if (keys !== undefined && isRecord(value))
    return Object.fromEntries(Object.entries(value).filter(([name]) => !keys.includes(name)));
  if (value === null) return ABSENT;
  if (expected === 'string' && typeof value === 'number') return String(value);
  if (expected === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  const isNumeral = typeof value === 'string' && /^\s*-?\d+(?:\.\d+)?\s*$/u.test(value);
  return (expected === 'number' || expected === 'int') && isNumeral ? Number(value) : value;
}
