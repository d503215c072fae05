import type { FoundUnit, IndexSearch, UnitFilter, UnitKey } from '../../index/search.js';
import { wordSet } from '../../language/tokens.js';
import { entitySlug } from '../../text/slug.js';
import type { QuestionReading } from '../parse/reading.js';
import { TermMatcher } from '../terms/matcher.js';
import type { WeightedTerm } from '../terms/weighted-terms.js';
import { LexicalChannel } from './lexical.js';

/** How strictly a time that was read from a question limits the answer. */
export type TimeStrictness =
  /** Lines of other times are no answer. */
  | 'hard'
  /** Lines of earlier times may be an answer, too: a fact of February answers "where were the backups in March". */
  | 'until its end'
  /**
   * The time is only a hint: "why no releases on Friday" is about no day, and "who is on 24/7 duty" about no time at all.
   */
  | 'preferred';

/** A question with its weighted terms and its word channel. */
export interface WeightedQuestion {
  readonly search: IndexSearch;
  readonly terms: readonly WeightedTerm[];
  /** The channel that finds units by all of these terms. */
  readonly lexical: LexicalChannel;
  readonly reading: QuestionReading;
}

/** A time holds when the best line of it has as much of the question as this share of the best line of all. */
const SHARE = 0.65;
/** Number of lines found by words among which the best one is searched. */
const LOOKED_AT = 30;

/**
 * Decides how a time holds that was only read from a question and not given as an option: it hides what is from other
 * days, and so it must not do that when its own lines answer far less of what is asked.
 * @param told units from outside of the window that tell of it
 */
export function timeStrictnessOf(
  question: WeightedQuestion,
  window: UnitFilter & { readonly told: readonly UnitKey[] },
): TimeStrictness {
  const { search, reading } = question;
  const hasNoContent =
    reading.exact.length + reading.cjk.length === 0 && !reading.words.some(({ role }) => role === 'content');
  // Where there is nothing else, the words that only ask are searched for.
  const isBare = hasNoContent || reading.stopWordsOnly;
  if (reading.timeOnly || (isBare && reading.ofTime !== 'state')) return 'hard';
  if (isLacking(question, window)) return 'preferred';
  if (reading.ofTime === 'events') return 'hard';
  const lines = new Lines(question);
  const before = untilEndOf(window);
  const enough = SHARE * lines.best(lines.of({ ...window, days: undefined }));
  if (enough === 0) return reading.ofTime === 'state' ? 'until its end' : 'hard';
  const inside = [...lines.of(window), ...search.units([...window.told])];
  const isThere = lines.best(inside) >= enough || inside.some((unit) => lines.isOfDays(unit));
  if (isThere) return reading.ofTime === 'state' ? 'until its end' : 'hard';
  return lines.best(lines.of(before)) >= enough ? 'until its end' : 'preferred';
}

/** The filter with all days up to the end of its last span. */
export function untilEndOf(filter: UnitFilter): UnitFilter {
  const until = filter.days?.at(-1)?.until ?? null;
  return { ...filter, days: until === null ? undefined : [{ since: null, until }] };
}

/** Whether a content word of a question stands somewhere, and in no line of a time. */
function isLacking(
  { search, terms, reading }: WeightedQuestion,
  window: UnitFilter & { readonly told: readonly UnitKey[] },
): boolean {
  if (reading.ofTime === 'state' || (reading.ofTime === 'events' && WAS_DONE.test(reading.text))) return false;
  const names = new Set(reading.words.flatMap(({ text, role }) => (role === 'name' ? [text] : [])));
  const told = new Set(window.told);
  return terms.some(({ isAsked, text, keys }) => {
    if (!isAsked || keys === undefined || keys.length === 0 || names.has(text) || OF_EVENTS.has(text)) return false;
    return !keys.some((key) => told.has(key)) && search.allowed(keys, window).length === 0;
  });
}

/** "What was released" asks for all of it. */
const WAS_DONE = /\bwhat(?: else)? (?:was|were|got|has been|have been)\b/i;

/** Words for whatever happened: a line of it need not say them. */
const OF_EVENTS = wordSet(
  `do did done happen happened work worked discuss discussed talk talked chat chatted speak spoke decide decided learn learned learnt change changed
  go went finish finished complete completed achieve achieved accomplish accomplished make made plan planned say said mention mentioned write wrote
  note noted log logged record recorded agree agreed cover covered
  war gab passiert geschehen gemacht getan passé fait pasó pasado successo aconteceu gebeurd произошло случилось`,
);

/** Looks at what of a question stands in one line, whatever stands around it. */
class Lines {
  private readonly asked: readonly WeightedTerm[];
  private readonly lexical: LexicalChannel;
  private readonly matcher: TermMatcher;

  constructor(private readonly question: WeightedQuestion) {
    const { search, terms, lexical } = question;
    this.asked = terms.filter(({ isAsked }) => isAsked);
    this.lexical = this.asked.length === terms.length ? lexical : new LexicalChannel(search, this.asked);
    this.matcher = new TermMatcher(this.asked);
  }

  of(filter: UnitFilter): readonly FoundUnit[] {
    return this.question.search.units(this.lexical.find(filter, LOOKED_AT).keys);
  }

  best(units: readonly FoundUnit[]): number {
    return Math.max(0, ...units.map((unit) => this.worth(unit)));
  }

  /** A fact about what is asked that says itself from when to when it holds: it is there because of these days. */
  isOfDays(unit: FoundUnit): boolean {
    if (!unit.isPeriod || unit.validFrom === null || unit.validTo === null) return false;
    const { entities } = this.question.reading;
    const isNamed = unit.detail?.entities?.some((name) => entities.includes(entitySlug(name))) ?? false;
    return isNamed || this.worth(unit) > 0;
  }

  private worth({ text }: FoundUnit): number {
    const counts = this.matcher.count(text);
    return counts?.reduce((sum, count, i) => (count > 0 ? sum + (this.asked[i]?.worth ?? 0) : sum), 0) ?? 0;
  }
}
