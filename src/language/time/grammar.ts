import type { Bend, Bound } from './bound.js';
import type { Expression, TimeContext } from './expression.js';
import type { Tense } from './occurrence.js';

/** How one language says times. Patterns see text in half-width forms, Latin capitals of ASCII as small letters. */
export interface Grammar {
  /** Every time that a text names, in any order, none within another. */
  read(text: string, context: TimeContext): readonly Expression[];
  /** Words beside a time that take a part of it or move it. */
  readonly bends?: readonly Bend[];
  /** Words such as "since" and "until"; earlier ones win. */
  readonly bounds: readonly Bound[];
  /** Words that only carry a time ("in", "on the"), at the end of what stands before it or the beginning of what follows. */
  readonly carriers?: { readonly before?: RegExp; readonly after?: RegExp };
  readonly ranges?: RangeWords;
  /** At the end of what stands before a time: it lies behind, whatever the tense ("the notes of Nov 27"). */
  readonly looksBack?: RegExp;
  /** Words of a habit ("every Monday"): with them a name that comes back is no time. */
  readonly habit?: RegExp;
  /** Which occurrence a question means; undefined where the language says nothing of this text. Without it `past`. */
  tense?(text: string, time: Expression): Tense | undefined;
  /** Whether a verb says that what a statement tells has been. */
  saysPast?(text: string): boolean;
}

/** What joins two times to one. */
export interface RangeWords {
  /** Before the first ("from", "between"), a pattern for the end of a text. */
  readonly opens: RegExp;
  /** All that stands between the two ends of a range ("to"). */
  readonly to: RegExp;
  /** Between the ends of a range where `opens` or `closes` says that it is one ("between … and"), else between those of a list. */
  readonly and: RegExp;
  /** Behind the last, a pattern for the beginning of a text. */
  readonly closes?: RegExp;
  /** Between a year and a time in it ("last year in November"). */
  readonly within?: RegExp;
}
