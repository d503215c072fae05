import { fullUnitText } from '../../index/found.js';
import type { IndexSearch } from '../../index/search.js';
import { detectLanguageGroup } from '../../language/language-group.js';
import { entitySlug } from '../../text/slug.js';
import type { QuestionReading } from '../parse/reading.js';
import type { FoldedResult } from '../rank/fold.js';
import { isByMeaningAlone } from '../rank/signals.js';
import { VECTOR_SCALE } from '../rank/weights.js';
import type { CandidateSet } from '../retrieve/gather.js';
import type { ModelWeights } from '../retrieve/line-vectors.js';
import type { Meaning } from '../retrieve/vector.js';
import { TermMatcher } from '../terms/matcher.js';
import { withoutNearWords } from '../terms/weighted-terms.js';
import { type QuestionCoverage, type QuestionFacts, questionCoverage } from './coverage.js';
import { placeOnPage } from './result.js';

/**
 * How much of the question the first results answer, and which of its words they lack. This does not depend on the number
 * of requested results. `isFoundByMeaning`: the first result was found by its meaning alone, and is near enough to be an
 * answer.
 */
export function coverageOfResults(
  { terms, candidates, strictness, window }: CandidateSet,
  reading: QuestionReading,
  search: IndexSearch,
  first: readonly FoldedResult[],
  byMeaning: Meaning | undefined,
): QuestionCoverage & { readonly isFoundByMeaning?: boolean } {
  const { ofTime, timeOnly } = reading;
  const isOfTime = window !== null && first.some(({ isInside }) => isInside);
  // For a question about all events of a time ("what happened in May"), every event of that time is an answer, in any words.
  if ((ofTime === 'events' && strictness === 'hard' && first.length > 0) || (timeOnly && isOfTime))
    return ANSWERED_WHOLE;
  if (first.some(({ named }) => named > 0)) return ANSWERED_WHOLE;
  const hasNear = terms.some(({ isNear }) => isNear);
  const own = withoutNearWords(terms);
  const matcher = new TermMatcher(own);
  const said = first.map(({ unit, standsFor, signals }) => {
    const { heading = [], title = '' } = placeOnPage(unit, (key) => candidates.unit(key));
    const written = [...[unit, ...standsFor].map(fullUnitText), ...heading, title, unit.speaker ?? ''].join('\n');
    const counts = matcher.count(written);
    const hasNoWord = signals.lexical === 0 || (hasNear && counts === undefined);
    return { counts, isNamed: signals.entity > 0, isByWords: !isByMeaningAlone(signals, hasNoWord) };
  });
  const coverage = questionCoverage(own, said, askedOf(reading, search, isOfTime));
  // Results that were found by meaning alone are no answer by words, even if the question has no telling word.
  const answers = said.some(({ isByWords }) => isByWords) ? coverage.answers : 'none';
  const isFoundByMeaning = said[0]?.isByWords === false && isNearEnough(first[0], byMeaning?.weights);
  return {
    ...withNearWords(coverage, first, byMeaning),
    answers: answers === 'none' && isFoundByMeaning ? 'some' : answers,
    ...(isFoundByMeaning && { isFoundByMeaning }),
  };
}

/** Names, beside each word that no line has, the word of the first results that is nearest to it in meaning. */
function withNearWords(
  coverage: QuestionCoverage,
  first: readonly FoldedResult[],
  { nearestWord }: Partial<Meaning> = {},
): QuestionCoverage {
  const { missing } = coverage;
  if (missing === undefined || nearestWord === undefined) return coverage;
  const texts = first.map(({ unit }) => unit.text);
  const withNear = missing.map((one) => {
    const near = one.indexed ? undefined : nearestWord(one.word, texts);
    return near === undefined ? one : { ...one, near: [near] };
  });
  return { ...coverage, missing: withNear };
}

/**
 * Whether words may answer the whole question. Not if a telling word of it stands in no line, unless the question is about a
 * page or all events of a time.
 */
export function mayAnswerWhole({ terms }: CandidateSet, reading: QuestionReading, search: IndexSearch): boolean {
  if (reading.ofTime === 'events' || reading.timeOnly) return true;
  const asked = askedOf(reading, search, false);
  const { missing = [] } = questionCoverage(terms, [], asked);
  return missing.every(({ word, indexed }) => indexed || asked.names.has(word));
}

function askedOf({ words, cjk: runs, text }: QuestionReading, search: IndexSearch, isOfTime: boolean): QuestionFacts {
  return {
    text,
    isEnglish: detectLanguageGroup(text) === 'english',
    names: new Set([
      ...words.flatMap(({ text, role }) => (role === 'name' ? [text] : [])),
      ...runs.filter((run) => search.entity(entitySlug(run)) !== undefined),
    ]),
    runs,
    isOfTime,
  };
}

function isNearEnough(result: FoldedResult | undefined, weights: ModelWeights | undefined): boolean {
  return result !== undefined && weights !== undefined && result.signals.vector >= weights.answer;
}

/** A warning for a first result that was found by its meaning alone, by a model that may mislead. */
export const FOUND_BY_MEANING_WARNING = 'the first result has no word of the question; its meaning is near';

export const NOTHING_ANSWERED = { answers: 'none' } as const;
export const ANSWERED_WHOLE = { answers: 'all' } as const;

/**
 * A warning if the results were found only by the time that the question names, and no result contains a word of the
 * question. Such results are no real answer. Otherwise there is no warning.
 */
export function timeOnlyWarning(
  { terms, window }: CandidateSet,
  { ofTime, timeOnly }: QuestionReading,
  items: readonly FoldedResult[],
): readonly string[] {
  const isMatch = ({ signals: { lexical, exact, entity, vector } }: FoldedResult) =>
    lexical + exact + entity > 0 || vector >= VECTOR_SCALE.share * VECTOR_SCALE.near;
  if (
    window === null ||
    timeOnly ||
    ofTime === 'events' ||
    items.length === 0 ||
    !terms.some(({ isAsked }) => isAsked) ||
    items.some(isMatch)
  )
    return [];
  return ['no line from that time has a word of the question; other lines from that time are shown'];
}
