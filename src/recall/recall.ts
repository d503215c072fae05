import type { Clock, Day } from '../base/clock.js';
import type { FoundUnit, KnownEntity, Search, UnitKey } from '../index/search.js';
import { entitySlug } from '../text/slug.js';
import { today } from '../workspace/clock.js';
import { bringBeliefs, withOneConfidence } from './answer/believed.js';
import { pack } from './answer/pack.js';
import { toResult } from './answer/result.js';
import type { Beliefs } from './beliefs.js';
import type { Candidates } from './channels/candidates.js';
import { type Gathered, gather } from './channels/gather.js';
import type { VectorChannel } from './channels/vector.js';
import { explainReading } from './question/explain.js';
import { readQuestion } from './question/read.js';
import type { QuestionReading } from './question/reading.js';
import { asOfDay } from './rank/as-of.js';
import { type Folded, fold } from './rank/fold.js';
import { rank, Scorer } from './rank/rank.js';
import type { Ranked } from './rank/ranked.js';
import { thinSeries } from './rank/series.js';
import { supersede } from './rank/supersede.js';
import { findWhereabouts } from './rank/whereabouts.js';
import { keepWordHits } from './rank/word-hits.js';
import { checkAsked, type RecallAnswer, type RecallQuery } from './request.js';
import type { SemanticSource } from './semantic.js';
import { Matcher } from './terms/matcher.js';

export interface RecallSource {
  readonly search: Search;
  readonly beliefs: Beliefs;
  readonly clock: Clock;
  readonly withResources: boolean;
  readonly defaultLimit: number;
  readonly stale: boolean;
  readonly warnings: readonly string[];
  /** When the answer may be hybrid. */
  readonly semantic?: SemanticSource | undefined;
}

/** So many candidates a channel brings for every result that is wanted, and at least. */
const DEPTH = { perResult: 4, least: 30 };
/** Lines around a candidate that count as its context. */
const CONTEXT_LINES = 3;

/**
 * Answers a question from the index: reads it, gathers candidates from every channel, ranks them by one weighted sum,
 * folds what says the same, and packs the best into the budget. A lexical hit is never cut by its score.
 * @throws MemoryError `usage` when nothing is asked
 */
export function recall(source: RecallSource, request: RecallQuery): Promise<RecallAnswer> {
  return source.search.atOneMoment(() => answer(source, request));
}

async function answer(source: RecallSource, request: RecallQuery): Promise<RecallAnswer> {
  const { search, clock } = source;
  checkAsked(request);
  const reading = await readQuestion(request.query, {
    now: clock.now(),
    zone: clock.zone,
    dateOrder: clock.dateOrder,
    entities: { lookup: (name) => (search.entity(entitySlug(name)) ?? singular(search, name))?.slug },
  });
  const k = request.k ?? source.defaultLimit;
  const depth = Math.max(DEPTH.least, DEPTH.perResult * k);
  const run: RecallRun = {
    source,
    request,
    reading,
    k,
    depth,
    gathered: await gather(source, request, reading, depth),
  };
  const { semantic } = source;
  // A time alone has no meaning to compare.
  if (semantic === undefined || request.mode === 'lexical' || request.query.trim() === '' || reading.timeOnly)
    return complete(run);
  const waited = semantic.vectorOf(request.query);
  // What waits has time: the answer by words is there when the vector is not in the end.
  const byWords = (await isSettled(waited)) ? undefined : complete(run);
  const vector = await waited;
  if (vector.ok) {
    const { VectorChannel } = await import('./channels/vector.js');
    return complete(run, new VectorChannel(search, vector.value.vectors, vector.value.query));
  }
  const { message, hint } = vector.error;
  const warning = `answered by words alone: ${message}${hint === undefined ? '' : ` (${hint})`}`;
  const lexical = byWords ?? complete(run);
  return { ...lexical, warnings: [...lexical.warnings, warning] };
}

/** "The backups" are about `@backup`, when nothing is called backups. */
function singular(search: Search, name: string): KnownEntity | undefined {
  return /[a-z]{3}s$/.test(name) ? search.entity(entitySlug(name.slice(0, -1))) : undefined;
}

function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const turn = new Promise<boolean>((resolve) => void setImmediate(resolve, false));
  return Promise.race([promise.then(() => true), turn]);
}

interface RecallRun {
  readonly source: RecallSource;
  readonly request: RecallQuery;
  readonly reading: QuestionReading;
  readonly k: number;
  readonly depth: number;
  readonly gathered: Gathered;
}

/** The answer from what words brought and, when there is a vector of the question, from what is near to it. */
function complete(
  { source, request, reading, k, depth, gathered }: RecallRun,
  byMeaning?: VectorChannel,
): RecallAnswer {
  const { search, clock, beliefs } = source;
  const { candidates } = gathered;
  if (byMeaning !== undefined) candidates.add('vector', byMeaning.units(gathered.filter, depth));
  candidates.load(CONTEXT_LINES);
  const allowedKeys = new Set(candidates.keys());
  const named = reading.entities.map((slug) => search.entity(slug) ?? { slugs: [slug], path: null });
  const context = {
    reading,
    terms: gathered.terms,
    matcher: new Matcher(gathered.terms),
    slugs: new Set(named.flatMap(({ slugs }) => slugs)),
    pages: new Set(named.flatMap(({ path }) => path ?? [])),
    today: today(clock),
    window: gathered.window,
    told: gathered.told,
    vector: byMeaning && vectorSignals(candidates, byMeaning),
  };
  const scorer = new Scorer(candidates, context);
  const allowed = rank(candidates, scorer).filter(({ unit }) => allowedKeys.has(unit.key));
  const asOf = request.asOf ?? reading.asOf;
  const isAllowed = (units: readonly FoundUnit[]): readonly FoundUnit[] => {
    const keys = new Set(
      search.allowed(
        units.map(({ key }) => key),
        gathered.filter,
      ),
    );
    return units.filter(({ key }) => keys.has(key));
  };
  const believed = bringBeliefs(allowed, beliefs, isAllowed);
  const dated = asOf === null ? believed : asOfDay(believed, asOfContext(source, request, reading, asOf));
  const day = asOf ?? gathered.window?.until ?? context.today;
  const found = { allowed: isAllowed, score: (unit: FoundUnit) => scorer.score(unit) };
  const { ranked: ordered, marks } = supersede(search, dated, {
    ...found,
    k,
    until: day,
    wantsCurrent: !asksForHistory(reading),
    isPresent: reading.tense !== 'past' && gathered.window === null,
  });
  const ranked = findWhereabouts(search, ordered, reading, { ...found, day });
  // Who asks for a number may want all of them.
  const folded = reading.cues.howMany ? fold(ranked, beliefs) : thinSeries(fold(ranked, beliefs));
  const kept = byMeaning === undefined ? folded : keepWordHits(folded, k, foundHow(candidates, context.matcher));
  const packed = pack(kept, k, request.budget);
  const results = packed.items.map((item) => {
    const superseded = marks.get(item.unit);
    const reason = request.explain ? { why: why(item, candidates) } : {};
    const shown = asOf === null ? withOneConfidence(item, beliefs) : item;
    return toResult(shown, search, superseded === undefined ? reason : { superseded, ...reason });
  });
  return {
    query: request.query,
    mode: byMeaning === undefined ? 'lexical' : 'hybrid',
    window: gathered.window,
    results,
    tokens: packed.tokens,
    dropped: packed.dropped,
    stale: source.stale,
    warnings: [...source.warnings, ...gathered.warnings, ...unsaid(gathered, reading, packed.items)],
    ...(request.explain
      ? { explain: [...explainReading(reading), ...gathered.notes, `candidates: ${candidates.size}`] }
      : {}),
  };
}

function asOfContext({ search, beliefs }: RecallSource, { asOf }: RecallQuery, reading: QuestionReading, day: Day) {
  const statedOn = (fact: string): Day | null =>
    search.statements(fact).find(({ file }) => file.day !== null)?.file.day ?? null;
  return { day, said: asOf === undefined ? reading.window : null, beliefs, statedOn };
}

/** All of a time is found by it; that none of it has a word of the question must not pass for an answer. */
function unsaid({ terms, window }: Gathered, { ofTime }: QuestionReading, items: readonly Folded[]): readonly string[] {
  const isMatch = ({ signals: { lexical, exact, entity, vector } }: Folded) => lexical + exact + entity + vector > 0;
  if (
    window === null ||
    ofTime === 'events' ||
    items.length === 0 ||
    !terms.some(({ isAsked }) => isAsked) ||
    items.some(isMatch)
  )
    return [];
  return ['nothing of that time has a word of the question; what else is from then is shown'];
}

/** "When did we move …" and "what did we use before" ask for what was true, whether or not it still is. */
function asksForHistory({ cues, text }: QuestionReading): boolean {
  if (/\b(?:before|previous(?:ly)?|formerly|used to|at first|originally|initially|back then)\b/i.test(text))
    return true;
  if (/之前|以前|最初|原来|当时|起初/.test(text)) return true;
  // "At what time is …" does not.
  return cues.when && /\b(?:did|was|were|had|have)\b|[了过的]/i.test(text);
}

function vectorSignals(candidates: Candidates, byMeaning: VectorChannel): ReadonlyMap<UnitKey, number> {
  const units = candidates.keys().flatMap((key) => candidates.unit(key) ?? []);
  return byMeaning.signals(units, ({ section }) => (section === null ? undefined : candidates.unit(section)));
}

function foundHow(candidates: Candidates, matcher: Matcher) {
  return {
    byWords: ({ unit }: Folded) => candidates.channelsOf(unit.key).some((channel) => channel !== 'vector'),
    literally: ({ unit, signals }: Folded) => signals.exact > 0 || matcher.hasAll(unit.text),
  };
}

function why({ unit, signals }: Ranked, candidates: Candidates): string {
  const parts = Object.entries(signals).filter(([, value]) => value > 0);
  const shown = parts.map(([name, value]) => `${name} ${value.toFixed(2)}`).join(', ');
  return `${candidates.channelsOf(unit.key).join('+')}: ${shown}`;
}
