import { fail } from './failure.js';
import { isRecord } from './json.js';
import { nearestWord } from './nearest.js';

/**
 * The type of a key of a request, as plain data. The checks of requests, the flags of the command line and the JSON
 * schemas are made from this data.
 */
export type RequestFieldType =
  /** `time` is a text that names a time, for example `2026-03-04`, `7d` or `last week`. */
  | { readonly type: PlainType }
  | NumberValue
  | ChoiceValue<string>
  | { readonly type: 'list'; readonly of: RequestFieldType }
  | { readonly type: 'object'; readonly keys: RequestFields }
  | { readonly type: 'either'; readonly of: readonly RequestFieldType[] };

type PlainType = 'text' | 'time' | 'boolean' | 'any' | 'record' | 'function' | 'signal';

interface NumberValue {
  readonly type: 'number';
  readonly whole?: true;
  /** The smallest and the largest allowed number. */
  readonly least?: number;
  readonly most?: number;
  readonly example?: number;
  /**
   * If true, the command line accepts an empty value, "null" and "NaN", and treats the number as unknown. This is for hooks,
   * which pass on any text that their host gave them.
   */
  readonly loose?: true;
}

interface ChoiceValue<T> {
  readonly type: 'choice';
  /** Singular word for one allowed value, used in error messages: `kind`, `mode`. */
  readonly noun: string;
  readonly choices: readonly T[];
  /**
   * Names in upper case that people try, and the choice that each one means: `W` means `world`. They are not accepted; the
   * error suggests that choice.
   */
  readonly meant?: Readonly<Record<string, T>>;
}

interface About {
  /** Description for help, schemas and tables. */
  readonly doc: string;
  readonly required?: true;
  /** Only for optional texts. If true, an empty text counts as a missing value. */
  readonly isNeverEmpty?: true;
  /**
   * Set if the command line takes the value without a flag. `argument`: the value is one word. `words`: it is all
   * remaining words. `words?`: the value is all remaining words, and may also be missing.
   */
  readonly place?: 'argument' | 'words' | 'words?';
  /** A one-letter flag on the command line. */
  readonly short?: string;
  /** Placeholder for the value in help. */
  readonly value?: string;
  /** Default as the command line shows it. */
  readonly default?: string | true;
  /** Help text for `--no-…`, which switches off a default. */
  readonly without?: string;
  /** Wrong names that people try. They are not accepted; the error names the right key. */
  readonly instead?: readonly string[];
}

/** The type of a count: a whole number, at least 1. */
export const COUNT_FIELD_TYPE = { type: 'number', whole: true, least: 1 } as const;

/** The option `--dry-run`. Every verb that writes has it. */
export const DRY_RUN_FIELD = { type: 'boolean', doc: 'show the change as a diff, and write nothing' } as const;

/** A key of a request, with its description. */
export type RequestField = RequestFieldType & About;

export type RequestFields = Readonly<Record<string, RequestField>>;

/** How messages name a key: as in JSON (`asOf`), or as the option of the command line (`--as-of`). */
export type KeyNameForm = 'key' | 'flag';

/** The TypeScript type of a request with these fields. */
export type RequestOf<F> = {
  readonly [K in keyof F as F[K] extends { readonly required: true } ? K : never]: FieldValueOf<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends { readonly required: true } ? never : K]?: FieldValueOf<F[K]> | undefined;
};

/** The TypeScript type of the values of a field. */
export type FieldValueOf<V> = V extends { readonly type: 'text' | 'time' }
  ? string
  : V extends { readonly type: 'number' }
    ? number
    : V extends { readonly type: 'boolean' }
      ? boolean
      : V extends { readonly choices: readonly (infer C)[] }
        ? C
        : V extends { readonly type: 'list'; readonly of: infer E }
          ? readonly FieldValueOf<E>[]
          : V extends { readonly type: 'either'; readonly of: readonly (infer E)[] }
            ? FieldValueOf<E>
            : V extends { readonly type: 'object'; readonly keys: infer F }
              ? RequestOf<F>
              : V extends { readonly type: 'signal' }
                ? AbortSignal
                : V extends { readonly type: 'record' }
                  ? Readonly<Record<string, unknown>>
                  : unknown;

/**
 * The command-line option of a key: `--as-of` for `asOf`. The option of a list is in the singular: `--entity` for
 * `entities`.
 */
export function flagOf(key: string, { type }: Pick<RequestField, 'type'>): string {
  const one = type === 'list' ? key.replace(/ies$/, 'y').replace(/s$/, '') : key;
  return `--${one.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Checks that a request is valid for a verb. Every request to a command is checked here.
 * @param verb the name of the command, for messages
 * @throws MemoryError `usage` that names the first key that is unknown, missing or of a wrong type, and what it accepts
 */
export function checkRequest(verb: string, fields: RequestFields, request: unknown): void {
  new Check(verb, 'key').object('', fields, request);
}

/**
 * Reads an untyped request: leaves out values that mean "nothing" (see {@link normalized}), then checks the rest. The
 * command line, a client of the server and a caller of the library get the same rules.
 */
export function readRequest<F extends RequestFields>(
  verb: string,
  fields: F,
  given: unknown,
  naming: KeyNameForm = 'key',
): RequestOf<F> {
  const check: (request: unknown) => asserts request is RequestOf<F> = (request) =>
    new Check(verb, naming).object('', fields, request);
  const request = normalized(fields, given);
  check(request);
  return request;
}

/**
 * Like {@link readRequest}, but returns the TypeScript type of the given request. For requests whose type can't be
 * computed from the fields, for example because it has functions.
 * @throws MemoryError `usage`
 */
export function readTypedRequest<R>(verb: string, fields: RequestFields, given: R): R {
  const check: (request: unknown) => asserts request is R = (request) =>
    new Check(verb, 'key').object('', fields, request);
  const request = normalized(fields, given === null ? {} : given);
  check(request);
  return request;
}

/**
 * Returns the request without values that mean "nothing". `null` counts as missing. An empty text or "null" counts as
 * missing if the key is optional and such a text is not a valid value of it. A number in quotes becomes a number. Other
 * texts stay. Pure.
 */
function normalized(fields: RequestFields, given: unknown): unknown {
  if (!isRecord(given)) return given;
  const entries = Object.entries(given).flatMap(([key, value]) => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const read = field === undefined ? value : readValue(field, value);
    if (read === undefined || (field !== undefined && standsForNothing(field, read))) return [];
    // `null` counts as a value only if the key is required and accepts values of any type.
    const isGiven = read !== null || (field?.type === 'any' && field.required === true);
    return isGiven ? [[key, read] as const] : [];
  });
  return Object.fromEntries(entries);
}

function readValue(value: RequestFieldType, given: unknown): unknown {
  if (value.type === 'object') return normalized(value.keys, given);
  if (value.type === 'list' && Array.isArray(given)) return given.map((item) => readValue(value.of, item));
  return value.type === 'number' && typeof given === 'string' && NUMBER.test(given) ? Number(given) : given;
}

const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/**
 * For these types a blank text is never a valid value, so it counts as a missing value. For the other types it may be
 * valid: a field of type `text` accepts it unless `isNeverEmpty` is set.
 */
const NEVER_BLANK: readonly RequestFieldType['type'][] = ['time', 'number', 'choice', 'boolean'];

function standsForNothing(field: RequestField, given: unknown): boolean {
  if (field.required) return false;
  if (field.type === 'list' && Array.isArray(given))
    return given.length > 0 && (field.of.type === 'text' || field.of.type === 'choice') && given.every(isBlank);
  return (NEVER_BLANK.includes(field.type) || field.isNeverEmpty === true || field.type === 'list') && isBlank(given);
}

function isBlank(given: unknown): boolean {
  return given === null || (typeof given === 'string' && /^\s*(?:null)?\s*$/i.test(given));
}

/** Checks an `AbortSignal` that a method takes as a separate argument. */
export function checkSignalArgument(signal: AbortSignal | undefined): AbortSignal | undefined {
  checkRequest('a call', { signal: { type: 'signal', doc: 'ends it' } }, { signal });
  return signal;
}

class Check {
  constructor(
    private readonly verb: string,
    private readonly naming: KeyNameForm,
  ) {}

  object(path: string, fields: RequestFields, given: unknown): void {
    const takes = Object.keys(fields).join(', ');
    const hint = this.naming === 'flag' ? `see openclaw memory ${this.verb} --help` : `known: ${takes}`;
    if (!isRecord(given)) {
      const message = `${path || this.verb} takes an object, not ${shown(given)}`;
      fail('usage', message, `known keys: ${takes}`);
    }
    for (const key of Object.keys(given)) {
      if (given[key] !== undefined && !Object.hasOwn(fields, key)) this.unknown(path, key, fields);
    }
    for (const [key, field] of Object.entries(fields)) {
      const flag = field.place === undefined ? flagOf(key, field) : `<${key}>`;
      const name = this.naming === 'flag' ? flag : `${path === '' ? '' : `${path}.`}${key}`;
      if (given[key] !== undefined) this.value(name, field, given[key], hint);
      else if (field.required) fail('usage', `${name} is missing`, `${this.verb} takes ${takes}`);
    }
  }

  private unknown(path: string, key: string, fields: RequestFields): never {
    const known = Object.keys(fields);
    const names = new Map(
      Object.entries(fields).flatMap(([name, { instead = [] }]) => [name, ...instead].map((one) => [one, name])),
    );
    const meant = names.get(nearestWord(key, names.keys()) ?? '');
    const hint = meant === undefined ? `known: ${known.join(', ')}` : `did you mean ${meant}?`;
    return fail('usage', `unknown key "${key.slice(0, 60)}"${path === '' ? '' : ` in ${path}`}`, hint);
  }

  private value(name: string, value: RequestFieldType, given: unknown, hint: string): void {
    if (value.type === 'list' && Array.isArray(given)) {
      for (const [at, item] of given.entries())
        this.value(this.naming === 'flag' ? name : `${name}[${at}]`, value.of, item, hint);
    } else if (value.type === 'object') this.object(name, value.keys, given);
    else if (value.type === 'choice' && typeof given === 'string') checkChoice(name, value, given);
    else {
      const problem = typeProblem(value, given);
      if (problem !== undefined) fail('usage', `${name} ${problem}`, this.example(name, value, given) ?? hint);
    }
  }

  private example(name: string, value: RequestFieldType, given: unknown): string | undefined {
    let example: number | string | undefined = value.type === 'number' ? value.example : undefined;
    if (value.type === 'time') example = '"2026-03-01"';
    if (value.type === 'list' && fits(value.of, given)) example = JSON.stringify([given]);
    return example === undefined ? undefined : `for example ${name}${this.naming === 'flag' ? '' : ':'} ${example}`;
  }
}

function checkChoice(name: string, { choices, noun, meant = {} }: ChoiceValue<string>, given: string): void {
  if (choices.includes(given)) return;
  const near = meant[given.toUpperCase()] ?? nearestWord(given, choices);
  const hint = near === undefined ? `use ${choices.join(', ')}` : `did you mean ${near}?`;
  fail('usage', `${name}: unknown ${noun} ${shown(given)}`, hint);
}

/** For each plain type: the test of a value, the name of the type in messages, and its JSON Schema. */
const PLAIN: Readonly<Record<PlainType, readonly [is: (given: unknown) => boolean, called: string, JsonSchema]>> = {
  text: [isText, 'text', { type: 'string' }],
  time: [isText, 'a time such as 2026-03-01, 30d or "last week"', { type: 'string' }],
  boolean: [(given) => typeof given === 'boolean', 'true or false', { type: 'boolean' }],
  any: [() => true, 'text', {}],
  record: [isRecord, 'an object', { type: 'object' }],
  function: [(given) => typeof given === 'function', 'a function', {}],
  signal: [(given) => given instanceof AbortSignal, 'an AbortSignal', {}],
};

function isText(given: unknown): boolean {
  return typeof given === 'string';
}

/** The problem with a value; undefined if there is none. */
export function typeProblem(value: RequestFieldType, given: unknown): string | undefined {
  if (fits(value, given)) return undefined;
  const isOfOthers = value.type === 'list' && Array.isArray(given);
  const not = isOfOthers ? `of ${shown(given.find((item) => !fits(value.of, item)))}` : shown(given);
  return `must be ${taken(value)}, not ${not}`;
}

function fits(value: RequestFieldType, given: unknown): boolean {
  switch (value.type) {
    case 'number': {
      const { whole, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY } = value;
      const isNumber = typeof given === 'number' && Number.isFinite(given) && (!whole || Number.isInteger(given));
      return isNumber && given >= least && given <= most;
    }
    case 'choice':
      return typeof given === 'string' && value.choices.includes(given);
    case 'either':
      return value.of.some((one) => fits(one, given));
    case 'list':
      return Array.isArray(given) && given.every((item) => fits(value.of, item));
    case 'object':
      return false;
    default:
      return PLAIN[value.type][0](given);
  }
}

function taken(value: RequestFieldType): string {
  switch (value.type) {
    case 'number': {
      const { whole, least, most } = value;
      const range = most !== undefined ? ` from ${least} to ${most}` : least !== undefined ? ` from ${least} on` : '';
      return `a ${whole === true ? 'whole ' : ''}number${range}`;
    }
    case 'choice':
      return `one of ${value.choices.join(', ')}`;
    case 'list':
      return value.of.type === 'text' ? 'a list of texts' : 'a list';
    case 'either':
      return value.of.map(taken).join(' or ');
    case 'object':
      return 'an object';
    default:
      return PLAIN[value.type][1];
  }
}

function shown(given: unknown): string {
  if (typeof given === 'string') return `"${given.length > 40 ? `${given.slice(0, 39)}…` : given}"`;
  if (Array.isArray(given)) return 'a list';
  if (typeof given === 'object' && given !== null) return 'an object';
  return typeof given === 'function' ? 'a function' : String(given);
}

/**
 * Receives the progress of long work: the number done, the total, the plural noun of what is counted, and whether the total
 * is an estimate.
 */
export type OnProgress = (done: number, all: number, what: string, isEstimate?: boolean) => void;

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of a request with these fields. Functions and signals, which JSON can't hold, are left out. Pure. */
export function requestSchema(fields: RequestFields): JsonSchema {
  const keys = Object.entries(fields).filter(([, { type }]) => type !== 'function' && type !== 'signal');
  return {
    type: 'object',
    properties: Object.fromEntries(keys.map(([key, field]) => [key, { ...schemaOf(field), description: told(field) }])),
    required: keys.filter(([, { required }]) => required).map(([key]) => key),
    additionalProperties: false,
  };
}

/**
 * The description of a key in a JSON Schema. Leaves out the choices, and the words `(repeatable)` of a list, because the
 * schema itself says both.
 */
function told(field: RequestField): string {
  const doc = field.doc.replace(' (repeatable)', '');
  const of = field.type === 'list' ? field.of : field;
  return of.type === 'choice' ? doc.replace(`: ${of.choices.join(', ')}`, '') : doc;
}

function schemaOf(value: RequestFieldType): JsonSchema {
  switch (value.type) {
    case 'choice':
      return { type: 'string', enum: value.choices };
    case 'number': {
      const { whole, least: minimum, most: maximum } = value;
      const bounds = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
      return { type: whole ? 'integer' : 'number', ...bounds };
    }
    case 'list':
      return { type: 'array', items: schemaOf(value.of) };
    case 'either':
      return { anyOf: value.of.map(schemaOf) };
    case 'object':
      return requestSchema(value.keys);
    default:
      return PLAIN[value.type][2];
  }
}
