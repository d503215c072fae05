import { addDays, dayPeriod, makeDay, monthsPeriod, type Period, partsOf, weekPeriod } from './calendar.js';
import { BEFORE_TIME } from './english-words.js';
import { meaning, type Surroundings, type TimeRule, wordBefore, yearly } from './expression.js';

/** Dates in digits, the same in every language. */
export const LITERAL_RULES: readonly TimeRule[] = [
  // An ISO date may carry a time of day, which is not needed: a window is made of days.
  rule(/(\d{4})-(\d{1,2})-(\d{1,2})(?:T\d{2}(?::?\d{2}){0,2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?)?/uy, ([y, m, d]) =>
    day(y, m, d),
  ),
  rule(/(\d{4})\/(\d{1,2})\/(\d{1,2})/uy, ([y, m, d]) => day(y, m, d)),
  rule(/(\d{4})\.(\d{1,2})\.(\d{1,2})/uy, ([y, m, d]) => day(y, m, d)),
  rule(/(\d{4})-?W(\d{2})/iuy, ([y, w]) => isoWeek(Number(y), Number(w))),
  rule(/(\d{4})[-/](\d{2})/uy, ([y, m]) => (plausibleYear(Number(y)) ? month(Number(y), Number(m)) : undefined)),
  rule(/(\d{1,2})\.(\d{1,2})\.(\d{4})/uy, ([d, m, y]) => day(y, m, d)),
  // 3/4/2025 is read the American way unless only the other way is a date.
  rule(/(\d{1,2})\/(\d{1,2})\/(\d{4})/uy, ([a, b, y]) => day(y, a, b) ?? day(y, b, a)),
  {
    pattern: /(\d{1,2})\/(\d{1,2})/uy,
    read: ([a, b], { today, lenient }, around) => {
      if (!standsAlone(around) || !(lenient || BEFORE_TIME.has(wordBefore(around.before)))) return undefined;
      return yearly(today, (y) => day(String(y), a, b) ?? day(String(y), b, a));
    },
  },
];

export function plausibleYear(year: number): boolean {
  return year >= 1900 && year <= 2099;
}

/** Not part of a path, version, identifier or larger number. */
export function standsAlone({ before, after }: Surroundings): boolean {
  return (
    !/[\p{L}\p{N}_./:\\#@+$-]$/u.test(before) && !/^(?:[\p{Script=Latin}\p{N}_/\\%]|[.:,-][\p{L}\p{N}])/u.test(after)
  );
}

function rule(pattern: RegExp, read: (groups: readonly string[]) => Period | undefined): TimeRule {
  return { pattern, read: (groups, _context, around) => (standsAlone(around) ? meaning(read(groups)) : undefined) };
}

function day(year = '', month = '', date = ''): Period | undefined {
  const found = makeDay(Number(year), Number(month), Number(date));
  return found === undefined ? undefined : dayPeriod(found);
}

function month(year: number, number: number): Period | undefined {
  return number >= 1 && number <= 12 ? monthsPeriod(year, number, 1) : undefined;
}

function isoWeek(year: number, week: number): Period | undefined {
  const inFirstWeek = makeDay(year, 1, 4);
  if (inFirstWeek === undefined || week < 1 || week > 53) return undefined;
  const period = weekPeriod(inFirstWeek, week - 1);
  return partsOf(addDays(period.since, 3)).year === year ? period : undefined;
}
