import { memoize } from '../base/cache.js';
import type { Clock, Day } from '../base/clock.js';
import { fullUnitText } from '../index/found.js';
import { unitId } from '../index/query/ids.js';
import type { FoundUnit, IndexSearch, KnownEntity, UnitKey } from '../index/search.js';
import { detectLanguageGroup } from '../language/language-group.js';
import type { DaySpan } from '../language/time/calendar.js';
import type { AwayFiles } from '../memory/away.js';
import { pageOfPath } from '../memory/pages.js';
import type { FinalPairVerdicts } from '../memory/threads/verdicts.js';
import { entitySlug } from '../text/slug.js';
import { today } from '../workspace/clock.js';
import { withBeliefConfidence } from './answer/attach-beliefs.js';
import { type Coverage, type QuestionCoverage, questionCoverage } from './answer/coverage.js';
import { childItems, childLines, withChildItems } from './answer/list-children.js';
import { packResults } from './answer/pack.js';
import { placeOnPage, toResult } from './answer/result.js';
import type { BeliefLookup } from './beliefs.js';
import { explainReading } from './parse/explain.js';
import { readQuestion } from './parse/read.js';
import type { QuestionReading } from './parse/reading.js';
import type { FoldedResult } from './rank/fold.js';
import type { RankedUnit } from './rank/ranked.js';
import { VECTOR_SCALE, type Weights } from './rank/weights.js';
import { checkQuestion, type RecallAnswer, type RecallQuery } from './request.js';
import type { Candidates } from './retrieve/candidates.js';
import { definitionLines } from './retrieve/definitions.js';
import { type CandidateSet, gatherCandidates } from './retrieve/gather.js';
import { findPagesByName, findTopicPages } from './retrieve/page-names.js';
import type { VectorChannel } from './retrieve/vector.js';
import { type PassContext, type PassResult, rankCandidates, type SearchPass } from './search-pass.js';
import type { SemanticSource } from './semantic.js';
import { TermMatcher } from './terms/matcher.js';

/** An index, with the beliefs and verdicts about its content. */
interface Asking {
  readonly search: IndexSearch;
  readonly beliefs: BeliefLookup;
  /** Verdicts about pairs of facts. */
  readonly verdicts?: () => FinalPairVerdicts;
}

export interface RecallSource extends Asking {
  /** The index for questions about the present, without logs of future days. Undefined if there are no such logs. */
  readonly present?: Asking | undefined;
  /** Files that are away (temporarily unavailable). Default: none. */
  readonly away?: AwayFiles;
  readonly clock: Clock;
  readonly withResources: boolean;
  readonly defaultLimit: number;
  readonly stale: boolean;
  /**
   * Whether a single search gives all results, instead of several searches that each go deeper. This is faster for callers
   * that ask for many results and use few of them.
   */
  readonly inOneStep?: boolean;
  readonly warnings: readonly string[];
  /** Weights for the ranking, instead of the standard ones. Used to measure the effect of each signal. */
  readonly weights?: Weights;
  /** The source of vectors. Without it, only words are searched. */
  readonly semantic?: SemanticSource | undefined;
}

/**
 * The first 10 results come from one search, the next 90 from a deeper one, and so on. So the first results are always the
 * same, however many are asked for.
 */
const FIRST_STEP = 10;
const STEP_GROWTH = 10;
/** Each channel returns this many candidates for each result that a search gives. */
const DEPTH = 14;

/**
 * Answers a question from the index. Reads the question and gathers candidates from every channel. Ranks the candidates
 * by one weighted sum. Shows equal statements once, and packs the best results into the budget. A match by words is
 * never left out because of its score.
 * @throws MemoryError `usage` for an empty question without filters
 */
export function recall(source: RecallSource, request: RecallQuery): Promise<RecallAnswer> {
  return source.search.atOneMoment(() => answerInTime(source, request));
}

/**
 * Answers first without the logs of future days, because they say nothing about the present. These logs are used only
 * if the question names a future day, or if they answer more of the question. Their results are marked.
 */
async function answerInTime({ present, ...source }: RecallSource, request: RecallQuery): Promise<RecallAnswer> {
  if (present === undefined) return answer(source, request);
  checkQuestion(request);
  const day = today(source.clock);
  const whole = async () => withFuture(await answer(source, request), day);
  if (asksAhead(request, await readQuestion(request.query, readingContext(source)), day)) return whole();
  const now = await answer({ ...source, ...present }, request);
  if (now.answers === 'all' && now.results.length > 0) return now;
  const other = await whole();
  return now.results.length === 0 || ANSWERED[other.answers] > ANSWERED[now.answers] ? other : now;
}

const ANSWERED: Readonly<Record<Coverage, number>> = { none: 0, some: 1, all: 2 };

/** Whether a question or its options name a time after `day`. */
function asksAhead(request: RecallQuery, { asOf, window }: QuestionReading, day: Day): boolean {
  const spans = window?.spans ?? [];
  const named = [request, ...spans].flatMap(({ since, until }) => [since, until]);
  return [...named, request.asOf, asOf].some((one) => (one ?? '') > day);
}

function withFuture(answer: RecallAnswer, day: Day): RecallAnswer {
  const results = answer.results.map((result) =>
    (pageOfPath(result.path)?.day ?? '') > day ? { ...result, future: true as const } : result,
  );
  const pages = [...new Set(results.flatMap(({ path, future }) => (future ? [path] : [])))];
  const warnings = pages.map((path) => `${path} is in the future`);
  return { ...answer, results, warnings: [...answer.warnings, ...warnings] };
}

async function answer(source: RecallSource, request: RecallQuery): Promise<RecallAnswer> {
  const { search } = source;
  checkQuestion(request);
  const whole = findPagesByName(search, request.query, source);
  const context = readingContext(source);
  const asked = await readQuestion(request.query, context);
  const named = whole.size > 0 ? whole : findTopicPages(search, asked.names, source);
  // If the question names a page, words in its name are not a time: "Sunday Dinner".
  const isName = named.size > 0 && !asked.timeOnly && (asked.window !== null || asked.asOf !== null);
  const reading = isName ? await readQuestion(request.query, { ...context, isName }) : asked;
  const defining = definitionLines(search, reading.window === null ? reading.names : [], source);
  const k = request.k ?? source.defaultLimit;
  const steps: SearchPass[] = [];
  for (let limit = FIRST_STEP; ; limit *= STEP_GROWTH) {
    const gathered = await gatherCandidates({ ...source, named, defining }, request, reading, DEPTH * limit);
    const isLast = limit >= k || source.inOneStep === true;
    steps.push({ limit: isLast ? Math.max(k, limit) : limit, gathered });
    if (isLast) break;
  }
  const semantic = request.mode === 'lexical' ? undefined : source.semantic;
  const run: RecallRun = { source, request, reading, named, defining, k, steps, alike: semantic?.alike(search) };
  if (semantic === undefined || meansNothing(reading)) return complete(run);
  const waited = semantic.vectorOf(request.query);
  // While the vector is being computed, there is time to make the answer by words, in case no vector arrives.
  const byWords = (await isSettled(waited)) ? undefined : complete(run);
  const vector = await waited;
  if (vector.ok) {
    const { withoutCommonPart, VectorChannel } = await import('./retrieve/vector.js');
    return complete(run, new VectorChannel(search, withoutCommonPart(vector.value)));
  }
  const { message, hint } = vector.error;
  const warning = `searched by words only: ${message}${hint === undefined ? '' : ` (${hint})`}`;
  const lexical = byWords ?? complete(run);
  return { ...lexical, warnings: [...lexical.warnings, warning] };
}

function readingContext({ search, clock }: Pick<RecallSource, 'search' | 'clock'>) {
  return {
    now: clock.now(),
    zone: clock.zone,
    dateOrder: clock.dateOrder,
    entities: { lookup: (name: string) => (search.entity(entitySlug(name)) ?? singular(search, name))?.slug },
  };
}

/** The entity whose name is the singular of a word: `@backup` for "the backups", if there is no entity "backups". */
function singular(search: IndexSearch, name: string): KnownEntity | undefined {
  return /[a-z]{3}s$/.test(name) ? search.entity(entitySlug(name.slice(0, -1))) : undefined;
}

/**
 * Whether a question has no meaning to compare: it is only a time, a name or a code. For such questions, a model finds
 * only texts that look similar.
 */
function meansNothing({ text, timeOnly, words, cjk, exact, entities }: QuestionReading): boolean {
  const isName = words.every(({ role }) => role !== 'content') && cjk.length + exact.length === 0;
  return timeOnly || text.trim() === '' || (isName && entities.length > 0) || /^\s*\S*\d\S*\s*$/.test(text);
}

function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const turn = new Promise<boolean>((resolve) => void setImmediate(resolve, false));
  return Promise.race([promise.then(() => true), turn]);
}

interface RecallRun extends PassContext {
  readonly source: RecallSource;
  readonly k: number;
  readonly steps: readonly SearchPass[];
}

/** Makes the answer from the candidates found by words and, if `byMeaning` is set, from those found by vectors. */
function complete(run: RecallRun, byMeaning?: VectorChannel): RecallAnswer {
  const { source, request, reading, k, steps } = run;
  const { search, beliefs } = source;
  const found = new Map<FoldedResult, PassResult>();
  const shown = new Set<UnitKey>();
  for (const step of steps) {
    for (const result of rankCandidates(step, run, byMeaning)) {
      const { unit, standsFor } = result.item;
      const keys = [unit, ...standsFor].map(({ key }) => key);
      if (found.size >= step.limit || keys.some((key) => shown.has(key))) continue;
      for (const key of keys) shown.add(key);
      found.set(result.item, result);
    }
  }
  const leads = memoize((unit: FoundUnit) => childItems(unit, search));
  const isHit = (item: FoldedResult): boolean => found.get(item)?.isBeside === false;
  // List children are already shown in the result of their parent.
  const below = new Set([...found.keys()].filter(isHit).flatMap(({ unit }) => leads(unit).units.map(({ key }) => key)));
  const chosen = [...found.keys()].filter((item) => isHit(item) || !below.has(item.unit.key));
  const packed = packResults(chosen.slice(0, k), request.budget, (unit) => childLines(leads(unit)));
  const hits = packed.items.filter(isHit).map(({ unit }) => unit);
  const until = request.asOf ?? reading.asOf;
  const results = packed.items.flatMap((item) => {
    const { mark, isBeside, isAway, candidates } = found.get(item) ?? {};
    if (candidates === undefined) return [];
    const hit = isBeside ? nearest(item.unit, hits) : undefined;
    return toResult(
      until === null ? withBeliefConfidence(item, beliefs) : item,
      { search, beliefs, until: until ?? undefined },
      {
        ...mark,
        ...withChildItems(leads(item.unit)),
        ...(isAway ? { sourceAway: true as const } : {}),
        ...(hit === undefined ? {} : { beside: unitId(hit, search) }),
        ...(request.explain ? { why: why(item, candidates) } : {}),
      },
      (key) => candidates.unit(key),
    );
  });
  const { gathered } = steps[0] ?? {};
  const first = [...found.keys()].slice(0, FIRST_STEP);
  return {
    query: request.query,
    mode: byMeaning === undefined ? 'lexical' : 'hybrid',
    ...windowsOf(gathered?.windows ?? []),
    results,
    ...(gathered === undefined ? NOTHING_ANSWERED : answersOf(gathered, reading, search, first)),
    tokens: packed.tokens,
    dropped: packed.dropped,
    stale: source.stale,
    warnings: [
      ...source.warnings,
      ...(gathered?.warnings ?? []),
      ...(gathered === undefined ? [] : unsaid(gathered, reading, packed.items)),
    ],
    ...(request.explain
      ? {
          explain: [
            ...explainReading(reading),
            ...(gathered?.notes ?? []),
            `candidates: ${steps.at(-1)?.gathered.candidates.size ?? 0}`,
          ],
        }
      : {}),
  };
}

function windowsOf(windows: readonly DaySpan[]): Pick<RecallAnswer, 'window' | 'windows'> {
  return { window: windows[0] ?? null, ...(windows.length > 1 ? { windows } : {}) };
}

/**
 * How much of the question the first results answer, and which of its words they lack. This does not depend on the number
 * of requested results.
 */
function answersOf(
  { terms, candidates, strictness, window }: CandidateSet,
  reading: QuestionReading,
  search: IndexSearch,
  first: readonly FoldedResult[],
): QuestionCoverage {
  const { words, cjk: runs, text, ofTime, timeOnly } = reading;
  const isOfTime = window !== null && first.some(({ isInside }) => isInside);
  // For a question about all events of a time ("what happened in May"), every event of that time is an answer, in any words.
  if ((ofTime === 'events' && strictness === 'hard' && first.length > 0) || (timeOnly && isOfTime))
    return ANSWERED_WHOLE;
  if (first.some(({ named }) => named > 0)) return ANSWERED_WHOLE;
  const matcher = new TermMatcher(terms);
  const said = first.map(({ unit, standsFor, signals }) => {
    const { heading = [], title = '' } = placeOnPage(unit, (key) => candidates.unit(key));
    const written = [...[unit, ...standsFor].map(fullUnitText), ...heading, title, unit.speaker ?? ''].join('\n');
    return { counts: matcher.count(written), isNamed: signals.entity > 0 };
  });
  const coverage = questionCoverage(terms, said, {
    text,
    isEnglish: detectLanguageGroup(text) === 'english',
    names: new Set([
      ...words.flatMap(({ text, role }) => (role === 'name' ? [text] : [])),
      ...runs.filter((run) => search.entity(entitySlug(run)) !== undefined),
    ]),
    runs,
    isOfTime,
  });
  const isNear = coverage.answers === 'none' && first.some(({ signals }) => signals.vector >= NEAR_IN_MEANING);
  return isNear ? { ...coverage, answers: 'some' } : coverage;
}

const NOTHING_ANSWERED = { answers: 'none' } as const;
const ANSWERED_WHOLE = { answers: 'all' } as const;

/** A result with at least this vector signal may be an answer, even if it contains no word of the question. */
const NEAR_IN_MEANING = VECTOR_SCALE.share * VECTOR_SCALE.alone;

/** The result to which a neighbour line belongs: the nearest one on its page. */
function nearest({ key, file }: FoundUnit, hits: readonly FoundUnit[]): FoundUnit | undefined {
  const away = (hit: FoundUnit): number => Math.abs(hit.key - key);
  return hits.filter((hit) => hit.file.path === file.path).sort((a, b) => away(a) - away(b))[0];
}

/**
 * A warning if the results were found only by the time that the question names, and no result contains a word of the
 * question. Such results are no real answer. Otherwise there is no warning.
 */
function unsaid(
  { terms, window }: CandidateSet,
  { ofTime, timeOnly }: QuestionReading,
  items: readonly FoldedResult[],
): readonly string[] {
  const isMatch = ({ signals: { lexical, exact, entity, vector } }: FoldedResult) =>
    lexical + exact + entity > 0 || vector >= VECTOR_SCALE.share * VECTOR_SCALE.near;
  if (
    window === null ||
    timeOnly ||
    ofTime === 'events' ||
    items.length === 0 ||
    !terms.some(({ isAsked }) => isAsked) ||
    items.some(isMatch)
  )
    return [];
  return ['no line from that time has a word of the question; other lines from that time are shown'];
}

function why({ unit, signals }: RankedUnit, candidates: Candidates): string {
  const parts = Object.entries(signals).filter(([, value]) => value > 0);
  const shown = parts.map(([name, value]) => `${name} ${value.toFixed(2)}`).join(', ');
  return `${candidates.channelsOf(unit.key).join('+')}: ${shown}`;
}
