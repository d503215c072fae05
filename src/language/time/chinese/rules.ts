import type { Day } from '../../../base/clock.js';
import {
  addDays,
  addMonths,
  dateParts,
  dayPeriod,
  latestDayWithDate,
  latestEndedPeriod,
  monthPeriod,
  type Period,
  periodOfWholeMonths,
  quarterPeriod,
  weekPeriod,
  widenPeriod,
  yearPeriod,
} from '../calendar.js';
import {
  latestWeekend,
  periodAtDistanceFromToday,
  rollingPeriod,
  shiftDay,
  VAGUE_COUNT_RANGE,
  weekendPeriod,
} from '../distance.js';
import {
  meaningOfEveryWeekday,
  meaningOfPeriod,
  recurringMeaning,
  type TimeContext,
  type TimeRule,
  yearlyMeaning,
} from '../expression.js';
import { HOLIDAYS } from '../holidays.js';
import {
  CHINESE_DATE_RULES,
  CHINESE_NUMBER_STARTS,
  NUMBER_PATTERN,
  PERIOD_PART_LAST_CHARACTERS,
  PERIOD_PART_PATTERN,
  partOfPeriodByChineseName,
  periodOfDate,
} from './dates.js';
import { type ChineseRule, endsLongerWord, LazyPattern, startsLongerWord } from './edges.js';
import {
  CHINESE_DAYS,
  CHINESE_SEASONS,
  CHINESE_UNITS,
  CHINESE_WEEKDAYS,
  parseChineseAmount,
  parseChineseNumber,
} from './words.js';

const AMOUNT =
  '(\\d{1,3}|[一二两三四五六七八九十]{1,3}|十几|几十|好?几|数|半)\\s?个?(多?)半?(分钟|小时|钟头|天|日|周|星期|礼拜|月|季度|年)(多?)';
const WHICH = '(上上|上|这|本|当|下下|下)一?个?';
const WEEK = '(?:周|星期|礼拜)';
const WEEKDAYS = '一二三四五六日天';
// 周五一 does not name a Friday, but 周五一起 does.
const WEEKDAY = '[一二三四五六日天](?![二三四五六七八九十]|一(?![共起直些样定切]))';
// Words after the name of a season or holiday that show that the name is a time and not a topic.
const AS_TIME = /^(?:节|假期?|长假|期间|前后|之前|以前|之后|以后|前|后|当天|那天|那几天|的时候|时|里|以来)/;

const RULES: readonly ChineseRule[] = [
  ...CHINESE_DATE_RULES,
  // 两年半前, 三个半月前
  {
    starts: `${CHINESE_NUMBER_STARTS}两`,
    pattern: /(\d{1,2}|[一二两三四五六七八九十]{1,3})(?:(年)半|个半(月))(?:之前|以前|前)/y,
    closing: '前',
    has: '前',
    read: ([written = '', year = '', month = ''], context) => {
      const read = parseChineseAmount(written, year + month);
      if (typeof read?.count !== 'number') return undefined;
      if (year !== '') return meaningOfPeriod(periodAtDistanceFromToday(read.count * 12 + 6, 'month', context));
      return meaningOfPeriod(widenPeriod(dayPeriod(addDays(addMonths(context.today, -read.count), -15)), 15));
    },
  },
  {
    starts: `${CHINESE_NUMBER_STARTS}两好几数半`,
    pattern: new RegExp(`${AMOUNT}(?:之前|以前|前)`, 'y'),
    closing: '前',
    has: '前',
    read: readAmount(periodAtDistanceFromToday),
  },
  // 三天后; not 上线三天后
  {
    starts: `${CHINESE_NUMBER_STARTS}两几`,
    pattern: new RegExp(`${AMOUNT}(?:之后|以后|后(?![端台面来续期天缀果悔勤]))`, 'y'),
    closing: '后',
    has: '后',
    read: (groups, context, around) =>
      /(?:^|[\s，。？！：；、,.?!:;]|[我你您他她它们将会要在于定计再])$/.test(around.before)
        ? readAmount((count, unit, from) => periodAtDistanceFromToday(count, unit, from, 1))(groups, context, around)
        : undefined,
  },
  {
    starts: '最近过这',
    pattern: new RegExp(`(?:最近|近|过去|这(?!一[天日]))的?${AMOUNT}(?:里|内|以来|来)?`, 'y'),
    read: readAmount(rollingPeriod),
  },
  {
    starts: '大前后昨今明',
    pattern:
      /(大?前天(?![津猫])|大?后天(?!性|免疫)|[昨今明]天|[昨今明]日(?!头条|方舟)|[昨今明]晚|昨夜|今早)(?:上午|早上|中午|下午|晚上|夜里)?/y,
    read: ([name = ''], { today }) => meaningOfPeriod(dayPeriod(addDays(today, CHINESE_DAYS[name] ?? 0))),
  },
  {
    starts: '前',
    pattern: /前([几些两])个?(天|周|星期|礼拜|月|年)/y,
    read: ([few, name = ''], { today }) => {
      const unit = CHINESE_UNITS[name] ?? 'day';
      // 前两天 means "the other day". 前两周 means about two weeks.
      const reach = few === '两' && unit !== 'day' ? 3 : VAGUE_COUNT_RANGE.to;
      return meaningOfPeriod({ since: shiftDay(today, -reach, unit), until: addDays(today, -1) });
    },
  },
  // 上周五, 上周末, 上周三和周四
  {
    starts: '上这本当下',
    pattern: new RegExp(`${WHICH}${WEEK}(末|${WEEKDAY})(?:(?:(?:[和与及跟]|、)${WEEK}|、)(${WEEKDAY})){0,6}`, 'y'),
    closing: `末${WEEKDAYS}`,
    read: ([which = '', first = '', last = ''], { today }) => {
      const { since } = inWeek(today, offsetOf(which), first);
      const { until } = inWeek(today, offsetOf(which), last || first);
      return since <= until ? meaningOfPeriod({ since, until }) : undefined;
    },
  },
  // 上周, 上上周, 这个星期
  {
    starts: '上这本当下',
    pattern: new RegExp(`${WHICH}${WEEK}`, 'y'),
    closing: '周',
    shortest: true,
    read: ([which = ''], { today }) => meaningOfPeriod(weekPeriod(today, offsetOf(which))),
  },
  {
    starts: '周星礼',
    pattern: new RegExp(`(?:周|星期|礼拜)(${WEEKDAY})`, 'y'),
    closing: WEEKDAYS,
    read: ([day = ''], { today }, around) =>
      /(?:[每逢双单几\d个]|(?<![周期拜])[一二两三四五六七八九十])$/.test(around.before)
        ? undefined
        : meaningOfEveryWeekday(today, CHINESE_WEEKDAYS[day] ?? 1),
  },
  {
    starts: '周',
    pattern: /周末/y,
    closing: '末',
    read: (_, { today }, around) =>
      /每个?$/.test(around.before)
        ? undefined
        : recurringMeaning(today, 7, (anchor) => ({ period: latestWeekend(anchor) })),
  },
  // 上个月3号, 本月底
  {
    starts: '上这本当下',
    pattern: new RegExp(`${WHICH}月份?(?:的?(${PERIOD_PART_PATTERN})|的?${NUMBER_PATTERN}[日号])`, 'y'),
    closing: PERIOD_PART_LAST_CHARACTERS,
    has: '月',
    read: ([which = '', part = '', date = ''], { today }) => {
      const month = monthPeriod(today, offsetOf(which));
      if (date === '') return meaningOfPeriod(partOfPeriodByChineseName(month, part));
      const { year, month: number } = dateParts(month.since);
      return meaningOfPeriod(periodOfDate(year, number, parseChineseNumber(date)));
    },
  },
  {
    starts: '上这本当下',
    pattern: new RegExp(`${WHICH}(月份?|季度)`, 'y'),
    closing: '月',
    shortest: true,
    read: ([which = '', unit = ''], { today }) =>
      meaningOfPeriod((unit === '季度' ? quarterPeriod : monthPeriod)(today, offsetOf(which))),
  },
  {
    starts: '上下',
    pattern: /([上下])一年/y,
    closing: '年',
    read: ([which = ''], { today }) => meaningOfPeriod(yearPeriod(dateParts(today).year + offsetOf(which))),
  },
  {
    starts: '第一二三四1234',
    pattern: new RegExp(`第?([一二三四1-4])季度(?!假)(?:的?(${PERIOD_PART_PATTERN}))?`, 'y'),
    closing: PERIOD_PART_LAST_CHARACTERS,
    has: '季',
    read: ([quarter = '', part = ''], { today }, { before }) =>
      /[\d一二三四五六七八九十两几每]$/.test(before)
        ? undefined
        : yearlyMeaning(today, (year) => {
            const whole = periodOfWholeMonths(year, parseChineseNumber(quarter) * 3 - 2, 3);
            return part === '' ? whole : partOfPeriodByChineseName(whole, part);
          }),
  },
  {
    starts: '上这春夏秋冬',
    pattern: /(上个|这个)?([春夏秋冬])[天季]/y,
    read: ([which, season = ''], { today, lenient }, { before, after }) => {
      const make = (year: number) => periodOfWholeMonths(year, CHINESE_SEASONS[season] ?? 3, 3);
      if (which === '上个') return meaningOfPeriod(latestEndedPeriod(today, make));
      return lenient || which === '这个' || /在$/.test(before) || AS_TIME.test(after)
        ? yearlyMeaning(today, make)
        : undefined;
    },
  },
  ...HOLIDAYS.map(
    ({ chinese, days }): TimeRule => ({
      starts: chinese.replace(/[节?|]/g, ''),
      pattern: new RegExp(`(?:${chinese})`, 'y'),
      read: (_, { today, lenient }, { before, after }) =>
        lenient || (AS_TIME.test(after) && !/[\u4e00-\u9fff]$/.test(before.replace(/[在从自到的]$/, '')))
          ? yearlyMeaning(today, days)
          : undefined,
    }),
  ),
  // 27号那天
  {
    starts: CHINESE_NUMBER_STARTS,
    pattern: new RegExp(`${NUMBER_PATTERN}\\s?[日号]`, 'y'),
    has: '日号',
    read: ([date = ''], { today, lenient }, { after }) =>
      lenient || /^(?:那天|当天|前后|之前|以前|之后|以后|左右)/.test(after)
        ? recurringMeaning(today, 31, (anchor) => meaningOfPeriod(latestDayWithDate(anchor, parseChineseNumber(date))))
        : undefined,
  },
];

/** Times in Chinese. Earlier rules win. */
export const CHINESE_RULES: readonly TimeRule[] = RULES.map(atEdges);

/** 从前 is a word of its own ("formerly"), but in 从前天起 ("since the day before yesterday") 前 begins a time. */
const SINCE_DAY = /^从(?:起|开始|以来|到|就|[早晚夜上下])/;

/** Makes a rule that reads a time only if its characters are not parts of longer words or names. */
function atEdges({ shortest = false, closing = '', has = '', ...rule }: ChineseRule): TimeRule {
  return {
    ...rule,
    pattern:
      has === '' ? new RegExp(`(${rule.pattern.source})`, 'y') : new LazyPattern(has, `(${rule.pattern.source})`),
    read: ([time = '', ...groups], context, around) => {
      const last = time.slice(-1);
      const cut =
        (endsLongerWord(time.charAt(0), around.before) && !SINCE_DAY.test(around.before.slice(-1) + around.after)) ||
        (closing.includes(last) && startsLongerWord(last, around.after)) ||
        cutsName(context, around.position, around.position + time.length, shortest);
      return cut ? undefined : rule.read(groups, context, around);
    },
  };
}

/**
 * Whether a time is only a part of a known name, such as 明天 in 李明天. If a name begins inside the time (周一鸣 in 上周一鸣), the
 * end belongs to the name, unless the time has no shorter form.
 */
function cutsName({ isName }: TimeContext, start: number, end: number, shortest: boolean): boolean {
  if (!isName(start)) return !shortest && isName(end - 1) && isName(end);
  if (isName(start - 1)) return true;
  let until = start;
  while (until < end && isName(until)) until++;
  return until === end && isName(end);
}

function readAmount(toPeriod: typeof periodAtDistanceFromToday): TimeRule['read'] {
  return ([written = '', more = '', unit = '', over = ''], context) => {
    const read = parseChineseAmount(written + (more || over), unit);
    return read && meaningOfPeriod(toPeriod(read.count, read.unit, context));
  };
}

function inWeek(today: Day, offset: number, day: string): Period {
  if (day === '末') return weekendPeriod(today, offset);
  const week = weekPeriod(today, offset);
  return dayPeriod(addDays(week.since, (CHINESE_WEEKDAYS[day] ?? 1) - 1));
}

function offsetOf(which: string): number {
  if (which.startsWith('上')) return -which.length;
  return which.startsWith('下') ? which.length : 0;
}
