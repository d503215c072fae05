import { foldText } from '../../language/fold-text.js';
import { grams, hasUnspaced, SOUTH_EAST_ASIAN, scriptRuns } from '../../language/scripts.js';
import { spellingVariants } from '../../language/spelling.js';
import { tokenize } from '../../language/tokens.js';
import { stemOf } from '../../language/words/forms.js';
import { searchPhrase } from '../../text/search-text.js';
import { type QuestionReading, type QuestionWord, STATEMENT_WEIGHT } from '../question/reading.js';
import { type ClockTime, clockTimesIn } from './clock-time.js';
import { isVietnamese } from './inflections.js';

/** Something of the question that a line may contain. */
export interface Term {
  /** As the question has it. */
  readonly text: string;
  /** How much it says about the question, 0..1. */
  readonly weight: number;
  /** It begins with a capital letter inside of a sentence. */
  readonly isCapital?: boolean;
  /** Whether it is what is asked about: no frame of the question ("what kind of"), and no time. */
  readonly isAsked: boolean;
  /** It stands nowhere, and something that is written nearly so is looked for instead. */
  readonly isMeant?: boolean;
  /** FTS5 expression that finds the units with it. */
  readonly expression: string;
  /** How a text is checked for it: stems of words, or one of some strings that must stand in it. */
  readonly match:
    | { readonly stems: readonly string[] }
    | { readonly needles: readonly string[] }
    | { readonly clock: ClockTime };
  /** Other ways to write it, plain; looked for where they stand anywhere. */
  readonly spellings?: readonly string[];
}

/** A query may be a pasted file; so many distinct terms say what it is about. */
const MAX_TERMS = 256;

/** A day may be what is asked about, and not when: `谁的生日是2月17日`. 02月17日 and 2月17号 say the same. */
const MONTH_DAY = /(?<!\d)(\d{1,2})月(\d{1,2})[日号]/g;

function dayTerm(month: string, day: string): Term | undefined {
  const [plain, padded] = [`${Number(month)}月${Number(day)}`, `${month.padStart(2, '0')}月${day.padStart(2, '0')}`];
  const [term, other] = [exactTerm(plain), exactTerm(padded)];
  if (term === undefined || other === undefined) return undefined;
  const expression = matchAny([term.expression, other.expression]);
  return { ...term, expression, isAsked: false, match: { needles: [plain, padded] } };
}

/** The terms of a question, each once: its words with their other forms, CJK bigrams, and exact tokens. */
export function questionTerms(reading: QuestionReading): readonly Term[] {
  const terms = new Map<string, Term>();
  const add = (key: string, term: Term | undefined): void => {
    if (term !== undefined && !terms.has(key) && terms.size < MAX_TERMS) terms.set(key, term);
  };
  for (const token of reading.exact) add(`=${foldText(token)}`, exactTerm(token));
  for (const word of reading.words) {
    if (hasUnspaced(word.text)) continue;
    add(stemOf(foldText(word.text)), wordTerm(word));
  }
  for (const run of reading.cjk) for (const gram of gramsOf(run)) add(gram, spelledTerm(gram));
  for (const { text, weight } of reading.words)
    for (const gram of gramsOf(text)) add(gram, weighed(spelledTerm(gram), weight));
  for (const [, month = '', day = ''] of reading.text.matchAll(MONTH_DAY)) add(`${month}月${day}`, dayTerm(month, day));
  for (const pair of pairsOf(reading.phrase)) add(pair, beside(exactTerm(pair)));
  for (const run of reading.toldCjk)
    for (const gram of gramsOf(run)) add(gram, weighed(exactTerm(gram), STATEMENT_WEIGHT));
  for (const clock of clockTimesIn(foldText(reading.text))) add(`${clock.minutes}`, clockTerm(clock));
  const whole = singleToken(reading);
  const isFound = [...terms.values()].some((term) => term.expression === whole?.expression);
  if (whole === undefined || isFound) return [...terms.values()];
  // A sentence without spaces is no token that a line must have.
  const isAsked = terms.size === 0 || !hasUnspaced(whole.text);
  return [{ ...whole, isAsked }, ...terms.values()];
}

/** However a question of one token is read, the token itself is searched: it must be found if it stands anywhere. */
function singleToken({ text }: QuestionReading): Term | undefined {
  const token = text.trim();
  return /\s/.test(token) ? undefined : spelledTerm(token);
}

function wordTerm({ text, weight, forms, role, isCapital = false }: QuestionWord): Term | undefined {
  const written = [text, ...forms];
  const all = [...new Set(written.map(foldText))];
  const phrases = all.map(searchPhrase).filter((phrase) => phrase !== undefined);
  if (phrases.length === 0) return undefined;
  const isWord = all.every((form) => /^[\p{L}\p{N}]+$/u.test(form));
  const match = isWord ? { stems: [...new Set(all.map((form) => stemOf(form)))] } : { needles: [foldText(text)] };
  const isAsked = role === 'content' || role === 'name';
  return {
    text,
    weight,
    isCapital,
    isAsked,
    expression: matchAny(phrases),
    match,
    spellings: written.flatMap(spellingVariants),
  };
}

/** A string that must stand in a line as it is. Searched as written: folding may change what is a symbol. */
function exactTerm(token: string): Term | undefined {
  const phrase = searchPhrase(token);
  const needle = foldText(token);
  return phrase === undefined
    ? undefined
    : { text: needle, weight: 1, isAsked: true, expression: phrase, match: { needles: [needle] } };
}

/** Of a script without spaces, whose characters may be written in another way. */
function spelledTerm(token: string): Term | undefined {
  const term = exactTerm(token);
  return term && { ...term, spellings: spellingVariants(token) };
}

function weighed(term: Term | undefined, weight: number): Term | undefined {
  return term && { ...term, weight: weight * term.weight };
}

/** FTS5 expression for any of some phrases. */
export function matchAny(expressions: readonly string[]): string {
  return expressions.length === 1 ? (expressions[0] ?? '') : `(${expressions.join(' OR ')})`;
}

/**
 * Pairs that hold words which are no keywords by themselves: of characters where one of them is a stop character, and of
 * Vietnamese syllables.
 */
function pairsOf(text: string): readonly string[] {
  const tokens = tokenize(text);
  const pairs = isVietnamese(text)
    ? tokens.slice(1).map(({ lower }, i) => `${tokens[i]?.lower} ${lower}`)
    : tokens.flatMap(({ kind, text }) => (kind === 'cjk' ? gramsOf(text) : []));
  return pairs.map(foldText);
}

/** A time of the day, however a line writes it. */
function clockTerm(clock: ClockTime): Term | undefined {
  const [hour, minute] = [Math.floor(clock.minutes / 60), String(clock.minutes % 60).padStart(2, '0')];
  const hours = [...new Set([`${hour}`, `${hour}`.padStart(2, '0'), `${((hour + 11) % 12) + 1}`])];
  const phrases = hours.flatMap((one) => searchPhrase(`${one}:${minute}`) ?? []);
  return {
    text: `${hour}:${minute}`,
    weight: CLOCK_WEIGHT,
    isAsked: false,
    expression: matchAny(phrases),
    match: { clock },
  };
}

/** A line may tell of the hour in which it was said, or of another. */
const CLOCK_WEIGHT = 0.5;

/** What stands beside the keywords counts little, and need not stand in a line. */
function beside(term: Term | undefined): Term | undefined {
  return term && { ...term, weight: PAIR_WEIGHT, isAsked: false };
}

const PAIR_WEIGHT = 0.25;

/**
 * Pairs of characters, and of scripts of letters three: single characters of scripts without spaces say little, and
 * longer runs rarely repeat word for word.
 */
function gramsOf(run: string): readonly string[] {
  return scriptRuns(foldText(run)).flatMap(({ text, isUnspaced }) =>
    isUnspaced ? grams(text, LETTERS.test(text) ? 3 : 2) : [],
  );
}

const LETTERS = new RegExp(`[${SOUTH_EAST_ASIAN}]`);
