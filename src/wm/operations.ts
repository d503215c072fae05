import type { Failure } from '../base/failure.js';
import { isRecord, parseJson } from '../base/json.js';
import { err, ok, type Result } from '../base/result.js';
import { recoverOperations } from './recover.js';
import { bySectionName, findSection, type SectionName } from './sections.js';

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
  return ok(bySectionName((name) => (bySection.has(name) ? readOperation(bySection.get(name)) : NOTHING_ASKED)));
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

/** Reads one operation; see {@link readOperations}. */
export function readOperation(value: unknown): RequestedOperation {
  if (value === null || value === undefined) return NOTHING_ASKED;
  if (!isRecord(value)) return malformed('NONE', `the operation is ${describe(value)} instead of an object`);
  if (typeof value.op !== 'string') return malformed('NONE', `"op" is ${describe(value.op)}`);
  const name = value.op.trim().toUpperCase();
  if (name === 'KEEP') return { name, operation: KEEP };
  if (name === 'UPDATE') {
    if (typeof value.content !== 'string') return malformed(name, `"content" is ${describe(value.content)}`);
    return { name, operation: { op: 'UPDATE', content: value.content } };
  }
  if (name === 'APPEND') return readAppend(value.items);
  return malformed(name.slice(0, 40), 'unknown operation');
}

function readAppend(items: unknown): RequestedOperation {
  if (!Array.isArray(items)) return malformed('APPEND', `"items" is ${describe(items)} instead of a list`);
  const texts = items.filter((item): item is string => typeof item === 'string' && item.trim() !== '');
  const dropped = items.length - texts.length;
  const operation: SectionOperation = { op: 'APPEND', items: texts };
  if (dropped === 0) return { name: 'APPEND', operation };
  return { name: 'APPEND', operation, problem: `${dropped} of ${items.length} items are empty or not text` };
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
