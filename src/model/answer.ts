import { toJSONSchema, ZodType } from 'zod';
import { err, ok, type Result, tryWithFallback } from '../base/failure.js';
import { asRecord, isRecord, measureJsonNesting, parseJson, type UnknownFields } from '../base/json.js';
import { object, type ReportFields, type ReportOf, text } from '../base/report.js';
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
  if (cut) return { ok: false, problems: ['the answer was too long and is cut off: answer again, shorter'] };
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

/** The largest bound (such as `maxLength` of a string) that Ollama's grammar observes. It silently ignores larger bounds. */
const MOST_BOUND = 2_000;
/**
 * A key that begins with this character comes first in alphabetical order, because `_` sorts before every lower-case
 * letter.
 */
const FIRST = '_';
const DATES: ReadonlySet<unknown> = new Set(['date', 'time', 'date-time', 'uuid']);

/** JSON schema of an answer for people and other models. */
export function toJsonSchema(schema: AnswerSchema<unknown>): UnknownFields {
  const { $schema: _, ...plain } = toJSONSchema(toZodType(schema), { io: 'input', unrepresentable: 'any' });
  return plain;
}

/**
 * Schema of an answer for Ollama's `format`, with only the keywords that its grammar observes. This is enough, because every
 * answer is also checked against the whole schema. If a key says which branch of a union applies, it must come first in the
 * answer. But a server that uses the model's own chat template writes keys in alphabetical order. Therefore such a key is
 * sent as `_key` if it would not be first, and `fromWire` restores its name.
 */
export function answerFormat(schema: AnswerSchema<unknown>) {
  const renamed = new Set<string>();
  const wire = forGrammar(toJsonSchema(schema), renamed);
  return { schema: wire, fromWire: (value: unknown) => withOwnNames(value, renamed) };
}

/** JSON schema for the parameters of a tool, with only what the server supports. Pure. */
export function toolParameters(schema: AnswerSchema<unknown>): UnknownFields {
  const plain = toJSONSchema(toZodType(schema), { io: 'input', unrepresentable: 'any', reused: 'inline' });
  return forTool(plain);
}

function forGrammar(node: unknown, renamed: Set<string>): UnknownFields {
  const schema = asRecord(node);
  const next = (inner: unknown) => forGrammar(inner, renamed);
  const defs = schema.$defs === undefined ? {} : { $defs: mapValues(asRecord(schema.$defs), next) };
  if (typeof schema.$ref === 'string') return { $ref: schema.$ref, ...defs };
  const union = schema.anyOf ?? schema.oneOf;
  // The grammar ignores keywords beside a union.
  if (Array.isArray(union)) return { anyOf: unionOf(union.map(asRecord), renamed).map(next), ...defs };
  if ('const' in schema) return { enum: [schema.const] };
  if (Array.isArray(schema.enum)) return { enum: schema.enum };
  return { ...ofType(schema, next), ...defs };
}

function ofType(schema: UnknownFields, next: (inner: unknown) => UnknownFields): UnknownFields {
  const { type } = schema;
  switch (type) {
    case 'object':
      return {
        type,
        properties: mapValues(asRecord(schema.properties), next),
        required: Array.isArray(schema.required) ? schema.required : [],
        additionalProperties: isEmptyOrTrue(schema.additionalProperties) ? false : next(schema.additionalProperties),
      };
    case 'array':
      return { type, items: next(schema.items ?? { type: 'string' }), ...bounds(schema, 'minItems', 'maxItems') };
    case 'string':
      return {
        type,
        ...bounds(schema, 'minLength', 'maxLength'),
        ...(DATES.has(schema.format) ? { format: schema.format } : {}),
      };
    case 'integer':
      // The grammar ignores bounds of non-integer numbers.
      return { type, ...pick(schema, 'minimum', 'maximum') };
    default:
      return typeof type === 'string' ? { type } : {};
  }
}

function isEmptyOrTrue(value: unknown): boolean {
  return typeof value === 'boolean' || value === undefined || Object.keys(asRecord(value)).length === 0;
}

function bounds(schema: UnknownFields, least: string, most: string): UnknownFields {
  const within = pick(schema, least, most);
  return Object.fromEntries(Object.entries(within).filter(([, bound]) => Number(bound) <= MOST_BOUND));
}

/** Puts the key that distinguishes the branches of a union first, also in alphabetical order. */
function unionOf(branches: readonly UnknownFields[], renamed: Set<string>): readonly UnknownFields[] {
  const key = discriminator(branches);
  if (key === undefined) return branches;
  const others = branches.flatMap(({ properties }) => Object.keys(asRecord(properties))).filter((name) => name !== key);
  const isFirst = others.every((name) => key < name);
  const name = isFirst ? key : `${FIRST}${key}`;
  if (!isFirst) renamed.add(key);
  return branches.map((branch) => {
    const { [key]: tells, ...rest } = asRecord(branch.properties);
    const required = list(branch.required).map((other) => (other === key ? name : other));
    return { ...branch, properties: { [name]: tells, ...rest }, required };
  });
}

/** Finds the key that distinguishes the branches of a union: in each branch it has one fixed value. */
function discriminator(branches: readonly UnknownFields[]): string | undefined {
  const [first] = branches;
  if (first === undefined || branches.length < 2) return undefined;
  return Object.keys(asRecord(first.properties)).find((key) =>
    branches.every(({ properties }) => isFixed(asRecord(asRecord(properties)[key]))),
  );
}

function isFixed(schema: UnknownFields): boolean {
  return 'const' in schema || list(schema.enum).length === 1;
}

function withOwnNames(value: unknown, renamed: ReadonlySet<string>): unknown {
  if (renamed.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => withOwnNames(entry, renamed));
  const entries = Object.entries(value).map(([name, entry]): [string, unknown] => {
    const own = name.slice(FIRST.length);
    const isWire = name.startsWith(FIRST) && renamed.has(own) && !(own in value);
    return [isWire ? own : name, withOwnNames(entry, renamed)];
  });
  return Object.fromEntries(entries);
}

function forTool(node: unknown): UnknownFields {
  const schema = asRecord(node);
  const union = schema.anyOf ?? schema.oneOf;
  return {
    ...pick(schema, 'description', 'required'),
    ...(schema.type === undefined ? {} : { type: schema.type }),
    ...('const' in schema ? { type: typeof schema.const, enum: [schema.const] } : pick(schema, 'enum')),
    ...(Array.isArray(union) ? { anyOf: union.map(forTool) } : {}),
    ...(schema.items === undefined ? {} : { items: forTool(schema.items) }),
    ...(schema.properties === undefined ? {} : { properties: mapValues(asRecord(schema.properties), forTool) }),
  };
}

function pick(schema: UnknownFields, ...names: readonly string[]): UnknownFields {
  return Object.fromEntries(names.filter((name) => schema[name] !== undefined).map((name) => [name, schema[name]]));
}

function mapValues(values: UnknownFields, map: (value: unknown) => UnknownFields): UnknownFields {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the schema as a zod schema. @throws TypeError if it is not one */
export function toZodType<T>(schema: AnswerSchema<T>): ZodType<T> {
  if (isZod(schema)) return schema;
  throw new TypeError('the schema of an answer is a zod schema');
}

function isZod<T>(schema: AnswerSchema<T>): schema is AnswerSchema<T> & ZodType<T> {
  return schema instanceof ZodType;
}
