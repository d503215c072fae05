import { addToGroup, compareText } from '../base/order.js';
import { readFoldedWords } from '../language/words/terms.js';
import { hasForm } from '../line/form.js';
import { pageOfPath } from '../memory/pages.js';
import { readUnits } from '../memory/units.js';
import { entitySlug } from '../text/slug.js';

/** A fact that is already written, to compare new facts with. */
export interface KnownFact {
  readonly id: string;
  readonly entities: readonly string[];
  readonly text: string;
}

/** Reads the facts of a page, without observations: they only count others. */
export function factsOfPage(path: string, text: string): KnownFact[] {
  const page = pageOfPath(path);
  const units = page === undefined ? [] : readUnits(path, page, text).units;
  return units.flatMap(({ fact, detail, text: statement, form }) =>
    fact === null || hasForm({ form }, 'observed')
      ? []
      : [{ id: fact, entities: detail?.entities ?? [], text: statement }],
  );
}

/** Two facts about the same entities are near-duplicates if at least this share of all their words occurs in both. */
const NEAR_DUPLICATE_JACCARD = 0.85;

interface Known {
  readonly fact: KnownFact;
  readonly words: ReadonlySet<string>;
  readonly place: number;
}

/** The facts that are already written. Finds the one that a new fact nearly repeats. */
export class SimilarFactFinder {
  /** The facts by key. A key is the entities of a fact and one of its words. */
  private readonly by = new Map<string, Known[]>();
  private count = 0;

  constructor(facts: Iterable<KnownFact> = []) {
    for (const fact of facts) this.add(fact);
  }

  add(fact: KnownFact): void {
    const words = wordsOf(fact);
    const known = { fact, words, place: this.count++ };
    for (const key of keysOf(fact, words)) addToGroup(this.by, key, known);
  }

  /** The first known fact that `fact` nearly repeats; undefined if there is none. */
  near(fact: Omit<KnownFact, 'id'>): KnownFact | undefined {
    const words = wordsOf(fact);
    let first: Known | undefined;
    for (const known of keysOf(fact, words).flatMap((key) => this.by.get(key) ?? [])) {
      if (known.place < (first?.place ?? this.count) && jaccard(words, known.words) >= NEAR_DUPLICATE_JACCARD)
        first = known;
    }
    return first?.fact;
  }
}

function wordsOf({ text }: Omit<KnownFact, 'id'>): ReadonlySet<string> {
  return new Set(readFoldedWords(text));
}

/**
 * The keys under which a fact is stored and searched. Each key consists of the entities of the fact and one of its
 * words. Only some words of the fact are used, the first in alphabetical order. They are enough: if two facts with the
 * same entities have at least the similarity {@link NEAR_DUPLICATE_JACCARD}, they always share one of these words. This
 * is the "prefix filter" of similarity search.
 */
function keysOf({ entities }: Omit<KnownFact, 'id'>, words: ReadonlySet<string>): readonly string[] {
  const about = [...new Set(entities.map(entitySlug))].sort().join(' ');
  const first = [...words].sort(compareText).slice(0, words.size - Math.ceil(NEAR_DUPLICATE_JACCARD * words.size) + 1);
  return (first.length === 0 ? [''] : first).map((word) => `${about}\n${word}`);
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  const union = a.size + b.size - shared;
  return union === 0 ? 1 : shared / union;
}
