import type { Day } from '../../../base/clock.js';
import { makeDay, type Period } from './calendar.js';
import { STARTS, say } from './english-pattern.js';
import { AMBIGUOUS, MONTHS } from './english-words.js';
import {
  DIGIT,
  endsPhrase,
  type Meaning,
  type Surroundings,
  type TimeContext,
  type TimeRule,
  yearly,
} from './expression.js';
import { standsAlone } from './literal.js';

const DATE = '(\\d{1,2})(?:st|nd|rd|th)?';
const TO = ' ?(?:-|–|—| to | through | until | till ) ?(?:the )?';
const YEAR = "(?:,? (?:of )?(\\d{4}|'\\d{2}))?";

/** Days with a month's name in the two usual orders, and ranges within the month: "Nov 27", "3–9 August 2025". */
export const DATE_RULES: readonly TimeRule[] = [
  {
    starts: [...STARTS.month, ...STARTS.weekday],
    needs: STARTS.month,
    pattern: say(`(?:<weekday>,? (?:the )?)?<month>,? (?:the )?${DATE}(?:${TO}${DATE}(?! (?:of )?<month>))?${YEAR}`),
    read: ([, month = '', first, last, , year], context, around) => readDate(month, first, last, year, context, around),
  },
  {
    starts: [DIGIT, 'the', ...STARTS.weekday],
    needs: STARTS.month,
    pattern: say(`(?:<weekday>,? )?(?:the )?${DATE}(?:${TO}${DATE})?(?: of)? <month>${YEAR}`),
    read: ([, first, last, month = '', year], context, around) => readDate(month, first, last, year, context, around),
  },
];

function readDate(
  month: string,
  first: string | undefined,
  last: string | undefined,
  written: string | undefined,
  context: TimeContext,
  around: Surroundings,
): Meaning | undefined {
  // "Nov 3pm", "nov 12:30", "You may 5 times …": no date.
  if (!standsAlone(around) || /^\s?(?:[ap]m\b|:\d)/.test(around.after)) return undefined;
  if (AMBIGUOUS.has(month) && !context.isCapital(around.position) && !endsPhrase(around)) return undefined;
  const make = (year: number): Period | undefined => {
    const since = dayIn(year, month, first);
    const until = last ? dayIn(year, month, last) : since;
    return since !== undefined && until !== undefined && since <= until ? { since, until } : undefined;
  };
  const period = written ? make(yearNumber(written)) : undefined;
  const found = written ? period && { period } : yearly(context.today, make);
  return found && { ...found, range: Boolean(last) };
}

function dayIn(year: number, month: string, date: string | undefined): Day | undefined {
  return makeDay(year, MONTHS[month] ?? 0, Number(date));
}

function yearNumber(written: string): number {
  return written.startsWith("'") ? 2000 + Number(written.slice(1)) : Number(written);
}
