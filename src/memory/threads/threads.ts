import type { Day } from '../../base/clock.js';
import { findFirstNotBelow } from '../../base/order.js';
import type { Clause, ParsedStatement } from '../../line/statement/statement.js';
import type { StatedValue } from '../../line/statement/values.js';
import type { UnitKind } from '../../line/unit.js';
import { isStopOrFunctionWord, LinkIndex, mayEndEarlierClause, nonNumericTerms } from './link-index.js';
import type { FinalPairVerdicts, PairVerdict } from './verdicts.js';

/** A fact with the data that decide its place in a thread. */
export interface ThreadFact {
  readonly id: string;
  readonly kind: UnitKind;
  /** Day on which the fact was stated, or last stated; null if unknown. */
  readonly day: Day | null;
  /** Path of the page. Decides the order of facts within a day. */
  readonly path: string;
  readonly line: number;
  /** The text of the fact, without its leading entities. */
  readonly text: string;
  /** Slugs of the subjects of the fact. If it has no subject: slugs of the entities that it names. */
  readonly subjects: readonly string[];
  readonly statement: ParsedStatement;
}

/** A clause of a fact, with its place in the threads of the subject. */
export interface ThreadEntry<F extends ThreadFact> {
  readonly fact: F;
  readonly part: Clause;
  /** The newest later clause about the same subject that is directly linked with this clause. */
  readonly newerEntry: ThreadEntry<F> | undefined;
  /** All later clauses that are directly linked and about which there is no verdict, newest first. */
  readonly unsettledNewer: readonly ThreadEntry<F>[];
  /** The reason why the newer clause ended this one: its own words, or a judge. Undefined if there is no such reason. */
  readonly settledBy: 'words' | 'judge' | undefined;
  /** Whether a later clause says the same. */
  readonly isSaidAgain: boolean;
  /** The verdict of a judge about this clause. */
  readonly verdict: PairVerdict | undefined;
  /** Words of the clause that no longer apply, by the verdict of a judge. The other words still do. */
  readonly over: string | undefined;
  /**
   * Set if the two clauses are linked only by their meaning, or by a value of the same kind. Then it is only known that one
   * is later.
   */
  readonly isLoose?: true;
  /** Set if the two clauses are linked only because both state a value in the same place, as neighbours in a series. */
  readonly isReading?: true;
}

/** Whether two facts mean nearly the same, by their ids. `among` is the number of facts about their subject. */
export type FactSimilarityTest = (later: string, earlier: string, among: number) => boolean;

export interface ThreadOptions {
  /**
   * The day for which the threads are built. A clause that is planned for a later day, or that ended before this day,
   * does not supersede what holds now.
   */
  readonly day: Day;
  readonly verdicts?: FinalPairVerdicts | undefined;
  /** Compares facts by meaning. Missing if there are no vectors. */
  readonly alike?: FactSimilarityTest | undefined;
  /**
   * Ids of the facts whose threads are wanted. Missing: all facts. Other facts are then linked only with the next reading
   * of their series.
   */
  readonly asked?: ReadonlySet<string> | undefined;
}

/** Kinds of values of which one thing has only one at a time. */
const ONE_VALUED = /^(?:clock|money|version|code|measure)/;

/**
 * Builds the threads of one subject. Each clause of each fact is linked with the newest later clause about the same
 * topic. Two clauses are linked by a term, or by a kind of value, that is rare among the facts. The newest fact comes
 * first. Pure, nearly linear in the facts.
 * @param facts the facts of one subject
 */
export function threadEntries<F extends ThreadFact>(
  facts: readonly F[],
  options: ThreadOptions,
): ReadonlyMap<F, readonly ThreadEntry<F>[]> {
  const sorted = [...facts].sort(compareNewestFirst);
  const index = new LinkIndex<ThreadEntry<F>>(sorted);
  const strands = new Map<F, readonly ThreadEntry<F>[]>();
  const byId = new Map<string, ThreadEntry<F>>();
  const strandsOf = (fact: F): readonly ThreadEntry<F>[] => {
    const judged = judgedOf(fact, (id) => byId.get(id), options);
    const byWords = fact.statement.map((part) => strandOf(fact, part, judged, index, options));
    return byWords.some(isLinked) ? byWords : byMeaning(byWords, strands, judged, options, facts.length);
  };
  for (const fact of sorted) {
    const own = options.asked?.has(fact.id) === false ? inSeries(fact, index) : strandsOf(fact);
    strands.set(fact, own);
    index.add(own);
    if (own[0] !== undefined && !byId.has(fact.id)) byId.set(fact.id, own[0]);
  }
  return strands;
}

/** The clauses of a fact whose threads are not wanted. Each clause is linked only with the next reading of its series. */
function inSeries<F extends ThreadFact>(fact: F, index: LinkIndex<ThreadEntry<F>>): readonly ThreadEntry<F>[] {
  return fact.statement.map((part) => ({ fact, part, ...ALONE, ...seriesOf(index.reading({ fact, part })) }));
}

/**
 * The facts of one subject, to which other facts are compared one at a time. Each of the others gets the same thread
 * entries as from {@link threadEntries}, but the facts of the subject are read only once. Facts are not compared by
 * meaning.
 */
export class SubjectThreads<F extends ThreadFact> {
  /** The thread entries of these facts, newest fact first. */
  readonly strands: ReadonlyMap<F, readonly ThreadEntry<F>[]>;
  private readonly sorted: readonly F[];
  private readonly index: LinkIndex<ThreadEntry<F>>;
  private readonly places: ReadonlyMap<string, number>;

  constructor(
    facts: readonly F[],
    private readonly options: ThreadOptions,
  ) {
    this.sorted = [...facts].sort(compareNewestFirst);
    this.index = new LinkIndex(this.sorted, 1);
    const strands = new Map<F, readonly ThreadEntry<F>[]>();
    for (const fact of this.sorted) {
      const own = inSeries(fact, this.index);
      strands.set(fact, own);
      this.index.add(own);
    }
    this.strands = strands;
    this.places = new Map(this.sorted.map(({ id }, place) => [id, place]));
  }

  /** @param fact a fact that is not among the facts of the subject */
  strandsOf(fact: F): readonly ThreadEntry<F>[] {
    const { sorted, index, options } = this;
    const before = findFirstNotBelow(sorted.length, (place) => isNewer(sorted[place], fact));
    const laterOf = (id: string): ThreadEntry<F> | undefined => {
      const place = this.places.get(id) ?? before;
      const later = place < before ? sorted[place] : undefined;
      return later && this.strands.get(later)?.[0];
    };
    const judged = judgedOf(fact, laterOf, options);
    return fact.statement.map((part) => strandOf(fact, part, judged, index, options, before));
  }
}

function isNewer(one: ThreadFact | undefined, other: ThreadFact): boolean {
  return one !== undefined && compareNewestFirst(one, other) < 0;
}

const ALONE = {
  newerEntry: undefined,
  unsettledNewer: [],
  settledBy: undefined,
  isSaidAgain: false,
  verdict: undefined,
  over: undefined,
} as const;

/** The link of a clause to the next reading of its series, if there is one. */
function seriesOf<F extends ThreadFact>(beneath: ThreadEntry<F> | undefined): Partial<ThreadEntry<F>> {
  return beneath === undefined ? {} : { newerEntry: beneath, isReading: true };
}

function isLinked({ newerEntry, verdict }: ThreadEntry<ThreadFact>): boolean {
  return newerEntry !== undefined || verdict !== undefined;
}

/** Maximum number of the newest later facts that are compared by meaning. */
const MOST_COMPARED = 150;

/**
 * Links the clauses of a fact by meaning, if no words link them. The link is to the newest later fact with nearly the
 * same meaning.
 */
function byMeaning<F extends ThreadFact>(
  own: readonly ThreadEntry<F>[],
  later: ReadonlyMap<F, readonly ThreadEntry<F>[]>,
  { known }: Judged<F>,
  { alike, day }: ThreadOptions,
  among: number,
): readonly ThreadEntry<F>[] {
  if (alike === undefined || later.size > MOST_COMPARED) return own;
  const isNews = (strand: ThreadEntry<F>): boolean =>
    own.every(({ fact, part }) => putsBeneath(strand, fact, part, day));
  for (const [fact, [first]] of later) {
    const earlier = own[0]?.fact;
    if (first === undefined || earlier === undefined || known.has(fact.id) || fact.id === earlier.id) continue;
    if (!fact.subjects.every((subject) => earlier.subjects.includes(subject)) || !isNews(first)) continue;
    if (alike(fact.id, earlier.id, among))
      return own.map((strand) => ({ ...strand, newerEntry: first, isLoose: true }));
  }
  return own;
}

/** The verdicts about a fact whose later facts exist. */
interface Judged<F extends ThreadFact> {
  readonly end: Said<F> | undefined;
  readonly again: Said<F> | undefined;
  readonly partly: Said<F> | undefined;
  /** Ids of the later facts about which a judge has given a verdict. */
  readonly known: ReadonlySet<string>;
}

interface Said<F extends ThreadFact> {
  readonly verdict: PairVerdict;
  readonly by: ThreadEntry<F>;
}

function judgedOf<F extends ThreadFact>(
  fact: F,
  laterOf: (id: string) => ThreadEntry<F> | undefined,
  { verdicts }: ThreadOptions,
): Judged<F> {
  const said = (verdicts?.get(fact.id) ?? []).flatMap((verdict) => {
    const by = verdict.proposed === undefined ? laterOf(verdict.fact) : undefined;
    const isKnown = verdict.relation !== 'partly' || isPartOfText(verdict.over, fact.text);
    return by === undefined || !isKnown ? [] : [{ verdict, by }];
  });
  const of = (...relations: readonly string[]) => said.find(({ verdict }) => relations.includes(verdict.relation));
  return {
    end: of('replaces', 'ends'),
    again: of('same'),
    partly: of('partly'),
    known: new Set(said.map(({ verdict }) => verdict.fact)),
  };
}

/** Whether a text contains these words exactly, and has others, too. */
export function isPartOfText(words: string | undefined, text: string): boolean {
  return words !== undefined && words.trim() !== '' && words.trim() !== text.trim() && text.includes(words);
}

function strandOf<F extends ThreadFact>(
  fact: F,
  part: Clause,
  judged: Judged<F>,
  index: LinkIndex<ThreadEntry<F>>,
  { day }: ThreadOptions,
  before?: number,
): ThreadEntry<F> {
  const { verdict } = judged.end ?? judged.again ?? judged.partly ?? {};
  const strand = (
    beneath: ThreadEntry<F> | undefined,
    above: readonly ThreadEntry<F>[],
    settledBy: ThreadEntry<F>['settledBy'],
    isSaidAgain: boolean,
  ): ThreadEntry<F> => {
    const over = judged.partly?.verdict.over;
    return { fact, part, newerEntry: beneath, unsettledNewer: above, settledBy, isSaidAgain, verdict, over };
  };
  if (judged.end !== undefined) return strand(judged.end.by, [], 'judge', false);
  if (judged.again !== undefined) return strand(judged.again.by, [], undefined, true);
  const isOpen = (one: ThreadEntry<F>): boolean => !judged.known.has(one.fact.id) && putsBeneath(one, fact, part, day);
  const byTerms = index.linked(fact, part, before).filter(isOpen);
  const above = byTerms.length > 0 ? byTerms : index.ofKind(fact, part, before).filter(isOpen);
  const said = textOf(fact, part);
  const isWhole = fact.statement.length === 1;
  const placed = (beneath: ThreadEntry<F> | undefined, settledBy: ThreadEntry<F>['settledBy']): ThreadEntry<F> =>
    strand(
      beneath,
      above,
      settledBy,
      settledBy === undefined && beneath !== undefined && isSame(beneath, part, said, isWhole),
    );
  const isSettling = (one: ThreadEntry<F>): boolean => mayEndEarlierClause(one.part, part) || corrects(one, part, said);
  const settling = above.find(isSettling);
  if (settling !== undefined || byTerms.length > 0) return placed(settling ?? above[0], settling && 'words');
  if (above.length > 0) return { ...placed(above[0], undefined), isLoose: true };
  const reading = index.reading({ fact, part }, before);
  if (reading === undefined || !isOpen(reading)) return placed(undefined, undefined);
  return { ...placed(reading, isSettling(reading) ? 'words' : undefined), ...seriesOf(reading) };
}

type Placed = Pick<ThreadFact, 'day' | 'path' | 'line'>;

/** Sorts the newest first, and within a day the lines further down first. */
export function compareNewestFirst(a: Placed, b: Placed): number {
  const [dayA, dayB] = [a.day ?? '', b.day ?? ''];
  if (dayA !== dayB) return dayA > dayB ? -1 : 1;
  // Ties between a curated page and the log: prefer the log.
  return a.path === b.path ? b.line - a.line : a.path > b.path ? -1 : 1;
}

/**
 * Whether a later clause may supersede an earlier one. It may not if it is uncertain, has ended, or is about something
 * that an agent did. A plan may supersede only another plan.
 */
function putsBeneath({ fact, part }: ThreadEntry<ThreadFact>, earlier: ThreadFact, was: Clause, day: Day): boolean {
  if (fact.kind === 'experience' || part.isUnsure || fact.day === null || fact.day > day) return false;
  // An opinion and a fact are about two topics.
  if ((fact.kind === 'opinion') !== (earlier.kind === 'opinion')) return false;
  // A clause about the past does not supersede. If the earlier fact has no day, it is unknown which one is newer. Both rules
  // give way if the later clause says that the earlier one is over.
  if ((part.isPast || earlier.day === null) && !mayEndEarlierClause(part, was)) return false;
  // A new plan supersedes only an older plan, as when something is postponed. If the older one had begun by then, it was
  // no longer a plan.
  const told = was.isPeriod ? fact.day : (earlier.day ?? day);
  return !hasEnded(part, day) && (!isUpcoming(part, day) || isUpcoming(was, told));
}

/** Whether the validity of a clause ended before a day. */
export function hasEnded({ validTo, isPeriod }: Clause, day: Day): boolean {
  return isPeriod === true && validTo !== undefined && validTo < day;
}

/** Whether a clause describes something that is still in the future on a day. */
export function isUpcoming({ validFrom, validTo, isPeriod, isPlan, isHabit }: Clause, day: Day): boolean {
  const begins = isPeriod ? validFrom : (validTo ?? validFrom);
  if (validFrom === undefined || begins === undefined || isHabit) return isPlan === true;
  // An event on a day is planned until that day is over.
  return isPeriod ? begins > day : begins >= day;
}

/**
 * Whether a later clause gives another value for the same thing. Except for values of one kind, the two clauses must have
 * the same terms and labels.
 */
function corrects({ part: later, fact }: ThreadEntry<ThreadFact>, earlier: Clause, said: string): boolean {
  if (earlier.values === undefined || later.values === undefined) return false;
  if (later.isPlan || later.isUnsure || later.isDenied !== earlier.isDenied || isDone(later) || isDone(earlier))
    return false;
  const kinds = new Set(earlier.values.filter(({ kind }) => ONE_VALUED.test(kind)).map(({ kind }) => kind));
  if (kinds.size === 0) return false;
  const saidLater = textOf(fact, later);
  const isOther = [...kinds].some((kind) => {
    const [[was, ...more], [is, ...others]] = [valuesOf(earlier, kind), valuesOf(later, kind)];
    if (was === undefined || is === undefined || more.length + others.length > 0 || was === is) return false;
    // A number about which the clause says more is a name: `step 2 is done`, `invoice 1002 is paid`.
    const isNamed = kind.startsWith('code') && [later, earlier].some(({ terms }) => !/^\d/.test(terms.at(-1) ?? ''));
    if (isNamed || (/^\d+$/.test(was) && [said, saidLater].some((text) => OPENING.test(text)))) return false;
    return labelsOf(said, was).join() === labelsOf(saidLater, is).join();
  });
  if (!isOther) return false;
  const [was, is] = [nonNumericTerms(earlier), nonNumericTerms(later)];
  return was.length > 0 && was.length === is.length && hasAll(is, was);
}

function textOf({ text }: ThreadFact, { from, to }: Clause): string {
  return text.slice(from, to);
}

/** A word and a number at the start of a clause are a name: `task 3 is done`. */
const OPENING = /^\s*\p{L}+ #?\d{1,3}(?!\S)/u;
const LABEL = /\d+(?:[ .,:/-]\d+)*|(?<!\p{L})(?!I(?!\p{L}))\p{Lu}(?!\p{L})/gu;

/**
 * The labels of a text, sorted: its numbers and single capital letters, without the number of the value. They are not
 * terms, but they tell things apart: `team A` and `team B`.
 */
function labelsOf(said: string, value = ''): readonly string[] {
  const number = /\d+/.exec(value)?.[0];
  const labels = said.match(LABEL) ?? [];
  const own = number === undefined ? -1 : labels.findIndex((label) => label.includes(number));
  return labels.filter((_, at) => at !== own).toSorted();
}

/** Whether a clause describes something that happened. It stays true whatever happens later. */
function isDone({ isEvent, isPast, hasHappened }: Clause): boolean {
  return isEvent === true || isPast === true || hasHappened === true;
}

function valuesOf({ values = [] }: Clause, wanted: string): readonly string[] {
  return values.filter(({ kind }) => kind === wanted).map(({ text }) => text);
}

/**
 * Short words with a meaning that are not among the terms. They are words that are neither stop words nor function words
 * (`rot`), and the last word (`is off`).
 */
function smallWordsOf(said: string, { terms }: Clause): readonly string[] {
  const words = said.toLowerCase().match(SMALL_WORD) ?? [];
  const last = /(?<!\p{L})\p{L}+(?=\P{L}*$)/u.exec(said.toLowerCase())?.[0];
  return words.filter((word) => !terms.includes(word) && (word === last || !isStopOrFunctionWord(word)));
}

const SMALL_WORD = /(?<!\p{L})\p{L}{2,3}(?!\p{L})/gu;

/** Below this length a linear search is faster than building a set. */
const FEW = 20;

function hasAll(all: readonly string[], some: readonly string[]): boolean {
  if (all.length <= FEW) return some.every((one) => all.includes(one));
  const known = new Set(all);
  return some.every((one) => known.has(one));
}

function isSame(
  { part: later, fact }: ThreadEntry<ThreadFact>,
  earlier: Clause,
  said: string,
  isWhole: boolean,
): boolean {
  const saidLater = textOf(fact, later);
  return (
    earlier.terms.length > 0 &&
    later.isDenied === earlier.isDenied &&
    // A later event may have ended the earlier state, so it does not repeat it: `returned the crutches`.
    (!isWhole || isDone(earlier) || !isDone(later)) &&
    // If the days differ, the later clause is about something else, or about a postponement.
    [undefined, later.validFrom].includes(earlier.validFrom) &&
    [undefined, later.validTo].includes(earlier.validTo) &&
    hasAll(later.terms, earlier.terms) &&
    hasAll(smallWordsOf(saidLater, later), smallWordsOf(said, earlier)) &&
    hasAll(labelsOf(saidLater), labelsOf(said)) &&
    (earlier.values === undefined || hasAll((later.values ?? []).map(nameOf), earlier.values.map(nameOf)))
  );
}

function nameOf({ kind, text }: StatedValue): string {
  return `${kind}\0${text}`;
}
