import { mapWordsToNumbers } from '../../tokens.js';
import { type CountOrRange, type TimeUnit, VAGUE_COUNT_RANGE } from '../distance.js';
import type { Tense, TextAroundMatch } from '../expression.js';

const DIGITS = mapWordsToNumbers('零/〇 一 二/两 三 四 五 六 七 八 九', 0);

export const CHINESE_UNITS: Readonly<Record<string, TimeUnit>> = {
  分钟: 'minute',
  小时: 'hour',
  钟头: 'hour',
  天: 'day',
  日: 'day',
  周: 'week',
  星期: 'week',
  礼拜: 'week',
  月: 'month',
  季度: 'quarter',
  年: 'year',
};

/** Days named by their distance from today. */
export const CHINESE_DAYS = mapWordsToNumbers(
  '大前天 前天 昨天/昨日/昨晚/昨夜 今天/今日/今早/今晚 明天/明日/明晚 后天 大后天',
  -3,
);

export const CHINESE_YEARS = mapWordsToNumbers('大前年 前年 去年 今年/本年 明年 后年', -3);

/** First month of a season; see the English table. */
export const CHINESE_SEASONS = mapWordsToNumbers('春 夏 秋 冬', 3, 3);

/** 1 = Monday … 7 = Sunday. 末 means the weekend and is read by another rule. */
export const CHINESE_WEEKDAYS = mapWordsToNumbers('一 二 三 四 五 六 日/天');

/** Parses a number in digits or Chinese numerals. A year is written digit by digit (二〇二五). NaN for any other text. */
export function parseChineseNumber(written: string): number {
  if (/^\d+$/.test(written)) return Number(written);
  if (!/^[零〇一二两三四五六七八九十]+$/.test(written)) return Number.NaN;
  if (!written.includes('十')) return Number([...written].map((digit) => DIGITS[digit]).join(''));
  const [tens = '', ones = '', ...rest] = written.split('十');
  if (rest.length > 0 || tens.length > 1 || ones.length > 1) return Number.NaN;
  return (tens === '' ? 1 : (DIGITS[tens] ?? Number.NaN)) * 10 + (ones === '' ? 0 : (DIGITS[ones] ?? Number.NaN));
}

/**
 * A count before a unit: 三, 30, 几 (vague), 十几 (11 to 19), 两三 (two to three), 十多 (ten to nineteen), 半 (half, of months
 * and years only).
 */
export function parseChineseAmount(
  written: string,
  unitName: string,
): { count: CountOrRange; unit: TimeUnit } | undefined {
  const unit = CHINESE_UNITS[unitName];
  if (unit === undefined) return undefined;
  if (written === '半') {
    if (unit === 'month') return { count: 2, unit: 'week' };
    return unit === 'year' ? { count: 6, unit: 'month' } : undefined;
  }
  const count = countOf(written);
  return count === undefined ? undefined : { count, unit };
}

function countOf(written: string): CountOrRange | undefined {
  if (written === '十几') return { from: 11, to: 19 };
  if (written === '几十') return { from: 20, to: 90 };
  if (/[几数]/.test(written)) return VAGUE_COUNT_RANGE;
  const [first = '', second = ''] = [...written];
  if (/^[一二两三四五六七八九]{2}$/.test(written)) return { from: DIGITS[first] ?? 2, to: DIGITS[second] ?? 7 };
  const count = parseChineseNumber(written.replace('多', ''));
  if (Number.isNaN(count)) return undefined;
  return written.endsWith('多') ? { from: count, to: count + (count < 10 ? 1 : 9) } : count;
}

const COMING =
  /(?:将(?![军来近])|(?<![开例周年晚早班社机的聚组大议宴布事审享论唱长学谈日话站盘通动约协工员误体])会(?![议上话员前后场计面见谈了])|(?<![重主需只必纪摘概提简])要(?![求点闻素件了过])|(?<!的)(?:准备|计划|打算|预计)(?![了过]))/;
const PAST = /(?<![为除])了(?!解)|(?<![通超经])过(?![程期滤敏年去分时])|曾/;
// Words of questions that may be about the past or the future.
const EITHER = /(?<![功性才智职])能(?![力源量])|可以|可能|应该|吗[?？。\s]*$/;

/** The tense of a question, for a recurring time. Words after the time count before words ahead of it. */
export function detectChineseTense({ before, after }: Pick<TextAroundMatch, 'before' | 'after'>): Tense {
  return saidIn(after) ?? saidIn(before) ?? (EITHER.test(before + after) ? 'present' : 'unsaid');
}

/** The tense that the first cue in a text shows: future for 要上线了吗, past for 说过要做. */
function saidIn(text: string): Tense | undefined {
  const coming = text.search(COMING);
  const past = text.search(PAST);
  if (coming < 0 && past < 0) return undefined;
  return past < 0 || (coming >= 0 && coming < past) ? 'future' : 'past';
}
