import type { Day } from '../../../base/clock.js';
import {
  addDays,
  dayPeriod,
  latestDate,
  latestOver,
  makeDay,
  monthPeriod,
  monthsPeriod,
  type Period,
  partsOf,
  quarterPeriod,
  thirdOf,
  weekPeriod,
  yearPeriod,
} from './calendar.js';
import {
  CHINESE_DAYS,
  CHINESE_SEASONS,
  CHINESE_WEEKDAYS,
  CHINESE_YEARS,
  chineseAmount,
  chineseNumber,
} from './chinese-words.js';
import { ago, lastFew, VAGUE, weekend } from './distance.js';
import { type Meaning, meaning, type TimeRule, weekly, yearly } from './expression.js';
import { HOLIDAYS } from './holidays.js';

const N = '(\\d{1,2}|[一二三四五六七八九十]{1,3})';
const AMOUNT =
  '(\\d{1,3}|[一二两三四五六七八九十]{1,3}|好?几|数|半)\\s?个?(?:多)?(分钟|小时|钟头|天|日|周|星期|礼拜|月|季度|年)';
const YEAR = '(\\d{4}\\s?年|[一二三四五六七八九〇零]{4}年|大前年|前年|去年|今年|本年|明年|后年)的?\\s?';
const TO = '\\s?(?:到|至|-|–|—|~)\\s?';
// What makes a name of a season or holiday a time rather than a topic.
const AS_TIME = /^(?:节|假期?|长假|期间|前后|之前|以前|之后|以后|前|后|当天|那天|那几天|的时候|时|里|以来)/;
const HOLIDAY_NAMES = HOLIDAYS.map(({ chinese }) => chinese).join('|');

/** Times in Chinese. Earlier rules win. */
export const CHINESE_RULES: readonly TimeRule[] = [
  // 2025年11月27日, 11月27号, 十一月, 8月3日到9日, 11月底
  {
    pattern: new RegExp(
      `(?:${YEAR})?${N}\\s?月份?(?:\\s?${N}\\s?[日号](?:${TO}(?:${N}\\s?月)?${N}\\s?[日号])?|(初|上旬|中旬|下旬|底|末))?`,
      'uy',
    ),
    read: ([year = '', ...rest], { today }, { before }) =>
      /[第每个\d]$/.test(before) ? undefined : readDate(yearOf(year, today), rest, today),
  },
  // 去年夏天, 2025年第三季度, 今年上半年, 去年年底, 2025年
  {
    pattern: new RegExp(
      `${YEAR}(?:([春夏秋冬])[天季]|第?([一二三四1-4])季度|([上下])半年|年?([初中底末])|(${HOLIDAY_NAMES}))?`,
      'uy',
    ),
    read: ([year = '', ...parts], { today }) => meaning(readInYear(yearOf(year, today), parts)),
  },
  { pattern: new RegExp(`${AMOUNT}(?:之前|以前|前(?!后))`, 'uy'), read: readAmount(ago) },
  { pattern: new RegExp(`(?:最近|近|过去|这)的?${AMOUNT}(?:里|内|以来|来)?`, 'uy'), read: readAmount(lastFew) },
  {
    pattern: /(大?前天|大?后天(?!性)|[昨今明]天|[昨今明]日|[昨今明]晚|昨夜|今早)(?:上午|早上|中午|下午|晚上|夜里)?/uy,
    read: ([name = ''], { today }) => meaning(dayPeriod(addDays(today, CHINESE_DAYS[name] ?? 0))),
  },
  {
    pattern: /前(?:几|些|两)天/uy,
    read: (_, { today }) => meaning({ since: addDays(today, -VAGUE.to), until: addDays(today, -1) }),
  },
  // 上周, 上上周, 这个星期, 上周五, 上周末
  {
    pattern: /(上上|上|这|本|当|下下|下)个?(?:周|星期|礼拜)(末|[一二三四五六日天](?![一二三四五六七八九十]))?/uy,
    read: ([which = '', day = ''], { today }) => meaning(inWeek(today, offsetOf(which), day)),
  },
  {
    pattern: /(?:周|星期|礼拜)([一二三四五六日天])/uy,
    read: ([day = ''], { today, isName }, { before, position }) =>
      /[每逢双单一二两三四五六七八九十几\d个]$/.test(before) || isName(position)
        ? undefined
        : weekly(today, CHINESE_WEEKDAYS[day] ?? 1),
  },
  {
    pattern: /周末/uy,
    read: (_, { today }, { before }) =>
      /每个?$/.test(before) ? undefined : meaning(weekend(today, weekend(today, 0).since <= today ? 0 : -1)),
  },
  // 上个月, 本月底, 上个月3号
  {
    pattern: new RegExp(`(上上|上|这|本|当|下下|下)个?月(?:份)?(?:(初|上旬|中旬|下旬|中|底|末)|的?${N}[日号])?`, 'uy'),
    read: ([which = '', part = '', date = ''], { today }) => {
      const month = monthPeriod(today, offsetOf(which));
      if (date === '') return meaning(part === '' ? month : thirdOf(month, thirdNamed(part)));
      const { year, month: number } = partsOf(month.since);
      return meaning(dayIn(year, number, chineseNumber(date)));
    },
  },
  {
    pattern: /(上|这|本|下)个?季度/uy,
    read: ([which = ''], { today }) => meaning(quarterPeriod(today, offsetOf(which))),
  },
  {
    pattern: /第([一二三四1-4])季度/uy,
    read: ([quarter = ''], { today }) => yearly(today, (year) => monthsPeriod(year, chineseNumber(quarter) * 3 - 2, 3)),
  },
  {
    pattern: /(上个|这个)?([春夏秋冬])[天季]/uy,
    read: ([which, season = ''], { today, lenient }, { before, after }) => {
      const make = (year: number) => monthsPeriod(year, CHINESE_SEASONS[season] ?? 3, 3);
      if (which === '上个') return meaning(latestOver(today, make));
      return lenient || which === '这个' || /在$/.test(before) || AS_TIME.test(after) ? yearly(today, make) : undefined;
    },
  },
  ...HOLIDAYS.map(
    ({ chinese, days }): TimeRule => ({
      pattern: new RegExp(`(?:${chinese})`, 'uy'),
      read: (_, { today, lenient }, { before, after }) =>
        lenient || (AS_TIME.test(after) && !/[\p{Script=Han}]$/u.test(before.replace(/(?:在|从|自|到|的|，|。)$/u, '')))
          ? yearly(today, days)
          : undefined,
    }),
  ),
  // 27号那天
  {
    pattern: new RegExp(`${N}\\s?[日号]`, 'uy'),
    read: ([date = ''], { today, lenient }, { after }) =>
      lenient || /^(?:那天|当天|前后|之前|以前|之后|以后|左右)/.test(after)
        ? meaning(latestDate(today, chineseNumber(date)))
        : undefined,
  },
];

function readAmount(toPeriod: typeof ago): TimeRule['read'] {
  return ([written = '', unit = ''], context) => {
    const read = chineseAmount(written, unit);
    return read && meaning(toPeriod(read.count, read.unit, context));
  };
}

/** A month, a day, or a range of days; the groups of the date pattern behind the year. */
function readDate(year: number | undefined, groups: readonly string[], today: Day): Meaning | undefined {
  const [month = '', day = '', toMonth = '', toDay = '', part = ''] = groups;
  const number = chineseNumber(month);
  if (!(number >= 1 && number <= 12)) return undefined;
  const make = (inYear: number): Period | undefined => {
    const whole = monthsPeriod(inYear, number, 1);
    if (part !== '') return thirdOf(whole, thirdNamed(part));
    if (day === '') return whole;
    const since = dayIn(inYear, number, chineseNumber(day));
    if (!since || toDay === '') return since;
    const lastMonth = toMonth === '' ? number : chineseNumber(toMonth);
    const last = dayIn(lastMonth < number ? inYear + 1 : inYear, lastMonth, chineseNumber(toDay));
    return last && last.until >= since.since ? { since: since.since, until: last.until } : undefined;
  };
  const read = year === undefined ? yearly(today, make) : meaning(make(year));
  return read && { ...read, range: toDay !== '' };
}

function readInYear(year: number | undefined, groups: readonly string[]): Period | undefined {
  const [season = '', quarter = '', half = '', part = '', holiday = ''] = groups;
  if (year === undefined) return undefined;
  if (season !== '') return monthsPeriod(year, CHINESE_SEASONS[season] ?? 3, 3);
  if (quarter !== '') return monthsPeriod(year, chineseNumber(quarter) * 3 - 2, 3);
  if (half !== '') return monthsPeriod(year, half === '上' ? 1 : 7, 6);
  if (part !== '') return thirdOf(yearPeriod(year), thirdNamed(part));
  if (holiday === '') return yearPeriod(year);
  return HOLIDAYS.find(({ chinese }) => new RegExp(`^(?:${chinese})$`, 'u').test(holiday))?.days(year);
}

function yearOf(written: string, today: Day): number | undefined {
  if (written === '') return undefined;
  const offset = CHINESE_YEARS[written];
  if (offset !== undefined) return partsOf(today).year + offset;
  const year = chineseNumber(written.replace(/\s?年$/, '').replaceAll('零', '〇'));
  return year >= 1000 ? year : undefined;
}

function inWeek(today: Day, offset: number, day: string): Period {
  if (day === '末') return weekend(today, offset);
  const week = weekPeriod(today, offset);
  return day === '' ? week : dayPeriod(addDays(week.since, (CHINESE_WEEKDAYS[day] ?? 1) - 1));
}

function offsetOf(which: string): number {
  if (which.startsWith('上')) return -which.length;
  return which.startsWith('下') ? which.length : 0;
}

function thirdNamed(part: string): 'early' | 'mid' | 'late' {
  if (part === '初' || part === '上旬') return 'early';
  return part === '中' || part === '中旬' ? 'mid' : 'late';
}

function dayIn(year: number, month: number, date: number): Period | undefined {
  const day = makeDay(year, month, date);
  return day === undefined ? undefined : dayPeriod(day);
}
