import type { FoundUnit, Search, UnitKey } from '../../index/search.js';
import { labelSlug } from '../../memory/page/terms.js';
import { Matcher } from '../terms/matcher.js';
import type { WeighedTerm } from '../terms/weighed-terms.js';

/** So many lines below a heading are looked at. */
const BELOW = 12;

/**
 * Lines below a heading that was found which set off a word that is asked: "status of Holly" of `**Status:** …` below
 * "Holly", where a thousand lines say "status" and the heading alone says whose.
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
  return found
    .filter(({ key, section }) => section === key)
    .flatMap(({ key, file }) => search.range(key + 1, Math.min(key + BELOW, file.lastUnit)).filter(isBelow(key)))
    .filter(isAsked)
    .map(({ key }) => key);
}

function isBelow(heading: UnitKey): (unit: FoundUnit) => boolean {
  return ({ section }) => section === heading;
}
