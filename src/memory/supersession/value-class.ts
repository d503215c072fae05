import { LETTER } from '../../language/scripts.js';
import { COLOURS, DAY_NAMES, MONTH_NAMES, PLACE_WORDS } from '../../language/words/attributes.js';
import { isNegation } from '../../language/words/negation.js';
import { joined, type StatementWord } from './statement.js';

type Words = readonly StatementWord[];

/** What kind of thing a value is: only of one kind do two exclude each other. */
export function classOf(value: Words, after: Words): string {
  const [first] = value;
  if (first === undefined) return 'nothing';
  if (/^(?:下?周|星期|礼拜)[一二三四五六日天末]/.test(joined(value))) return 'date';
  if (DAY_NAMES.test(first.text) || MONTH_NAMES.test(first.text)) return 'date';
  // Amounts are of one kind when they are amounts of the same.
  if (/^[+$€£]?\d/.test(first.text))
    return `number ${value.map(({ text }) => text.replace(/[\d.,:/+-]+/g, '')).join('')}`;
  if (COLOURS.has(first.text) || after[0]?.text === '色' || value.at(-1)?.text === '色') return 'colour';
  if (ORDINAL.test(first.text)) return 'ordinal';
  if (CODE.test(first.text)) return 'code';
  if (PLACE_WORDS.has(first.text) && value.length > 1) return 'place';
  return value.every(({ isName, text }) => isName || /^\d/.test(text)) ? 'name' : 'words';
}

const CODE = new RegExp(`[${LETTER}][@./:-]+[${LETTER}]`);
const ORDINAL =
  /^(?:first|second|third|fourth|fifth|sixth|erste[rsn]?|zweite[rsn]?|dritte[rsn]?|vierte[rsn]?|premi[eè]re?|deuxième|troisième)$/;

/** A value that is denied is none. */
export function isDenied([first]: Words): boolean {
  return first !== undefined && (isNegation(first.text) || /^(?:plus|[不没])$/.test(first.text));
}
