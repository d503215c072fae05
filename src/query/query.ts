import type { Clock, Day } from '../base/clock.js';
import type { IndexSearch, KnownEntity } from '../index/search.js';
import type { AwayFiles } from '../memory/away.js';
import { pageOfPath } from '../memory/pages.js';
import type { FinalPairVerdicts } from '../memory/threads/verdicts.js';
import { entitySlug } from '../text/slug.js';
import { today } from '../workspace/clock.js';
import { makeAnswer, type RecallRun } from './answer/answer.js';
import { mayAnswerWhole } from './answer/answered.js';
import type { Coverage } from './answer/coverage.js';
import type { BeliefLookup } from './beliefs.js';
import { agendaPartOf, mayAskAgenda } from './parse/agenda.js';
import { readQuestion } from './parse/read.js';
import type { QuestionReading } from './parse/reading.js';
import { stateAt, stateDaysOf } from './rank/state-at.js';
import type { Weights } from './rank/weights.js';
import { checkQuestion, hasFilter, type RecallAnswer, type RecallQuery } from './request.js';
import { definitionLines } from './retrieve/definitions.js';
import { filterOf, gatherCandidates } from './retrieve/gather.js';
import { findPagesByName, findTopicPages } from './retrieve/page-names.js';
import type { SearchPass } from './search-pass.js';
import type { SemanticSource } from './semantic.js';
import type { NearWords } from './terms/weighted-terms.js';

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
  const agenda = mayAskAgenda(request.query) ? await answerByAgenda(source, request) : undefined;
  if (agenda !== undefined) return withFuture(agenda, today(source.clock));
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

/** The agenda, if a question asks for nothing else and something lies ahead or is open. */
async function answerByAgenda(source: RecallSource, request: RecallQuery): Promise<RecallAnswer | undefined> {
  const { search, clock } = source;
  if (hasFilter(request) || request.query.trim() === '') return undefined;
  const reading = await readQuestion(request.query, readingContext(source));
  const part = agendaPartOf(reading, today(clock));
  if (part === undefined || findPagesByName(search, request.query, source).size > 0) return undefined;
  const { agendaAnswer } = await import('./agenda/answer.js');
  return agendaAnswer(source, request, reading, part);
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
  const days = stateDaysOf(request, reading);
  const state = days && stateAt(source, filterOf(source, request), days);
  const k = request.k ?? source.defaultLimit;
  const gather = (near?: NearWords) =>
    gatherSteps({ ...source, named, defining, state: state?.listed, near }, request, reading, k);
  const steps = await gather();
  const semantic = request.mode === 'lexical' ? undefined : source.semantic;
  const run: RecallRun = { source, request, reading, named, defining, state, k, steps, alike: semantic?.alike(search) };
  const isAsked = steps.some(({ gathered }) => gathered.terms.some((term) => term.isAsked));
  if (semantic === undefined || state !== undefined || !isAsked || meansNothing(reading)) return makeAnswer(run);
  return answerByMeaning(run, semantic, gather);
}

/** Gathers candidates for each search that a question needs. */
async function gatherSteps(
  source: Parameters<typeof gatherCandidates>[0] & Pick<RecallSource, 'inOneStep'>,
  request: RecallQuery,
  reading: QuestionReading,
  k: number,
): Promise<readonly SearchPass[]> {
  const steps: SearchPass[] = [];
  for (let limit = FIRST_STEP; ; limit *= STEP_GROWTH) {
    const gathered = await gatherCandidates(source, request, reading, DEPTH * limit);
    const isLast = limit >= k || source.inOneStep === true;
    steps.push({ limit: isLast ? Math.max(k, limit) : limit, gathered });
    if (isLast) return steps;
  }
}

/** Answers by words and by meaning; by words alone if there are no vectors in time, or words answer all that is asked. */
async function answerByMeaning(
  run: RecallRun,
  semantic: SemanticSource,
  gather: (near: NearWords) => Promise<readonly SearchPass[]>,
): Promise<RecallAnswer> {
  const { search } = run.source;
  const sure = semantic.isForUnsure && mayBeSure(run) ? makeAnswer(run) : undefined;
  if (sure?.answers === 'all') return sure;
  const waited = semantic.vectorOf(run.request.query);
  // While the vector is being computed, there is time to make the answer by words, in case no vector arrives.
  const byWords = sure ?? ((await isSettled(waited)) ? undefined : makeAnswer(run));
  const vector = await waited;
  if (vector.ok) {
    const { openMeaning } = await import('./retrieve/vector.js');
    const meaning = openMeaning(search, vector.value);
    const [first] = run.steps;
    if (meaning === undefined || first === undefined) return byWords ?? makeAnswer(run);
    const { findNearWords } = await import('./retrieve/near-words.js');
    const near = findNearWords(search, first.gathered, meaning);
    return makeAnswer(near.size === 0 ? run : { ...run, steps: await gather(near) }, meaning);
  }
  const { message, hint } = vector.error;
  const warning = `searched by words only: ${message}${hint === undefined ? '' : ` (${hint})`}`;
  const lexical = byWords ?? makeAnswer(run);
  return { ...lexical, warnings: [...lexical.warnings, warning] };
}

/** Whether words may answer all that is asked. If not, there is no need to make the answer by words. */
function mayBeSure({ named, steps, reading, source }: RecallRun): boolean {
  return named.size > 0 || steps.every(({ gathered }) => mayAnswerWhole(gathered, reading, source.search));
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
  const hasNames = words.length + entities.length > 0;
  const isName = hasNames && words.every(({ role }) => role !== 'content') && cjk.length + exact.length === 0;
  return timeOnly || text.trim() === '' || isName || /^\s*\S*\d\S*\s*$/.test(text);
}

function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const turn = new Promise<boolean>((resolve) => void setImmediate(resolve, false));
  return Promise.race([promise.then(() => true), turn]);
}
