import type { Filter, FoundUnit, Search, UnitKey } from '../../index/search.js';
import { entitySlug } from '../../text/slug.js';
import type { QuestionReading } from '../question/reading.js';
import { Matcher } from '../terms/matcher.js';
import type { WeighedTerm } from '../terms/weighed-terms.js';
import { lexicalChannel } from './lexical.js';

/** How a time holds that was read from a question. */
export type Strictness =
  /** What is not of it is no answer. */
  | 'hard'
  /** What was said before it may be: "where were the backups in March" is answered by a fact of February. */
  | 'until its end'
  /** It is a hint: "why no releases on Friday" is about no day, and "who is on 24/7 duty" about no time at all. */
  | 'preferred';

/** A question and what it is searched by. */
export interface WeighedQuestion {
  readonly search: Search;
  readonly terms: readonly WeighedTerm[];
  readonly reading: QuestionReading;
}

/** A time holds when the best line of it has as much of the question as this share of the best line of all. */
const SHARE = 0.65;
/** Of so many lines by their words, the best is looked for. */
const LOOKED_AT = 30;

/**
 * Decides how a time holds that was only read from a question and not given as an option: it hides what is from other
 * days, and so it must not do that when its own lines answer far less of what is asked.
 * @param told units from outside of the window that tell of it
 */
export function strictnessOf(
  { search, terms, reading }: WeighedQuestion,
  window: Filter & { readonly told: Iterable<UnitKey> },
): Strictness {
  const isBare =
    reading.exact.length + reading.cjk.length === 0 && !reading.words.some(({ role }) => role === 'content');
  if (reading.timeOnly || reading.ofTime === 'events' || (isBare && reading.ofTime !== 'state')) return 'hard';
  const lines = new Lines(
    search,
    terms.filter(({ isAsked }) => isAsked),
    reading,
  );
  const before = { ...window, since: undefined };
  const enough = SHARE * lines.best(lines.of({ ...before, until: undefined }));
  if (enough === 0) return reading.ofTime === 'state' ? 'until its end' : 'hard';
  const inside = [...lines.of(window), ...search.units([...window.told])];
  const isThere = lines.best(inside) >= enough || inside.some((unit) => lines.isOfDays(unit));
  if (isThere) return reading.ofTime === 'state' ? 'until its end' : 'hard';
  return lines.best(lines.of(before)) >= enough ? 'until its end' : 'preferred';
}

/** Looks at what of a question stands in one line, whatever stands around it. */
class Lines {
  private readonly matcher: Matcher;

  constructor(
    private readonly search: Search,
    private readonly asked: readonly WeighedTerm[],
    private readonly reading: QuestionReading,
  ) {
    this.matcher = new Matcher(asked);
  }

  of(filter: Filter): readonly FoundUnit[] {
    return this.search.units(lexicalChannel(this.search, this.asked, filter, LOOKED_AT).keys);
  }

  best(units: readonly FoundUnit[]): number {
    return Math.max(0, ...units.map((unit) => this.worth(unit)));
  }

  /** A fact about what is asked that says itself from when to when it holds: it is there because of these days. */
  isOfDays(unit: FoundUnit): boolean {
    if (!unit.isPeriod || unit.validFrom === null || unit.validTo === null) return false;
    const isNamed = unit.detail?.entities?.some((name) => this.reading.entities.includes(entitySlug(name))) ?? false;
    return isNamed || this.worth(unit) > 0;
  }

  private worth({ text }: FoundUnit): number {
    const counts = this.matcher.count(text);
    return counts?.reduce((sum, count, i) => (count > 0 ? sum + (this.asked[i]?.worth ?? 0) : sum), 0) ?? 0;
  }
}
