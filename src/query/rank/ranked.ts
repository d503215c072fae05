import { dayOfUnit } from '../../index/found.js';
import type { FoundUnit, IndexSearch } from '../../index/search.js';
import { hasForm } from '../../line/form.js';
import type { Weights } from './weights.js';

/** A unit that may answer a question, with its score and signals. */
export interface RankedUnit {
  readonly unit: FoundUnit;
  /** About 0..1; a little more where everything is said several times over, so that even those differ. */
  readonly score: number;
  /** Whether the unit is of the time of the question. True for a question without a time. */
  readonly isInside: boolean;
  /** How close the question is to the name of the page of the unit. 0 if the question is not that name. */
  readonly named: number;
  /** Whether the unit itself has every content word of the question, without the lines around it. */
  readonly isWhole: boolean;
  /** The share of the score that the unit would have without vectors. */
  readonly byWords: number;
  readonly signals: Signals;
}

/** The functions that are needed to look up results while they are sorted. */
export interface ResultLookup {
  readonly search: IndexSearch;
  /** The units among some that may be results. */
  readonly allowed: (units: readonly FoundUnit[]) => readonly FoundUnit[];
  /** A unit, ranked, also one that was no candidate. */
  readonly score: (unit: FoundUnit) => RankedUnit;
}

/** The signals that have a weight. The weights that are left out here only change how a signal is computed. */
type Weighted = Exclude<keyof Weights, 'around' | 'asking' | 'rarity' | 'capital'>;

/** An exact token as it stands decides by order, and weighs nothing in the sum. */
export type Signals = Readonly<Record<Weighted | 'nearby' | 'exact', number>>;

/**
 * What wins over what, in this order; each only orders what those before it leave equal:
 *
 * 1. the time window: what is from outside of it is no candidate, unless the question has words that nothing inside has;
 * 2. a page that the question is the name of (`retrieve/page-names.ts`);
 * 3. an exact token as it stands ({@link isMoreExact});
 * 4. what holds before what it replaced (`supersede.ts`);
 * 5. what somebody wrote before what asks another program for a list;
 * 6. a line that itself has every content word of the question (`content-words.ts`);
 * 7. the score, in which the words of the question weigh most, and those of the lines around count a little.
 *
 * The fourth is an order of pairs, not of all results (`order.ts`): it puts a result directly before the one that it
 * replaced, and changes no other place.
 */
export function compareRanked(a: RankedUnit, b: RankedUnit): number {
  return (
    Number(b.isInside) - Number(a.isInside) ||
    b.named - a.named ||
    b.signals.exact - a.signals.exact ||
    Number(hasForm(a.unit, 'query')) - Number(hasForm(b.unit, 'query')) ||
    Number(b.isWhole) - Number(a.isWhole) ||
    b.score - a.score ||
    compareUnits(a.unit, b.unit)
  );
}

/** Nearer than this, two lines have the same tokens, written in another case or as a part of longer ones. */
const ALIKE = 0.01;

/** Whether one result has an exact token of the question that the other does not have. */
export function isMoreExact(a: RankedUnit, b: RankedUnit): boolean {
  return a.signals.exact > b.signals.exact + ALIKE;
}

/** Orders equally good results by day (newest first), path and line, so that the order is always the same. */
function compareUnits(a: FoundUnit, b: FoundUnit): number {
  const [dayA, dayB] = [dayOfUnit(a) ?? '', dayOfUnit(b) ?? ''];
  if (dayA !== dayB) return dayA > dayB ? -1 : 1;
  if (a.file.path !== b.file.path) return a.file.path < b.file.path ? -1 : 1;
  return a.line - b.line || a.key - b.key;
}

/**
 * The best score of each section's lines: what a question is about is talked of there, and its answer need not say the
 * words again. A fact says all by itself, whatever stands beside it.
 */
export class SectionScore {
  private readonly scores = new Map<string, number>();

  constructor(ranked: readonly RankedUnit[]) {
    for (const { unit, score } of ranked)
      if (isTold(unit)) this.scores.set(talkOf(unit), Math.max(score, this.best(unit)));
  }

  /** The best score of the lines in the section of a unit. 0 if no line has one. */
  best(unit: FoundUnit): number {
    return isTold(unit) ? (this.scores.get(talkOf(unit)) ?? 0) : 0;
  }
}

function talkOf({ section, file }: FoundUnit): string {
  return `${section} ${file.path}`;
}

/** Whether a unit is a line of a text: no fact, no field and no heading. */
function isTold({ key, section, fact, detail }: FoundUnit): boolean {
  return fact === null && section !== key && detail?.field === undefined;
}
