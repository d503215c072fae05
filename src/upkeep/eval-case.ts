import { type Failure, fail, throwWithName, toFailure } from '../base/failure.js';
import { isRecord } from '../base/json.js';
import { type RequestFields, type RequestOf, readRequest } from '../base/request.js';
import { err, ok, type Result } from '../base/result.js';
import { FILTER_FIELDS } from '../recall/request.js';

const TEXT = { type: 'text' } as const;
const SOURCES = { type: 'list', of: TEXT } as const;

const CASE = {
  id: { type: 'either', of: [TEXT, { type: 'number' }], doc: 'name of the case in the report (default: its number)' },
  query: { type: 'text', required: true, instead: ['question'], doc: 'the question' },
  kind: { type: 'text', doc: 'the group of the case in the report: entity, temporal, …' },
  expect: { ...SOURCES, doc: 'expected sources such as memory/2025-11-27.md#L14; one of them must be found' },
  k: { type: 'number', whole: true, least: 1, example: 5, doc: 'number of results to check (default 5)' },
  all: { type: 'boolean', doc: 'every expected source must be found' },
  top: { type: 'boolean', doc: 'an expected source must come first' },
  absent: { ...SOURCES, doc: 'sources that must not come before the expected ones' },
  empty: { type: 'boolean', doc: 'recall must find nothing' },
  now: { type: 'text', doc: 'time of the question, ISO 8601' },
  options: { type: 'object', keys: FILTER_FIELDS, doc: 'filters for recall' },
  meta: { type: 'any', doc: 'free for your own notes' },
} as const satisfies RequestFields;

/** A question of the user, and the sources that a good answer contains. One line of the case file. */
export type EvalCase = RequestOf<typeof CASE>;

/** A checked case with all defaults filled in. */
export type CheckedCase = {
  readonly [K in Exclude<keyof EvalCase, 'id' | 'now' | 'meta'>]-?: Exclude<EvalCase[K], undefined>;
} & {
  readonly id: string;
  readonly now: string | undefined;
};

interface CaseCheckResult {
  readonly cases: readonly CheckedCase[];
  /** Warnings about old forms that are still accepted. */
  readonly warnings: readonly string[];
}

const DEFAULT_K = 5;
const SOURCE = /^.+#L\d+(?:-L?\d+)?$/;
const FORM = 'an example of a line: {"query":"where does Peter live?","expect":["memory/2026-03-12.md#L4"]}';
/** Options whose names are singular in older case files, each with its name today. */
const PLURALS: Readonly<Record<string, string>> = { entity: 'entities', kind: 'kinds' };

/** Reads a case file: one JSON object per line, empty lines are skipped. Fails with the number of the first bad line. */
export function readCases(text: string): Result<CaseCheckResult> {
  try {
    const read = readAll(parseLines(text));
    const none: Failure = { type: 'usage', message: 'the file has no cases', hint: FORM };
    return read.cases.length === 0 ? err(none) : ok(read);
  } catch (error) {
    return err(toFailure(error));
  }
}

/**
 * Checks cases and fills in the defaults.
 * @throws MemoryError `usage` for the first invalid case
 */
export function checkCases(cases: unknown): CaseCheckResult {
  if (!Array.isArray(cases)) return fail('usage', 'eval needs a list of cases', FORM);
  return readAll(cases.map((value: unknown, at) => [`cases[${at}]`, value]));
}

function* parseLines(text: string): Generator<readonly [name: string, value: unknown]> {
  for (const [at, line] of text.split(/\r\n|\n|\r/).entries()) {
    const name = `line ${at + 1}`;
    try {
      if (line.trim() !== '') yield [name, JSON.parse(line)];
    } catch (error) {
      if (error instanceof SyntaxError) fail('usage', `${name}: is not JSON`, FORM);
      throw error;
    }
  }
}

function readAll(given: Iterable<readonly [name: string, value: unknown]>): CaseCheckResult {
  const cases: CheckedCase[] = [];
  const warnings = new Set<string>();
  for (const [name, value] of given) {
    try {
      cases.push(readCase(pluralised(value, warnings), cases.length + 1));
    } catch (error) {
      throwWithName(name, error);
    }
  }
  return { cases, warnings: [...warnings] };
}

function readCase(given: unknown, number: number): CheckedCase {
  const asked = readRequest('a case', CASE, given);
  const { id = number, kind = 'other', expect = [], k = DEFAULT_K, absent = [], options = {} } = asked;
  const { query, now, all = false, top = false, empty = false } = asked;
  if (expect.length === 0 && !empty) return fail('usage', 'has neither "expect" nor "empty"', FORM);
  const malformed = expect.find((source) => !SOURCE.test(source));
  if (malformed !== undefined) fail('usage', `"${malformed}" is not a source such as memory/2025-11-27.md#L14`, FORM);
  return { id: String(id), query, kind, expect, k, all, top, absent, empty, now, options };
}

/** Renames singular options of a case to `entities` and `kinds`. */
function pluralised(given: unknown, warnings: Set<string>): unknown {
  if (!isRecord(given) || !isRecord(given.options)) return given;
  const options = Object.entries(given.options).map(([key, value]) => {
    const plural = Object.hasOwn(PLURALS, key) ? PLURALS[key] : undefined;
    if (plural === undefined) return [key, value];
    warnings.add(`in the options of a case, write "${plural}" (a list) instead of "${key}"`);
    return [plural, [value].flat()];
  });
  return { ...given, options: Object.fromEntries(options) };
}
