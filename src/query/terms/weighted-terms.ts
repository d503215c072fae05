import { distance } from 'fastest-levenshtein';
import type { IndexSearch, UnitKey } from '../../index/search.js';
import { foldText, hasUnspaced } from '../../language/scripts.js';
import { withoutUmlauts } from '../../language/spelling.js';
import { stemOf } from '../../language/words/forms.js';
import { isFrequentWord } from '../../language/words/stop.js';
import { buildSearchPhrase } from '../../text/search-text.js';
import { WEIGHTS, type Weights } from '../rank/weights.js';
import { findInflections, type inflectionOf } from './inflections.js';
import { joinWithOr, type QuestionTerm } from './question-terms.js';
import { isPrefixOf, maxEdits, mayBeMisspelled, suggestSpellings } from './suggest-spellings.js';

/** A term of a question with its frequency in the index and its worth. */
export interface WeightedTerm extends QuestionTerm {
  /** Number of units that contain the term. */
  readonly frequency: number;
  /** Keys of the units that contain the term. Undefined if the term is common. */
  readonly keys: readonly UnitKey[] | undefined;
  /**
   * How much a unit gains by containing the term: the weight of the term, multiplied by its inverse document frequency as in
   * BM25.
   */
  readonly worth: number;
}

/** A word of nearly the same meaning that some line has, for each word of the question that no line has. */
export type NearWords = ReadonlyMap<string, string>;

/** Terms of which those that stand for a word of nearly the same meaning match nothing. */
export function withoutNearWords(terms: readonly WeightedTerm[]): readonly WeightedTerm[] {
  return terms.map((term) => (term.isNear ? { ...term, frequency: 0, match: { stems: [] } } : term));
}

/** A term in this many units is common. It adds no candidates if the question has a rarer term. */
export const COMMON_TERM_UNIT_COUNT = 1_500;
/**
 * A misspelled word and the word that was meant must begin with this many equal letters. People rarely mistype the
 * first letters. Without this rule, the whole vocabulary of the index would have to be read, which is slow.
 */
const BEGINNING = 2;
/** Maximum number of similar stems of the index that are examined to find the word that was meant. */
const MOST_LOOKED_AT = 8;
/** Maximum number of lines that are read to find the words with one of these stems. */
const MOST_READ = 3;
/**
 * Other forms of a word are searched only if the word occurs in at most this share of all units. A frequent word says
 * little, and its other forms say nothing.
 */
const RARE_SHARE = 0.02;
/** If all forms of a word are searched, its exact form keeps only this share of its worth. */
const OWN_SHARE = 0.4;
/**
 * Weight of a word that the user may have meant when the typed word is misspelled. A share of the weight of the typed
 * word.
 */
const MEANT_SHARE = 0.6;
/** Weight of a word of nearly the same meaning, as a share of the weight of the word that no line has. */
const NEAR_SHARE = 0.9;

/**
 * Looks up how rare each term is. A term that occurs nowhere is replaced by the words that may have been meant.
 * @param inflection how other forms of rare words are found. Undefined: they are not searched.
 * @param near words that are searched instead of words that no line has
 */
export function weighTerms(
  search: IndexSearch,
  terms: readonly QuestionTerm[],
  inflection?: ReturnType<typeof inflectionOf>,
  weights: Weights = WEIGHTS,
  near?: NearWords,
): readonly WeightedTerm[] {
  const size = Math.max(1, search.size());
  const weigh = (term: QuestionTerm): WeightedTerm => {
    const { count, keys } = search.having(term.expression, COMMON_TERM_UNIT_COUNT);
    const frequency = Math.min(size, count);
    const idf = Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
    const weight = term.weight * (term.isCapital ? weights.capital : 1);
    return { ...term, frequency, keys, worth: weight * idf ** weights.rarity };
  };
  return terms.flatMap((asked) => {
    const found = weigh(spelled(search, asked));
    // Other forms are searched only for words of the topic. In the time "Mitte Mai" they would be wrong: "mit" would count
    // as a form of "Mitte".
    const isRare = asked.isAsked && found.frequency <= RARE_SHARE * size;
    const kin = inflection !== undefined && isRare ? kinTerm(search, asked, found.frequency, inflection) : undefined;
    if (kin !== undefined)
      return found.frequency === 0
        ? [weigh({ ...kin, isAsked: asked.isAsked })]
        : [{ ...found, worth: OWN_SHARE * found.worth }, weigh(kin)];
    const other = found.frequency > 0 ? undefined : (nearTerm(asked, near?.get(asked.text)) ?? meantBy(search, asked));
    return [other === undefined ? found : weigh(other)];
  });
}

/** A term for a word of nearly the same meaning. Undefined if there is none. */
function nearTerm({ text, weight, isAsked }: QuestionTerm, near: string | undefined): QuestionTerm | undefined {
  const expression = near && buildSearchPhrase(near);
  if (near === undefined || !expression) return undefined;
  const match = hasUnspaced(near) ? { needles: [near] } : { stems: [stemOf(foldText(near))] };
  return { text, weight: weight * NEAR_SHARE, isAsked, isGuess: true, isNear: true, expression, match };
}

/** Adds to a term those of its other spellings that the index contains. */
function spelled(search: IndexSearch, term: QuestionTerm): QuestionTerm {
  const phrases: string[] = [];
  const others = (term.spellings ?? []).filter((other) => {
    const phrase = buildSearchPhrase(other);
    const stands = phrase !== undefined && search.having(phrase, 1).count > 0;
    if (stands) phrases.push(phrase);
    return stands;
  });
  if (others.length === 0) return term;
  const match =
    'needles' in term.match
      ? { needles: [...term.match.needles, ...others] }
      : { stems: [...term.match.stems, ...others.map(stemOf)] };
  return { ...term, expression: joinWithOr([term.expression, ...phrases]), match };
}

/**
 * A term for all forms of a word, including the word itself. If the index has neither the word nor a form of it, a term for
 * other words that begin like it. Undefined if there are none.
 */
function kinTerm(
  search: IndexSearch,
  { text, weight, match }: QuestionTerm,
  frequency: number,
  inflection: NonNullable<ReturnType<typeof inflectionOf>>,
): QuestionTerm | undefined {
  if (!('stems' in match)) return undefined;
  const { forms, others } = findInflections(text, (beginning) => search.vocabulary(beginning), inflection);
  const isGuess = frequency === 0 && forms.length === 0;
  const kin = isGuess ? others : forms;
  if (kin.length === 0) return undefined;
  const stems = [...match.stems, ...kin];
  const phrases = stems.map(buildSearchPhrase).filter((phrase) => phrase !== undefined);
  return { text, weight, isAsked: false, isGuess, expression: joinWithOr(phrases), match: { stems } };
}

/** A term for words with a similar spelling, with a lower weight. Undefined if there are none. */
function meantBy(search: IndexSearch, { text, weight, isAsked, match }: QuestionTerm): QuestionTerm | undefined {
  if (!isAsked) return undefined;
  const meant = { text, weight: weight * MEANT_SHARE, isAsked, isMeant: true, isGuess: true };
  if ('needles' in match) {
    // A line may write `PR1302` as `PR #1302`.
    const [, letters, digits = ''] = /^(\p{L}+)(\d{2,})$/u.exec(match.needles[0] ?? '') ?? [];
    const apart = letters === undefined ? undefined : buildSearchPhrase(`${letters} ${digits}`);
    return apart === undefined
      ? undefined
      : { ...meant, isGuess: false, expression: apart, match: { stems: [digits] } };
  }
  const [stem = ''] = match.stems;
  const alike = withoutUmlauts(stem);
  if (alike !== stem && search.vocabulary(alike).includes(alike)) {
    // A line has the same word with `ü` instead of `ue`. That is another way to write the word, and not a spelling
    // mistake.
    const phrase = buildSearchPhrase(alike);
    return phrase === undefined
      ? undefined
      : { ...meant, isMeant: false, isGuess: false, expression: phrase, match: { stems: [alike] } };
  }
  const typed = foldText(text);
  const found = suggestSpellings(typed, wordsLike(search, typed));
  if (found.length === 0) return undefined;
  const stems = [...new Set(found.map(stemOf))];
  // If the words differ only in their ending, the typed word was not a spelling mistake.
  const isMeant = !found.some((other) => isPrefixOf(typed, other));
  return {
    ...meant,
    isMeant,
    expression: joinWithOr(stems.flatMap((one) => buildSearchPhrase(one) ?? [])),
    match: { stems },
  };
}

/**
 * Finds words that are spelled similarly to a typed word. The words are read from lines of the workspace, because the
 * index has only stems.
 */
function wordsLike(search: IndexSearch, typed: string): readonly string[] {
  if (!mayBeMisspelled(typed) || isFrequentWord(typed)) return [];
  const stem = stemOf(typed);
  const near = search
    .vocabulary(typed.slice(0, BEGINNING))
    .map((term) => ({ term, edits: isPrefixOf(stem, term) ? 0 : distance(stem, term) }))
    .filter(({ edits }) => edits <= maxEdits(typed) + 1)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, MOST_LOOKED_AT);
  return near.flatMap(({ term }) => [...findSurfaceForms(search, term)]);
}

/** The words (folded) that have this stem. They are read from the first lines that contain the stem. */
export function findSurfaceForms(search: IndexSearch, stem: string): ReadonlySet<string> {
  const phrase = buildSearchPhrase(stem);
  const { keys = [] } = phrase === undefined ? {} : search.having(phrase, COMMON_TERM_UNIT_COUNT);
  const lines = search.units(keys.slice(0, MOST_READ));
  const words = lines.flatMap(({ text }) => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []);
  return new Set(words.filter((word) => stemOf(word) === stem));
}
