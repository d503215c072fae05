import { LETTER } from '../../scripts.js';
import { type Count, type Unit, VAGUE } from '../distance.js';
import { DIGIT } from '../expression.js';
import type { Part } from '../parts.js';
import { COUNTS, MONTHS, ORDINALS, SEASONS, TENS, WEEKDAYS } from './words.js';

// "half a year" and "a couple of" are counts of several words; longer names stand first so that "sept" is not read as "sep".
const PARTS: Readonly<Record<string, string>> = {
  count: `(\\d{1,4}|half an?|(?:a |the )?couple(?: of)?|(?:a )?few|several|(?:${names(TENS)})(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?|${names(COUNTS)})`,
  unit: '(minute|hour|day|weekend|week|fortnight|month|quarter|year)s?',
  period: '(week|weekend|month|quarter|year)',
  month: `(${names(MONTHS)})\\.?`,
  weekday: `(${names(WEEKDAYS)})\\.?`,
  season: `(${names(SEASONS)})`,
  ordinal: `(${names(ORDINALS)})`,
  last: '(last|previous|past|this|current|the same|next|coming|upcoming)',
};

/** Between the ends of a range, in a template. */
export const TO = ' ?(?:-|–|—|to|through|thru|until|till) ?(?:the )?';

/** A year behind a name, in a template, as a group. */
export const YEAR = "(\\d{4}|'\\d{2}|(?:last|this|next) year)";

/** The words that the groups of the table can begin with, for {@link TimeRule.starts}. */
export const STARTS = {
  count: [DIGIT, ...Object.keys(COUNTS), ...Object.keys(TENS), 'half', 'the', 'few', 'several'],
  period: ['week', 'weekend', 'month', 'quarter', 'year'],
  unit: 'minute hour day weekend week fortnight month quarter year'.split(' ').flatMap((unit) => [unit, `${unit}s`]),
  month: Object.keys(MONTHS),
  weekday: Object.keys(WEEKDAYS),
  season: Object.keys(SEASONS),
  ordinal: Object.keys(ORDINALS).filter((name) => !/^\d/.test(name)),
  last: ['last', 'previous', 'past', 'this', 'current', 'the', 'next', 'coming', 'upcoming'],
} as const;

/**
 * A sticky pattern over lower-cased text from a template: `<name>` stands for a group of the table above, a space for
 * white space, a space with a question mark for white space or none.
 */
export function say(template: string): RegExp {
  const filled = template.replace(/<(\w+)>/g, (_, name: string) => PARTS[name] ?? '');
  const spaced = filled.replaceAll(' ?', '\\s{0,3}').replaceAll(' ', '\\s{1,3}');
  return new RegExp(`${spaced}(?![${LETTER}])`, 'y');
}

/** A count and unit as they are written: digits, words, "couple of", "a few", "half a"; undefined for half a day and the like. */
export function amount(count: string, unit: string): { count: Count; unit: Unit } | undefined {
  if (count.startsWith('half')) return unit === 'year' ? { count: 6, unit: 'month' } : undefined;
  const number = countOf(count);
  if (unit === 'fortnight') return typeof number === 'number' ? { count: number * 2, unit: 'week' } : undefined;
  return isUnit(unit) ? { count: number, unit } : undefined;
}

/** A part of a period as it is named: "day", "weekend", "friday"; a week when it is none. */
export function partNamed(name: string): Part | 'month' {
  return name === 'day' || name === 'weekend' || name === 'month' ? name : (WEEKDAYS[name] ?? 'week');
}

/** "First", "3rd", "last" as a number, -1 for the last. */
export function nthNamed(name: string): number {
  return name === 'last' || name === 'final' ? -1 : (ORDINALS[name] ?? 1);
}

/** Last, this, next: how many periods on from the present one. */
export function offsetOf(word: string): -1 | 0 | 1 {
  if (word === 'last' || word === 'previous' || word === 'past') return -1;
  return word === 'next' || word === 'coming' || word === 'upcoming' ? 1 : 0;
}

function countOf(words: string): Count {
  if (/few|several/.test(words)) return VAGUE;
  if (words.includes('couple')) return 2;
  if (/^\d/.test(words)) return Number(words);
  const sum = words.split(/[\s-]+/).reduce((total, word) => total + (TENS[word] ?? COUNTS[word] ?? 0), 0);
  return sum || 1;
}

function isUnit(name: string): name is Unit {
  return ['minute', 'hour', 'day', 'weekend', 'week', 'month', 'quarter', 'year'].includes(name);
}

function names(table: Readonly<Record<string, unknown>>): string {
  return Object.keys(table)
    .sort((a, b) => b.length - a.length)
    .join('|');
}

/** The number of a year as it is written behind a date: "2024", "'24", "24", "last year". */
export function yearNumber(written: string, thisYear: number): number {
  if (/^\d{4}/.test(written)) return Number(written);
  if (/^'?\d/.test(written)) return 2000 + Number(written.replace("'", ''));
  return written.startsWith('last') ? thisYear - 1 : written.startsWith('next') ? thisYear + 1 : thisYear;
}
