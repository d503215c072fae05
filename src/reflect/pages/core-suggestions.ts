import { memoize } from '../../base/cache.js';
import { beginsAsRule, namesIdentity, statesStandingRule } from '../../language/statements/durable.js';
import { addDays, dayOfPath, daysBetween } from '../../language/time/calendar.js';
import { hasSaidOnNote } from '../../line/generated.js';
import type { Clause } from '../../line/statement/statement.js';
import { withoutImportanceMark } from '../../memory/fact.js';
import type { Proposal } from '../../memory/proposals.js';
import type { BeliefState } from '../beliefs.js';
import type { ReflectFact } from '../facts.js';
import type { ReflectRun } from '../run.js';
import { PageTextIndex } from './page-text.js';
import type { Promotion } from './promotion.js';
import { statesIdentity } from './summary.js';

/** Maximum number of suggested entries in seven days, without those that a person marked as important. */
const MOST_A_WEEK = 5;
/** Maximum length of a suggested entry in characters. A longer statement tells a story. */
const LONGEST = 200;
/** Minimum confidence of a suggested preference, and minimum number of days on which it was stated or shown. */
const SURE = { confidence: 0.7, days: 2 } as const;
/** A person or thing is known well if facts name it in at least `least` of the last `weeks` weeks. */
const WEEKLY = { weeks: 8, least: 4 } as const;

/** The durable facts of a workspace. */
interface DurableFacts {
  /** Facts that this run has promoted. */
  readonly promoted: readonly Promotion[];
  /** The lines of the durable pages by the ids of their facts, the oldest first. */
  readonly lines: ReadonlyMap<string, string>;
}

/**
 * Suggestions for the core file: facts marked as important; who the people are that are named week after week; preferences
 * stated or shown on two days, or in the form of a rule; standing rules. Suggests nothing that the core says, or that was
 * suggested before, and no more than would make the core nearly full. Reads only.
 */
export function suggestCoreEntries(
  run: ReflectRun,
  { promoted, lines }: DurableFacts,
  convictions: ReadonlyMap<string, BeliefState>,
): readonly Proposal[] {
  const important = promoted.flatMap(({ fact, reason }): Proposal[] =>
    reason === 'important' && fact.kind === 'world' ? [suggestion(fact, 'marked as important', [fact.source])] : [],
  );
  const core = run.readPage(run.core) ?? '';
  const made = run.proposed.filter(({ proposal }) => proposal.action === 'add');
  const since = addDays(run.today, -7);
  const left = MOST_A_WEEK - made.filter(({ day }) => day !== null && day > since).length;
  if (left <= 0) return important;
  const said = new PageTextIndex(core);
  for (const { proposal } of [...made, ...important.map((proposal) => ({ proposal }))]) said.add(proposal.text);
  const waiting = made.filter(({ isWaiting }) => isWaiting).map(({ proposal }) => proposal);
  let room = run.coreBudget * FULL.from - core.length - lengthOf([...waiting, ...important]);
  const chosen: Proposal[] = [];
  for (const proposal of inTurn([people(run, lines), preferences(run, convictions), standingRules(run, lines)])) {
    if (chosen.length === left) break;
    if (proposal.text.length > LONGEST || said.has(proposal.text) || lengthOf([proposal]) > room) continue;
    said.add(proposal.text);
    room -= lengthOf([proposal]);
    chosen.push(proposal);
  }
  return [...important, ...chosen];
}

function suggestion(
  { entities, text }: Pick<ReflectFact, 'entities' | 'text'>,
  reason: string,
  citations: readonly string[],
): Proposal {
  return { action: 'add', text: about(entities, withoutImportanceMark(text)), reason, citations };
}

/** Length of the entries in the core, with list markers and line ends. */
function lengthOf(proposals: readonly Proposal[]): number {
  return proposals.reduce((sum, { text }) => sum + text.length + 3, 0);
}

/** Takes one item of each list in turn. */
function* inTurn<T>(lists: readonly Iterable<T>[]): Iterable<T> {
  let open = lists.map((list) => list[Symbol.iterator]());
  while (open.length > 0) {
    const rest: Iterator<T>[] = [];
    for (const list of open) {
      const next = list.next();
      if (next.done) continue;
      yield next.value;
      rest.push(list);
    }
    open = rest;
  }
}

/** Facts of durable lines that nothing has ended or questioned, the newest first. */
function* held(run: ReflectRun, lines: ReadonlyMap<string, string>, isWanted: (line: string) => boolean) {
  const wanted = [...lines].filter(([, line]) => !line.includes('~~') && !hasSaidOnNote(line) && isWanted(line));
  run.reader.lookUp(wanted.map(([id]) => id));
  for (const [id] of wanted.reverse()) {
    const fact = run.reader.byId(id);
    if (fact !== undefined) yield fact;
  }
}

function* standingRules(run: ReflectRun, lines: ReadonlyMap<string, string>): Iterable<Proposal> {
  for (const fact of held(run, lines, statesStandingRule))
    if (!fact.statement.some(isPassing)) yield suggestion(fact, 'a standing rule', [fact.source]);
}

function* preferences(run: ReflectRun, convictions: ReadonlyMap<string, BeliefState>): Iterable<Proposal> {
  const sorted = run.beliefs
    .all()
    .flatMap((belief) => {
      const { confidence = 0, isRetired = true } = convictions.get(belief.id) ?? {};
      return isRetired || confidence < SURE.confidence ? [] : [{ belief, confidence }];
    })
    .sort((a, b) => b.confidence - a.confidence);
  for (const { belief, confidence } of sorted) {
    const supporting = run.book.about(belief.id).filter(({ direction }) => direction === 'supports');
    const listed = (belief.page?.evidence ?? []).flatMap(({ supports, source }) => (supports ? source : []));
    const said = listed.flatMap((source) => dayOfPath(source.replace(/#.*$/, '')) ?? []);
    const days = new Set([...supporting.map(({ day }) => day), ...said]).size;
    if (days < SURE.days && !beginsAsRule(belief.text)) continue;
    const found = supporting.flatMap(({ fact }) => run.reader.byId(fact)?.source ?? []);
    const sources = [...new Set([...listed, ...found])].slice(-3);
    const reason = `believed at ${confidence.toFixed(2)} by evidence of ${days} ${days === 1 ? 'day' : 'days'}`;
    yield suggestion(belief, reason, ['bank/opinions.md', ...sources]);
  }
}

/** Who the people are that facts name week after week. */
function* people(run: ReflectRun, lines: ReadonlyMap<string, string>): Iterable<Proposal> {
  const weeksOf = memoize((slug: string) => countWeeks(run, slug));
  for (const fact of held(run, lines, (line) => line.startsWith('- W @'))) {
    const [slug, other] = fact.about;
    if (slug === undefined || other !== undefined || fact.statement.some(isPassing)) continue;
    if (!namesIdentity(fact.text) && !statesIdentity(fact, slug)) continue;
    if (weeksOf(slug) >= WEEKLY.least)
      yield suggestion(fact, `named in ${weeksOf(slug)} of the last ${WEEKLY.weeks} weeks`, [fact.source]);
  }
}

/** Whether a part of a statement is over, ends, or is still to come. */
function isPassing({ isPlan, isPast, isEvent, isTemporary, validTo }: Clause): boolean {
  return isPlan === true || isPast === true || isEvent === true || isTemporary === true || validTo !== undefined;
}

/** Number of the last weeks in which facts name an entity. */
function countWeeks({ reader, today }: ReflectRun, slug: string): number {
  const days = reader.latest(slug).flatMap(({ day }) => day ?? []);
  const ago = days.map((day) => daysBetween(day, today)).filter((count) => count >= 0 && count < 7 * WEEKLY.weeks);
  return new Set(ago.map((count) => Math.floor(count / 7))).size;
}

/**
 * Two lengths of the core, as shares of its maximum length. If the core is longer than `from`, changes are suggested that
 * together would shorten it to `to`.
 */
const FULL = { from: 0.9, to: 0.8 } as const;
const MOST_MOVED = 3;
/** Shorten a line only if at most this share of it remains. */
const MOST_LEFT = 0.6;

/**
 * Suggestions to make room in a core file that is nearly full. They shorten its longest list items to the first
 * sentence. If an item can't be made much shorter, they suggest to move it out of the core. When a person accepts, the
 * whole line is kept where recall finds it. Pure.
 * @param budget in characters
 */
export function suggestCoreRemovals(path: string, core: string, budget: number): readonly Proposal[] {
  if (core.length <= budget * FULL.from) return [];
  const items = core
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => /^[-*+] \S/.test(line))
    .sort((a, b) => b.line.length - a.line.length || a.number - b.number);
  const reason = `the core has ${core.length} of ${budget} characters`;
  const proposals: Proposal[] = [];
  let left = core.length;
  for (const { line, number } of items.slice(0, MOST_MOVED)) {
    if (left <= budget * FULL.to) break;
    const short = shortened(line);
    const grounds = { reason, citations: [`${path}#L${number}`] };
    proposals.push(
      short === undefined
        ? { action: 'move-out', text: line, ...grounds }
        : { action: 'shorten', old: line, text: short, ...grounds },
    );
    left -= line.length - (short === undefined ? -1 : short.length);
  }
  return proposals;
}

/** The first sentence of a list item, if it has enough content and is much shorter than the item. */
function shortened(line: string): string | undefined {
  const first = /^[-*+] .{20,}?(?:[.!?](?=\s+[\p{Lu}\p{Lo}@])|[。！？](?=\s*\S))/u.exec(line)?.[0];
  return first !== undefined && first.length <= MOST_LEFT * line.length ? first : undefined;
}

function about(entities: readonly string[], text: string): string {
  const names = entities.filter((name) => !text.includes(`@${name}`)).map((name) => `@${name}`);
  return names.length === 0 ? text : `${names.join(' ')}: ${text}`;
}
