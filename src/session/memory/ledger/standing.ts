import { COMMON_HAN } from '../../../language/scripts.js';
import { readValues } from '../../../memory/statement/values.js';

const HAN = new RegExp(`[${COMMON_HAN}]`, 'u');
/** A file is what is worked on. */
const FILE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|md|json|ya?ml|toml|vue|s?css|html?|c|h|cpp|sh|sql|txt|lock|csv|log)$/u;
/** In characters; a Chinese one says as much as four. */
const LONGEST = 160;

/** What names one thing among others: a number, with a digit, a sign or a capital within, in marks. */
const NAMED = /^(?:\d+|\S*(?:\p{L}[\d_./:@#-]+[\p{L}\d]|\d[_./:@-]*[\p{L}\d]|[#@/]\p{L}|\p{Ll}\p{Lu}|%)\S*|`[^`]+`)$/u;
/** A name says what something is right behind a copula or where it is. */
const IS_NAME =
  /\s(?:is|are|[:=→]|on|at|in|by|with|to|uses?)\s\p{Lu}[\p{L}\d]+[.!]?$|^\p{Lu}\p{L}+\s\p{Ll}{3,}s\s(?:off\s)?the\s/u;
/** A subject, then what it is or does, by the form of the word. */
const STATES =
  /^(?:(?:ok(?:ay)?|so|also|btw|fyi|actually|\p{L}+:),?\s)?(?:(?!(?:this|that|it|there|what|which|i|you|if|when|how|why|let['’]?s)\b)[\p{L}\d_./@#'’-]+\s){1,6}?(?:is|are|has|have|must|will|may|can|\p{Ll}{3,}(?<!s)s|\p{Ll}{2,}ed)\s/iu;
/** What is said to be something, or a word of another script or a number. */
const CHINESE_VALUE = /\p{L}[是由叫归为在用]\p{L}|[A-Za-z\d]/u;
/** Words of a statement that says one thing; what is new of it stands at its end. */
const MOST_WORDS = 14;

/** Whether a short sentence says how something is, or is to be from now on, with a value. Pure. */
export function isStanding(text: string): boolean {
  if (text.length > LONGEST) return false;
  if (HAN.test(text)) return text.length <= LONGEST / 4 && CHINESE_VALUE.test(text);
  const words = text.replace(/[.!]+$/u, '').split(/\s+/u);
  return (
    words.length > 2 &&
    words.length <= MOST_WORDS &&
    STATES.test(text) &&
    (readValues(text).length > 0 ||
      IS_NAME.test(text) ||
      words.slice(-3).some((word) => NAMED.test(word) && !FILE.test(word)))
  );
}
