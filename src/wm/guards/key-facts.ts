import { findFirstNotBelow, largest } from '../../base/order.js';
import { isNegation, splitAtNegations } from '../../language/words/stop.js';
import { type Anchors, readAnchors } from '../anchors.js';
import { contentItems, itemKey, startsWithWholeWords } from '../items.js';
import {
  findNewItems,
  makeAppendRuling,
  makeKeepRuling,
  makeUpdateRuling,
  type Ruling,
  type SectionGuard,
} from '../ruling.js';

const MIN_ITEM_RATIO = 0.15;
const MIN_COVERAGE = 0.7;
const MIN_STATEMENTS = 0.5;

/**
 * Guards the section Key Facts & Decisions. An UPDATE is accepted only if enough items, anchors and statements survive it
 * and no statement changes into its opposite. Otherwise the old facts stay and the new items are appended.
 */
export const guardKeyFacts: SectionGuard = (old, content) => {
  const before = contentItems(old);
  const after = contentItems(content);
  const loss = firstLoss(before, after);
  if (loss !== undefined) return salvage(before, after, old, loss);
  return makeUpdateRuling(content, 'consolidated: names, values and statements survive', () => {
    return 'rephrased, merged or superseded by an accepted consolidation';
  });
};

function firstLoss(before: readonly string[], after: readonly string[]): string | undefined {
  if (after.length / before.length < MIN_ITEM_RATIO) {
    return `${after.length} items for ${before.length} is under ${percent(MIN_ITEM_RATIO)}`;
  }
  const known = new Set(after.map(itemKey));
  const old = new Facts(before.map(readAnchors));
  const next = new Facts(after.map(readAnchors));
  for (const [tier, what] of TIERS) {
    const covered = next.coverageOf(old, tier);
    if (covered < MIN_COVERAGE) return `${percent(covered)} of the ${what} survive, under ${percent(MIN_COVERAGE)}`;
  }
  const survive = next.statementsOf(old, (index) => known.has(itemKey(before[index] ?? '')));
  if (survive < MIN_STATEMENTS)
    return `${percent(survive)} of the statements survive, under ${percent(MIN_STATEMENTS)}`;
  const flipped = next.negationFlipOf(old);
  return flipped === undefined ? undefined : `a negation was dropped or added: "${shorten(before[flipped] ?? '')}"`;
}

// The tiers of anchors, with their names in messages. Each tier also includes the anchors of the tiers before it. The
// share of anchors that survive is tested for each tier, because many words that survive must not make up for lost
// names.
const TIERS = [
  [1, 'names, dates and quantities'],
  [2, 'names and exact values'],
  [3, 'names, values and words'],
] as const;

function salvage(before: readonly string[], after: readonly string[], old: string, loss: string): Ruling {
  const shortened = shortenedCopies(before);
  const fresh = findNewItems(after, old).filter((item) => !shortened(item));
  if (fresh.length === 0) return makeKeepRuling(`update rejected: ${loss}; nothing in it is new`);
  return makeAppendRuling(fresh, `update rejected: ${loss}; its new items are appended`);
}

/**
 * Returns a function that recognises an item which is only the beginning of an old item. If an UPDATE is rejected, such
 * an item is not appended, because it says nothing new. But if the part that was cut off has a negation, the shorter
 * item says something else, and is not recognised.
 */
function shortenedCopies(before: readonly string[]): (item: string) => boolean {
  const keys = before.map(itemKey).sort();
  return (item) => {
    const key = itemKey(item);
    const longer = keys[findFirstNotBelow(keys.length, (place) => (keys[place] ?? '') < key)];
    return longer !== undefined && startsWithWholeWords(longer, key) && !hasNegation(longer.slice(key.length));
  };
}

function hasNegation(text: string): boolean {
  return (
    splitAtNegations(text).length > 1 ||
    (text.match(/[\p{L}'’]+/gu) ?? []).some((word) => isNegation(word.replaceAll('’', "'")))
  );
}

function percent(ratio: number): string {
  return `${Math.round(ratio * 1000) / 10} %`;
}

function shorten(item: string): string {
  const points = [...item.slice(0, 200)];
  return points.length > 60 ? `${points.slice(0, 59).join('')}…` : item;
}

/** The anchors of one version of the section Key Facts. Measures how much of the old version is still in this one. */
class Facts {
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

  /**
   * Share of the anchors of `old` that still occur here, in any item. Counts the anchors of the tiers from 1 to `tier`.
   * The share is 1 if `old` has no such anchors.
   */
  coverageOf(old: Facts, tier: 1 | 2 | 3): number {
    const anchors = [...(old.#tiers[tier - 1] ?? [])];
    const covered = anchors.filter((anchor) => this.#terms.has(anchor) || this.#tiers[2]?.has(anchor)).length;
    return anchors.length === 0 ? 1 : covered / anchors.length;
  }

  /**
   * Share of the items of `old` that survive. An item survives if it is kept word for word, or if at least half of its
   * terms occur in one item of this version.
   */
  statementsOf(old: Facts, isKept: (index: number) => boolean): number {
    const surviving = old.#items.filter((item, index) => isKept(index) || this.#holds(item)).length;
    return old.#items.length === 0 ? 1 : surviving / old.#items.length;
  }

  /**
   * Index of the first item of `old` with a clause whose opposite is in this version, while the clause itself is not: `use
   * Redis` became `do not use Redis`, or the reverse. Undefined if there is none.
   */
  negationFlipOf(old: Facts): number | undefined {
    const flipped = old.#items.findIndex((item) =>
      item.clauses.some(({ terms, negated }) => this.#clauses.get(terms) === (negated ? PLAIN : NEGATED)),
    );
    return flipped === -1 ? undefined : flipped;
  }

  #holds({ terms }: Anchors): boolean {
    return terms.size === 0 || this.#bestShare(terms) >= HALF;
  }

  // The largest share of `terms` that one item has. Compares only with a few items that have one of the rarest terms, so
  // that the time stays linear.
  #bestShare(terms: ReadonlySet<string>): number {
    const lists = [...terms].map((term) => this.#terms.get(term) ?? []).filter((list) => list.length > 0);
    lists.sort((a, b) => a.length - b.length);
    const candidates = new Set(lists.slice(0, RAREST).flatMap((list) => list.slice(0, MAX_POSTINGS)));
    const shares = Array.from(candidates, (index) => {
      const known = this.#items[index]?.terms;
      return [...terms].filter((term) => known?.has(term)).length / terms.size;
    });
    return largest(shares, 0);
  }
}

const PLAIN = 1;
const NEGATED = 2;
const HALF = 0.5;
const RAREST = 3;
const MAX_POSTINGS = 8;
