import type { Day } from '../../base/clock.js';
import type { DatedFact } from '../supersession/supersession.js';

/** A fact as it is judged by the day: what says when it holds, and who said it. */
export interface StatedFact extends DatedFact {
  readonly id: string;
  /** Dates in its text, whether they say when it holds or are only mentioned. */
  readonly validFrom: Day | null;
  readonly validTo: Day | null;
  /** Written again and again by a job that knows nothing new. */
  readonly isJob: boolean;
}

/** Where a part of a fact stands on a day. */
export type StandingPlace = 'now' | 'planned' | 'lately' | 'before' | 'nowhere';

/** Why a part does not hold. */
export type Ending = 'ended' | 'replaced' | 'lapsed' | 'past';

/** A part of a fact as it stands on a day. */
export interface Standing<F extends StatedFact> {
  readonly fact: F;
  /** The part's own words. */
  readonly text: string;
  /** Its position among the parts of the fact, and how many these are. */
  readonly part: number;
  readonly parts: number;
  readonly place: StandingPlace;
  /** From when to when it holds or held; of an event and of a plan, its days. */
  readonly from: Day | null;
  readonly to: Day | null;
  readonly ending: Ending | null;
  /** The fact that has replaced it. */
  readonly by: F | null;
  /** The last day on which it was said. */
  readonly lastSaid: Day | null;
  /** The next day on which it will stand elsewhere if nothing new is said; null: none is known. */
  readonly changesOn: Day | null;
  /** Others that hold, too, and can't be true with it: neither replaces the other. */
  readonly against: readonly Standing<F>[];
}
