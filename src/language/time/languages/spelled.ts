import type { ParsedResult } from 'chrono-node';
import { dayPeriod, makeDay, type Period, partsOf } from '../calendar.js';
import { type Expression, type Meaning, meaning, type TimeContext, yearly } from '../expression.js';

/** The languages of which chrono-node reads dates that our tables do not: ordinals in words, the years of an emperor. */
const LOCALES = {
  nl: () => import('chrono-node/nl'),
  ru: () => import('chrono-node/ru'),
  ja: () => import('chrono-node/ja'),
};

export type SpelledLocale = keyof typeof LOCALES;

/**
 * Reads days of a month as chrono-node does. It is loaded only for a text that seems to have one, and what it assumes
 * about a missing year is not used; nor are its relative times, of which it takes some for others.
 */
export async function spelledDates(
  locale: SpelledLocale,
  pattern: RegExp,
): Promise<(text: string, context: TimeContext) => readonly Expression[]> {
  const { strict } = await LOCALES[locale]();
  return (text, context) => {
    const { year, month, date } = partsOf(context.today);
    // Noon of the machine's own zone: chrono computes in that zone, and no clock change comes near the day's end.
    return strict.parse(text, new Date(year, month - 1, date, 12)).flatMap((result) => {
      const meant = pattern.test(result.text) ? dayOf(result, context) : undefined;
      return meant ? { ...meant, start: result.index, end: result.index + result.text.trimEnd().length } : [];
    });
  };
}

function dayOf({ start, end }: ParsedResult, { today }: TimeContext): Meaning | undefined {
  if (end || !start.isCertain('month') || !start.isCertain('day')) return undefined;
  const make = (year: number): Period | undefined => {
    const day = makeDay(year, start.get('month') ?? 0, start.get('day') ?? 0);
    return day === undefined ? undefined : dayPeriod(day);
  };
  return start.isCertain('year') ? meaning(make(start.get('year') ?? 0)) : yearly(today, make);
}
