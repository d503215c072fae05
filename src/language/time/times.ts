import type { DateOrder } from '../../base/clock.js';
import { addAll } from '../../base/order.js';
import { hasHan } from '../scripts.js';
import { blankRanges, lowerCaseAscii, toHalfWidth } from '../tokens.js';
import type { MomentWithCalendar } from './calendar.js';
import { noonOf } from './calendar.js';
import { hasTimeCue } from './cue.js';
import type { TimeContext, TimeExpression } from './expression.js';
import { applyModifier, joinTimeRanges, type TimeGrammar, textAroundTime } from './grammar.js';
import { detectLanguages, detectLineLanguages, type Language } from './languages/detect.js';
import { timeGrammarOf } from './languages/grammar.js';
import { foldAccents } from './languages/words.js';
import { readDigitDates } from './literal.js';
import type { TimeMention, TimePolicy } from './policy.js';
import { QUESTION_POLICY, STATEMENT_POLICY } from './policy.js';

export interface TimeReadOptions extends MomentWithCalendar {
  readonly policy: TimePolicy;
  /** Whether the whole text is a time, such as the value of an option. */
  readonly lenient?: boolean;
  /** Whether the text names a known entity at a position. */
  readonly isName?: (position: number) => boolean;
}

/** A reader of times in the languages of a text. */
export interface TimeReader {
  /**
   * A quick test whether a text may name a time. If the test is false for a text, it is also false for every part of the
   * text. Such a part must begin and end between words.
   */
  mayRead(text: string): boolean;
  /**
   * The times that a part of the text names, in order. Synchronous, pure, linear in the part. Code spans must be blanked
   * first.
   */
  read(part: string, options: TimeReadOptions): readonly TimeMention[];
}

/**
 * Prepares to read the times of a text and its parts in the languages that the text shows. The grammars of these languages
 * are used before those of English and Chinese. A part that shows one of these languages is not read as English or Chinese.
 * @param dateOrder how 03/04/2026 is read; `auto`: month first in English, day first elsewhere
 */
export function openTimeReader(text: string, dateOrder: DateOrder = 'auto'): TimeReader {
  const shown = [...detectLineLanguages(text)];
  return {
    mayRead: (part) => shown.length > 0 || hasTimeCue(part),
    read: (part, options) => readTimes(part, shown, dateOrder, options),
  };
}

function readTimes(
  part: string,
  shown: readonly Language[],
  dateOrder: DateOrder,
  options: TimeReadOptions,
): readonly TimeMention[] {
  const isCued = hasTimeCue(part);
  if (!isCued && shown.length === 0) return [];
  const narrow = toHalfWidth(part);
  const text = shown.length > 0 ? foldAccents(narrow) : lowerCaseAscii(narrow);
  const own = shownIn(part, shown, isCued);
  const [first, then] = own.length > 0 ? [own, []] : [shown, hasHan(text) ? HAN_LANGUAGES : ENGLISH_ALONE];
  const grammars = [...first, ...then].map(timeGrammarOf);
  const today = options.dayOf(options.now);
  const context: TimeContext = {
    ...options,
    today,
    dateOrder: dateOrder === 'auto' ? (shown.length > 0 || hasHan(text) ? 'dmy' : 'mdy') : dateOrder,
    lenient: options.lenient ?? false,
    isName: options.isName ?? (() => false),
    isCapital: (position) => narrow.charAt(position) !== narrow.charAt(position).toLowerCase(),
  };
  const readers: TimeGrammar['read'][] = grammars.map(({ read }) => read);
  readers.splice(first.length, 0, readDigitDates);
  return placeAll(text, namedBy(readers, text, context), grammars, context, options.policy);
}

const ENGLISH_ALONE = ['en'] as const;
const HAN_LANGUAGES = ['zh', 'en'] as const;

/**
 * The languages that a part shows. If the whole text shows only one language and the part has no cue of an English or
 * Chinese time, the part is read in that language.
 */
function shownIn(part: string, shown: readonly Language[], isCued: boolean): readonly Language[] {
  if (shown.length === 0 || (shown.length === 1 && !isCued)) return shown;
  return [...detectLanguages(part)].filter((language) => shown.includes(language));
}

/** The times that the readers find. A reader does not read text in which an earlier one found a time. */
function namedBy(
  readers: readonly TimeGrammar['read'][],
  text: string,
  context: TimeContext,
): readonly TimeExpression[] {
  const found: TimeExpression[] = [];
  let rest = text;
  for (const read of readers) {
    const named = read(rest, context);
    rest = blankRanges(rest, named);
    addAll(found, named);
  }
  return found.sort((a, b) => a.start - b.start);
}

function placeAll(
  text: string,
  named: readonly TimeExpression[],
  grammars: readonly TimeGrammar[],
  { today, lenient }: TimeContext,
  policy: TimePolicy,
): readonly TimeMention[] {
  if (named.length === 0) return [];
  const bends = grammars.flatMap((grammar) => grammar.bends);
  const ranges = grammars.map((grammar) => grammar.ranges);
  const mentions: TimeMention[] = [];
  let from = 0;
  for (const time of joinTimeRanges(text, named, ranges)) {
    const bent = applyModifier(text, applyModifier(text, time, from, bends), from, bends);
    const last = mentions.at(-1);
    const mention = policy({
      named: time,
      bent,
      beside: textAroundTime(text, bent, from),
      today,
      since: last?.isPeriod && last.span.until === null ? last.span.since : null,
      grammars,
      isHabit: () => !lenient && grammars.some(({ habit }) => habit.test(text)),
      saysPast: () => grammars.some(({ saysPast }) => saysPast?.(text)),
      tense: () => (lenient ? 'unsaid' : (grammars[0]?.tense(text, time) ?? 'past')),
    });
    if (mention) mentions.push(mention);
    from = time.end;
  }
  return mentions;
}

/**
 * Two days with different weekdays, months and years. A line is read twice: as if it were written on the first day, and
 * on the second. If the two readings give different days, the meaning of the line depends on its day.
 */
const ANY_DAYS = ['2021-03-10', '2024-10-26'] as const;

/**
 * Makes a test for lines that name a time whose meaning depends on the day of the line: "yesterday", "on Friday", "until the
 * 5th of March".
 */
export function makeRelativeTimeTest(text: string, dateOrder?: DateOrder): (line: string) => boolean {
  const times = openTimeReader(text, dateOrder);
  return (line) => {
    if (!times.mayRead(line)) return false;
    const [one, other] = ANY_DAYS.map((day) => spansOn(line, day, times));
    return one !== other;
  };
}

function spansOn(line: string, day: (typeof ANY_DAYS)[number], times: TimeReader): string {
  // The policy for statements ignores a weekday alone, and the policy for questions ignores a duration in the future. The
  // meaning of both depends on the day, so the line is read with both policies.
  const mentions = [QUESTION_POLICY, STATEMENT_POLICY].flatMap((policy) =>
    times.read(line, { ...noonOf(day), policy }),
  );
  return JSON.stringify(mentions.map(({ span }) => span));
}
