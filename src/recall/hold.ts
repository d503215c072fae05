import type { Filter, FoundUnit, Search, UnitKey } from '../index/search.js';
import { lexicalChannel, type WeighedTerm } from './channels/lexical.js';
import { Matcher } from './matcher.js';

/** How a time holds that was read from a question. */
export type Hold =
  /** What is not of it is no answer. */
  | 'hard'
  /** What was said before it may be: "where were the backups in March" is answered by a fact of February. */
  | 'until its end'
  /** It is a hint: "why no releases on Friday" is about no day, and "who is on 24/7 duty" about no time at all. */
  | 'preferred';

/** A time holds when the best line of it has as much of the question as this share of the best line of all. */
const SHARE = 0.65;
/** Of so many lines by their words, the best is looked for. */
const LOOKED_AT = 30;

/**
 * Decides how a time holds that was only read from a question (design section 5, "Time"): it hides what is from other
 * days, and so it must not do that when its own lines answer far less of what is asked.
 * @param told units from outside of the window that tell of it
 */
export function holdOf(search: Search, terms: readonly WeighedTerm[], window: Filter, told: Iterable<UnitKey>): Hold {
  const asked = terms.filter(({ isAsked }) => isAsked);
  const matcher = new Matcher(asked);
  const worthOf = ({ text }: FoundUnit): number =>
    matcher.count(text)?.reduce((sum, count, i) => (count > 0 ? sum + (asked[i]?.worth ?? 0) : sum), 0) ?? 0;
  const unitsOf = (filter: Filter): readonly FoundUnit[] =>
    search.units(lexicalChannel(search, asked, filter, LOOKED_AT).keys);
  const best = (units: readonly FoundUnit[]): number => Math.max(0, ...units.map(worthOf));
  const enough = SHARE * best(unitsOf({ ...window, since: undefined, until: undefined }));
  const inside = [...unitsOf(window), ...search.units([...told])];
  if (enough === 0 || best(inside) >= enough || inside.some(isOfDays)) return 'hard';
  return best(unitsOf({ ...window, since: undefined })) >= enough ? 'until its end' : 'preferred';
}

/** Says itself from when to when it holds: it is there because of these days. */
function isOfDays({ validFrom, validTo }: FoundUnit): boolean {
  return validFrom !== null && validTo !== null;
}
