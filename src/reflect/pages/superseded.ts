import { statementTerms } from '../../language/words/terms.js';
import { compareState, isOldValue, readState } from '../../memory/attribute.js';
import { isReplaced, readReplacement } from '../../memory/replacement.js';
import type { ReflectFact } from '../facts.js';

/**
 * Which world facts about one entity a later one has replaced, by what it says plainly: `moved from A to B`, or another
 * value of the same attribute. The same rules as recall's; unsure is not replaced. Pure.
 * @param facts of one entity, the newest first
 * @returns id of the replaced fact to the one that replaced it
 */
export function findSuperseded(facts: readonly ReflectFact[]): ReadonlyMap<string, ReflectFact> {
  const replaced = new Map<string, ReflectFact>();
  const dated = facts.filter((fact) => fact.kind === 'world' && fact.day !== null);
  const later = dated.flatMap((fact) => {
    const [replacement, state] = [readReplacement(fact.text), readState(fact.text)];
    return replacement === undefined && state === undefined ? [] : [{ fact, replacement, state }];
  });
  for (const fact of dated) {
    const [terms, state] = [new Set(statementTerms(fact.text)), readState(fact.text)];
    const by = later.find(
      (other) =>
        (other.fact.day ?? '') > (fact.day ?? '') &&
        ((other.replacement !== undefined &&
          (isReplaced(terms, other.replacement) || isOldValue(state, other.replacement))) ||
          (other.state !== undefined && compareState(state, other.state) === 'other value')),
    );
    if (by !== undefined) replaced.set(fact.id, by.fact);
  }
  return replaced;
}
