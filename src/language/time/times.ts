import type { DateOrder } from '../../base/clock.js';
import { addAll } from '../../base/order.js';
import { hasHan, isAscii } from '../scripts.js';
import { blankRanges, lowerCaseAscii, toHalfWidth } from '../tokens.js';
import type { MomentWithCalendar } from './calendar.js';
import { noonOf } from './calendar.js';
import { hasTimeCue } from './cue.js';
import type { TimeContext, TimeExpression } from './expression.js';
import { applyModifier, joinTimeRanges, type TimeGrammar, textAroundTime } from './grammar.js';
import { detectLanguages, detectLineLanguages, type Language } from './languages/detect.js';
import { CHINESE_TIME_GRAMMAR, ENGLISH_TIME_GRAMMAR } from './languages/grammar.js';
import { foldAccents } from './languages/words.js';
import { DIGIT_DATE_GRAMMAR } from './literal.js';
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

type Loaded = ReadonlyMap<Language, TimeGrammar>;

/** The grammars that are always used. Dates in digits are the same in every language. */
const OWN: readonly TimeGrammar[] = [DIGIT_DATE_GRAMMAR, CHINESE_TIME_GRAMMAR, ENGLISH_TIME_GRAMMAR];
const shownNone: Loaded = new Map();

/**
 * Prepares to read the times of a text and its parts: loads the grammars of the languages in it. These grammars are used
 * before English and Chinese. A part that shows one of these languages is not read as English or Chinese.
 * @param dateOrder how 03/04/2026 is read; `auto`: month first in English, day first elsewhere
 */
export async function openTimeReader(text: string, dateOrder: DateOrder = 'auto'): Promise<TimeReader> {
  const shown = detectLineLanguages(text);
  const loaded: Loaded = shown.size === 0 ? shownNone : await grammarsOf(shown);
  return {
    mayRead: (part) => loaded.size > 0 || hasTimeCue(part),
    read: (part, options) => readTimes(part, loaded, dateOrder, options),
  };
}

async function grammarsOf(shown: ReadonlySet<Language>): Promise<Loaded> {
  const { timeGrammarOfLanguage } = await import('./languages/grammar.js');
  return new Map([...shown].map((language) => [language, timeGrammarOfLanguage(language)]));
}

function readTimes(
  part: string,
  loaded: Loaded,
  dateOrder: DateOrder,
  options: TimeReadOptions,
): readonly TimeMention[] {
  const isCued = hasTimeCue(part);
  if (!isCued && loaded.size === 0) return [];
  const narrow = toHalfWidth(part);
  const text = loaded.size > 0 ? foldAccents(narrow) : lowerCaseAscii(narrow);
  const shown = shownIn(part, loaded, isCued);
  const foreign = shown.length > 0 ? shown : [...loaded.values()];
  const read = shown.length > 0 ? [...foreign, DIGIT_DATE_GRAMMAR] : [...foreign, ...OWN];
  const today = options.dayOf(options.now);
  const context: TimeContext = {
    ...options,
    today,
    dateOrder: dateOrder === 'auto' ? (loaded.size > 0 || hasHan(text) ? 'dmy' : 'mdy') : dateOrder,
    lenient: options.lenient ?? false,
    isName: options.isName ?? (() => false),
    isCapital: (position) => narrow.charAt(position) !== narrow.charAt(position).toLowerCase(),
  };
  return placeAll(text, namedBy(read, text, context), read, context, options.policy);
}

/**
 * The grammars of the languages that a part shows. If only one grammar is loaded and the part has no cue of an English or
 * Chinese time, that grammar is used without detecting the language.
 */
function shownIn(part: string, loaded: Loaded, isCued: boolean): readonly TimeGrammar[] {
  if (loaded.size === 0) return [];
  if (loaded.size === 1 && !isCued) return [...loaded.values()];
  return [...detectLanguages(part)].flatMap((language) => loaded.get(language) ?? []);
}

/** The times that the grammars find. A grammar does not read text in which an earlier one found a time. */
function namedBy(grammars: readonly TimeGrammar[], text: string, context: TimeContext): readonly TimeExpression[] {
  const found: TimeExpression[] = [];
  let rest = text;
  for (const grammar of grammars) {
    const named = grammar.read(rest, context);
    rest = blankRanges(rest, named);
    addAll(found, named);
  }
  return found.sort((a, b) => a.start - b.start);
}

function placeAll(
  text: string,
  named: readonly TimeExpression[],
  read: readonly TimeGrammar[],
  { today, lenient }: TimeContext,
  policy: TimePolicy,
): readonly TimeMention[] {
  if (named.length === 0) return [];
  // In ASCII text there are no Chinese words beside a time, so the words of the Chinese grammar are not tried. The
  // patterns of Chinese ranges are still tried, because a dash may join two times.
  const grammars = isAscii(text) ? read.filter((grammar) => grammar !== CHINESE_TIME_GRAMMAR) : read;
  const bends = grammars.flatMap((grammar) => grammar.bends ?? []);
  const mentions: TimeMention[] = [];
  let from = 0;
  for (const time of joinTimeRanges(
    text,
    named,
    read.flatMap(({ ranges }) => ranges ?? []),
  )) {
    const bent = applyModifier(text, applyModifier(text, time, from, bends), from, bends);
    const last = mentions.at(-1);
    const mention = policy({
      named: time,
      bent,
      beside: textAroundTime(text, bent, from),
      today,
      since: last?.isPeriod && last.span.until === null ? last.span.since : null,
      grammars,
      isHabit: () => !lenient && grammars.some(({ habit }) => habit?.test(text)),
      saysPast: () => grammars.some(({ saysPast }) => saysPast?.(text)),
      tense: () => (lenient ? 'unsaid' : tenseOf(text, time, grammars)),
    });
    if (mention) mentions.push(mention);
    from = time.end;
  }
  return mentions;
}

function tenseOf(text: string, time: TimeExpression, grammars: readonly TimeGrammar[]) {
  for (const grammar of grammars) {
    const tense = grammar.tense?.(text, time);
    if (tense !== undefined) return tense;
  }
  return 'past';
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
export async function makeRelativeTimeTest(text: string, dateOrder?: DateOrder): Promise<(line: string) => boolean> {
  const times = await openTimeReader(text, dateOrder);
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
