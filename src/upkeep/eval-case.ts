import type { Day } from '../base/clock.js';
import type { Failure } from '../base/failure.js';
import { err, ok, type Result } from '../base/result.js';
import { toDay } from '../language/time/calendar.js';
import { UNIT_KINDS, type UnitKind } from '../memory/unit.js';

/** One question of one's own, and what a good answer holds. A line of the case file. */
export interface EvalCase {
  readonly id: string;
  readonly question: string;
  /** What is asked for, to group the figures by: `entity`, `temporal`, … */
  readonly kind: string;
  /** Sources, `memory/2025-11-27.md#L14`, of which one (with `all` every one) must be among the first `k`. */
  readonly expect: readonly string[];
  readonly k: number;
  readonly all: boolean;
  /** An expected source must come first of all. */
  readonly top: boolean;
  /** Sources that must not come before the expected ones. */
  readonly absent: readonly string[];
  /** Nothing may be found. */
  readonly empty: boolean;
  /** The instant the question is asked at. */
  readonly now?: string;
  readonly options: {
    readonly since?: Day;
    readonly until?: Day;
    readonly asOf?: Day;
    readonly entities?: readonly string[];
    readonly kinds?: readonly UnitKind[];
  };
}

const DEFAULT_K = 5;

/** Reads a case file: one JSON object a line, empty lines left out. Fails with the number of the first bad line. */
export function readCases(text: string): Result<readonly EvalCase[]> {
  const cases: EvalCase[] = [];
  for (const [at, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (line.trim() === '') continue;
    const read = readCase(line, cases.length + 1);
    if (!read.ok) return err({ ...read.error, message: `line ${at + 1}: ${read.error.message}` });
    cases.push(read.value);
  }
  return cases.length === 0 ? bad('there are no cases in the file') : ok(cases);
}

function readCase(line: string, number: number): Result<EvalCase> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return bad('is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return bad('is not a JSON object');
  const fields = new Map<string, unknown>(Object.entries(value));
  const question = fields.get('question');
  const expect = texts(fields.get('expect'));
  const empty = fields.get('empty') === true;
  if (typeof question !== 'string') return bad('has no "question"');
  if (expect.length === 0 && !empty) return bad('has neither "expect" nor "empty"');
  const malformed = expect.find((source) => !SOURCE.test(source));
  if (malformed !== undefined) return bad(`"${malformed}" is no source such as memory/2025-11-27.md#L14`);
  const k = fields.get('k') ?? DEFAULT_K;
  if (typeof k !== 'number' || !Number.isInteger(k) || k < 1) return bad('"k" is no whole number from 1 on');
  const now = fields.get('now');
  return ok({
    id: String(fields.get('id') ?? number),
    question,
    kind: String(fields.get('kind') ?? 'other'),
    expect,
    k,
    all: fields.get('all') === true,
    top: fields.get('top') === true,
    absent: texts(fields.get('absent')),
    empty,
    ...(typeof now === 'string' ? { now } : {}),
    options: readOptions(fields.get('options')),
  });
}

function readOptions(value: unknown): EvalCase['options'] {
  const fields = new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const text = (name: 'since' | 'until' | 'asOf') => {
    const field = fields.get(name);
    const day = typeof field === 'string' ? toDay(field) : null;
    return day === null ? {} : { [name]: day };
  };
  const entities = texts(fields.get('entity'));
  const kinds = UNIT_KINDS.filter((kind) => texts(fields.get('kinds')).includes(kind));
  return {
    ...text('since'),
    ...text('until'),
    ...text('asOf'),
    ...(entities.length > 0 ? { entities } : {}),
    ...(kinds.length > 0 ? { kinds } : {}),
  };
}

const SOURCE = /^.+#L\d+(?:-L?\d+)?$/;

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function bad(message: string): Result<never, Failure> {
  return err({ type: 'usage', message, hint: 'see fixtures/README.md for the form of a case' });
}
