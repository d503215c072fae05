import type { FoundUnit, UnitKey } from '../../index/search.js';
import type { FoldedResult } from './fold.js';
import { isMoreExact } from './ranked.js';

/** Which lines come before others, whatever their scores. */
export interface OrderRules {
  /** For an older line: the newer one that stands directly before it. */
  readonly above: ReadonlyMap<FoundUnit, FoundUnit>;
  /** Those of `above` where the newer line cancels or moves a plan. So it need not be of the day that is asked for. */
  readonly changed?: ReadonlyMap<FoundUnit, FoundUnit> | undefined;
  /** For a line that is over: those that hold and come before it. */
  readonly behind: ReadonlyMap<FoundUnit, readonly FoundUnit[]>;
}

/**
 * Puts results in order, in one pass: each at the place of its rank, a newer line directly before the older one that it
 * leads, and what is over behind what holds. No result is left out. Pure.
 * @param items the best first
 */
export function orderResults(items: readonly FoldedResult[], rules: OrderRules): readonly FoldedResult[] {
  if (rules.above.size + rules.behind.size === 0) return items;
  return new Order(items, rules).make();
}

/**
 * Moves the best line of each section of the asked days before all other lines, so that the first results tell all that
 * happened. Pure.
 * @param items the best first
 */
export function firstOfSections(items: readonly FoldedResult[]): readonly FoldedResult[] {
  const seen = new Set<string>();
  const isFirst = ({ unit, signals }: FoldedResult): boolean => {
    const section = `${unit.file.path}#${unit.section}`;
    return signals.time === 1 && seen.size < seen.add(section).size;
  };
  const first = new Set(items.filter(isFirst));
  return [...first, ...items.filter((item) => !first.has(item))];
}

/** Share of the results that is reserved for the best results by words, whatever their vectors. */
const KEPT_SHARE = 0.5;

/** Says how a result was found, apart from vectors. */
interface WordHitTests {
  /** Whether the result was found by words, an entity or a time, so that it would be found without vectors, too. */
  byWords(item: FoldedResult): boolean;
  /** Whether the result has every term of the question, or an exact token of it. */
  literally(item: FoldedResult): boolean;
}

/**
 * Keeps vectors from taking a place of the first `k` from what was found literally, or from the better half of what
 * was found by words. Only who is among the first `k` is decided here; their order stays. Pure.
 * @param items the best first
 */
export function keepWordHits(items: readonly FoldedResult[], k: number, how: WordHitTests): readonly FoldedResult[] {
  if (items.length <= k) return items;
  const wordScore = ({ score, byWords }: FoldedResult): number => score * byWords;
  const found = items.filter((item) => how.byWords(item)).sort((a, b) => wordScore(b) - wordScore(a));
  const chosen = new Set<FoldedResult>();
  for (const item of found) if (chosen.size < k && how.literally(item)) chosen.add(item);
  for (const item of found.slice(0, Math.ceil(k * KEPT_SHARE))) if (chosen.size < k) chosen.add(item);
  for (const item of items) if (chosen.size < k) chosen.add(item);
  return [...items.filter((item) => chosen.has(item)), ...items.filter((item) => !chosen.has(item))];
}

class Order {
  private readonly placed: FoldedResult[] = [];
  private readonly done = new Set<FoldedResult>();
  private readonly itemOf = new Map<UnitKey, FoldedResult>();
  private waiting: FoldedResult[] = [];
  private readonly keysAbove: ReadonlyMap<UnitKey, UnitKey>;
  private readonly keysBehind: ReadonlyMap<UnitKey, readonly UnitKey[]>;
  private readonly changed: ReadonlySet<UnitKey>;

  constructor(
    private readonly items: readonly FoldedResult[],
    { above, changed = new Map(), behind }: OrderRules,
  ) {
    for (const item of items) for (const { key } of [item.unit, ...item.standsFor]) this.itemOf.set(key, item);
    this.keysAbove = new Map([...above].map(([old, newer]) => [old.key, newer.key]));
    this.changed = new Set([...changed.keys()].map(({ key }) => key));
    this.keysBehind = new Map([...behind].map(([over, holding]) => [over.key, holding.map(({ key }) => key)]));
  }

  make(): readonly FoldedResult[] {
    for (const item of this.items) this.reach(item, item.score);
    for (const item of this.waiting) this.place(item, item.score);
    return this.placed;
  }

  /** Places an item, or lets it wait until what comes before it is placed. */
  private reach(item: FoldedResult, score: number): void {
    if (this.done.has(item)) return;
    if (this.waitsFor(item)) {
      if (!this.waiting.includes(item)) this.waiting.push(item);
      return;
    }
    this.place(item, score);
    const ready = this.waiting.filter((one) => !this.waitsFor(one));
    this.waiting = this.waiting.filter((one) => !ready.includes(one));
    for (const one of ready) this.place(one, Math.min(one.score, score));
  }

  private place(item: FoldedResult, score: number): void {
    if (this.done.has(item)) return;
    this.done.add(item);
    const newer = this.newerOf(item);
    if (newer !== undefined) this.reach(newer, Math.max(newer.score, score));
    this.placed.push(score === item.score ? item : { ...item, score });
  }

  /** The item that stands directly before another one, unless that one answers more exactly. */
  private newerOf(item: FoldedResult): FoldedResult | undefined {
    for (const { key } of [item.unit, ...item.standsFor]) {
      const newer = this.itemOf.get(this.keysAbove.get(key) ?? -1);
      if (newer === undefined || newer === item || isMoreExact(item, newer)) continue;
      if (this.changed.has(key)) return newer;
      if (Number(newer.isInside) >= Number(item.isInside) && newer.named >= item.named) return newer;
    }
    return undefined;
  }

  private waitsFor({ unit, standsFor }: FoldedResult): boolean {
    const before = [unit, ...standsFor].flatMap(({ key }) => this.keysBehind.get(key) ?? []);
    return before.some((key) => {
      const item = this.itemOf.get(key);
      return item !== undefined && item.unit !== unit && !this.done.has(item);
    });
  }
}
