import { foldText, hasUnspaced, readNgrams, SOUTH_EAST_ASIAN_RANGES, splitByScript } from '../../language/scripts.js';
import { spellingVariants } from '../../language/spelling.js';
import { tokenize } from '../../language/tokens.js';
import { stemOf } from '../../language/words/forms.js';
import { buildSearchPhrase } from '../../text/search-text.js';
import { type QuestionReading, STATEMENT_WEIGHT, type WordOfQuestion } from '../parse/reading.js';
import { isVietnamese } from './inflections.js';

/** A word or string of the question that a line may contain. */
export interface QuestionTerm {
  /** The term as written in the question. */
  readonly text: string;
  /** Weight from 0 to 1: how much the term says about the question. */
  readonly weight: number;
  /** Whether the term begins with a capital letter in the middle of a sentence. */
  readonly isCapital?: boolean;
  /** Whether the term belongs to the topic of the question. A frame ("what kind of") or a time does not. */
  readonly isAsked: boolean;
  /** Whether no line contains the word as typed, so that words with a similar spelling are searched instead. */
  readonly isMeant?: boolean;
  /** Whether other words are searched in place of the word, because no line has it: a similar spelling, a beginning. */
  readonly isGuess?: boolean;
  /** Whether a word of nearly the same meaning is searched instead. It does not count as the word. */
  readonly isNear?: boolean;
  /** Expression of SQLite's full-text search (FTS5) that finds the units with the term. */
  readonly expression: string;
  /**
   * How to test whether a text contains the term. `stems`: one of its words has one of these stems. `needles`: it contains
   * one of these strings.
   */
  readonly match: { readonly stems: readonly string[] } | { readonly needles: readonly string[] };
  /** Other spellings, folded. Those that the index contains are searched too. */
  readonly spellings?: readonly string[];
}

/** Maximum number of distinct terms: the question may be a pasted file. */
const MAX_TERMS = 256;

/**
 * A month and day. The question may ask about the day itself: `谁的生日是2月17日`. 02月17日 and 2月17号 mean the same day.
 */
const MONTH_DAY = /(?<!\d)(\d{1,2})月(\d{1,2})[日号]/g;

function dayTerm(month: string, day: string): QuestionTerm | undefined {
  const [plain, padded] = [`${Number(month)}月${Number(day)}`, `${month.padStart(2, '0')}月${day.padStart(2, '0')}`];
  const [term, other] = [exactTerm(plain), exactTerm(padded)];
  if (term === undefined || other === undefined) return undefined;
  const expression = joinWithOr([term.expression, other.expression]);
  return { ...term, expression, isAsked: false, match: { needles: [plain, padded] } };
}

/** The terms of a question, without duplicates: its words with their other forms, CJK bigrams and exact tokens. */
export function questionTerms(reading: QuestionReading): readonly QuestionTerm[] {
  const terms = new Map<string, QuestionTerm>();
  const add = (key: string, term: QuestionTerm | undefined): void => {
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
  const whole = singleToken(reading);
  const isFound = [...terms.values()].some((term) => term.expression === whole?.expression);
  if (whole === undefined || isFound) return [...terms.values()];
  // A sentence in a script without spaces looks like a single token. A line need not contain the whole sentence.
  const isAsked = terms.size === 0 || !hasUnspaced(whole.text);
  return [{ ...whole, isAsked }, ...terms.values()];
}

/**
 * The term for a question that is one token; undefined for other questions. The token is searched as it is written, even if
 * it is a stop word.
 */
function singleToken({ text }: QuestionReading): QuestionTerm | undefined {
  const token = text.trim();
  return /\s/.test(token) ? undefined : spelledTerm(token);
}

function wordTerm({ text, weight, forms, role, isCapital = false }: WordOfQuestion): QuestionTerm | undefined {
  const written = [text, ...forms];
  const all = [...new Set(written.map(foldText))];
  const phrases = all.map(buildSearchPhrase).filter((phrase) => phrase !== undefined);
  if (phrases.length === 0) return undefined;
  const isWord = all.every((form) => /^[\p{L}\p{N}]+$/u.test(form));
  const match = isWord ? { stems: [...new Set(all.map((form) => stemOf(form)))] } : { needles: [foldText(text)] };
  const isAsked = role === 'content' || role === 'name';
  return {
    text,
    weight,
    isCapital,
    isAsked,
    expression: joinWithOr(phrases),
    match,
    spellings: written.flatMap(spellingVariants),
  };
}

/**
 * A term for a string that a line must contain unchanged. It is searched as written, because folding may change a symbol.
 */
function exactTerm(token: string): QuestionTerm | undefined {
  const phrase = buildSearchPhrase(token);
  const needle = foldText(token);
  return phrase === undefined
    ? undefined
    : { text: needle, weight: 1, isAsked: true, expression: phrase, match: { needles: [needle] } };
}

/** Like `exactTerm`, for text of a script without spaces. Adds other spellings of its characters. */
function spelledTerm(token: string): QuestionTerm | undefined {
  const term = exactTerm(token);
  return term && { ...term, spellings: spellingVariants(token) };
}

function weighed(term: QuestionTerm | undefined, weight: number): QuestionTerm | undefined {
  return term && { ...term, weight: weight * term.weight };
}

/** An FTS5 expression that matches any of some expressions. */
export function joinWithOr(expressions: readonly string[]): string {
  return expressions.length === 1 ? (expressions[0] ?? '') : `(${expressions.join(' OR ')})`;
}

/**
 * Pairs that may be words although their parts are not keywords: neighbouring CJK characters, of which one may be a stop
 * character, and neighbouring Vietnamese syllables.
 */
function pairsOf(text: string): readonly string[] {
  const tokens = tokenize(text);
  const pairs = isVietnamese(text)
    ? tokens.slice(1).map(({ lower }, i) => `${tokens[i]?.lower} ${lower}`)
    : tokens.flatMap(({ kind, text }) => (kind === 'cjk' ? gramsOf(text) : []));
  return pairs.map(foldText);
}

/** The same term with a low weight, for a pair that is not a keyword. A line need not contain it. */
function beside(term: QuestionTerm | undefined): QuestionTerm | undefined {
  return term && { ...term, weight: PAIR_WEIGHT, isAsked: false };
}

const PAIR_WEIGHT = 0.25;

/**
 * The n-grams of text in scripts without spaces: pairs of CJK characters, and three letters in South East Asian scripts.
 * Single characters say little, and longer runs rarely occur twice.
 */
function gramsOf(run: string): readonly string[] {
  return splitByScript(foldText(run)).flatMap(({ text, isUnspaced }) =>
    isUnspaced ? readNgrams(text, LETTERS.test(text) ? 3 : 2) : [],
  );
}

const LETTERS = new RegExp(`[${SOUTH_EAST_ASIAN_RANGES}]`);
