import type { Day } from '../../../base/clock.js';
import {
  dateParts,
  dayPeriod,
  latestStartedPeriod,
  makeDay,
  monthPeriod,
  type Period,
  periodOfWholeMonths,
  thirdOf,
  weekPeriod,
  yearPeriod,
} from '../calendar.js';
import { halfOf, shiftDay } from '../distance.js';
import { meaningOfPeriod, NUMBER_MARKER, type Tense, type TimeMeaning, yearlyMeaning } from '../expression.js';
import { widenPeriodForAround } from '../grammar.js';
import { HOLIDAYS } from '../holidays.js';
import type { ChineseRule } from './edges.js';
import { CHINESE_SEASONS, CHINESE_YEARS, detectChineseTense, parseChineseNumber } from './words.js';

const NUMBER = '(?:\\d{1,2}|[一二三四五六七八九十]{1,3})';
export const NUMBER_PATTERN = `(${NUMBER})`;
/** Characters with which a number can begin. */
export const CHINESE_NUMBER_STARTS = `${NUMBER_MARKER}一二三四五六七八九十`;
/** Names of a part of a month or year, such as 底 ("end"). */
export const PERIOD_PART_PATTERN = '上旬|中旬|下旬|[上下]半月|[初中底末]';
/** The last characters of such names that can also begin a longer word. */
export const PERIOD_PART_LAST_CHARACTERS = '初中底末';

const YEARS = '大前去今本明后零〇';
const YEAR = '(?:\\d{4}\\s?|[一二三四五六七八九〇零]{4}|大前|[前去今本明后])年';
// 24年 is a year only if a part of the year follows. Alone it may also mean 24 years.
const SHORT_YEAR = '\\d{2}年';
const TO = '\\s?(?:到|至|-|–|—|~)\\s?';
const DAYS_TO = '\\s?(?:到|至|-|–|—|~|和|与|及|跟|、)\\s?';
const HOLIDAY_NAMES = HOLIDAYS.map(({ chinese }) => chinese).join('|');

// Text before 年中 or 月底 that rules out a part of a year or month: a count, a year or month in an unknown form, or the rest
// of a longer word (少年, 岁月).
const NO_PART =
  /每年$|[每\d一二三四五六七八九十个几多半百千去今明前后本当这上下同两近周青少成老童常全学财往历过岁蜜满赏]$/;

/** Rules for dates, months and years. If a time has a long and a short form, the rule of the long form comes first. */
export const CHINESE_DATE_RULES: readonly ChineseRule[] = [
  // 11月3日, 11月3日到5日, 11月3日和5日, 11月27日那周
  dateRule(
    '',
    `${TO}${NUMBER_PATTERN}\\s?月份?|月份?)`,
    `\\s?${NUMBER_PATTERN}\\s?(?:[日号]|(?=${DAYS_TO}${NUMBER}[日号]))(?:${DAYS_TO}(?:${NUMBER_PATTERN}\\s?月)?${NUMBER_PATTERN}\\s?[日号]){0,3}` +
      '(的?[那这当](?:一|个)?(?:周|星期|礼拜)(?![一二三四五六日天末])|[这那]一天)?',
    ([year = '', month = '', toMonth = '', day = '', dayMonth = '', toDay = '', week = '']) =>
      toMonth !== '' ? undefined : { year, month, toMonth: dayMonth, day, toDay, week },
  ),
  // 11月底
  dateRule(
    PERIOD_PART_LAST_CHARACTERS,
    `${TO}${NUMBER_PATTERN}\\s?月|月份?)`,
    `的?(${PERIOD_PART_PATTERN})`,
    ([year = '', month = '', toMonth = '', part = '']) => (toMonth !== '' ? undefined : { year, month, part }),
  ),
  // 11月, 10-12月
  dateRule('月', `${TO}${NUMBER_PATTERN}\\s?月份?|月份?)`, '', ([year = '', month = '', toMonth = '']) => ({
    year,
    month,
    toMonth,
  })),
  // 去年夏天, 2025年第三季度, 今年上半年, 去年年底
  {
    starts: CHINESE_NUMBER_STARTS + YEARS,
    pattern: new RegExp(
      `(${YEAR}|${SHORT_YEAR})的?\\s?(?:([春夏秋冬])[天季]|(?:第|q)?([一二三四1-4])(?:季度|(?<=q.))|([上下前后])半年|([前后])([一二两三四五六七八九十\\d]{1,2})个?(月|季度)|(${HOLIDAY_NAMES})|年?([初中底末]))`,
      'y',
    ),
    closing: PERIOD_PART_LAST_CHARACTERS,
    has: '年',
    read: ([year = '', ...parts], { today }) => meaningOfPeriod(readInYear(yearOf(year, today), parts)),
  },
  // 去年的今天
  {
    starts: CHINESE_NUMBER_STARTS + YEARS,
    pattern: new RegExp(`(${YEAR})的?\\s?(?:今[天日]|这个?时候|此时)`, 'y'),
    has: '年',
    read: ([written = ''], { today }) => {
      const year = yearOf(written, today);
      if (year === undefined) return undefined;
      const day = shiftDay(today, year - dateParts(today).year, 'year');
      return meaningOfPeriod(widenPeriodForAround(dayPeriod(day)));
    },
  },
  {
    starts: CHINESE_NUMBER_STARTS + YEARS,
    pattern: new RegExp(`(${YEAR})的?\\s?`, 'y'),
    has: '年',
    closing: '年',
    shortest: true,
    read: ([written = ''], { today, lenient }, { before, after }) => {
      const year = yearOf(written, today);
      // In "11个月, 2025年" the year is one of several figures.
      const isFigure = !lenient && /[,，、]\s?$/.test(before) && /^\s?(?:$|[,，、。.])/.test(after);
      return year === undefined || isFigure ? undefined : meaningOfPeriod(yearPeriod(year));
    },
  },
  // 年底, 月初; not 每月底, 少年中
  {
    starts: '年月',
    pattern: new RegExp(`([年月])(${PERIOD_PART_PATTERN})`, 'y'),
    closing: PERIOD_PART_LAST_CHARACTERS,
    read: ([unit = '', part = ''], { today, isName }, around) =>
      NO_PART.test(around.before) && !isName(around.position - 1)
        ? undefined
        : meaningOfPeriod(
            currentPart(unit, part, isBound(around.after) ? 'future' : detectChineseTense(around), today),
          ),
  },
  // 上半年, 下半年
  {
    starts: '上下',
    pattern: /([上下])半年/y,
    // A half-year that has begun is that of this year, whatever follows.
    read: ([half = ''], { today }) => {
      const make = (year: number) => periodOfWholeMonths(year, half === '上' ? 1 : 7, 6);
      const current = make(dateParts(today).year);
      return current.since <= today ? { period: current } : yearlyMeaning(today, make);
    },
  },
];

interface WrittenDate {
  readonly year: string;
  readonly month: string;
  readonly toMonth?: string;
  readonly day?: string;
  readonly toDay?: string;
  readonly week?: string;
  readonly part?: string;
}

function dateRule(
  closing: string,
  month: string,
  rest: string,
  name: (groups: readonly string[]) => WrittenDate | undefined,
): ChineseRule {
  return {
    starts: CHINESE_NUMBER_STARTS + YEARS,
    pattern: new RegExp(`(?:(${YEAR}|${SHORT_YEAR})的?\\s?)?${NUMBER_PATTERN}\\s?(?:${month}${rest}`, 'y'),
    closing,
    has: '月',
    read: (groups, { today }, around) => {
      const date = name(groups);
      if (!date || /(?:[第每个\d]|每年的?)$/.test(around.before)) return undefined;
      return readDate(date, today);
    },
  };
}

function readDate(date: WrittenDate, today: Day): TimeMeaning | undefined {
  const number = parseChineseNumber(date.month);
  if (!(number >= 1 && number <= 12)) return undefined;
  const make = (year: number) => inYear(date, year, number);
  const year = yearOf(date.year, today);
  const read = year === undefined ? yearlyMeaning(today, make) : meaningOfPeriod(make(year));
  return read && { ...read, range: (date.toDay ?? '') !== '' };
}

function inYear(
  { toMonth = '', day = '', toDay = '', week = '', part = '' }: WrittenDate,
  year: number,
  month: number,
) {
  const whole = periodOfWholeMonths(year, month, 1);
  const lastMonth = toMonth === '' ? month : parseChineseNumber(toMonth);
  const lastYear = lastMonth < month ? year + 1 : year;
  if (part !== '') return partOfPeriodByChineseName(whole, part);
  if (!(lastMonth >= 1 && lastMonth <= 12)) return undefined;
  if (day === '') return spanning(whole, periodOfWholeMonths(lastYear, lastMonth, 1));
  const first = periodOfDate(year, month, parseChineseNumber(day));
  if (first && /[周期拜]$/.test(week)) return weekPeriod(first.since);
  return toDay === '' ? first : spanning(first, periodOfDate(lastYear, lastMonth, parseChineseNumber(toDay)));
}

function spanning(first: Period | undefined, last: Period | undefined): Period | undefined {
  return first && last && last.until >= first.since ? { since: first.since, until: last.until } : undefined;
}

function readInYear(year: number | undefined, groups: readonly string[]): Period | undefined {
  const [season = '', quarter = '', half = '', end = '', count = '', unit = '', holiday = '', part = ''] = groups;
  if (year === undefined) return undefined;
  if (season !== '') return periodOfWholeMonths(year, CHINESE_SEASONS[season] ?? 3, 3);
  if (quarter !== '') return periodOfWholeMonths(year, parseChineseNumber(quarter) * 3 - 2, 3);
  if (half !== '') return periodOfWholeMonths(year, '上前'.includes(half) ? 1 : 7, 6);
  if (end !== '') return endOfYear(year, end, parseChineseNumber(count) * (unit === '月' ? 1 : 3));
  if (part !== '') return partOfPeriodByChineseName(yearPeriod(year), part);
  return HOLIDAYS.find(({ chinese }) => new RegExp(`^(?:${chinese})$`).test(holiday))?.days(year);
}

/** 今年前三个月, 去年后两个月. */
function endOfYear(year: number, end: string, months: number): Period | undefined {
  if (!(months >= 1 && months <= 12)) return undefined;
  return periodOfWholeMonths(year, end === '前' ? 1 : 13 - months, months);
}

function yearOf(written: string, today: Day): number | undefined {
  if (written === '') return undefined;
  const offset = CHINESE_YEARS[written];
  if (offset !== undefined) return dateParts(today).year + offset;
  const year = parseChineseNumber(written.replace(/\s?年$/, '').replaceAll('零', '〇'));
  if (/^\d{2}年$/.test(written)) return 2000 + year;
  return year >= 1000 ? year : undefined;
}

/** Whether a bound follows, as in 年底前 ("before the end of the year"). Then the coming end of the year is meant. */
function isBound(after: string): boolean {
  return /^(?:之前|以前|前)/.test(after);
}

/**
 * The period of 月底 or 年底 without a month or year. 月底 is the end of this month, or in the past tense the latest one that
 * has begun. 年底 may mean the end of this year or of the year before. Both are included, unless the tense decides.
 */
function currentPart(unit: string, part: string, tense: Tense, today: Day): Period | undefined {
  const third = thirdNamed(part);
  if (unit === '月') {
    const current = thirdOf(monthPeriod(today), third);
    return tense === 'past' && current.since > today ? thirdOf(monthPeriod(today, -1), third) : current;
  }
  const make = (year: number) => thirdOf(yearPeriod(year), third);
  const latest = latestStartedPeriod(today, make);
  const current = make(dateParts(today).year);
  if (tense === 'past') return latest;
  return tense === 'future' ? current : spanning(latest, current);
}

/** The third or the half of a period that 底 or 下半月 names. */
export function partOfPeriodByChineseName(period: Period, part: string): Period {
  return part.includes('半') ? halfOf(period, part.startsWith('上')) : thirdOf(period, thirdNamed(part));
}

function thirdNamed(part: string): 'early' | 'mid' | 'late' {
  if (part === '初' || part === '上旬') return 'early';
  return part === '中' || part === '中旬' ? 'mid' : 'late';
}

export function periodOfDate(year: number, month: number, date: number): Period | undefined {
  const day = makeDay(year, month, date);
  return day === undefined ? undefined : dayPeriod(day);
}
