import { BASIC_CJK_RANGES, LETTER_RANGES } from '../../language/scripts.js';
import { isWithinAnyRange, MAX_TOKEN_LENGTH, MEASURE_UNITS, type RangeInText } from '../../language/tokens.js';
import { ENGLISH_STOP_WORDS } from '../../language/words/stop.js';

const MAX_EXACT = 16;
// Matches a piece of text between spaces, CJK characters and CJK punctuation.
const PIECE = new RegExp(`[^\\s${BASIC_CJK_RANGES}\\u3000-\\u303f\\uff00-\\uffef“”‘’«»¿¡]+`, 'g');
const NUMBER_WITH_UNIT = new RegExp(
  `(?<![${LETTER_RANGES}./-])[$€£¥]?\\d[\\d.,]{0,15}\\s?(?:${MEASURE_UNITS})(?![${LETTER_RANGES}])`,
  'g',
);
const PLAIN_WORD = new RegExp(`^[${LETTER_RANGES}]+$`);
const SOME_LETTER = new RegExp(`[${LETTER_RANGES}${BASIC_CJK_RANGES}]`);
const SIGN_INSIDE = new RegExp(`[${LETTER_RANGES}][^${LETTER_RANGES}\\s'’]+[${LETTER_RANGES}]`);
const HAS_CJK = new RegExp(`[${BASIC_CJK_RANGES}]`);
const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{', '>': '<' };

/**
 * Tokens that are searched letter by letter: paths, flags, versions, codes, identifiers, hashes, numbers with units.
 * @param times ranges read as times; of these only dates in digits are kept, since a log may spell them the same way.
 */
export function exactTokens(text: string, times: readonly RangeInText[]): string[] {
  const found = new Map<number, string>();
  for (const match of text.matchAll(NUMBER_WITH_UNIT))
    if (!isWithinAnyRange({ start: match.index, end: match.index + match[0].length }, times))
      found.set(match.index, match[0]);
  for (const match of text.matchAll(PIECE)) {
    if (match[0].length > 2 * MAX_TOKEN_LENGTH) continue;
    const token = meantSign(match[0], text, match.index) ?? trimPunctuation(match[0]);
    const start = match.index + match[0].indexOf(token);
    if (CLOCK.test(token)) continue;
    if (token.length > MAX_TOKEN_LENGTH || found.has(start) || !(isExact(token) || ALSO_PUNCTUATION.test(token)))
      continue;
    if (isWithinAnyRange({ start, end: start + token.length }, times) && !/^\d[\d./-]{5,}$/.test(token)) continue;
    found.set(start, token);
  }
  const inOrder = [...found].sort(([a], [b]) => a - b).map(([, token]) => token);
  return [...new Set(inOrder)].slice(0, MAX_EXACT);
}

/** A time of the day is a time of a line, and nothing that is compared letter by letter. */
const CLOCK = /^(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:[ap]\.?m\.?)?$/i;

/** A question of one token with a sign inside is meant as it stands, though in a sentence it may be a word: `Sign-On`. */
export function singleTokenOf(text: string): string[] {
  const piece = /^\s*(\S+)\s*$/.exec(text)?.[1] ?? '';
  const [marked] = MARKED.exec(piece) ?? [];
  if (marked !== undefined) return [marked];
  const token = trimPunctuation(piece);
  return SIGN_INSIDE.test(token) && !HAS_CJK.test(token) && token.length <= MAX_TOKEN_LENGTH ? [token] : [];
}

/** What would be trimmed off a word in a sentence, and begins one in CSS and XML: `!important`, `<filter`. */
const MARKED = new RegExp(`^[!<][${LETTER_RANGES}][${LETTER_RANGES}:.-]*>?$`);

/** Every piece between spaces as it is: the last resort for a question without a single word ("->", "???"). */
export function splitAtSpaces(text: string): string[] {
  const pieces = text.split(/\s+/).filter((piece) => piece !== '' && piece.length <= MAX_TOKEN_LENGTH);
  return [...new Set(pieces)].slice(0, MAX_EXACT);
}

/** Matches an operator of a programming language: `&&`, `=>`, `!=`. */
const OPERATOR = /^(?=.*[&|=<>~^+*%$])[!#-&*+./:<=>?@^|~-]{2,3}$/;
/** Operators that end sentences, too. */
const ALSO_PUNCTUATION = /^(?:!!|\?\?|[?!]\.|\?:|::|\.{2,3})$/;
/** Words that no sentence ends with: the sign behind them is no end of one. */
const GOES_ON =
  /(?:^|\s)(?:does|is|are|of|about|use|uses|used|using|type|typed|the|an?|with|between|and|or|for|run|operator|was|macht|heißt|von|mit|wann|wat|doet|fait|signifie|que|hace|significa|cosa|fa|ist|est|es|è|como|avec)\s+$/i;
/** `… sudo !! do?` */
const ASKED_OF_IT =
  /^\s+(?:do|does|mean|stand for|bedeutet|betekent|veut dire)(?:[\s?.!]*$|\s+(?:in|im|en|dans)\s)|^\s*(?:是什么|什么意思|的意思|怎么用|有什么用|代表)/i;

/**
 * The sign that is meant as it stands, between spaces or at the end of a question: "what does !! do", "what is !!?", and
 * not "wait !! what does it do".
 */
function meantSign(piece: string, text: string, at: number): string | undefined {
  const [before, after] = [text.slice(0, at), text.slice(at + piece.length)];
  const isLast = /^\s*$/.test(after) && piece.length > 2 && !/^(?:\?{3}|\.+\?)$/.test(piece);
  const sign = isLast ? piece.replace(/\?$/, '') : piece;
  if (!ALSO_PUNCTUATION.test(sign)) return undefined;
  if (ASKED_OF_IT.test(after) && /(?:^|\s)$/.test(before)) return sign;
  const isAsked = sign !== piece || /^\s+\S/.test(after) || /^\W*what(?:'s| is| are| about)\s+$/i.test(before);
  return GOES_ON.test(before) && isAsked ? sign : undefined;
}

/** A number or a letter in brackets, and what is typed at a prompt: their signs are no punctuation. */
const WITH_ITS_SIGNS = new RegExp(
  `^(?:\\([${LETTER_RANGES}]{1,3}\\)|\\[[${LETTER_RANGES}]{1,3}\\]|:[${LETTER_RANGES}]{1,16}!)`,
);

/** A piece of text without the punctuation of the sentence around it. Brackets that belong to the piece stay ("main()"). */
export function trimPunctuation(piece: string): string {
  const operator = piece.replace(/(?<=[^?])\?$/, '');
  if (OPERATOR.test(operator)) return operator;
  const whole = WITH_ITS_SIGNS.exec(piece)?.[0];
  if (whole !== undefined && /^["'`,;:!?.]*$/.test(piece.slice(whole.length))) return whole;
  let token = piece.replace(/^["'`,;!?([{<]+(?=.)/u, '').replace(/['’]s$/u, '');
  for (;;) {
    const last = token.at(-1) ?? '';
    const opening = CLOSING[last];
    const closes = opening !== undefined && !token.includes(opening);
    if (token.length < 2 || !(closes || '"\'`,;:!?.…،؛؟।'.includes(last))) return token;
    token = token.slice(0, -1);
  }
}

/** Ordinals and decades: `1st`, `1980er-Jahre`, `80-х`. */
const INFLECTED_NUMBER = new RegExp(
  `^\\d+(?:'?s|st|nd|rd|th|er[ns]?|te[nrs]?|ème|[ºª]|-?(?:й|я|е|х|го|му|ых))?(?:-[${LETTER_RANGES}]+)?$`,
  'i',
);
/** Matches an abbreviation, which is a word: `U.S`, `D.C`. */
const INITIALS = /^(?:\p{Lu}\.)+\p{Lu}?$/u;

function isExact(token: string): boolean {
  if (!SOME_LETTER.test(token)) return OPERATOR.test(token) || /\p{Extended_Pictographic}/u.test(token);
  if (INFLECTED_NUMBER.test(token) || INITIALS.test(token)) return false;
  // "well-known", "O'Brien", "@peter" and "and/or" are words.
  const words = token.replace(/^@(?=\D)/, '').split(/[-'’]/);
  if (words.every((word) => PLAIN_WORD.test(word) && !/[\d_]/.test(word)))
    return words.length === 1 && isIdentifier(token);
  const sides = token.toLowerCase().split('/');
  return sides.length !== 2 || !sides.every((side) => ENGLISH_STOP_WORDS.has(side));
}

/** A word written as programs write names: ECONNREFUSED, maxRetries, QuestionReadingTest; not WhatsApp, not NASA. */
function isIdentifier(word: string): boolean {
  return /^[A-Z]{6,}$/.test(word) || /^[a-z]+[A-Z]/.test(word) || /(?:[A-Z][a-z]+){3}/.test(word);
}
