import { lowerCase } from '../tokens.js';
import { MONTHS, SEASONS, WEEKDAYS } from './english/words.js';
import { HOLIDAYS } from './holidays.js';
import { shownLanguages } from './languages/shown.js';

const WORDS = [
  ...[MONTHS, WEEKDAYS, SEASONS].flatMap((table) => Object.keys(table)),
  // Of holidays, those without another of these words in their names.
  'valentine|easter|qingming|qixi|halloween|thanksgiving|christmas|xmas|festival',
  'minutes?|hours?|days?|weeks?|weekends?|fortnights?|months?|quarters?|years?',
  'yesterday|today|tonight|tomorrow|night|morning|afternoon|evening|ago|q[1-4]|h[12]|cw',
];
/** Numbers that may be a time without a word: a year, numbers joined as in dates, ordinals, a short year. */
const DATES = "\\d{4}|\\d[-./~～–—]\\d|\\d(?:st|nd|rd|th)(?![a-z])|'\\d\\d(?!\\d)";
let cue: RegExp | undefined;

/**
 * Whether a text can name a time in English, Chinese or digits: every such time holds one of these words or
 * characters, or numbers as dates have them. In any case and width.
 */
export function hasTimeCue(text: string): boolean {
  cue ??= new RegExp(
    `${DATES}|[０-９年月日号天周期拜季早晚夜春夏秋冬时钟]|${HOLIDAYS.map(({ chinese }) => chinese).join('|')}|(?<![a-z])(?:${WORDS.join('|')})(?![a-z])`,
  );
  // Not a pattern for any case: with characters beyond ASCII, V8 takes milliseconds to make it.
  return cue.test(lowerCase(text));
}

/** Whether a text may name a time in any language that is read: a look before the readers are loaded. */
export function mayNameTime(text: string): boolean {
  return hasTimeCue(text) || shownLanguages(text).size > 0;
}
