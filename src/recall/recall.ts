import type { Clock } from '../base/clock.js';
import { fail } from '../base/failure.js';
import type { Filter, Search, UnitKey } from '../index/search.js';
import { entitySlug } from '../text/slug.js';
import { today } from '../workspace/clock.js';
import { asOfDay } from './as-of.js';
import { Candidates } from './candidates.js';
import { entityChannel } from './channels/entity.js';
import { lexicalChannel, type WeighedTerm, weighTerms } from './channels/lexical.js';
import { toldChannel } from './channels/told.js';
import type { VectorChannel } from './channels/vector.js';
import { windowChannel } from './channels/window.js';
import { type Folded, fold } from './fold.js';
import { Matcher } from './matcher.js';
import { pack } from './pack.js';
import { protect } from './protect.js';
import { explainReading } from './question/explain.js';
import { readQuestion } from './question/read.js';
import type { QuestionReading } from './question/reading.js';
import { type Ranked, rank } from './rank.js';
import type { RecallAnswer, RecallRequest } from './request.js';
import { toResult } from './result.js';
import type { SemanticSource } from './semantic.js';
import { supersede } from './supersede.js';
import { questionTerms } from './terms.js';
import { unknownEntities } from './unknown-entities.js';

export interface RecallSource {
  readonly search: Search;
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
export function recall(source: RecallSource, request: RecallRequest): Promise<RecallAnswer> {
  return source.search.atOneMoment(() => answer(source, request));
}

async function answer(source: RecallSource, request: RecallRequest): Promise<RecallAnswer> {
  const { search, clock } = source;
  const asksNothing = request.query.trim() === '' && !hasFilter(request);
  if (asksNothing)
    return fail('usage', 'the question is empty', 'ask something: openclaw memory recall "what does Peter prefer?"');
  const reading = await readQuestion(request.query, {
    now: clock.now(),
    zone: clock.zone,
    entities: { lookup: (name) => search.entity(entitySlug(name))?.slug },
  });
  const k = request.k ?? source.defaultLimit;
  const depth = Math.max(DEPTH.least, DEPTH.perResult * k);
  const asked: Asked = { source, request, reading, k, depth, gathered: await gather(source, request, reading, depth) };
  const { semantic } = source;
  // A time alone has no meaning to compare.
  if (semantic === undefined || request.mode === 'lexical' || request.query.trim() === '' || reading.timeOnly)
    return complete(asked);
  const waited = semantic.vectorOf(request.query);
  // What waits has time: the answer by words is there when the vector is not in the end.
  const byWords = (await isSettled(waited)) ? undefined : complete(asked);
  const vector = await waited;
  if (vector.ok) {
    const { VectorChannel } = await import('./channels/vector.js');
    return complete(asked, new VectorChannel(search, vector.value.vectors, vector.value.query));
  }
  const { message, hint } = vector.error;
  const warning = `answered by words alone: ${message}${hint === undefined ? '' : ` (${hint})`}`;
  const lexical = byWords ?? complete(asked);
  return { ...lexical, warnings: [...lexical.warnings, warning] };
}

function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const turn = new Promise<boolean>((resolve) => void setImmediate(resolve, false));
  return Promise.race([promise.then(() => true), turn]);
}

interface Asked {
  readonly source: RecallSource;
  readonly request: RecallRequest;
  readonly reading: QuestionReading;
  readonly k: number;
  readonly depth: number;
  readonly gathered: Gathered;
}

/** The answer from what words brought and, when there is a vector of the question, from what is near to it. */
function complete({ source, request, reading, k, depth, gathered }: Asked, byMeaning?: VectorChannel): RecallAnswer {
  const { search, clock } = source;
  const { candidates } = gathered;
  if (byMeaning !== undefined) candidates.add('vector', byMeaning.units(gathered.filter, depth));
  candidates.load(CONTEXT_LINES);
  const allowedKeys = new Set(candidates.keys());
  const slugs = new Set(reading.entities.flatMap((slug) => search.entity(slug)?.slugs ?? [slug]));
  const context = {
    reading,
    terms: gathered.terms,
    matcher: new Matcher(gathered.terms),
    slugs,
    today: today(clock),
    window: gathered.window,
    told: gathered.told,
    vector: byMeaning && vectorSignals(candidates, byMeaning),
  };
  const allowed = rank(candidates, context).filter(({ unit }) => allowedKeys.has(unit.key));
  const asOf = request.asOf ?? reading.asOf;
  const dated = asOf === null ? allowed : asOfDay(allowed, asOf, request.asOf === undefined ? reading.window : null);
  const { ranked, marks } = supersede(search, dated, {
    until: asOf ?? gathered.window?.until ?? context.today,
    demote: !asksForHistory(reading),
  });
  const folded = fold(ranked);
  const kept = byMeaning === undefined ? folded : protect(folded, k, foundHow(candidates, context.matcher));
  const packed = pack(kept, k, request.budget);
  const results = packed.items.map((item) => {
    const superseded = marks.get(item.unit);
    const reason = request.explain ? { why: why(item, candidates) } : {};
    return toResult(item, search, superseded === undefined ? reason : { superseded, ...reason });
  });
  return {
    query: request.query,
    mode: byMeaning === undefined ? 'lexical' : 'hybrid',
    window: gathered.window,
    results,
    tokens: packed.tokens,
    dropped: packed.dropped,
    stale: source.stale,
    warnings: [...source.warnings, ...gathered.warnings],
    ...(request.explain
      ? { explain: [...explainReading(reading), ...gathered.notes, `candidates: ${candidates.size}`] }
      : {}),
  };
}

/** "When did we move …" asks about what happened, whether or not it still holds; "at what time is …" does not. */
function asksForHistory({ cues, text }: QuestionReading): boolean {
  return cues.when && /\b(?:did|was|were|had|have)\b|[了过的]/i.test(text);
}

interface Gathered {
  readonly candidates: Candidates;
  readonly terms: readonly WeighedTerm[];
  readonly filter: Filter;
  readonly window: RecallAnswer['window'];
  /** Of lines from outside of the window that tell of it, how much of what they tell is in it. */
  readonly told: ReadonlyMap<UnitKey, number>;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

async function gather(
  source: RecallSource,
  request: RecallRequest,
  reading: QuestionReading,
  depth: number,
): Promise<Gathered> {
  const { search } = source;
  const warnings = [...unknownEntities(search, request.entities ?? [])];
  const terms = weighTerms(search, questionTerms(reading));
  const asked = filterOf(source, request, reading);
  let filter = asked;
  let found = runChannels(search, terms, reading, filter, depth);
  const isReadWindow = reading.window !== null && request.since === undefined && request.until === undefined;
  const told = isReadWindow && !reading.timeOnly ? await toldChannel(search, terms, asked, depth) : NOTHING_TOLD;
  found.candidates.add('told', told.keys());
  if (found.candidates.size === 0 && isReadWindow && asked.since !== undefined) {
    warnings.push(`nothing is from ${reading.window?.text}; the time was left out`);
    filter = { ...asked, since: undefined, until: undefined };
    found = runChannels(search, terms, reading, filter, depth);
  }
  const window =
    filter.since === undefined && filter.until === undefined
      ? null
      : { since: filter.since ?? null, until: filter.until ?? null };
  return { ...found, terms, filter, window, told, warnings };
}

const NOTHING_TOLD: ReadonlyMap<UnitKey, number> = new Map();

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

function runChannels(
  search: Search,
  terms: readonly WeighedTerm[],
  reading: QuestionReading,
  filter: Filter,
  depth: number,
) {
  const candidates = new Candidates(search);
  const notes: string[] = [];
  // "2025-11-27" asks for the day, but also for the lines that say it.
  const wordFilter = reading.timeOnly ? { ...filter, since: undefined, until: undefined } : filter;
  const lexical = lexicalChannel(search, terms, wordFilter, depth);
  candidates.add('lexical', lexical.keys);
  // A neighbour has passed no filter, and who asks for a word or two wants the lines that say them.
  if (!hasFilter(filter) && terms.length > 2) candidates.add('neighbour', neighbours(lexical.keys.slice(0, depth / 2)));
  for (const expression of lexical.expressions) notes.push(`full text: ${expression}`);
  const slugs = reading.entities.flatMap((slug) => search.entity(slug)?.slugs ?? [slug]);
  candidates.add('entity', entityChannel(search, slugs, filter, depth));
  candidates.add('window', windowChannel(search, filter, depth));
  if (candidates.size === 0 && terms.length === 0 && hasFilter(filter))
    candidates.add('filter', search.filtered(filter, depth));
  return { candidates, notes };
}

/** Lines beside the best hits: an answer need not repeat the words of what it answers. */
function neighbours(keys: readonly UnitKey[]): readonly UnitKey[] {
  return keys.flatMap((key) => [key - 2, key - 1, key + 1, key + 2]);
}

function filterOf(source: RecallSource, request: RecallRequest, reading: QuestionReading): Filter {
  const { search, withResources } = source;
  const asOf = request.asOf ?? reading.asOf ?? undefined;
  const readWindow = reading.asOf === null ? reading.window : null;
  const explicit = request.since !== undefined || request.until !== undefined;
  return {
    withResources,
    kinds: request.kinds,
    entities: request.entities?.flatMap((name) => search.entity(entitySlug(name))?.slugs ?? [entitySlug(name)]),
    since: explicit ? request.since : (readWindow?.since ?? undefined),
    until: explicit ? request.until : (readWindow?.until ?? undefined),
    asOf,
    asOfFrom: request.asOf === undefined ? (reading.window?.since ?? undefined) : undefined,
  };
}

function hasFilter({ kinds, entities, since, until, asOf }: Partial<RecallRequest & Filter>): boolean {
  return [kinds, entities, since, until, asOf].some((value) => value !== undefined);
}

function why({ unit, signals }: Ranked, candidates: Candidates): string {
  const parts = Object.entries(signals).filter(([, value]) => value > 0);
  const shown = parts.map(([name, value]) => `${name} ${value.toFixed(2)}`).join(', ');
  return `${candidates.channelsOf(unit.key).join('+')}: ${shown}`;
}
