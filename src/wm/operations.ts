import type { Failure } from '../base/failure.js';
import { err, ok, type Result } from '../base/failure.js';
import { isRecord, parseJson } from '../base/json.js';
import {
  bySectionName,
  findSection,
  formatItemAsBullet,
  itemOfLine,
  SECTION_NAMES,
  type SectionName,
} from './document.js';

/** The operation on one section. */
export type SectionOperation =
  | { readonly op: 'KEEP' }
  | { readonly op: 'UPDATE'; readonly content: string }
  | { readonly op: 'APPEND'; readonly items: readonly string[] };

/** The operation that an answer requests for a section, and the one to apply. */
export interface RequestedOperation {
  /** Requested name of the operation, upper-case; `NONE` if the answer has no operation or no name for it. */
  readonly name: string;
  /** The operation to apply: KEEP if the request is malformed. */
  readonly operation: SectionOperation;
  /** Why `operation` differs from the request. */
  readonly problem?: string;
}

export type SectionOperations = Readonly<Record<SectionName, RequestedOperation>>;

const KEEP: SectionOperation = { op: 'KEEP' };

const NOTHING_ASKED: RequestedOperation = { name: 'NONE', operation: KEEP, problem: 'no operation given' };

/**
 * Reads operations from a parsed answer: null, `{"sections": {…}}`, or an object with the section names as keys. The
 * operations may also be the arguments of a tool call. A malformed operation becomes KEEP, with the reason, and leaves
 * the operations of other sections as they are.
 */
export function readOperations(value: unknown): Result<SectionOperations> {
  const answer = unwrap(value);
  if (answer === null || answer === undefined) return ok(bySectionName(() => NOTHING_ASKED));
  if (!isRecord(answer)) return err(notOperations(`${describe(answer)} instead of an object`));
  const inner = 'sections' in answer ? answer.sections : answer;
  if (inner === null) return ok(bySectionName(() => NOTHING_ASKED));
  if (!isRecord(inner)) return err(notOperations(`"sections" is ${describe(inner)}`));
  const bySection = new Map<SectionName, unknown>();
  for (const [key, operation] of Object.entries(inner)) {
    const name = findSection(key);
    if (name !== undefined && (key === name || !bySection.has(name))) bySection.set(name, operation);
  }
  return ok(bySectionName((name) => (bySection.has(name) ? readOperation(bySection.get(name), name) : NOTHING_ASKED)));
}

/** Reads operations from the text of an answer. If its JSON is broken, recovers the operations that are complete. */
export function parseOperations(
  text: string,
): Result<{ readonly operations: SectionOperations; readonly recovered: boolean }> {
  const answer = answerIn(text);
  if (answer === undefined) return err(notOperations('no JSON and no operation in it'));
  const read = readOperations(answer.value);
  return read.ok ? ok({ operations: read.value, recovered: answer.recovered }) : read;
}

/**
 * The value in the text of a model's answer, for {@link readOperations}. Broken JSON is recovered. Undefined if the
 * answer is unusable.
 */
export function readAnswerValue(text: string): unknown {
  const value = answerIn(text)?.value;
  return readOperations(value).ok ? value : undefined;
}

/** Parses the text of an answer, or recovers operations from broken JSON; undefined if it finds none. */
function answerIn(text: string): { readonly value: unknown; readonly recovered: boolean } | undefined {
  const parsed = parseAnswer(text);
  if (parsed !== undefined) return { value: parsed, recovered: false };
  const value = recoverOperations(text);
  return Object.keys(value).length === 0 ? undefined : { value, recovered: true };
}

/** Reads one operation on a section; see {@link readOperations}. A local model names it `_op`. */
export function readOperation(value: unknown, section?: SectionName): RequestedOperation {
  if (value === null || value === undefined) return NOTHING_ASKED;
  if (!isRecord(value)) return malformed('NONE', `the operation is ${describe(value)} instead of an object`);
  const op = value.op ?? value._op;
  if (typeof op !== 'string') return malformed('NONE', `"op" is ${describe(op)}`);
  const name = op.trim().toUpperCase();
  if (name === 'KEEP') return { name, operation: KEEP };
  if (name === 'UPDATE') return readUpdate(value.content, section);
  if (name === 'APPEND') {
    if (!Array.isArray(value.items)) return malformed(name, `"items" is ${describe(value.items)} instead of a list`);
    const { texts, problem } = textsOf(value.items);
    return { name, operation: { op: 'APPEND', items: texts }, ...problem };
  }
  return malformed(name.slice(0, 40), 'unknown operation');
}

/** Reads the content of an UPDATE: a Markdown text, or a list of bullets. The title is a line without a marker. */
function readUpdate(content: unknown, section: SectionName | undefined): RequestedOperation {
  if (typeof content === 'string') return { name: 'UPDATE', operation: { op: 'UPDATE', content } };
  if (!Array.isArray(content)) return malformed('UPDATE', `"content" is ${describe(content)}`);
  const { texts, problem } = textsOf(content);
  const text = section === 'Session Title' ? texts.map(itemOfLine).join('; ') : texts.map(asBullet).join('\n');
  return { name: 'UPDATE', operation: { op: 'UPDATE', content: text }, ...problem };
}

function asBullet(text: string): string {
  return /^\s*[-*+]\s/u.test(text) ? text : formatItemAsBullet(text.trim());
}

function textsOf(items: readonly unknown[]) {
  const texts = items.filter((item): item is string => typeof item === 'string' && item.trim() !== '');
  const dropped = items.length - texts.length;
  return {
    texts,
    problem: dropped === 0 ? {} : { problem: `${dropped} of ${items.length} items are empty or not text` },
  };
}

function malformed(name: string, problem: string): RequestedOperation {
  return { name, operation: KEEP, problem: `malformed: ${problem}` };
}

const MAX_WRAPPERS = 5;

// Takes the operations out of a tool call. Models and their servers wrap its arguments in many ways.
function unwrap(value: unknown): unknown {
  let inner = value;
  for (let round = 0; round < MAX_WRAPPERS; round++) {
    if (typeof inner === 'string') inner = parseAnswer(inner) ?? recoverOperations(inner);
    else if (!isRecord(inner) || 'sections' in inner) return inner;
    else if ('arguments' in inner) inner = inner.arguments;
    else if ('function' in inner) inner = inner.function;
    else if (typeof inner.raw === 'string') inner = inner.raw;
    else return inner;
  }
  return inner;
}

function parseAnswer(text: string): unknown {
  const bare = text
    .trim()
    .replace(/^\uFEFF/u, '')
    .replace(/^```[a-z]*[ \t]*\n/iu, '')
    .replace(/\n```$/u, '');
  return parseJson(bare);
}

function notOperations(what: string): Failure {
  return {
    type: 'invalid_answer',
    message: `the operations are not valid: ${what}`,
    hint: 'use null, {"sections":{…}}, or the seven section names with KEEP, UPDATE or APPEND; see "wm prompt"',
  };
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

type RecoveredOperations = Partial<Record<SectionName, Record<string, unknown>>>;

/**
 * Finds complete operations in an answer that is not valid JSON. It may be cut off or unbalanced, or its strings may
 * have raw line feeds or unescaped quotes. Reads tokens, so that an item may contain `]`, and an operation that is only
 * quoted in a string does not count. The first operation of a section wins. Content that is cut off is dropped; a list
 * that is cut off keeps its complete items. Takes time in proportion to the length of the text.
 */
export function recoverOperations(text: string): RecoveredOperations {
  const reader = new Reader(tokenise(text));
  const found: RecoveredOperations = {};
  for (let token = reader.next(); token !== undefined; token = reader.next()) {
    const name = token.kind === 'string' && token.closed ? SECTIONS.get(token.value) : undefined;
    if (name === undefined || !reader.take(':') || !reader.take('{')) continue;
    const operation = readOperationObject(reader);
    if (operation !== undefined) found[name] ??= operation;
  }
  return found;
}

const SECTIONS: ReadonlyMap<string, SectionName> = new Map(SECTION_NAMES.map((name) => [name, name]));

interface Token {
  readonly kind: 'string' | 'mark' | 'other';
  readonly value: string;
  /**
   * Whether the string ends at its own closing quote. False if it has no end, or if it has no closing quote and so includes
   * the JSON after it.
   */
  readonly closed: boolean;
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  next(): Token | undefined {
    return this.#tokens[this.#at++];
  }

  peek(offset = 0): Token | undefined {
    return this.#tokens[this.#at + offset];
  }

  isMark(mark: string, offset = 0): boolean {
    const token = this.peek(offset);
    return token?.kind === 'mark' && token.value === mark;
  }

  take(mark: string): boolean {
    if (!this.isMark(mark)) return false;
    this.#at++;
    return true;
  }
}

// Reads one operation. If it has anything other than `"key": value` pairs, a string nearby is broken, and the whole
// operation is rejected.
function readOperationObject(reader: Reader): Record<string, unknown> | undefined {
  const read = new Map<string, unknown>();
  let broken = false;
  for (let key = reader.peek(); key !== undefined && !reader.isMark('}'); key = reader.peek()) {
    // A key that is a section name begins the next operation. So the closing brace of this operation is missing.
    if (key.kind === 'string' && SECTIONS.has(key.value) && reader.isMark(':', 1)) break;
    reader.next();
    if (key.kind !== 'string' || !reader.take(':') || read.has(key.value)) {
      broken = true;
      continue;
    }
    read.set(key.value, readValue(reader));
    if (!reader.take(',') && !reader.isMark('}') && reader.peek() !== undefined) broken = true;
  }
  reader.take('}');
  const { _op: sent, ...others } = Object.fromEntries(read);
  const fields = { ...(sent === undefined ? {} : { op: sent }), ...others };
  return !broken && typeof fields.op === 'string' && isComplete(fields.op, fields) ? fields : undefined;
}

function isComplete(op: string, { content, items }: Readonly<Record<string, unknown>>): boolean {
  const name = op.toUpperCase();
  const isList = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
  if (name === 'UPDATE') return typeof content === 'string' || isList(content);
  return name === 'APPEND' ? isList(items) : name === 'KEEP';
}

function readValue(reader: Reader): unknown {
  const token = reader.next();
  if (token === undefined) return undefined;
  // A string at the end of the text may be cut off right after a quote that belongs to its content.
  if (token.kind === 'string') return token.closed && reader.peek() !== undefined ? token.value : undefined;
  return token.kind === 'mark' && token.value === '[' ? readItems(reader) : undefined;
}

function readItems(reader: Reader): readonly string[] {
  const items: string[] = [];
  for (let token = reader.peek(); token !== undefined && !reader.isMark(']'); token = reader.peek()) {
    if (token.kind === 'string' && reader.isMark(':', 1)) return items;
    reader.next();
    if (token.kind === 'string' && token.closed) items.push(token.value);
  }
  reader.take(']');
  return items;
}

function tokenise(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const pattern = /[^\s"{}[\],:]+|["{}[\],:]/gu;
  const from = text.indexOf('{');
  if (from === -1) return tokens;
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [value] = match;
    if (value === '"') {
      const end = stringEnd(text, match.index + 1, tokens.at(-1)?.value === ':' ? AFTER_VALUE : AFTER_KEY_OR_ITEM);
      const raw = text.slice(match.index + 1, end);
      tokens.push({ kind: 'string', value: unescapeString(raw), closed: end < text.length && !SWALLOWED.test(raw) });
      pattern.lastIndex = end + 1;
    } else tokens.push({ kind: MARKS.test(value) ? 'mark' : 'other', value, closed: true });
  }
  return tokens;
}

const MARKS = /^[{}[\],:]$/u;
const SWALLOWED = /(?<!\\)"\s{0,20}:\s{0,20}(?:[{[]|")/u;

/**
 * The index of the quote that ends the string which starts at `from`. It is the first unescaped quote after which JSON
 * goes on (`after`). If there is none, the length of the text.
 */
function stringEnd(text: string, from: number, after: RegExp): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"' && after.test(text.slice(at + 1, at + LOOK_AHEAD))) return at;
  }
  return text.length;
}

const LOOK_AHEAD = 60;
const AFTER_VALUE = /^\s*(?:[}\]]|$|,\s*(?:["{[\]}]|$))/u;
const AFTER_KEY_OR_ITEM = /^\s*(?:[:}\]]|$|,\s*(?:["{[\]}]|$))/u;

function unescapeString(raw: string): string {
  const strict = raw.replace(/(\\.)|[\u0000-\u001f"]/gsu, (found, escaped: string | undefined) => {
    return escaped ?? JSON.stringify(found).slice(1, -1);
  });
  const value = parseJson(`"${strict}"`);
  return typeof value === 'string' ? value : raw;
}
