import { plainWords } from '../language/words/terms.js';
import { entitySlug } from '../text/slug.js';

/** A fact that is already written, for comparing. */
export interface KnownFact {
  readonly id: string;
  readonly entities: readonly string[];
  readonly text: string;
}

/** Two facts about the same entities with this share of tokens in common say the same. */
const NEAR_DUPLICATE_JACCARD = 0.85;

/** The known fact that a new one repeats in nearly the same words, or undefined. Pure. */
export function nearDuplicate(fact: Omit<KnownFact, 'id'>, known: readonly KnownFact[]): KnownFact | undefined {
  const entities = entityKey(fact.entities);
  const tokens = new Set(plainWords(fact.text));
  return known.find(
    (other) =>
      entityKey(other.entities) === entities &&
      jaccard(tokens, new Set(plainWords(other.text))) >= NEAR_DUPLICATE_JACCARD,
  );
}

function entityKey(entities: readonly string[]): string {
  return [...new Set(entities.map(entitySlug))].sort().join(' ');
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const token of a) if (b.has(token)) shared++;
  const union = a.size + b.size - shared;
  return union === 0 ? 1 : shared / union;
}
