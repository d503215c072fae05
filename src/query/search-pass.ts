import type { Clock, Day } from '../base/clock.js';
import type { FoundUnit, IndexSearch, UnitKey } from '../index/search.js';
import { hasUnspaced } from '../language/scripts.js';
import { hasForm } from '../line/form.js';
import { AwayFiles } from '../memory/away.js';
import type { FactSimilarityTest } from '../memory/threads/threads.js';
import type { FinalPairVerdicts } from '../memory/threads/verdicts.js';
import { today } from '../workspace/clock.js';
import { attachBeliefs, attachCitedFacts } from './answer/attach-beliefs.js';
import { expandHeadings } from './answer/expand-headings.js';
import { applySourceQuota } from './answer/pack.js';
import { checkSources } from './answer/sources.js';
import type { BeliefLookup } from './beliefs.js';
import { asksForFirst, asksForNow } from './parse/cues.js';
import type { QuestionReading } from './parse/reading.js';
import { asOfContext, rankAsOfDay } from './rank/as-of.js';
import { findCurrentLocation } from './rank/current-location.js';
import { type FoldedResult, fold } from './rank/fold.js';
import { newestOfTopics, newestReadings } from './rank/newest.js';
import { firstOfSections, keepWordHits, orderResults } from './rank/order.js';
import { type RankContext, Scorer } from './rank/rank.js';
import { compareRanked, type RankedUnit, type ResultLookup } from './rank/ranked.js';
import { isByMeaningAlone } from './rank/signals.js';
import { type StateAt, stateFirst } from './rank/state-at.js';
import { slugReader } from './rank/statement-unit.js';
import { findSuperseded } from './rank/supersede.js';
import type { ThreadStatus } from './rank/thread-status.js';
import { VECTOR_SCALE, type Weights } from './rank/weights.js';
import type { RecallQuery } from './request.js';
import type { Candidates } from './retrieve/candidates.js';
import type { CandidateSet } from './retrieve/gather.js';
import type { Meaning } from './retrieve/vector.js';
import { TermMatcher } from './terms/matcher.js';
import { withoutNearWords } from './terms/weighted-terms.js';

/** One of several searches for the same question, each deeper than the one before. */
export interface SearchPass {
  /** How many results, counted from the first, this search gives. Later ones come from a deeper search. */
  readonly limit: number;
  readonly gathered: CandidateSet;
}

export interface PassResult {
  readonly item: FoldedResult;
  /**
   * How later statements change the result: which statement replaced it or is newer, and which of its words no longer
   * apply. Undefined if no later statement changes it.
   */
  readonly mark: ThreadStatus | undefined;
  /** The older line before which the result was put, whatever its score. */
  readonly before: FoundUnit | undefined;
  /** Whether the line was found only because it stands next to another result. */
  readonly isBeside: boolean;
  /** Whether the line was generated from a file that is away (temporarily unavailable). */
  readonly isAway: boolean;
  readonly candidates: Candidates;
}

export interface PassContext {
  readonly source: {
    readonly search: IndexSearch;
    readonly beliefs: BeliefLookup;
    readonly away?: AwayFiles;
    readonly clock: Clock;
    readonly weights?: Weights;
    readonly verdicts?: () => FinalPairVerdicts;
  };
  readonly request: RecallQuery;
  readonly reading: QuestionReading;
  /** Pages that the question names, each with a number that says how close the question is to the name. */
  readonly named: ReadonlyMap<UnitKey, number>;
  /** Lines that define what the question asks about, with the weight of each. */
  readonly defining: ReadonlyMap<UnitKey, number>;
  /** The facts that held at the time, for a question such as "what was true in May?". */
  readonly state?: StateAt | undefined;
  /** Tests whether two facts mean nearly the same; undefined without vectors. */
  readonly alike: FactSimilarityTest | undefined;
}

const NO_VERDICTS: FinalPairVerdicts = new Map();

/** Number of lines on either side of a candidate that count as its context. */
const CONTEXT_LINES = 3;

/** Maximum number of characters of one word in scripts without spaces. */
const LONGEST_UNSPACED_WORD = 5;

/** Whether a question is a single word. */
function isOneWord(text: string): boolean {
  return !/\s/.test(text) && (!hasUnspaced(text) || text.length <= LONGEST_UNSPACED_WORD);
}

/** Maximum number of candidates by meaning for each result of a search. */
const NEAR_FOR_EACH_RESULT = 4;

/** The results of one search, best first, with equal statements folded into one. */
export function rankCandidates(
  pass: SearchPass,
  context: PassContext,
  byMeaning: Meaning | undefined,
): readonly PassResult[] {
  const { gathered, limit } = pass;
  const { candidates } = gathered;
  if (byMeaning !== undefined) {
    const asked = gathered.terms.filter(({ isAsked }) => isAsked);
    const isWritten = asked.some(({ frequency }) => frequency > 0);
    const least = isWritten ? 'near' : isOneWord(context.reading.text.trim()) ? 'oneWord' : 'alone';
    const most = Math.min(gathered.depth, NEAR_FOR_EACH_RESULT * limit);
    if (isWritten || byMeaning.knowsWords)
      candidates.add('vector', byMeaning.channel.units(gathered.filter, most, VECTOR_SCALE[least]));
  }
  candidates.load(CONTEXT_LINES);
  const scoring = scoringOf(pass, context, byMeaning);
  const { scorer } = scoring;
  const lines = scoredLines(scoring, pass, context);
  const { ordered, marks, above } = inOrder(lines, scoring, pass, context);
  const kept =
    context.state !== undefined
      ? stateFirst(ordered, context.state)
      : byMeaning === undefined
        ? ordered
        : keepWordHits(ordered, limit, foundHow(candidates, scoring.context.matcher));
  const olderOf = new Map([...above].map(([older, newer]) => [newer, older]));
  // Lines of a conflict copy (made by a sync program) come after all lines of pages that words found.
  const copies = kept.filter((item) => !isOfPage(item));
  const isBehindCopies = copies.length === 0 ? () => false : isByMeaningOf(gathered.terms);
  const ofPages = kept.filter(isOfPage);
  const copiesLast = [...ofPages.filter((item) => !isBehindCopies(item)), ...copies, ...ofPages.filter(isBehindCopies)];
  return applySourceQuota(copiesLast, limit).map((item) => ({
    item,
    mark: marks.get(item.unit),
    before: olderOf.get(item.unit),
    isBeside:
      candidates.channelsOf(item.unit.key).includes('neighbour') &&
      !scoring.isFound(item.unit) &&
      !scorer.hasAny(item.unit),
    isAway: lines.away.has(item.unit),
    candidates,
  }));
}

/** Makes a test whether a result was found by its meaning alone. A word of nearly the same meaning is no word of the question. */
function isByMeaningOf(terms: CandidateSet['terms']): (item: FoldedResult) => boolean {
  const own = new TermMatcher(withoutNearWords(terms));
  const hasNear = terms.some(({ isNear }) => isNear);
  return ({ unit, signals }) =>
    isByMeaningAlone(signals, signals.lexical === 0 || (hasNear && own.count(unit.text) === undefined));
}

/** What scores lines and looks them up, for one search. */
interface Scoring {
  readonly context: RankContext;
  readonly scorer: Scorer;
  readonly results: ResultLookup;
  /** Whether a unit was found itself, and not only because it stands next to another one. */
  readonly isFound: (unit: FoundUnit) => boolean;
}

function scoringOf(
  { gathered }: SearchPass,
  { source, reading, named: pages, defining }: PassContext,
  byMeaning: Meaning | undefined,
): Scoring {
  const { search, clock } = source;
  const { candidates } = gathered;
  const named = reading.entities.map((slug) => search.entity(slug) ?? { slugs: [slug], links: [], path: null });
  const context = {
    ...gathered,
    reading,
    weights: source.weights,
    matcher: new TermMatcher(gathered.terms),
    slugs: new Set(named.flatMap(({ slugs, links }) => [...slugs, ...links])),
    pages: new Set(named.flatMap(({ path }) => path ?? [])),
    today: today(clock),
    named: pages,
    defining,
    vector: byMeaning && vectorSignals(candidates, byMeaning),
  };
  const scorer = new Scorer(candidates, context);
  const allowed = (units: readonly FoundUnit[]): readonly FoundUnit[] => {
    const keys = units.map(({ key }) => key);
    const passing = new Set(keys.length === 0 ? [] : search.allowed(keys, gathered.filter));
    return units.filter(({ key }) => passing.has(key));
  };
  return {
    context,
    scorer,
    results: { search, allowed, score: (unit) => scorer.score(unit) },
    isFound: ({ key }) => candidates.channelsOf(key).some((channel) => channel !== 'neighbour'),
  };
}

/** Lines that may answer a question. */
interface ScoredLines {
  /** The lines, best first. */
  readonly ranked: readonly RankedUnit[];
  /** Those that were generated from a file that is away. */
  readonly away: ReadonlySet<FoundUnit>;
  /** The day for which the answer holds. */
  readonly day: Day;
}

/** Scores the candidates, and leaves out what is no answer. */
function scoredLines(
  { context, scorer, results, isFound }: Scoring,
  { gathered }: SearchPass,
  { source, request, reading }: PassContext,
): ScoredLines {
  const { search, beliefs } = source;
  const allowedKeys = new Set(gathered.candidates.keys());
  const said = expandHeadings(
    scorer.candidatesWithScores().filter(({ unit }) => allowedKeys.has(unit.key)),
    {
      ...results,
      isHit: isFound,
      isAsked: (unit) => scorer.hasOwn(unit),
      isLabelled: (unit) => scorer.label(unit) !== undefined,
      isToken: !/\s/.test(reading.text.trim()),
    },
  );
  const { here, away } = checkSources(said, search, source.away ?? AwayFiles.NONE);
  const believed = attachCitedFacts(attachBeliefs(here, beliefs, results), results);
  const asOf = request.asOf ?? reading.asOf;
  const dated = asOf === null ? believed : rankAsOfDay(believed, asOfContext(source, asOf));
  const day = asOf ?? gathered.window?.until ?? context.today;
  const located = withLocation(dated, findCurrentLocation(reading, day, results), results);
  const sorted = [...located, ...away].sort(compareRanked);
  return {
    ranked: asOf === null ? scorer.withinTime(sorted) : sorted,
    away: new Set(away.map(({ unit }) => unit)),
    day,
  };
}

/** Rates the line that says where somebody is as highly as a page whose name the question is. */
function withLocation(
  ranked: readonly RankedUnit[],
  stay: FoundUnit | undefined,
  { score }: ResultLookup,
): readonly RankedUnit[] {
  if (stay === undefined) return ranked;
  const known = ranked.find(({ unit }) => unit.key === stay.key) ?? score(stay);
  return [{ ...known, named: LOCATION }, ...ranked.filter((entry) => entry !== known)];
}

const LOCATION = 2;

/** Folds equal statements, and puts newer ones before older ones of the same matter. */
function inOrder(
  { ranked, away, day }: ScoredLines,
  { context, scorer, results }: Scoring,
  { limit, gathered }: SearchPass,
  { source, reading, alike }: PassContext,
) {
  const { beliefs, search } = source;
  const wantsCurrent = asksForNow(reading, gathered.window, context.today);
  const { missing, marks, above, changed, behind } = findSuperseded(
    ranked.filter((entry) => isOfPage(entry) && !away.has(entry.unit)),
    {
      ...results,
      isView: (unit) =>
        hasForm(unit, 'observed') ||
        unit.file.role === 'entity' ||
        (unit.file.role !== 'opinions' && beliefs.of(unit) !== undefined),
      k: limit,
      asked: reading.text,
      filter: { ...gathered.filter, days: undefined },
      asksWho: reading.cues.who,
      until: day,
      verdicts: source.verdicts?.() ?? NO_VERDICTS,
      alike,
      wantsCurrent,
    },
  );
  // What replaced the line that says where somebody is says so as well.
  const located = ranked.find(({ named }) => named === LOCATION)?.unit;
  const moved = located && above.get(located);
  const lines = [...ranked, ...missing].map((entry) =>
    entry.unit.key === moved?.key ? { ...entry, named: LOCATION } : entry,
  );
  const folded = fold(lines, beliefs);
  // If the question contains a number, it asks for the value with that number, so the newest value is not preferred.
  const wantsNewest = wantsCurrent && !/\d/.test(reading.untimed);
  const wantsFirst = asksForFirst(reading, folded[0]?.unit.text);
  const topics = newestOfTopics(folded.filter(isOfPage), {
    day,
    slugOf: slugReader(search),
    labelOf: (unit) => scorer.label(unit),
    wordsIn: (unit) => scorer.wordsIn(unit),
    wish: (unit) => results.score(unit).signals.wish,
    above,
    asked: scorer.contentWordCount,
    wantsFirst,
    isTimed: gathered.window !== null,
  });
  const pairs = new Map([
    ...(wantsCurrent || wantsFirst ? topics : []),
    ...(wantsNewest ? newestReadings(folded) : []),
    ...above,
  ]);
  const ordered = orderResults(folded, {
    above: pairs,
    changed,
    behind: new Map([...factsBefore(ranked, scorer), ...behind]),
  });
  const asksForAll = gathered.window !== null && (reading.timeOnly || reading.ofTime === 'events');
  return { marks, above: pairs, ordered: asksForAll ? firstOfSections(ordered) : ordered };
}

/** For each line that facts come before: these facts. */
function factsBefore(ranked: readonly RankedUnit[], scorer: Scorer): Map<FoundUnit, readonly FoundUnit[]> {
  const facts = ranked.map((entry) => [entry.unit, scorer.factsBefore(entry, ranked)] as const);
  return new Map(facts.filter(([, before]) => before.length > 0));
}

/** Whether a line is not from a conflict copy. */
function isOfPage({ unit }: Pick<RankedUnit, 'unit'>): boolean {
  return unit.file.role !== 'copy';
}

/**
 * The vector signals of the candidates. A line without a vector gets the average of the lines found by words, because its
 * meaning is unknown.
 */
function vectorSignals(candidates: Candidates, { channel, weights }: Meaning): RankContext['vector'] {
  const units = candidates.keys().flatMap((key) => candidates.unit(key) ?? []);
  const signals = channel.signals(units, {
    unit: (key) => candidates.unit(key),
    before: (unit, distance) =>
      unit.key - distance === unit.section ? undefined : candidates.neighbour(unit, -distance)?.text,
    // Only the key and the text of the next line are needed. So this unit is copied with that key and text. This is
    // faster than reading the next unit.
    after: (unit) => {
      const next = candidates.neighbour(unit, 1);
      return next && { ...unit, key: next.key, text: next.text };
    },
  });
  const found = [...signals].flatMap(([key, signal]) => (isByWords(candidates, key) ? signal : []));
  const average = found.reduce((sum, signal) => sum + signal, 0) / Math.max(1, found.length);
  const { alone, beside } = weights;
  const trusted = [...signals].map(([key, signal]): [UnitKey, number] => [
    key,
    isByWords(candidates, key) ? alone * (average + beside * (signal - average)) : alone * signal,
  ]);
  return { signals: new Map(trusted), average: alone * average };
}

function foundHow(candidates: Candidates, matcher: TermMatcher) {
  return {
    byWords: ({ unit }: FoldedResult) => candidates.channelsOf(unit.key).some((channel) => channel !== 'vector'),
    literally: ({ unit, signals, named }: FoldedResult) => named > 0 || signals.exact > 0 || matcher.hasAll(unit.text),
  };
}

function isByWords(candidates: Candidates, key: UnitKey): boolean {
  return candidates.channelsOf(key).some((channel) => channel !== 'vector' && channel !== 'neighbour');
}
