import { isNegation, splitAtNegations } from '../../language/words/negation.js';
import { readAnchors } from '../anchors.js';
import { contentItems, itemKey } from '../items.js';
import { accept, append, type Guard, keep, type Ruling } from '../ruling.js';
import { continuesAfter, firstNotBelow } from '../sorted.js';
import { Facts } from './facts.js';
import { freshItems } from './fresh.js';

const MIN_ITEM_RATIO = 0.15;
const MIN_COVERAGE = 0.7;
const MIN_STATEMENTS = 0.5;

/**
 * Key Facts & Decisions: an UPDATE is a consolidation only when enough items, anchors and statements survive it and none
 * is turned into its opposite. Otherwise the old facts stay and what is new is appended.
 */
export const guardKeyFacts: Guard = (old, content) => {
  const before = contentItems(old);
  const after = contentItems(content);
  const loss = firstLoss(before, after);
  if (loss !== undefined) return salvage(before, after, old, loss);
  return accept(content, 'consolidated: names, values and statements survive', () => {
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

// Each tier includes the ones before it: no name can be traded for numbers, and no value for words.
const TIERS = [
  [1, 'names, dates and quantities'],
  [2, 'names and exact values'],
  [3, 'names, values and words'],
] as const;

function salvage(before: readonly string[], after: readonly string[], old: string, loss: string): Ruling {
  const shortened = shortenedCopies(before);
  const fresh = freshItems(after, old).filter((item) => !shortened(item));
  if (fresh.length === 0) return keep(`update rejected: ${loss}; nothing in it is new`);
  return append(fresh, `update rejected: ${loss}; its new items are appended`);
}

/**
 * Tells the items of a rejected consolidation that are only the beginning of an old item, with nothing after it that
 * would turn its sense: they are part of what was rejected, not new facts.
 */
function shortenedCopies(before: readonly string[]): (item: string) => boolean {
  const keys = before.map(itemKey).sort();
  return (item) => {
    const key = itemKey(item);
    const longer = keys[firstNotBelow(keys, key)];
    return longer !== undefined && continuesAfter(longer, key) && !hasNegation(longer.slice(key.length));
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
