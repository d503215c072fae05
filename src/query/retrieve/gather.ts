import { nearestWord } from '../../base/nearest.js';
import type { FoundUnit, IndexSearch, UnitFilter, UnitKey } from '../../index/search.js';
import { foldText } from '../../language/scripts.js';
import type { DaySpan } from '../../language/time/calendar.js';
import { findUnsupportedTime } from '../../language/time/cue.js';
import { tagKeys } from '../../markdown/wiki.js';
import { entitySlug } from '../../text/slug.js';
import type { QuestionReading, QuestionWindow } from '../parse/reading.js';
import type { Weights } from '../rank/weights.js';
import { filtersOf, hasFilter, type RecallQuery } from '../request.js';
import { inflectionOf } from '../terms/inflections.js';
import { questionTerms } from '../terms/question-terms.js';
import {
  COMMON_TERM_UNIT_COUNT,
  findSurfaceForms,
  type NearWords,
  type WeightedTerm,
  weighTerms,
} from '../terms/weighted-terms.js';
import { Candidates } from './candidates.js';
import { findLabelledLines } from './labelled.js';
import { LexicalChannel } from './lexical.js';
import { type TimeStrictness, timeStrictnessOf, untilEndOf, type WeightedQuestion } from './strictness.js';

/** The candidates for the answer to a question, before they are ranked. */
export interface CandidateSet {
  /** Number of candidates that each channel returns. */
  readonly depth: number;
  readonly candidates: Candidates;
  readonly terms: readonly WeightedTerm[];
  readonly filter: UnitFilter;
  /** The spans of days that the question or its options name, the earlier first. None without a time, or if it was given up. */
  readonly windows: readonly DaySpan[];
  /** The last of these spans that has lines. */
  readonly window: DaySpan | null;
  /**
   * Lines of other days than those of `window` that are of the time: lines of another window (1), and lines that tell about
   * one. The number (0..1) says how much of the time that a line names is in the window.
   */
  readonly told: ReadonlyMap<UnitKey, number>;
  /** How strictly the time window is applied. */
  readonly strictness: TimeStrictness;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

interface GatherSource {
  readonly search: IndexSearch;
  readonly withResources: boolean;
  /** The pages whose name the question is. */
  readonly named: ReadonlyMap<UnitKey, number>;
  /** The lines that define what the question asks about, with the weight of each. */
  readonly defining: ReadonlyMap<UnitKey, number>;
  /** The statements that tell what was true then, for a question that asks for nothing but that. */
  readonly state?: readonly FoundUnit[] | undefined;
  readonly weights?: Weights | undefined;
  /** Words that are searched instead of words that no line has. */
  readonly near?: NearWords | undefined;
}

/**
 * Asks every channel.
 * @param depth number of candidates that each channel returns
 */
export async function gatherCandidates(
  { search, withResources, named, defining, state, weights, near }: GatherSource,
  request: RecallQuery,
  reading: QuestionReading,
  depth: number,
): Promise<CandidateSet> {
  const warnings = [...unknownEntities(search, request.entities ?? [])];
  const terms = weighTerms(search, questionTerms(reading), inflectionOf(reading.text), weights, near);
  for (const term of misspelled(terms))
    warnings.push(`no line has "${term.text}"; searched instead for ${writtenSo(search, term)}`);
  const filter: UnitFilter = {
    ...filterOf({ search, withResources }, request),
    asOf: request.asOf ?? reading.asOf ?? undefined,
    asOfFrom: request.asOf === undefined ? (reading.window?.since ?? undefined) : undefined,
  };
  const asked: Gathering = { search, terms, lexical: new LexicalChannel(search, terms), reading, depth };
  const isGiven = request.since !== undefined || request.until !== undefined;
  const isRead = !isGiven && reading.window !== null && filter.asOf === undefined;
  const gathered = isRead
    ? await gatherRead(asked, filter, reading.window, warnings)
    : await gatherGiven(
        asked,
        isGiven ? { ...filter, days: [{ since: request.since ?? null, until: request.until ?? null }] } : filter,
        warnings,
      );
  const meant = [...named.keys(), ...defining.keys()];
  if (meant.length > 0) gathered.candidates.add('name', search.allowed(meant, gathered.filter));
  const { windows, candidates } = gathered;
  if (state !== undefined) candidates.add('state', atDay(search, state, gathered.filter, depth));
  if (windows.length < 2) return { ...gathered, window: windows[0] ?? null, depth, terms };
  const linesOf = (span: DaySpan) => search.allowed(candidates.keys(), { ...filter, days: [span] });
  const window = windows.findLast((span) => linesOf(span).length > 0) ?? windows[0] ?? null;
  const others = windows.filter((span) => span !== window).flatMap(linesOf);
  const told = new Map([...gathered.told, ...others.map((key) => [key, 1] as const)]);
  return { ...gathered, told, window, depth, terms };
}

/** The statements that were true at a time. If these are few, also the newest lines up to then. */
function atDay(
  search: IndexSearch,
  state: readonly FoundUnit[],
  filter: UnitFilter,
  depth: number,
): readonly UnitKey[] {
  const keys = state.slice(0, depth).map(({ key }) => key);
  return keys.length < depth ? [...keys, ...search.filtered(filter, depth)] : keys;
}

/** The filters of a request, without its times. */
export function filterOf(
  { search, withResources }: Pick<GatherSource, 'search' | 'withResources'>,
  request: RecallQuery,
): UnitFilter {
  return {
    ...filtersOf(request),
    withResources,
    tags: request.tags?.map((tag) => tagKeys(tag).at(-1) ?? ''),
    entities: request.entities?.flatMap((name) => joining(search, entitySlug(name))),
  };
}

type Gathered = Omit<CandidateSet, 'terms' | 'depth' | 'window'>;

/** Gathers candidates for the time in the options of the request, or for no time. */
async function gatherGiven(asked: Gathering, filter: UnitFilter, warnings: string[]): Promise<Gathered> {
  const { search, reading } = asked;
  const { days: windows = [] } = filter;
  const isTimed = windows.length > 0;
  const unread = !isTimed && reading.window === null ? findUnsupportedTime(reading.text) : undefined;
  if (unread !== undefined) warnings.push(`the time "${unread}" is not understood; all days were searched`);
  const told = isTimed ? await toldOf(asked, filter) : NOTHING_TOLD;
  const found = runChannels(asked, filter, filter);
  found.candidates.add('told', told.keys());
  if (isTimed && told.size === 0 && search.filtered(filter, 1).length === 0)
    warnings.push(`there are no lines from that time${nearestDays(search, filter)}`);
  return { ...found, strictness: 'hard', filter, windows, told, warnings };
}

/** Keys that link units with an entity: its names, and links to its page. */
function joining(search: IndexSearch, slug: string): readonly string[] {
  const known = search.entity(slug);
  return known === undefined ? [slug] : [...known.slugs, ...known.links];
}

/** Terms that were taken for others, where the answer hangs on them: beside other words that stand somewhere it does not. */
function misspelled(terms: readonly WeightedTerm[]): readonly WeightedTerm[] {
  const others = terms.filter(({ isAsked, isMeant, frequency }) => isAsked && !isMeant && frequency > 0);
  return others.length > MOST_BESIDE ? [] : terms.filter(({ isMeant }) => isMeant);
}

/** A word that no line has causes a warning only if at most this many other words of the question are in some line. */
const MOST_BESIDE = 1;

/** The words of a line that were searched in place of a misspelled term. */
function writtenSo(search: IndexSearch, { match }: WeightedTerm): string {
  const stems = 'stems' in match ? match.stems : [];
  const found = stems.flatMap((stem) => [...findSurfaceForms(search, stem)]).slice(0, MOST_SPELLED);
  return found.length === 0 ? 'similar spellings' : found.map((word) => `"${word}"`).join(', ');
}

/** Maximum number of the words searched instead that a warning names. */
const MOST_SPELLED = 3;

interface Gathering extends WeightedQuestion {
  readonly depth: number;
}

/** Gathers candidates for a time that was only read from the question. It may not be a time, or another one may be meant. */
async function gatherRead(
  asked: Gathering,
  open: UnitFilter,
  read: QuestionWindow,
  warnings: readonly string[],
): Promise<Gathered> {
  const { search, reading } = asked;
  const windows = read.spans;
  const hard = { ...open, days: windows };
  const told = await toldOf(asked, hard, read);
  const isEmpty = told.size === 0 && search.filtered(hard, 1).length === 0;
  const before = untilEndOf(hard);
  // How things stood then was said before, too.
  const isState = reading.ofTime === 'state' && search.filtered(before, 1).length > 0;
  if (isEmpty && !isState && !asksForMore(asked)) {
    const warning = `there are no lines from "${read.text}"${nearestDays(search, hard)}`;
    const found = runChannels(asked, hard, hard);
    return {
      ...found,
      strictness: 'hard',
      filter: hard,
      windows,
      told,
      warnings: [...warnings, warning],
    };
  }
  if (isEmpty && !isState) {
    const warning = `there are no lines from "${read.text}"; all days were searched`;
    const found = runChannels(asked, open, open);
    return { ...found, strictness: 'preferred', filter: open, windows: [], told, warnings: [...warnings, warning] };
  }
  const strictness = timeStrictnessOf(asked, { ...hard, told: [...told.keys()] });
  const filter = { hard, 'until its end': before, preferred: open }[strictness];
  const found = runChannels(asked, filter, hard);
  found.candidates.add('told', told.keys());
  const isExpected = strictness === 'hard' || (strictness === 'until its end' && reading.ofTime === 'state');
  const loose = isExpected
    ? []
    : [`lines from other times than "${read.text}" fit the question better; they are shown too`];
  return { ...found, strictness, filter, windows, told, warnings: [...warnings, ...loose] };
}

/** Whether a question has words besides its time that are no names and no frame, and that stand anywhere. */
function asksForMore({ terms, reading: { words, timeOnly, stopWordsOnly } }: Gathering): boolean {
  const names = new Set(words.flatMap(({ text, role }) => (role === 'name' ? [text] : [])));
  const isContent = ({ text, isAsked, frequency }: WeightedTerm) => isAsked && frequency > 0 && !names.has(text);
  return !timeOnly && !stopWordsOnly && terms.some(isContent);
}

/** Names the nearest days before and after each span of a filter of which there is anything. */
function nearestDays(search: IndexSearch, window: UnitFilter): string {
  const found = (window.days ?? []).flatMap((span) => search.nearestDays(span, window));
  const days = [...new Set(found)].sort();
  return days.length === 0 ? '' : `; the nearest days with lines are ${days.join(' and ')}`;
}

/** A question of what happened, or of nothing but a time, is told all of it, whatever the words. */
async function toldOf(
  { search, lexical, reading, depth }: Gathering,
  filter: UnitFilter,
  read?: QuestionWindow,
): Promise<ReadonlyMap<UnitKey, number>> {
  const { mentionedDateChannel } = await import('./mentioned-dates.js');
  const isOfAll = reading.timeOnly || reading.stopWordsOnly || reading.ofTime === 'events';
  const told = new Map<UnitKey, number>();
  for (const { since, until } of filter.days ?? []) {
    if (since === null || until === null) continue;
    const window = { since, until };
    const of = { filter, window, named: read?.text, isOfAll, isYearly: read?.isYearly ?? false };
    const shares = await mentionedDateChannel(search, lexical, of, depth);
    for (const [key, share] of shares) told.set(key, Math.max(share, told.get(key) ?? 0));
  }
  return told;
}

const NOTHING_TOLD: ReadonlyMap<UnitKey, number> = new Map();

/** @param window what the time channel brings all of; `filter` holds for the others */
function runChannels({ search, terms, lexical, reading, depth }: Gathering, filter: UnitFilter, window: UnitFilter) {
  const candidates = new Candidates(search);
  const notes: string[] = [];
  const found = lexical.find(filter, depth);
  candidates.add('lexical', found.keys);
  candidates.add('exact', exactChannel(search, reading.exact, terms, filter, depth));
  const anyDay = { ...filter, days: undefined };
  if (reading.timeOnly) candidates.add('exact', search.allowed(sayingAll(search, terms), anyDay));
  const first = found.keys.slice(0, depth / 2);
  // A neighbour has passed no filter, and who asks for a word or two wants the lines that say them.
  if (!hasFilter(filter) && terms.length > 2) candidates.addNeighbours(first);
  candidates.add('label', search.allowed(findLabelledLines(search, candidates.those(first), terms), filter));
  for (const expression of found.expressions) notes.push(`full text: ${expression}`);
  const slugs = reading.entities.flatMap((slug) => joining(search, slug));
  if (slugs.length > 0) candidates.add('entity', search.linked(slugs, filter, depth));
  if (window.days !== undefined) candidates.add('window', search.filtered(window, depth));
  if (candidates.size === 0 && terms.length === 0 && hasFilter(filter))
    candidates.add('filter', search.filtered(filter, depth));
  return { candidates, notes };
}

/** Whatever a time alone is read as, the lines that say its words are found: "le 14 juillet". */
function sayingAll(search: IndexSearch, terms: readonly WeightedTerm[]): readonly UnitKey[] {
  const all = terms.map(({ expression }) => expression).join(' AND ');
  return all === '' ? [] : (search.having(all, COMMON_TERM_UNIT_COUNT).keys ?? []).slice(-MOST_SAYING);
}

/** Maximum number of lines with the words of a time that are added to the lines of that time. */
const MOST_SAYING = 20;

/** A warning for each unknown name, with the name that was probably meant. */
function unknownEntities(search: IndexSearch, names: readonly string[]): readonly string[] {
  const unknown = names.filter((name) => search.entity(entitySlug(name)) === undefined);
  if (unknown.length === 0) return [];
  const known = search.entities().map(({ name }) => name);
  return unknown.map((name) => {
    const meant = nearestWord(name.replace(/^@/, ''), known);
    return `nothing is known about "${name}"${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  });
}

/**
 * If at most this many units have the words of a string, all of them are candidates. If there are more, only those with the
 * exact string.
 */
const FEW = 20;

/** Units with an exact string of the question as it stands: of `F#` the index knows only the letter. */
function exactChannel(
  search: IndexSearch,
  tokens: readonly string[],
  terms: readonly WeightedTerm[],
  filter: UnitFilter,
  limit: number,
): readonly UnitKey[] {
  return tokens.flatMap((token) => {
    const plain = foldText(token);
    const term = terms.find(({ text }) => text === plain);
    if (term === undefined || term.frequency === 0) return [];
    if (term.keys !== undefined && term.keys.length <= FEW) return search.allowed(term.keys, filter);
    return search.containing(term.expression, token, filter, limit);
  });
}
