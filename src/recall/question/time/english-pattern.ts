import { type Count, type Unit, VAGUE } from './distance.js';
import { COUNTS, MONTHS, ORDINALS, SEASONS, WEEKDAYS } from './english-words.js';

// "half a year" and "a couple of" are counts of several words; longer names stand first so that "sept" is not read as "sep".
const PARTS: Readonly<Record<string, string>> = {
  count: `(\\d{1,4}|half an?|(?:a |the )?couple(?: of)?|(?:a )?few|several|${names(COUNTS)})`,
  unit: '(minute|hour|day|weekend|week|fortnight|month|quarter|year)s?',
  period: '(week|weekend|month|quarter|year)',
  month: `(${names(MONTHS)})\\.?`,
  weekday: `(${names(WEEKDAYS)})\\.?`,
  season: `(${names(SEASONS)})`,
  ordinal: `(${names(ORDINALS)})`,
  last: '(last|previous|past|this|current|the same|next|coming|upcoming)',
};

/** A sticky pattern from a template: `<name>` stands for a group of the table above, a space for white space. */
export function say(template: string): RegExp {
  const filled = template.replace(/<(\w+)>/g, (_, name: string) => PARTS[name] ?? '');
  return new RegExp(`${filled.replaceAll(' ', '\\s{1,3}')}(?![\\p{L}\\p{N}_])`, 'iuy');
}

/** A count and unit as they are written: digits, words, "couple of", "a few", "half a"; undefined for half a day and the like. */
export function amount(count: string, unit: string): { count: Count; unit: Unit } | undefined {
  const words = count.toLowerCase();
  const name = unit.toLowerCase();
  if (words.startsWith('half')) return name === 'year' ? { count: 6, unit: 'month' } : undefined;
  const number = countOf(words);
  if (name === 'fortnight') return typeof number === 'number' ? { count: number * 2, unit: 'week' } : undefined;
  return isUnit(name) ? { count: number, unit: name } : undefined;
}

/** Last, this, next: how many periods on from the present one. */
export function offsetOf(word: string): -1 | 0 | 1 {
  const lower = word.toLowerCase();
  if (lower === 'last' || lower === 'previous' || lower === 'past') return -1;
  return lower === 'next' || lower === 'coming' || lower === 'upcoming' ? 1 : 0;
}

function countOf(words: string): Count {
  if (/few|several/.test(words)) return VAGUE;
  if (words.includes('couple')) return 2;
  return /^\d/.test(words) ? Number(words) : (COUNTS[words] ?? 1);
}

function isUnit(name: string): name is Unit {
  return ['minute', 'hour', 'day', 'weekend', 'week', 'month', 'quarter', 'year'].includes(name);
}

function names(table: Readonly<Record<string, unknown>>): string {
  return Object.keys(table)
    .sort((a, b) => b.length - a.length)
    .join('|');
}
