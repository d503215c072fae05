import type { FoundUnit, Search, UnitKey } from '../../index/search.js';
import { labelSlug } from '../../memory/page/terms.js';
import { linesSaidOf } from '../answer/answers.js';
import { Matcher } from '../terms/matcher.js';
import type { WeighedTerm } from '../terms/weighed-terms.js';

/**
 * Lines below a heading, and rows below the head of a table, that was found, which set off a word that is asked: "status of
 * Holly" of `**Status:** …` below "Holly", where a thousand lines say "status" and the heading alone says whose.
 */
export function labelledBelow(
  search: Search,
  found: readonly FoundUnit[],
  terms: readonly WeighedTerm[],
): readonly UnitKey[] {
  const matcher = new Matcher(terms.filter(({ isAsked }) => isAsked));
  const isAsked = ({ text }: FoundUnit): boolean => {
    const label = labelSlug(text);
    return label !== undefined && matcher.count(label) !== undefined;
  };
  return found.flatMap((unit) =>
    linesSaidOf(unit, search)
      .filter(isAsked)
      .map(({ key }) => key),
  );
}
