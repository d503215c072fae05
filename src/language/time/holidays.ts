import type { Day } from '../../base/clock.js';
import { addDays, dayNumber, makeDay, type Period, weekdayOf } from './calendar.js';

/** A holiday in a year, with the days around it that people include ("over Christmas", 国庆期间). */
interface Holiday {
  /** Patterns for the English and the Chinese names, in lower case and without capturing groups. */
  readonly english: string;
  readonly chinese: string;
  /** The exact day of the holiday. */
  day(year: number): Day | undefined;
  days(year: number): Period | undefined;
}

/** A pattern that matches no name. */
const NO_NAME = '(?!)';

/**
 * Holidays with a date that can be computed, in the order in which a table of words lists them. Columns: the day, and how
 * many days before and after it people include · English names · Chinese names. A holiday without these names is one that
 * only other languages name by its own words.
 */
const TABLE = `
  12-25 1 1 / christmas(?: eve| day)?|xmas / 圣诞节?
  12-31 / new year'?s eve / 跨年夜?
  1-1 1 0 / new year(?!'?s eve)(?:'?s)?(?: day)? / 元旦
  easter 2 1 / good friday|easter(?: sunday| monday| weekend)? / 复活节
  12-24
  12-25
  12-26
  1-7 1 0
  orthodox-easter 2 1
  1-1 0 2
  2-14 / valentine(?:'?s)?(?: day)? / 情人节
  lunar-1-1 1 6 / (?:chinese|lunar) new year|spring festival / 春节|过年
  lunar-1-15 / lantern festival / 元宵节?
  4-4 0 2 / qingming / 清明节?
  5-1 0 4 / labor day|labour day / 五一|劳动节
  lunar-5-5 1 1 / dragon boat festival / 端午节?
  lunar-7-7 / qixi / 七夕
  lunar-8-15 1 1 / mid-autumn(?: festival)? / 中秋节?
  10-1 0 6 / golden week / 国庆节?|十一黄金周|十一
  10-31 / halloween / 万圣节
  11-11 / singles(?: |')day / 双十一
  thanksgiving 0 3 / thanksgiving / 感恩节
  black-friday / black friday / 黑色星期五`;

export const HOLIDAYS: readonly Holiday[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [when = '', english = NO_NAME, chinese = NO_NAME] = line.trim().split(' / ');
    const [name = '', before = 0, after = 0] = when.split(' ');
    const day = (year: number) => dayNamed(name, year);
    const days = (year: number) => {
      const itself = day(year);
      return itself && { since: addDays(itself, -Number(before)), until: addDays(itself, Number(after)) };
    };
    return { english, chinese, day, days };
  });

/** The names of the holidays in a language, as a column of its table. */
export function holidayNames(language: 'english' | 'chinese'): string {
  return HOLIDAYS.map((holiday) => holiday[language].replaceAll(' ', '_')).join(' ');
}

function dayNamed(name: string, year: number): Day | undefined {
  const [date = 0, month = 0] = name.split('-').map(Number).reverse();
  if (name.startsWith('lunar')) return lunarDay(year, month, date);
  if (name === 'easter') return easter(year);
  if (name === 'orthodox-easter') return orthodoxEaster(year);
  if (name === 'thanksgiving') return thanksgiving(year);
  return name === 'black-friday' ? addDays(thanksgiving(year), 1) : makeDay(year, month, date);
}

/** The fourth Thursday of November. */
function thanksgiving(year: number): Day {
  const first: Day = `${year}-11-01`;
  return addDays(first, ((4 - weekdayOf(first) + 7) % 7) + 21);
}

/** Western Easter Sunday, by the anonymous Gregorian computus. */
function easter(year: number): Day {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = Math.floor((a + 11 * d + 22 * e) / 451);
  const sum = d + e - 7 * f + 114;
  return makeDay(year, Math.floor(sum / 31), (sum % 31) + 1) ?? `${year}-04-01`;
}

/** Easter Sunday of the Eastern churches: computed in the Julian calendar and converted to the Gregorian. */
function orthodoxEaster(year: number): Day | undefined {
  const d = (19 * (year % 19) + 15) % 30;
  const e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7;
  const sum = d + e + 114;
  const julian = makeDay(year, Math.floor(sum / 31), (sum % 31) + 1);
  return julian && addDays(julian, Math.floor(year / 100) - Math.floor(year / 400) - 2);
}

let chineseCalendar: Intl.DateTimeFormat | undefined;

/**
 * A day of the Chinese calendar. `Intl` gives the Chinese date of a day, but not the day of a Chinese date. So all days on
 * which the date can fall are tried.
 */
function lunarDay(year: number, month: number, date: number): Day | undefined {
  chineseCalendar ??= new Intl.DateTimeFormat('en-u-ca-chinese', { timeZone: 'UTC', month: 'numeric', day: 'numeric' });
  // A Chinese year begins between 21 January and 20 February. Its months have 29 or 30 days; a leap month shifts the later
  // ones.
  const earliest = dayNumber(`${year}-01-20`) + Math.floor((month - 1) * 29.5) + date - 2;
  for (let number = earliest; number < earliest + 64; number++) {
    const parts = chineseCalendar.formatToParts(new Date(number * 86_400_000));
    const value = (type: string) => parts.find((part) => part.type === type)?.value;
    if (value('month') === String(month) && value('day') === String(date)) return addDays('1970-01-01', number);
  }
  return undefined;
}
