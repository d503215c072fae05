import { fail } from './failure.js';
import { isRecord } from './json.js';
import { nearest } from './nearest.js';

/** What a key takes. Plain data: the checks, the flags of the command line and JSON schemas are made of it. */
export type Value =
  /** `time`: whatever the time options take, a day, an age or words. */
  | { readonly type: 'text' | 'time' | 'boolean' | 'any' | 'record' | 'function' | 'signal' }
  | NumberValue
  | ChoiceValue<string>
  | { readonly type: 'list'; readonly of: Value }
  | { readonly type: 'object'; readonly keys: Fields }
  | { readonly type: 'either'; readonly of: readonly Value[] };

interface NumberValue {
  readonly type: 'number';
  readonly whole?: true;
  /** Inclusive. */
  readonly least?: number;
  readonly most?: number;
  readonly example?: number;
}

interface ChoiceValue<T> {
  readonly type: 'choice';
  /** What one choice is called. */
  readonly noun: string;
  readonly choices: readonly T[];
  /** Short names in upper case, and the choice that each means: refused, with it as hint. */
  readonly meant?: Readonly<Record<string, T>>;
}

interface About {
  readonly doc: string;
  readonly required?: true;
  /** The option of the command line, when it is not the key in kebab case. */
  readonly flag?: string;
  /** Names that are tried for it: refused, with the right one as hint. */
  readonly instead?: readonly string[];
}

/** A count of something: one at least. */
export const WHOLE = { type: 'number', whole: true, least: 1 } as const;

/** A key of a request. */
export type Field = Value & About;

export type Fields = Readonly<Record<string, Field>>;

/** A description of the requests of type `T`: held to the type by the compiler. */
export type Description<T> = Fields & { readonly [K in keyof T]-?: FieldOf<T[K]> };

type FieldOf<T> = About &
  ValueOf<Exclude<T, undefined>> &
  (undefined extends T ? { readonly required?: never } : { readonly required: true });

type ValueOf<T> = [T] extends [boolean]
  ? { readonly type: 'boolean' }
  : [T] extends [number]
    ? NumberValue
    : [T] extends [string]
      ? string extends T
        ? { readonly type: 'text' | 'time' }
        : ChoiceValue<T>
      : [T] extends [readonly (infer E)[]]
        ? { readonly type: 'list'; readonly of: ValueOf<E> }
        : [T] extends [(...given: never[]) => unknown]
          ? { readonly type: 'function' }
          : Value;

/** How messages name a key: as in JSON, or as the option of the command line. */
export type Naming = 'key' | 'flag';

/** `--as-of` for `asOf`. */
export function flagOf(key: string, { flag }: Pick<Field, 'flag'>): string {
  return flag ?? `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Makes sure that a request is what a verb takes. Every verb's request goes through here, wherever it comes from.
 * @param verb as the command line calls it, for the messages
 * @throws MemoryError `usage` that names the first key that is unknown, missing or of a wrong type, and what it takes
 */
export function checkRequest<T = never>(
  verb: string,
  description: Description<T>,
  request: unknown,
  naming: Naming = 'key',
): asserts request is T {
  new Check(verb, naming).object('', description, request);
}

/**
 * The same for what a method takes one by one.
 * @param given by the names of the parameters
 */
export function checkArguments(verb: string, fields: Fields, given: Readonly<Record<string, unknown>>): void {
  new Check(verb, 'key').object('', fields, given);
}

/** A signal that a method takes by itself. */
export function checkedSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  checkArguments('a call', { signal: { type: 'signal', doc: 'ends it' } }, { signal });
  return signal;
}

class Check {
  constructor(
    private readonly verb: string,
    private readonly naming: Naming,
  ) {}

  object(path: string, fields: Fields, given: unknown): void {
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
      const name = this.naming === 'flag' ? flagOf(key, field) : `${path === '' ? '' : `${path}.`}${key}`;
      if (given[key] !== undefined) this.value(name, field, given[key], hint);
      else if (field.required) fail('usage', `${name} is missing`, `${this.verb} takes ${takes}`);
    }
  }

  private unknown(path: string, key: string, fields: Fields): never {
    const known = Object.keys(fields);
    const names = new Map(
      Object.entries(fields).flatMap(([name, { instead = [] }]) => [name, ...instead].map((one) => [one, name])),
    );
    const meant = names.get(nearest(key, names.keys()) ?? '');
    const hint = meant === undefined ? `known: ${known.join(', ')}` : `did you mean ${meant}?`;
    return fail('usage', `unknown key "${key.slice(0, 60)}"${path === '' ? '' : ` in ${path}`}`, hint);
  }

  private value(name: string, value: Value, given: unknown, hint: string): void {
    if (value.type === 'list' && Array.isArray(given)) {
      for (const [at, item] of given.entries())
        this.value(this.naming === 'flag' ? name : `${name}[${at}]`, value.of, item, hint);
    } else if (value.type === 'object') this.object(name, value.keys, given);
    else if (value.type === 'choice' && typeof given === 'string') checkChoice(name, value, given);
    else if (!fits(value, given)) {
      fail('usage', `${name} must be ${taken(value)}, not ${shown(given)}`, this.example(name, value, given) ?? hint);
    }
  }

  private example(name: string, value: Value, given: unknown): string | undefined {
    const example =
      value.type === 'number'
        ? value.example
        : value.type === 'list' && fits(value.of, given)
          ? JSON.stringify([given])
          : value.type === 'time'
            ? '"2026-03-01"'
            : undefined;
    return example === undefined ? undefined : `for example ${name}${this.naming === 'flag' ? '' : ':'} ${example}`;
  }
}

function checkChoice(name: string, { choices, noun, meant = {} }: ChoiceValue<string>, given: string): void {
  if (choices.includes(given)) return;
  const near = meant[given.toUpperCase()] ?? nearest(given, choices);
  const hint = near === undefined ? `use ${choices.join(', ')}` : `did you mean ${near}?`;
  fail('usage', `${name}: unknown ${noun} ${shown(given)}`, hint);
}

function fits(value: Value, given: unknown): boolean {
  switch (value.type) {
    case 'text':
    case 'time':
      return typeof given === 'string';
    case 'boolean':
    case 'function':
      return typeof given === value.type;
    case 'number':
      return (
        typeof given === 'number' &&
        Number.isFinite(given) &&
        (value.whole !== true || Number.isInteger(given)) &&
        (value.least === undefined || given >= value.least) &&
        (value.most === undefined || given <= value.most)
      );
    case 'choice':
      return typeof given === 'string' && value.choices.includes(given);
    case 'either':
      return value.of.some((one) => fits(one, given));
    case 'record':
      return isRecord(given);
    case 'signal':
      return given instanceof AbortSignal;
    case 'list':
    case 'object':
      return false;
    case 'any':
      return true;
  }
}

function taken(value: Value): string {
  switch (value.type) {
    case 'time':
      return 'a time such as 2026-03-01, 30d or "last week"';
    case 'number': {
      const { whole, least, most } = value;
      const range = most !== undefined ? ` from ${least} to ${most}` : least !== undefined ? ` from ${least} on` : '';
      return `a ${whole === true ? 'whole ' : ''}number${range}`;
    }
    case 'boolean':
      return 'true or false';
    case 'choice':
      return `one of ${value.choices.join(', ')}`;
    case 'list':
      return value.of.type === 'text' ? 'a list of texts' : 'a list';
    case 'either':
      return value.of.map(taken).join(' or ');
    case 'text':
    case 'any':
      return 'text';
    case 'object':
    case 'record':
      return 'an object';
    case 'function':
      return 'a function';
    case 'signal':
      return 'an AbortSignal';
  }
}

function shown(given: unknown): string {
  if (typeof given === 'string') return `"${given.length > 40 ? `${given.slice(0, 39)}…` : given}"`;
  if (Array.isArray(given)) return 'a list';
  if (typeof given === 'object' && given !== null) return 'an object';
  return typeof given === 'function' ? 'a function' : String(given);
}
