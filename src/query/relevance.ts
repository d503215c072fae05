import type { Clock } from '../base/clock.js';
import type { IndexSearch } from '../index/search.js';
import { ALL_HAN_RANGES, foldText } from '../language/scripts.js';
import { COMMON_TASK_WORDS, TASK_CONCEPTS, withoutTaskFrame } from '../language/task-concepts.js';
import { stemOf } from '../language/words/forms.js';
import { buildSearchPhrase } from '../text/search-text.js';
import { entitySlug } from '../text/slug.js';
import { readQuestion } from './parse/read.js';
import { TermMatcher } from './terms/matcher.js';
import { joinWithOr, type QuestionTerm, questionTerms } from './terms/question-terms.js';
import { weighTerms } from './terms/weighted-terms.js';

/** A part of a page, and its weight (0..1): how much that part says about the purpose of the page. */
export interface WeightedField {
  readonly text: string;
  readonly weight: number;
}

/** Weight of a word with a similar meaning, as a share of the weight of the word itself. */
const LIKE_SHARE = 0.7;
/**
 * Weight of a pair of Chinese characters, as a share of the weight of a word. Two neighbouring characters are often not a
 * word.
 */
const BIGRAM_SHARE = 0.5;
/**
 * Weight of a word that is nowhere in memory, as a share of its usual weight. No page can have such a word, so its absence
 * counts little.
 */
const UNKNOWN_SHARE = 0.15;
const UNKNOWN_BIGRAM_SHARE = 0.08;
/** Weight of a word that any task may contain, as a share of its usual weight. Such a word says little about the topic. */
const COMMON_SHARE = 0.4;
const COMMON_LIKE_SHARE = 0.15;
/**
 * Makes the score lower if a page matches only a single word of a short task. A score is divided by the total weight of the
 * words of the task, and this share of the weight of the rarest word is added to the total.
 */
const DOUBT = 0.4;

/**
 * Makes a function that scores how well a page covers a task, 0..1. The score is the share of the task's words that the
 * page contains. A rare word counts more. A word counts less if the page has only a similar word. The lengths of task
 * and page do not matter.
 */
export async function createRelevanceScorer(
  search: IndexSearch,
  clock: Clock,
  task: string,
): Promise<(fields: readonly WeightedField[]) => number> {
  const reading = await readQuestion(withoutTaskFrame(task), {
    now: clock.now(),
    zone: clock.zone,
    dateOrder: clock.dateOrder,
    entities: { lookup: (name) => search.entity(entitySlug(name))?.slug },
  });
  // "Ok, thanks" asks for nothing, and every page may contain such words.
  if (reading.stopWordsOnly) return () => 0;
  const said = questionTerms(reading);
  const concepts = conceptsOf(task);
  const terms = weighTerms(search, [...said, ...concepts]);
  const worth = terms.map(({ text, worth, frequency, match }, index) => {
    const concept = concepts[index - said.length];
    if (concept) return frequency === 0 ? 0 : worth * (concept.isCommon ? COMMON_LIKE_SHARE : LIKE_SHARE);
    const isPair = 'needles' in match && HAN_PAIR.test(match.needles[0] ?? '');
    if (frequency === 0) return worth * (isPair ? UNKNOWN_BIGRAM_SHARE : UNKNOWN_SHARE);
    return worth * (isPair ? BIGRAM_SHARE : 1) * (COMMON_TASK_WORDS.has(text) ? COMMON_SHARE : 1);
  });
  const doubt = DOUBT * Math.max(0, ...terms.map((term) => term.worth));
  const total = worth.reduce((sum, each) => sum + each, doubt);
  const matcher = new TermMatcher(terms);
  return (fields) => {
    if (total === 0) return 0;
    const credit = worth.map(() => 0);
    for (const { text, weight } of fields) {
      const counts = matcher.count(text);
      const plain = foldText(text);
      for (const index of worth.keys()) {
        const concept = concepts[index - said.length];
        const isThere = (counts?.[index] ?? 0) > 0 || concept?.chinese.some((word) => plain.includes(word)) === true;
        if (isThere) credit[index] = Math.max(credit[index] ?? 0, weight);
      }
    }
    return worth.reduce((sum, each, index) => sum + each * (credit[index] ?? 0), 0) / total;
  };
}

const HAN_PAIR = new RegExp(`^[${ALL_HAN_RANGES}]{1,2}$`, 'u');

interface ConceptTerm extends QuestionTerm {
  readonly chinese: readonly string[];
  readonly isCommon: boolean;
}

function conceptsOf(task: string): readonly ConceptTerm[] {
  const plain = foldText(task);
  const stems = new Set((plain.match(/[a-z0-9]+/g) ?? []).map(stemOf));
  return TASK_CONCEPTS.flatMap(({ words, chinese, isCommon }) => {
    const isNamed = words.some((word) => stems.has(stemOf(word))) || chinese.some((word) => plain.includes(word));
    if (!isNamed) return [];
    const phrases = [...words, ...chinese].flatMap((word) => buildSearchPhrase(word) ?? []);
    const match = { stems: words.map(stemOf) };
    return [
      { text: words[0] ?? '', weight: 1, isAsked: false, expression: joinWithOr(phrases), match, chinese, isCommon },
    ];
  });
}
