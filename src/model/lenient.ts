import { isRecord } from '../base/json.js';
import type { AnswerIssue, AnswerSchema, CheckedAnswer } from './model.js';

/** What is mended in one place may show what is wrong in another. */
const MOST_ROUNDS = 4;

/**
 * Checks a value against a schema; what plainly says the same in another form is taken: `"5"` for 5, 5 for `"5"`, null
 * for nothing. Pure.
 * @param unknown `drop`: keys that nobody knows are nothing, too
 */
export function readLeniently<T>(schema: AnswerSchema<T>, given: unknown, unknown?: 'drop'): CheckedAnswer<T> {
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

/** The value with one issue of it mended; the same value where nobody can say how. */
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

/** Says of a key that it goes. */
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
