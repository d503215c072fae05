import { memoize } from '../base/cache.js';
import type { Clock, Day } from '../base/clock.js';
import { idOf } from '../index/query/ids.js';
import type { FoundUnit, KnownEntity, Search, UnitKey } from '../index/search.js';
import { detectLanguageGroup } from '../language/language-group.js';
import type { AwayFiles } from '../memory/away.js';
import { pageAt } from '../memory/pages.js';
import type { PairVerdicts } from '../memory/threads/verdicts.js';
import { entitySlug } from '../text/slug.js';
import { today } from '../workspace/clock.js';
import { withBeliefConfidence } from './answer/attach-beliefs.js';
import { type Coverage, questionCoverage } from './answer/coverage.js';
import { sourceText } from './answer/expand-headings.js';
import { childItems, childLines, withChildItems } from './answer/list-children.js';
import { pack } from './answer/pack.js';
import { placeOnPage, toResult } from './answer/result.js';
import type { BeliefLookup } from './beliefs.js';
import type { Candidates } from './channels/candidates.js';
import { definitionLines } from './channels/definitions.js';
import { type CandidateSet, gatherCandidates } from './channels/gather.js';
import { pagesByName, topicPages } from './channels/page-names.js';
import type { VectorChannel } from './channels/vector.js';
import { explainReading } from './question/explain.js';
import { readQuestion } from './question/read.js';
import type { QuestionReading } from './question/reading.js';
import type { Folded } from './rank/fold.js';
import type { Ranked } from './rank/ranked.js';
import { VECTOR_SCALE, type Weights } from './rank/weights.js';
import { checkQuestion, type RecallAnswer, type RecallQuery } from './request.js';
import { type PassContext, type PassResult, rankCandidates, type SearchPass } from './search-pass.js';
import type { SemanticSource } from './semantic.js';
import { Matcher } from './terms/matcher.js';

/** An index, and what is believed by what is in it. */
interface Asking {
  readonly search: Search;
  readonly beliefs: BeliefLookup;
  /** What judges said of pairs of facts. */
  readonly verdicts?: () => PairVerdicts;
}

export interface RecallSource extends Asking {
  /** The same without the logs of days that have not come; undefined where there are none of these. */
  readonly present?: Asking | undefined;
  /** Files that are elsewhere for now; none when not given. */
  readonly away?: AwayFiles;
  readonly clock: Clock;
  readonly withResources: boolean;
  readonly defaultLimit: number;
  readonly stale: boolean;
  /** Whether the search that decides the first ten decides them all: for who asks for more and takes few. */
  readonly inOneStep?: boolean;
  readonly warnings: readonly string[];
  /** Other weights of the ranking than its own, to measure what each is worth. */
  readonly weights?: Weights;
  /** When the answer may be hybrid. */
  readonly semantic?: SemanticSource | undefined;
}

/**
 * The first ten results are decided by a search of one depth, the next up to a hundred by a deeper one, and so on: the
 * first results are the same however many are asked for.
 */
const FIRST_STEP = 10;
const STEP_GROWTH = 10;
/** So many candidates a channel brings for every result. */
const DEPTH = 14;

/**
 * Answers a question from the index: reads it, gathers candidates from every channel, ranks them by one weighted sum,
 * folds what says the same, and packs the best into the budget. A lexical hit is never cut by its score.
 * @throws MemoryError `usage` when nothing is asked
 */
export function recall(source: RecallSource, request: RecallQuery): Promise<RecallAnswer> {
  return source.search.atOneMoment(() => answerInTime(source, request));
}

/**
 * A log of a day that has not come tells nothing of now: it answers what is asked about such a day, and what the rest of
 * the memory does not answer. What is shown of it is marked.
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

/** Whether a question, or its options, names a day after another one. */
function asksAhead(request: RecallQuery, { asOf, window }: QuestionReading, day: Day): boolean {
  const named = [request.since, request.until, request.asOf, asOf, window?.since, window?.until];
  return named.some((one) => (one ?? '') > day);
}

function withFuture(answer: RecallAnswer, day: Day): RecallAnswer {
  const results = answer.results.map((result) =>
    (pageAt(result.path)?.day ?? '') > day ? { ...result, future: true as const } : result,
  );
  const pages = [...new Set(results.flatMap(({ path, future }) => (future ? [path] : [])))];
  const warnings = pages.map((path) => `${path} is of a day that has not come yet`);
  return { ...answer, results, warnings: [...answer.warnings, ...warnings] };
}

async function answer(source: RecallSource, request: RecallQuery): Promise<RecallAnswer> {
  const { search } = source;
  checkQuestion(request);
  const whole = pagesByName(search, request.query, source);
  const context = readingContext(source);
  const asked = await readQuestion(request.query, context);
  const named = whole.size > 0 ? whole : topicPages(search, asked.names, source);
  // What stands in the name of a page is no time: "Sunday Dinner".
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
  // What waits has time: the answer by words is there when the vector is not in the end.
  const byWords = (await isSettled(waited)) ? undefined : complete(run);
  const vector = await waited;
  if (vector.ok) {
    const { withoutCommonPart, VectorChannel } = await import('./channels/vector.js');
    return complete(run, new VectorChannel(search, withoutCommonPart(vector.value)));
  }
  const { message, hint } = vector.error;
  const warning = `answered by words alone: ${message}${hint === undefined ? '' : ` (${hint})`}`;
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

/** "The backups" are about `@backup`, when nothing is called backups. */
function singular(search: Search, name: string): KnownEntity | undefined {
  return /[a-z]{3}s$/.test(name) ? search.entity(entitySlug(name.slice(0, -1))) : undefined;
}

/** A time, a name or a code alone has no meaning to compare: all that a model sees in it is what looks alike. */
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

/** The answer from what words brought and, when there is a vector of the question, from what is near to it. */
function complete(run: RecallRun, byMeaning?: VectorChannel): RecallAnswer {
  const { source, request, reading, k, steps } = run;
  const { search, beliefs } = source;
  const found = new Map<Folded, PassResult>();
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
  const isHit = (item: Folded): boolean => found.get(item)?.isBeside === false;
  // What is led in is shown there.
  const below = new Set([...found.keys()].filter(isHit).flatMap(({ unit }) => leads(unit).units.map(({ key }) => key)));
  const chosen = [...found.keys()].filter((item) => isHit(item) || !below.has(item.unit.key));
  const packed = pack(chosen.slice(0, k), request.budget, (unit) => childLines(leads(unit)));
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
        ...(hit === undefined ? {} : { beside: idOf(hit, search) }),
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
    window: gathered?.window ?? null,
    results,
    answers: gathered === undefined ? 'none' : answersOf(gathered, reading, first),
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

/** How far the first results go, however many are asked for. */
function answersOf(
  { terms, candidates, strictness }: CandidateSet,
  { words, text: question, ofTime }: QuestionReading,
  first: readonly Folded[],
): Coverage {
  // Whatever happened then is the answer, in whatever words.
  if (ofTime === 'events' && strictness === 'hard' && first.length > 0) return 'all';
  const isMeant = ({ named, signals }: Folded): boolean => named > 0 || signals.vector >= NEAR_IN_MEANING;
  if (first.some(isMeant)) return 'all';
  const names = words.flatMap(({ text, role }) => (role === 'name' ? [text] : []));
  const matcher = new Matcher(terms);
  const said = first.map(({ unit, standsFor }) => {
    const { heading = [], title = '' } = placeOnPage(unit, (key) => candidates.unit(key));
    const text = [...[unit, ...standsFor].map(sourceText), ...heading, title].join('\n');
    return { text, counts: matcher.count(text) };
  });
  return questionCoverage(terms, new Set(names), said, detectLanguageGroup(question) === 'english');
}

/** What is as near as this answers without a word of the question. */
const NEAR_IN_MEANING = VECTOR_SCALE.share * VECTOR_SCALE.alone;

/** The hit that a line stands beside: the nearest one of its page. */
function nearest({ key, file }: FoundUnit, hits: readonly FoundUnit[]): FoundUnit | undefined {
  const away = (hit: FoundUnit): number => Math.abs(hit.key - key);
  return hits.filter((hit) => hit.file.path === file.path).sort((a, b) => away(a) - away(b))[0];
}

/** All of a time is found by it; that none of it has a word of the question must not pass for an answer. */
function unsaid(
  { terms, window }: CandidateSet,
  { ofTime, timeOnly }: QuestionReading,
  items: readonly Folded[],
): readonly string[] {
  const isMatch = ({ signals: { lexical, exact, entity, vector } }: Folded) =>
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
  return ['nothing of that time has a word of the question; what else is from then is shown'];
}

function why({ unit, signals }: Ranked, candidates: Candidates): string {
  const parts = Object.entries(signals).filter(([, value]) => value > 0);
  const shown = parts.map(([name, value]) => `${name} ${value.toFixed(2)}`).join(', ');
  return `${candidates.channelsOf(unit.key).join('+')}: ${shown}`;
}
