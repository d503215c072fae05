import type { Day } from '../../base/clock.js';
import { addDays, dayNumber, makeDay, type Period, weekdayOf } from './calendar.js';

/** A holiday in a year, with the days around it that people include ("over Christmas", 国庆期间). */
interface Holiday {
  /** Pattern for the English names, in lower case and without capturing groups. */
  readonly english: string;
  /** The first words of the English names. */
  readonly starts: readonly string[];
  readonly chinese: string;
  days(year: number): Period | undefined;
  /** The exact day of the holiday. */
  day(year: number): Day | undefined;
}

const NEW_YEARS_EVE = holiday("new year'?s eve", '跨年夜?', fixed(12, 31, 0, 0));
const NEW_YEAR = holiday("new year(?!'?s eve)(?:'?s)?(?: day)?", '元旦', fixed(1, 1, 1, 0));
const EASTER = holiday('good friday|easter(?: sunday| monday| weekend)?', '复活节', around(easter, 2, 1));
const CHRISTMAS = holiday('christmas(?: eve| day)?|xmas', '圣诞节?', fixed(12, 25, 1, 1));

/** Single days of Christmas, and holidays that only some languages have. */
const CHRISTMAS_EVE = fixed(12, 24, 0, 0);
const CHRISTMAS_DAY = fixed(12, 25, 0, 0);
const BOXING_DAY = fixed(12, 26, 0, 0);
const ORTHODOX_CHRISTMAS = fixed(1, 7, 1, 0);
const ORTHODOX_EASTER = around(orthodoxEaster, 2, 1);
/** The first days of January, 正月 in Japanese. */
const FIRST_DAYS_OF_YEAR = fixed(1, 1, 0, 2);

/** Public and popular holidays with a date that can be computed. */
export const HOLIDAYS: readonly Holiday[] = [
  NEW_YEARS_EVE,
  NEW_YEAR,
  holiday("valentine(?:'?s)?(?: day)?", '情人节', fixed(2, 14, 0, 0)),
  holiday('(?:chinese|lunar) new year|spring festival', '春节|过年', lunar(1, 1, 1, 6)),
  holiday('lantern festival', '元宵节?', lunar(1, 15, 0, 0)),
  EASTER,
  holiday('qingming', '清明节?', fixed(4, 4, 0, 2)),
  holiday('labor day|labour day', '五一|劳动节', fixed(5, 1, 0, 4)),
  holiday('dragon boat festival', '端午节?', lunar(5, 5, 1, 1)),
  holiday('qixi', '七夕', lunar(7, 7, 0, 0)),
  holiday('mid-autumn(?: festival)?', '中秋节?', lunar(8, 15, 1, 1)),
  holiday('golden week', '国庆节?|十一黄金周|十一', fixed(10, 1, 0, 6)),
  holiday('halloween', '万圣节', fixed(10, 31, 0, 0)),
  holiday("singles(?: |')day", '双十一', fixed(11, 11, 0, 0)),
  holiday('thanksgiving', '感恩节', around(thanksgiving, 0, 3)),
  holiday(
    'black friday',
    '黑色星期五',
    around((year) => addDays(thanksgiving(year), 1), 0, 0),
  ),
  CHRISTMAS,
];

/** The feasts in the order in which a table of words lists them. */
export const NAMED_HOLIDAYS: readonly (Pick<Holiday, 'day' | 'days'> & Partial<Holiday>)[] = [
  CHRISTMAS,
  NEW_YEARS_EVE,
  NEW_YEAR,
  EASTER,
  CHRISTMAS_EVE,
  CHRISTMAS_DAY,
  BOXING_DAY,
  ORTHODOX_CHRISTMAS,
  ORTHODOX_EASTER,
  FIRST_DAYS_OF_YEAR,
  ...HOLIDAYS.filter((day) => ![CHRISTMAS, NEW_YEARS_EVE, NEW_YEAR, EASTER].includes(day)),
];

/** The names of the feasts in a language, as a column of its table. */
export function holidayNames(language: 'english' | 'chinese'): string {
  return NAMED_HOLIDAYS.map((feast) => feast[language]?.replaceAll(' ', '_') ?? '(?!)').join(' ');
}

/** @param english a pattern. Its alternatives must be at the top level, because the first word of each is read after `|` */
function holiday(english: string, chinese: string, days: Pick<Holiday, 'day' | 'days'>): Holiday {
  const starts = [...english.matchAll(/(?:^|\||^\(\?:)([a-z]+)/g)].map(([, first = '']) => first);
  return { english, starts, chinese, ...days };
}

function around(day: Holiday['day'], before: number, after: number): Pick<Holiday, 'day' | 'days'> {
  return {
    day,
    days: (year) => {
      const itself = day(year);
      return itself === undefined ? undefined : { since: addDays(itself, -before), until: addDays(itself, after) };
    },
  };
}

function fixed(month: number, date: number, before: number, after: number): Pick<Holiday, 'day' | 'days'> {
  return around((year) => makeDay(year, month, date), before, after);
}

function lunar(month: number, date: number, before: number, after: number): Pick<Holiday, 'day' | 'days'> {
  return around((year) => lunarDay(year, month, date), before, after);
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
