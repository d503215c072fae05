import { distance } from 'fastest-levenshtein';
import type { Search, UnitKey } from '../../index/search.js';
import { foldText } from '../../language/fold-text.js';
import { withoutUmlauts } from '../../language/spelling.js';
import { stemOf } from '../../language/words/forms.js';
import { isCommon } from '../../language/words/stop.js';
import { searchPhrase } from '../../text/search-text.js';
import { WEIGHTS, type Weights } from '../rank/weights.js';
import { findInflections } from './inflections.js';
import { matchAny, type Term } from './question-terms.js';
import { isBeginning, mayBeMisspelled, mostEdits, suggestSpellings } from './suggest-spellings.js';

/** A term with how rare it is. */
export interface WeightedTerm extends Term {
  /** In how many units it stands. */
  readonly frequency: number;
  /** The units it stands in; undefined when it is common. */
  readonly keys: readonly UnitKey[] | undefined;
  /** What a unit gains by having it: its inverse document frequency as BM25 has it, and how much it says. */
  readonly worth: number;
}

/** A term of as many units is common: it brings no candidates of its own while a rarer one can. */
export const COMMON = 1_500;
/** People rarely mistype the first letters, and a whole vocabulary is long to read. */
const BEGINNING = 2;
/** So many stems are looked at for the word that was meant, and so many lines of each. */
const MOST_LOOKED_AT = 8;
const MOST_READ = 3;
/** A word in a larger share of all units says little, and its other forms nothing. */
const RARE_SHARE = 0.02;
/** What a word as it stands adds to any form of it, of what it would be worth alone. */
const OWN_SHARE = 0.4;
/** What a word that may have been meant is worth, of what the word itself would be. */
const MEANT_SHARE = 0.6;

/**
 * Looks up how rare each term is. One that stands nowhere is taken for those that it may have been meant for.
 * @param isInflectedLanguage whether other forms of rare words are looked for beside them
 */
export function weighTerms(
  search: Search,
  terms: readonly Term[],
  isInflected = false,
  weights: Weights = WEIGHTS,
): readonly WeightedTerm[] {
  const size = Math.max(1, search.size());
  const weigh = (term: Term): WeightedTerm => {
    const { count, keys } = search.having(term.expression, COMMON);
    const frequency = Math.min(size, count);
    const idf = Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
    const weight = term.weight * (term.isCapital ? weights.capital : 1);
    return { ...term, frequency, keys, worth: weight * idf ** weights.rarity };
  };
  return terms.flatMap((asked) => {
    const found = weigh(spelled(search, asked));
    // Of "Mitte Mai" another form is "mit".
    const isBent = isInflected && asked.isAsked && found.frequency <= RARE_SHARE * size;
    const kin = isBent ? kinTerm(search, asked) : undefined;
    if (kin !== undefined)
      return found.frequency === 0
        ? [weigh({ ...kin, isAsked: asked.isAsked })]
        : [{ ...found, worth: OWN_SHARE * found.worth }, weigh(kin)];
    const meant = found.frequency === 0 ? meantBy(search, asked) : undefined;
    return [meant === undefined ? found : weigh(meant)];
  });
}

/** A term with those of its other spellings that stand anywhere. */
function spelled(search: Search, term: Term): Term {
  const phrases: string[] = [];
  const others = (term.spellings ?? []).filter((other) => {
    const phrase = searchPhrase(other);
    const stands = phrase !== undefined && search.having(phrase, 1).count > 0;
    if (stands) phrases.push(phrase);
    return stands;
  });
  if (others.length === 0) return term;
  if ('clock' in term.match) return term;
  const match =
    'needles' in term.match
      ? { needles: [...term.match.needles, ...others] }
      : { stems: [...term.match.stems, ...others.map(stemOf)] };
  return { ...term, expression: matchAny([term.expression, ...phrases]), match };
}

/** Any form of a word, itself included. */
function kinTerm(search: Search, { text, weight, match }: Term): Term | undefined {
  if (!('stems' in match)) return undefined;
  const kin = findInflections(text, (beginning) => search.vocabulary(beginning));
  const stems = [...match.stems, ...kin];
  const phrases = stems.map(searchPhrase).filter((phrase) => phrase !== undefined);
  const term = { text, weight, isAsked: false, expression: matchAny(phrases), match: { stems } };
  return kin.length === 0 ? undefined : term;
}

/** What is written nearly so, worth less than the term itself would be. */
function meantBy(search: Search, { text, weight, isAsked, match }: Term): Term | undefined {
  if (!isAsked || 'clock' in match) return undefined;
  const meant = { text, weight: weight * MEANT_SHARE, isAsked, isMeant: true };
  if ('needles' in match) {
    // `PR1302` may be written `PR #1302`.
    const [, letters, digits] = /^(\p{L}+)(\d{2,})$/u.exec(match.needles[0] ?? '') ?? [];
    const apart = letters === undefined || digits === undefined ? undefined : searchPhrase(`${letters} ${digits}`);
    return apart === undefined ? undefined : { ...meant, expression: apart, match: { stems: [digits ?? ''] } };
  }
  const [stem = ''] = match.stems;
  const alike = withoutUmlauts(stem);
  if (alike !== stem && search.vocabulary(alike).includes(alike)) {
    // That is no mistake: `ue` for `ü`.
    const phrase = searchPhrase(alike);
    return phrase === undefined
      ? undefined
      : { ...meant, isMeant: false, expression: phrase, match: { stems: [alike] } };
  }
  const typed = foldText(text);
  const found = suggestSpellings(typed, wordsLike(search, typed));
  if (found.length === 0) return undefined;
  const stems = [...new Set(found.map(stemOf))];
  // Another ending is no mistake.
  const isMeant = !found.some((other) => isBeginning(typed, other));
  return { ...meant, isMeant, expression: matchAny(stems.flatMap((one) => searchPhrase(one) ?? [])), match: { stems } };
}

/** Words of lines that look like one: the index knows only stems, which differ where the words do not. */
function wordsLike(search: Search, typed: string): readonly string[] {
  if (!mayBeMisspelled(typed) || isCommon(typed)) return [];
  const stem = stemOf(typed);
  const near = search
    .vocabulary(typed.slice(0, BEGINNING))
    .map((term) => ({ term, edits: isBeginning(stem, term) ? 0 : distance(stem, term) }))
    .filter(({ edits }) => edits <= mostEdits(typed) + 1)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, MOST_LOOKED_AT);
  return near.flatMap(({ term }) => [...surfaceForms(search, term)]);
}

/** How some lines write the words of a stem, plain. */
export function surfaceForms(search: Search, stem: string): ReadonlySet<string> {
  const phrase = searchPhrase(stem);
  const { keys = [] } = phrase === undefined ? {} : search.having(phrase, COMMON);
  const lines = search.units(keys.slice(0, MOST_READ));
  const words = lines.flatMap(({ text }) => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []);
  return new Set(words.filter((word) => stemOf(word) === stem));
}
