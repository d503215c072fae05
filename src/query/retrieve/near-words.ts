import type { IndexSearch } from '../../index/search.js';
import { VECTOR_SCALE } from '../rank/weights.js';
import type { NearWords } from '../terms/weighted-terms.js';
import type { CandidateSet } from './gather.js';
import type { Meaning } from './vector.js';

/** Number of lines nearest to a question. As many as the ranking asks for: they are searched once. */
const NEAREST = 40;
/** Number of these lines in which a near word is looked for. */
const LINES = 20;
/** A text with more terms is a message. It does not ask for each of its words. */
const MOST_TERMS = 5;

/** Finds, for each telling word that no line has, the word of nearly the same meaning in the lines nearest to the question. */
export function findNearWords(
  search: IndexSearch,
  { terms, filter }: CandidateSet,
  { channel, nearestWord }: Meaning,
): NearWords {
  const asked = terms.filter(({ isAsked }) => isAsked);
  const missing = asked.filter(({ frequency }) => frequency === 0);
  if (nearestWord === undefined || missing.length === 0 || asked.length > MOST_TERMS) return new Map();
  const nearest = channel.units(filter, NEAREST, VECTOR_SCALE.near).slice(0, LINES);
  const texts = search.units(nearest).map(({ text }) => text);
  return new Map(
    missing.flatMap(({ text }) => {
      const near = nearestWord(text, texts);
      return near === undefined ? [] : [[text, near] as const];
    }),
  );
}
