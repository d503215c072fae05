import type { FoundUnit } from '../../index/search.js';
import type { Ranked } from './ranked.js';

/**
 * What wins over what, in this order; each only orders what those before it leave equal:
 *
 * 1. the time window: what is from outside of it is no candidate, unless the question has words that nothing inside has;
 * 2. a page that the question is the name of (`channels/named.ts`);
 * 3. an exact token as it stands ({@link isMoreExact});
 * 4. what holds before what it replaced (`supersede.ts`);
 * 5. a line that itself has every content word of the question (`content-words.ts`);
 * 6. the score, in which the words of the question weigh most, and those of the lines around count a little.
 *
 * The fourth is an order of pairs, not of all results: it moves a result only past the one that it replaced.
 */
export function compareRanked(a: Ranked, b: Ranked): number {
  return (
    Number(b.isInside) - Number(a.isInside) ||
    b.named - a.named ||
    b.signals.exact - a.signals.exact ||
    Number(b.isWhole) - Number(a.isWhole) ||
    b.score - a.score ||
    compareUnits(a.unit, b.unit)
  );
}

/** Nearer than this, two lines have the same tokens, written in another case or as a part of longer ones. */
const ALIKE = 0.01;

/** Whether a result has an exact token of the question that another one lacks. */
export function isMoreExact(a: Ranked, b: Ranked): boolean {
  return a.signals.exact > b.signals.exact + ALIKE;
}

/** Of results that are as good, by day (the newest first), path and line: always the same. */
function compareUnits(a: FoundUnit, b: FoundUnit): number {
  const [dayA, dayB] = [a.file.day ?? '', b.file.day ?? ''];
  if (dayA !== dayB) return dayA > dayB ? -1 : 1;
  if (a.file.path !== b.file.path) return a.file.path < b.file.path ? -1 : 1;
  return a.line - b.line || a.key - b.key;
}
