import type { FoundUnit, IndexSearch, UnitKey } from '../../index/search.js';
import { labelSlug } from '../../memory/page/terms.js';
import { TermMatcher } from '../terms/matcher.js';
import type { WeightedTerm } from '../terms/weighted-terms.js';

/**
 * Lines below a heading, and rows below the head of a table, that was found, which set off a word that is asked: "status of
 * Holly" of `**Status:** …` below "Holly", where a thousand lines say "status" and the heading alone says whose.
 */
export function findLabelledLines(
  search: IndexSearch,
  found: readonly FoundUnit[],
  terms: readonly WeightedTerm[],
): readonly UnitKey[] {
  const matcher = new TermMatcher(terms.filter(({ isAsked }) => isAsked));
  const isAsked = ({ text }: FoundUnit): boolean => {
    const label = labelSlug(text);
    return label !== undefined && matcher.count(label) !== undefined;
  };
  return found.flatMap((unit) =>
    search
      .linesBelow(unit)
      .filter(isAsked)
      .map(({ key }) => key),
  );
}
