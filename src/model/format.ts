import * as z from 'zod';
import { asRecord, type UnknownFields } from '../base/json.js';
import type { AnswerSchema } from './model.js';

/** The largest bound (such as `maxLength` of a string) that Ollama's grammar observes. It silently ignores larger bounds. */
const MOST_BOUND = 2_000;
/** Maximum number of characters of a short schema. A longer one refers to the parts that it repeats. */
const MOST_SCHEMA = 3_000;
/**
 * A key that begins with this character comes first in alphabetical order, because `_` sorts before every lower-case
 * letter.
 */
const FIRST = '_';
const DATES: ReadonlySet<unknown> = new Set(['date', 'time', 'date-time', 'uuid']);

/** JSON schema of an answer for people and other models. */
export function toJsonSchema(schema: AnswerSchema<unknown>): UnknownFields {
  const { $schema: _, ...plain } = z.toJSONSchema(toZodType(schema), { io: 'input', unrepresentable: 'any' });
  return plain;
}

/** JSON schemas by which only the grammar of a local model restricts a value. See {@link inGrammar}. */
const GRAMMAR_FORMS = new WeakMap<object, UnknownFields>();

/**
 * Restricts what a local model can write for a value, for example to `{ maxItems: 5 }`. An answer that does not observe it
 * is still read, and the calling agent's own model is not told of it. A form with a `type` replaces the whole schema.
 * @returns the same schema
 */
export function inGrammar<S extends z.ZodType>(schema: S, form: UnknownFields): S {
  GRAMMAR_FORMS.set(schema, form);
  return schema;
}

/** A text of at most this number of characters, if a local model writes it. */
export function boundedText(mostCharacters: number): z.ZodString {
  return inGrammar(z.string(), { maxLength: mostCharacters });
}

/** A list of at most this number of items, if a local model writes it. */
export function boundedList<S extends z.ZodType>(item: S, mostItems: number): z.ZodArray<S> {
  return inGrammar(z.array(item), { maxItems: mostItems });
}

/**
 * JSON schema of an answer for a grammar, before it is reduced to what the grammar observes.
 * @param reused whether parts that are used twice are written twice, or stand in `$defs`
 */
function toBoundedSchema(schema: AnswerSchema<unknown>, reused: 'inline' | 'ref'): UnknownFields {
  return z.toJSONSchema(toZodType(schema), {
    io: 'input',
    unrepresentable: 'any',
    reused,
    override: ({ zodSchema, jsonSchema }) => {
      const form = GRAMMAR_FORMS.get(zodSchema);
      if (form === undefined) return;
      if ('type' in form) for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
      Object.assign(jsonSchema, form);
    },
  });
}

/**
 * Schema of an answer for Ollama's `format`, with only the keywords that its grammar observes. This is enough, because every
 * answer is also checked against the whole schema. If a key says which branch of a union applies, it must come first in the
 * answer. But a server that uses the model's own chat template writes keys in alphabetical order. Therefore such a key is
 * sent as `_key` if it would not be first. `toWireText` renames it in our own text of the prompt, `fromWire` restores its
 * name in an answer, and `fromWireText` does so in an answer that is not JSON.
 */
export function answerFormat(schema: AnswerSchema<unknown>) {
  const renamed = new Set<string>();
  const inline = forGrammar(toBoundedSchema(schema, 'inline'), renamed);
  const wire = isShort(inline) ? inline : forGrammar(toBoundedSchema(schema, 'ref'), renamed);
  const names = [...renamed].join('|') || '(?!)';
  const own = new RegExp(`"(${names})"`, 'gu');
  const sent = new RegExp(`(?<!\\\\)"${FIRST}(${names})"(?=\\s*:)`, 'gu');
  return {
    schema: wire,
    fromWire: (value: unknown) => withOwnNames(value, renamed),
    toWireText: (text: string) => text.replace(own, `"${FIRST}$1"`),
    fromWireText: (text: string) => text.replace(sent, '"$1"'),
  };
}

/** Whether the schema that a local model gets for an answer is short. A small model loses its way in a long one. */
export function isShortFormat(schema: AnswerSchema<unknown>): boolean {
  return isShort(answerFormat(schema).schema);
}

function isShort(schema: UnknownFields): boolean {
  return JSON.stringify(schema).length <= MOST_SCHEMA;
}

/** JSON schema for the parameters of a tool, with only what the server supports. Pure. */
export function toolParameters(schema: AnswerSchema<unknown>): UnknownFields {
  const plain = z.toJSONSchema(toZodType(schema), { io: 'input', unrepresentable: 'any', reused: 'inline' });
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
      // The grammar ignores bounds of non-integer numbers. Zod bounds every integer by what a number can hold exactly.
      return { type, ...bounds(schema, 'minimum', 'maximum', Number.MAX_SAFE_INTEGER - 1) };
    default:
      return typeof type === 'string' ? { type } : {};
  }
}

function isEmptyOrTrue(value: unknown): boolean {
  return typeof value === 'boolean' || value === undefined || Object.keys(asRecord(value)).length === 0;
}

function bounds(schema: UnknownFields, least: string, most: string, mostBound = MOST_BOUND): UnknownFields {
  const within = pick(schema, least, most);
  return Object.fromEntries(Object.entries(within).filter(([, bound]) => Math.abs(Number(bound)) <= mostBound));
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
export function toZodType<T>(schema: AnswerSchema<T>): z.ZodType<T> {
  if (isZod(schema)) return schema;
  throw new TypeError('the schema of an answer is a zod schema');
}

function isZod<T>(schema: AnswerSchema<T>): schema is AnswerSchema<T> & z.ZodType<T> {
  return schema instanceof z.ZodType;
}
