import type { Anchors } from '../anchors.js';

/** The items of one Key Facts section by their anchors, and how much of another one's they still hold. */
export class Facts {
  readonly #items: readonly Anchors[];
  readonly #tiers: readonly ReadonlySet<string>[];
  readonly #terms = new Map<string, number[]>();
  readonly #clauses = new Map<string, number>();

  constructor(items: readonly Anchors[]) {
    this.#items = items;
    const named = new Set(items.flatMap((item) => [...item.named]));
    const exact = new Set([...named, ...items.flatMap((item) => [...item.exact])]);
    this.#tiers = [named, exact, new Set([...exact, ...items.flatMap((item) => [...item.words])])];
    items.forEach((item, index) => {
      for (const term of item.terms) {
        const postings = this.#terms.get(term);
        if (postings === undefined) this.#terms.set(term, [index]);
        else if (postings.length <= MAX_POSTINGS) postings.push(index);
      }
      for (const { terms, negated } of item.clauses) {
        this.#clauses.set(terms, (this.#clauses.get(terms) ?? 0) | (negated ? NEGATED : PLAIN));
      }
    });
  }

  /** Share of the other's anchors up to `tier` that stand anywhere in these items; 1 when it has none. */
  coverageOf(old: Facts, tier: 1 | 2 | 3): number {
    const anchors = old.#tiers[tier - 1] ?? new Set();
    if (anchors.size === 0) return 1;
    let covered = 0;
    for (const anchor of anchors) if (this.#terms.has(anchor) || this.#tiers[2]?.has(anchor)) covered++;
    return covered / anchors.size;
  }

  /** Share of the other's items that are kept literally or of whose terms one of these items holds half and more. */
  statementsOf(old: Facts, isKept: (index: number) => boolean): number {
    let surviving = 0;
    old.#items.forEach((item, index) => {
      if (isKept(index) || this.#holds(item)) surviving++;
    });
    return old.#items.length === 0 ? 1 : surviving / old.#items.length;
  }

  /** The first of the other's items with a clause that stands here only with the opposite sense. */
  negationFlipOf(old: Facts): number | undefined {
    const flipped = old.#items.findIndex((item) =>
      item.clauses.some(({ terms, negated }) => this.#clauses.get(terms) === (negated ? PLAIN : NEGATED)),
    );
    return flipped === -1 ? undefined : flipped;
  }

  #holds({ terms }: Anchors): boolean {
    return terms.size === 0 || this.#bestShare(terms) >= HALF;
  }

  // Only items with one of its rarest terms can hold a statement, and of these the first few: this keeps it linear.
  #bestShare(terms: ReadonlySet<string>): number {
    const lists = [...terms].map((term) => this.#terms.get(term) ?? []).filter((list) => list.length > 0);
    lists.sort((a, b) => a.length - b.length);
    const candidates = new Set(lists.slice(0, RAREST).flatMap((list) => list.slice(0, MAX_POSTINGS)));
    let best = 0;
    for (const index of candidates) {
      let held = 0;
      for (const term of terms) if (this.#items[index]?.terms.has(term)) held++;
      best = Math.max(best, held / terms.size);
    }
    return best;
  }
}

const PLAIN = 1;
const NEGATED = 2;
const HALF = 0.5;
const RAREST = 3;
const MAX_POSTINGS = 8;
