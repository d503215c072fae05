import { addAll } from '../../base/order.js';
import { isAscii } from '../../language/scripts.js';
import { MEASURE_UNITS } from '../../language/tokens.js';
import { isWeekday, mayNameWeekday } from '../../language/words/time-words.js';

/**
 * A value in a statement: a number with its unit, a time of day or weekday, a version, a number that names something.
 */
export interface StatedValue {
  /** Values of one kind can replace each other: `measure mg`, `clock`, `weekday`, `version`, `code 4`. */
  readonly kind: string;
  readonly text: string;
}

const CLOCK = /(?<![\d.:])(?:[01]?\d|2[0-3])(?::[0-5]\d(?!\d)|\s?(?:a\.?m|p\.?m|Uhr|点|时|時)(?!\p{L}))/giu;
const VERSION = /(?<![\d.,:\p{L}])v?\d+\.\d+(?:\.\d+)*(?=$|[\s,;)，。])|(?<=\p{Lu}\p{L}*\s)\d{1,3}(?=$|[\s,;)])/gu;
const MONEY =
  /[€$£¥]\s?(\d+(?:[.,]\d+)*)|(\d+(?:[.,]\d+)*)\s?(?:[€$£¥元円]|(?:euros?|dollars?|pounds?|EUR|USD|GBP|CHF)(?!\p{L}))/giu;
const MEASURE = new RegExp(
  `(?<![\\d.,:])(\\d+(?:[.,]\\d+)*)\\s?(${MEASURE_UNITS}|公斤|公里|毫克|kg|lb)(?!\\p{L})`,
  'giu',
);
const WORD = /\p{L}+(?:-feira)?/gu;
const AFTER_NAME = /(?:^|[\s"“])\p{Lu}\p{Ll}+\s$/u;
const LONGEST_NAME = 30;
const CODE = /(?<![\d.,:\p{L}-])(?!(?:19|20)\d\d(?!\d))\d{3,}(?![\d.,:\p{L}%€-])/gu;

/**
 * Values of a clause, in no order. Pure, linear in the text.
 * @param untimed the same text with its dates blanked, so that their numbers are not read as values
 */
export function readValues(text: string, untimed = text): readonly StatedValue[] {
  const found: StatedValue[] = [];
  let rest = text;
  const take = (kind: (value: string, ...groups: readonly string[]) => string, pattern: RegExp): void => {
    rest = rest.replace(pattern, (value: string, ...groups: string[]) => {
      found.push({ kind: kind(value, ...groups), text: value.toLowerCase().trim() });
      return ' '.repeat(value.length);
    });
  };
  if (/\d/.test(text)) {
    take(() => 'clock', CLOCK);
    if (untimed !== text || !isAscii(text))
      rest = [...rest].map((sign, at) => (untimed[at] === ' ' ? ' ' : sign)).join('');
    take(() => 'money', MONEY);
    take((_value, _number, unit = '') => `measure ${unit.toLowerCase()}`, MEASURE);
    take(() => 'version', VERSION);
    take((code) => `code ${code.length}`, CODE);
  }
  addAll(found, weekdaysIn(text));
  return found;
}

function weekdaysIn(text: string): readonly StatedValue[] {
  if (!mayNameWeekday(text)) return [];
  const found: StatedValue[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const name = isWeekday(word) ? word : /^\p{Ll}{4,}s$/iu.test(word) ? word.slice(0, -1) : '';
    if (name.length <= 3 || !isWeekday(name)) continue;
    // After a word with a capital letter, a weekday is part of a name: `Blue Monday`.
    if (AFTER_NAME.test(text.slice(Math.max(0, index - LONGEST_NAME), index))) continue;
    found.push({ kind: 'weekday', text: name.toLowerCase() });
  }
  for (const [day] of text.matchAll(/(?:周|星期|週)[一二三四五六日天]|[月火水木金土日]曜日?/gu))
    found.push({ kind: 'weekday', text: day });
  return found;
}
