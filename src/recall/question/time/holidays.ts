import { addDays, dayNumber, makeDay, type Period, weekdayOf } from './calendar.js';

/** A holiday's days in a year: those around which people speak of it ("over Christmas", 国庆期间). */
export interface Holiday {
  /** Patterns without groups, lower case. */
  readonly english: string;
  readonly chinese: string;
  days(year: number): Period | undefined;
}

/** Public and popular holidays with a date that can be computed. */
export const HOLIDAYS: readonly Holiday[] = [
  { english: "new year(?:'?s)?(?: day| eve)?", chinese: '元旦', days: (year) => fixed(year, 1, 1, 1, 0) },
  { english: "valentine(?:'?s)?(?: day)?", chinese: '情人节', days: (year) => fixed(year, 2, 14, 0, 0) },
  {
    english: '(?:chinese|lunar) new year|spring festival',
    chinese: '春节|过年',
    days: (year) => lunar(year, 1, 1, 1, 6),
  },
  { english: 'lantern festival', chinese: '元宵节?', days: (year) => lunar(year, 1, 15, 0, 0) },
  {
    english: 'good friday|easter(?: sunday| monday| weekend)?',
    chinese: '复活节',
    days: (year) => around(easter(year), 2, 1),
  },
  { english: 'qingming', chinese: '清明节?', days: (year) => fixed(year, 4, 4, 0, 2) },
  { english: 'labou?r day', chinese: '五一|劳动节', days: (year) => fixed(year, 5, 1, 0, 4) },
  { english: 'dragon boat festival', chinese: '端午节?', days: (year) => lunar(year, 5, 5, 1, 1) },
  { english: 'qixi', chinese: '七夕', days: (year) => lunar(year, 7, 7, 0, 0) },
  { english: 'mid-autumn(?: festival)?', chinese: '中秋节?', days: (year) => lunar(year, 8, 15, 1, 1) },
  { english: 'golden week', chinese: '国庆节?|十一黄金周|十一', days: (year) => fixed(year, 10, 1, 0, 6) },
  { english: 'halloween', chinese: '万圣节', days: (year) => fixed(year, 10, 31, 0, 0) },
  { english: "singles(?: |')day", chinese: '双十一', days: (year) => fixed(year, 11, 11, 0, 0) },
  { english: 'thanksgiving', chinese: '感恩节', days: (year) => around(thanksgiving(year), 0, 3) },
  { english: 'black friday', chinese: '黑色星期五', days: (year) => around(addDays(thanksgiving(year), 1), 0, 0) },
  { english: 'christmas(?: eve| day)?|xmas', chinese: '圣诞节?', days: (year) => fixed(year, 12, 24, 0, 2) },
];

function around(day: string, before: number, after: number): Period {
  return { since: addDays(day, -before), until: addDays(day, after) };
}

function fixed(year: number, month: number, date: number, before: number, after: number): Period | undefined {
  const day = makeDay(year, month, date);
  return day === undefined ? undefined : around(day, before, after);
}

/** The fourth Thursday of November. */
function thanksgiving(year: number): string {
  const first = `${year}-11-01`;
  return addDays(first, ((4 - weekdayOf(first) + 7) % 7) + 21);
}

/** Western Easter Sunday, by the anonymous Gregorian computus. */
function easter(year: number): string {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = Math.floor((a + 11 * d + 22 * e) / 451);
  const sum = d + e - 7 * f + 114;
  return makeDay(year, Math.floor(sum / 31), (sum % 31) + 1) ?? `${year}-04-01`;
}

let chineseCalendar: Intl.DateTimeFormat | undefined;

/** A day of the Chinese calendar. The runtime knows that calendar; the day is searched where it can fall. */
function lunar(year: number, month: number, date: number, before: number, after: number): Period | undefined {
  chineseCalendar ??= new Intl.DateTimeFormat('en-u-ca-chinese', { timeZone: 'UTC', month: 'numeric', day: 'numeric' });
  // A Chinese year begins between 21 January and 20 February; its months last 29 or 30 days, a leap month moves the rest.
  const earliest = dayNumber(`${year}-01-20`) + Math.floor((month - 1) * 29.5) + date - 2;
  for (let number = earliest; number < earliest + 64; number++) {
    const parts = chineseCalendar.formatToParts(new Date(number * 86_400_000));
    const value = (type: string) => parts.find((part) => part.type === type)?.value;
    if (value('month') === String(month) && value('day') === String(date))
      return around(addDays('1970-01-01', number), before, after);
  }
  return undefined;
}
