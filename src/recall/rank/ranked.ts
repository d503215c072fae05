import type { FoundUnit } from '../../index/search.js';

/** A unit that may answer, with what speaks for it. */
export interface Ranked {
  readonly unit: FoundUnit;
  /** About 0..1; a little more where everything is said several times over, so that even those differ. */
  readonly score: number;
  /** It is of the time that is asked about, or no time is. */
  readonly isInside: boolean;
  /** It is of a page that the question is the name of: how close the name is, else 0. */
  readonly named: number;
  /** It itself has every content word of the question, whatever stands around it. */
  readonly isWhole: boolean;
  /** The share of the score that it would have without vectors. */
  readonly byWords: number;
  readonly signals: Signals;
}

/** The signals of a line by itself, which are summed first. */
export const SIGNAL_NAMES = [
  'lexical',
  'letters',
  'entity',
  'self',
  'kind',
  'wish',
  'time',
  'recency',
  'vector',
] as const;

/** An exact token as it stands decides by order, and weighs nothing in the sum. */
export type Signals = Readonly<Record<(typeof SIGNAL_NAMES)[number] | 'nearby' | 'exact', number>>;
