import { LETTER } from '../../language/scripts.js';
import { COLOURS, COPULAS, DAY_NAMES, MONTH_NAMES, PLACE_WORDS } from '../../language/words/attributes.js';
import { isNegation } from '../../language/words/negation.js';
import { joined } from './statement.js';
import type { StatementWord } from './statement-word.js';

type Words = readonly StatementWord[];

/** What kind of thing a value is, by itself and what stands around it: only of one kind do two exclude each other. */
export function classOf(value: Words, { before, after }: Around = { before: [], after: [] }): string {
  const [first] = value;
  if (first === undefined) return 'nothing';
  if (/^(?:下?周|星期|礼拜)[一二三四五六日天末]/.test(joined(value))) return 'date';
  if (DAY_NAMES.test(first.text) || MONTH_NAMES.test(first.text)) return 'date';
  if (/^\d/.test(first.text) && isDay(first.text, before.at(-1)?.text, value[1]?.text ?? after[0]?.text)) return 'date';
  // Amounts are of one kind when they are amounts of the same.
  if (/^[-+−$€£]?\d/.test(first.text) || NUMBER_WORD.test(first.text)) {
    const isHour = before.some(({ text }) => TIMED.test(text));
    return `number ${value
      .filter(({ text }) => !isHour || !PART_OF_DAY.test(text))
      .map(({ text }) => text.replace(NUMBER_WORD, '').replace(/[\d.,:/+-]+/g, ''))
      .join('')
      .replace(CHINESE_CLOCK, '点')}`;
  }
  if (isColour(value) || after[0]?.text === '色' || value.at(-1)?.text === '色') return 'colour';
  if (ORDINAL.test(first.text)) return 'ordinal';
  if (CODE.test(first.text)) return 'code';
  if (PLACE_WORDS.has(first.text) && value.length > 1) return 'place';
  // `A grey Skoda`
  const bare = value.filter(({ text }) => !COLOURS.has(text) && !COLOURS.has(text.replace(/e[mnrs]?$/, '')));
  if (bare.every(({ isName, text }) => isName || /^(?:\d|&$)/.test(text))) return 'name';
  const copula = before.findLastIndex(({ text }) => COPULAS.has(text) || POSTURE.test(text));
  const place = before.slice(copula + 1);
  return copula > 0 && place.length > 0 && place.every(({ text }) => PLACE_WORDS.has(text) || BESIDE.test(text))
    ? 'place'
    : 'words';
}

/** `Starts at six in the morning`, `endet um 18 Uhr abends`: the hour is the value. */
const TIMED =
  /^(?:starts|begins|opens|closes|ends|is|beginnt|startet|öffnet|schließt|endet|ist|commence|ouvre|ferme|finit|est)$/;
const PART_OF_DAY =
  /^(?:in|at|am|pm|a\.m|p\.m|morning|noon|afternoon|evening|night|morgens|vormittags|mittags|nachmittags|abends|nachts|du|matin|soir|après-midi)$/;

const NUMBER_WORD =
  /^(?:two|three|four|five|six|seven|eight|nine|ten|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|deux|trois|quatre|cinq|sept|huit|neuf|dix|douze|[一二两三四五六七八九十]+)$/;

function isDay(number: string, before = '', after = ''): boolean {
  return (
    /^(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4})$/.test(number) ||
    MONTH_NAMES.test(before) ||
    MONTH_NAMES.test(after) ||
    /^[月日号]$/.test(after)
  );
}

/** `green`, `dunkelrot`, `dark-blue`, `bleus`, `bleu foncé`. */
function isColour(value: Words): boolean {
  const last = value.at(-1)?.text ?? '';
  const colour = (SHADE.test(last) ? value.at(-2)?.text : last)?.replace(/^(?:dunkel|hell|dark-|light-)|s$/g, '');
  return COLOURS.has(last) || COLOURS.has(colour ?? '');
}

const SHADE = /^(?:foncée?s?|claire?s?|pâles?|vi(?:f|ve)s?|marine|mate?s?)$/;

interface Around {
  readonly before: Words;
  readonly after: Words;
}

const CHINESE_CLOCK = /点[半整钟分]+$/;
/** What says of a thing that it is somewhere: `hangs in the hallway`. */
const POSTURE = /^(?:hangs?|lies?|stands?|kept|stored|parked)$/;
const BESIDE = /^(?:next|to|of|front|across|from|opposite|left|right)$/;

const CODE = new RegExp(`[${LETTER}][@./:-]+[${LETTER}]`);
const ORDINAL =
  /^(?:first|second|third|(?:four|fif|six|seven|eigh|nin|ten)th|last|(?:erst|zweit|dritt|viert|fünft|sechst|siebt|acht|neunt|zehnt|letzt)e[rsn]?|premi(?:er|ère)|derni(?:er|ère)|.{3,}ième)$/;

/** A value that is denied is none. */
export function isDenied([first]: Words): boolean {
  return first !== undefined && (isNegation(first.text) || /^(?:plus|[不没])$/.test(first.text));
}
