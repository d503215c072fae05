import { compareText, groupBy } from '../../base/order.js';
import { isRoleName, isRoleSentence } from '../../language/statements/durable.js';
import {
  formatBeliefLine,
  formatEarlier,
  formatHiddenNote,
  formatOlderNote,
  formatPageLinks,
  formatSectionTitle,
} from '../../line/generated.js';
import { LEAST_SHOWN_CONFIDENCE } from '../../memory/confidence.js';
import { opinionId } from '../../memory/fact.js';
import { judgeByRules } from '../../memory/judge/rules.js';
import type { Belief, BeliefState } from '../beliefs.js';
import type { PageFactStatus, RankNames } from '../entity-statuses.js';
import { dayOfEvent, dropSameTexts, formatEarlierLine, formatFactLine, toInlineText } from './fact-line.js';
import { PageTextIndex } from './page-text.js';

/**
 * Limits of entity pages. `budget`: maximum number of lines per section. `mentions`: minimum number of facts that mention an
 * entity for it to get a page.
 */
export const PAGE_LIMITS = {
  budget: { now: 12, lately: 8, preferences: 10, before: 8, seeAlso: 12 },
  mentions: 2,
} as const;
const { budget } = PAGE_LIMITS;

/** Input for the summary of an entity. */
interface SummaryInput {
  readonly slug: string;
  readonly name: string;
  /** Facts about the entity, with their statuses on the day. */
  readonly standings: readonly PageFactStatus[];
  readonly beliefs: readonly { readonly belief: Belief; readonly conviction: BeliefState }[];
  /** Path of another entity's page, relative to this page; null if there is none. */
  readonly pageOf: (slug: string) => string | null;
  readonly ranking: RankNames;
  /** Sentences by a model, each with its citations. */
  readonly narrative: readonly string[];
  /** Text that people wrote on the page. */
  readonly prose: string;
  /** Whether there are older facts that were not read. */
  readonly hasMore: boolean;
  /** Ids of the facts and beliefs that a person removed from this page. */
  readonly hidden: ReadonlySet<string>;
}

/** A line of a section, with the ids of the facts and beliefs that the line shows. */
export interface SummaryLine {
  readonly text: string;
  readonly ids: readonly string[];
}

/**
 * The lines of one statement: first its own, then those of earlier statements of its thread. Empty if the statement is
 * counted, but not shown.
 */
type Entry = readonly SummaryLine[];

const MOST_SENTENCES = 3;
const COUNTED: Entry = [];

/**
 * Builds the generated part of an entity's page: identity, current facts, recent events, preferences, former facts;
 * each line cites its facts. The same input gives the same bytes. Pure.
 */
export function summariseEntity(input: SummaryInput): readonly SummaryLine[] {
  const { slug, hidden, prose } = input;
  const said = new PageTextIndex(prose);
  const cited = new Set(input.standings.map(({ fact }) => fact.source));
  const standings = shownOf(input.standings, hidden)
    .filter(({ fact }) => !isCopy(fact, cited))
    .toSorted((a, b) => compareText(b.fact.day ?? '', a.fact.day ?? '') || inPage(a, b));
  const at = (place: PageFactStatus['place']) => standings.filter((standing) => standing.place === place);
  const entry = (standing: PageFactStatus): Entry => [
    { text: `- ${formatFactLine(standing, slug)}`, ids: [standing.fact.id] },
    ...dropSameTexts(standing.text, standing.earlier)
      .slice(0, MOST_EARLIER)
      .map((one) => ({ text: `  - ${formatEarlierLine(one, slug)}`, ids: [one.fact.id] })),
  ];
  const fresh = (some: readonly PageFactStatus[], most: number): readonly Entry[] => {
    const entries: Entry[] = [];
    for (const standing of some) {
      // Only count the entries beyond the maximum number of lines.
      if (entries.length > most) entries.push(COUNTED);
      else if (!said.has(standing.text)) {
        said.add(standing.text);
        entries.push(entry(standing));
      }
    }
    return entries;
  };
  const identity = hasWords(prose)
    ? undefined
    : at('now').find((one) => one.earlier.length === 0 && statesIdentity(one.fact, slug, one.text));
  if (identity !== undefined) said.add(identity.text);
  const now = fresh(
    at('now').filter((one) => one !== identity),
    budget.now,
  );
  const below = fresh(at('planned').toSorted(byPlannedDay), budget.now);
  const lately = fresh(at('lately').toSorted(byDayDown(dayOfEvent)), budget.lately);
  const preferences = preferenceLines(input, said);
  const before = fresh(at('before').toSorted(byDayDown(({ to, from }) => to ?? from)), budget.before);
  const parts: (readonly SummaryLine[])[] = [
    identity === undefined ? [] : [{ text: formatFactLine(identity, slug), ids: [identity.fact.id] }],
    input.narrative.slice(0, MOST_SENTENCES).map((text) => ({ text, ids: [] })),
    section('Now', now, budget.now, input, below),
    section('Lately', lately, budget.lately, input),
    section('Preferences', preferences, budget.preferences, input),
    section('Before', before, budget.before, input),
    section(
      'See also',
      [related(input, standings)].filter(({ length }) => length > 0),
      Number.POSITIVE_INFINITY,
      input,
    ),
    hidden.size === 0 ? [] : [{ text: formatHiddenNote(hidden), ids: [] }],
  ];
  return parts
    .filter((part) => part.length > 0)
    .flatMap((part, index) => (index === 0 ? part : [{ text: '', ids: [] }, ...part]));
}

/** Whether a fact is a curated copy of an experience, and the log line that it cites is also listed. */
function isCopy({ kind, cites }: PageFactStatus['fact'], there: ReadonlySet<string>): boolean {
  return kind === 'experience' && cites !== null && there.has(cites);
}

const MOST_EARLIER = 3;

/** Removes hidden facts; the next statement of the thread takes the place of a hidden one. */
function shownOf(standings: readonly PageFactStatus[], hidden: ReadonlySet<string>): readonly PageFactStatus[] {
  if (hidden.size === 0) return standings;
  return standings.flatMap((standing) => {
    const earlier = standing.earlier.filter(({ fact }) => !hidden.has(fact.id));
    if (!hidden.has(standing.fact.id)) return [{ ...standing, earlier }];
    const [next, ...rest] = earlier;
    return next === undefined ? [] : [{ ...next, earlier: rest }];
  });
}

/**
 * Builds the lines of one section, at most `budget`.
 * @param below lines shown after `entries`. They get at most half of the section if there are enough entries
 */
function section(
  title: string,
  entries: readonly Entry[],
  budget: number,
  { name, hasMore }: SummaryInput,
  below: readonly Entry[] = [],
): readonly SummaryLine[] {
  if (entries.length + below.length === 0 || budget === 0) return [];
  const most = Math.max(budget - below.length, Math.floor(budget / 2));
  const kept = below.slice(0, budget - Math.min(most, entries.length));
  const left = entries.length + below.length - Math.min(entries.length, most) - kept.length;
  const more = { text: `- ${formatOlderNote(left, hasMore, name)}`, ids: [] };
  const head = { text: formatSectionTitle(title), ids: [] };
  return [head, { text: '', ids: [] }, ...entries.slice(0, most).flat(), ...kept.flat(), ...(left > 0 ? [more] : [])];
}

/**
 * Whether a statement says who or what the entity is: a noun phrase or "is a …", about this entity alone.
 * @param text the part of the fact that holds
 */
export function statesIdentity(fact: PageFactStatus['fact'], slug: string, text = fact.text): boolean {
  if (fact.kind !== 'world' || fact.about.length !== 1 || fact.about[0] !== slug || text.length > 160) return false;
  if (fact.period !== null || fact.statement.some(({ isPlan, isHabit }) => isPlan || isHabit)) return false;
  if (/[?？]\s*$/.test(text)) return false;
  if (isRoleSentence(withoutName(text, fact.names))) return true;
  const head = text.split(/[,，;；(（]/)[0] ?? '';
  return (/^\p{Lu}/u.test(head) && NAMES_ROLE.test(head)) || isRoleName(head);
}

/** Removes the entity's name from the beginning: `Mona is the accountant` → `is the accountant`. */
function withoutName(text: string, names: readonly string[]): string {
  const name = names.find((one) => text.startsWith(one));
  return name === undefined ? text : text.slice(name.length).trim();
}

const NAMES_ROLE = /^[\p{L}’'-]+(?: [\p{L}\p{N}’'-]+){0,4}? (?:of|at|for|in|near)\s|['’]s\s/iu;

function hasWords(prose: string): boolean {
  return prose
    .split('\n')
    .some((line) => !/^\s*(?:#|---|<!--)/.test(line) && /\p{L}{2}.*\s\p{L}|\p{Lo}{4}/u.test(line));
}

function byPlannedDay(a: PageFactStatus, b: PageFactStatus): number {
  return compareText(a.from ?? '9999', b.from ?? '9999') || compareText(a.fact.id, b.fact.id);
}

function byDayDown(dayOf: (standing: PageFactStatus) => string | null) {
  return (a: PageFactStatus, b: PageFactStatus): number => compareText(dayOf(b) ?? '', dayOf(a) ?? '') || inPage(a, b);
}

/** Sort order within a day: by path, then by line, both descending, so that a log line comes before a curated copy. */
function inPage({ fact: a }: PageFactStatus, { fact: b }: PageFactStatus): number {
  return compareText(b.path, a.path) || b.line - a.line;
}

/**
 * Lines for beliefs, the most certain first. Leaves out what is likelier untrue than true. If two beliefs contradict each
 * other, only the one of higher confidence is shown.
 */
function preferenceLines({ beliefs, standings, hidden }: SummaryInput, said: PageTextIndex): readonly Entry[] {
  const top = standings.filter(({ place }) => place === 'preferences');
  const beneath = new Map(
    top.flatMap(({ fact, earlier }) => earlier.map((older) => [opinionId(older.fact), opinionId(fact)] as const)),
  );
  const settled = new Set(
    standings
      .filter(({ fact, place }) => fact.kind === 'opinion' && place === 'before')
      .map(({ fact }) => opinionId(fact)),
  );
  const sorted = beliefs
    .filter(({ conviction }) => !conviction.isRetired && conviction.confidence >= LEAST_SHOWN_CONFIDENCE)
    .filter(({ belief }) => !hidden.has(belief.id) && !settled.has(belief.id))
    .toSorted((a, b) => b.conviction.confidence - a.conviction.confidence || compareText(a.belief.id, b.belief.id));
  const kept: Belief[] = [];
  for (const { belief } of sorted) {
    // After twice the maximum number of lines, beliefs are only counted. The number is doubled because some beliefs are
    // listed below other lines of the section.
    const isCounted = kept.length > 2 * budget.preferences;
    if (!isCounted && (kept.some((surer) => isAgainst(surer, belief)) || said.has(belief.text))) continue;
    kept.push(belief);
    if (!isCounted) said.add(belief.text);
  }
  const confidences = new Map(sorted.map(({ belief, conviction }) => [belief, conviction.confidence]));
  const lineOf = (belief: Belief): string =>
    formatBeliefLine(toInlineText(belief.text), belief.id, confidences.get(belief) ?? 0);
  const below = groupBy(kept, ({ id }) => beneath.get(id));
  const shown = new Set(kept.map(({ id }) => id));
  const isBelow = ({ id }: Belief): boolean => shown.has(beneath.get(id) ?? '');
  return kept
    .filter((belief) => !isBelow(belief))
    .map((belief) => [
      { text: `- ${lineOf(belief)}`, ids: [belief.id] },
      ...(below.get(belief.id) ?? []).map((older) => ({
        text: `  - ${formatEarlier(lineOf(older), null)}`,
        ids: [older.id],
      })),
    ]);
}

function isAgainst(one: Belief, other: Belief): boolean {
  return (
    judgeByRules(one.judged, other.judged) === 'contradicts' || judgeByRules(other.judged, one.judged) === 'contradicts'
  );
}

function related({ slug, pageOf, ranking }: SummaryInput, standings: readonly PageFactStatus[]) {
  const links = ranking(standings)
    .filter(({ other }) => other !== slug)
    .slice(0, budget.seeAlso)
    .map(({ other, name }) => ({ name, page: pageOf(other) }));
  return links.length === 0 ? [] : [{ text: formatPageLinks(links), ids: [] }];
}
