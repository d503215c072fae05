import type { Filter, Search, UnitKey } from '../../index/search.js';
import { plainText } from '../../language/plain-text.js';
import type { WeighedTerm } from '../terms/weighed-terms.js';

/** Of a string in no more units all are candidates; of others, those are looked for that have it as it stands. */
const FEW = 20;

/** Units with an exact string of the question as it stands: of `F#` the index knows only the letter. */
export function exactChannel(
  search: Search,
  tokens: readonly string[],
  terms: readonly WeighedTerm[],
  filter: Filter,
  limit: number,
): readonly UnitKey[] {
  return tokens.flatMap((token) => {
    const plain = plainText(token);
    const term = terms.find(({ text }) => text === plain);
    if (term === undefined || term.frequency === 0) return [];
    if (term.keys !== undefined && term.keys.length <= FEW) return search.allowed(term.keys, filter);
    return search.containing(term.expression, token, filter, limit);
  });
}
