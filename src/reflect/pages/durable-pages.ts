import { memoize } from '../../base/cache.js';
import type { Day } from '../../base/clock.js';
import { addAll, compareText, groupBy } from '../../base/order.js';
import { hasSaidOnNote, readReplacedBy } from '../../line/generated.js';
import { findManagedBlocks, replaceManagedBlock } from '../../markdown/blocks.js';
import { findEntities } from '../../markdown/entities.js';
import { termsAndDays } from '../../memory/threads/link-index.js';
import { findFactsWithNewVerdicts } from '../dirty-entities.js';
import {
  EntityStatuses,
  MAX_ALL_ENTITY_FACTS,
  MAX_ENTITY_FACTS,
  type PageFactStatus,
  readCancellations,
} from '../entity-statuses.js';
import type { FactReader, ReflectFact } from '../facts.js';
import type { ReflectRun } from '../run.js';
import type { EditedBlock, PagePlan } from './entity-pages.js';
import { PageTextIndex, readProse } from './page-text.js';
import {
  buildStatementKey,
  findPromotion,
  formatDurableLine,
  type Promotion,
  type ReplacedPart,
  readDurableLines,
} from './promotion.js';

const BLOCK = 'durable';
const PAGES = [
  { kind: 'world', path: 'bank/world.md', title: '# World\n' },
  { kind: 'experience', path: 'bank/experience.md', title: '# Experience\n' },
] as const;

/**
 * Finds the statuses of the facts about an entity. Uses the statuses computed for the entity's page, unless the limit
 * of that page leaves facts out.
 */
type StatusesOf = (slug: string) => EntityStatuses;

/** The statuses of the parts of a fact: once for each of its entities, or once if it names none. */
type PartsOf = (fact: ReflectFact) => Iterable<readonly PageFactStatus[]>;

/**
 * Promotes those new facts that are durable: adds them as views to `bank/world.md` and `bank/experience.md`. Strikes out
 * facts that a later one has replaced. Text that people wrote on these pages stays.
 */
export function planDurablePages(run: ReflectRun, facts: readonly ReflectFact[], known: EntityStatuses) {
  const { reader, readPage } = run;
  const isMuch = facts.length > MAX_ENTITY_FACTS;
  const ofMore = isMuch ? new EntityStatuses(reader, known.day, known.verdicts, MAX_ALL_ENTITY_FACTS) : known;
  const standings: StatusesOf = (slug) => (reader.isCut(slug, MAX_ENTITY_FACTS) ? ofMore : known);
  const partsOf: PartsOf = function* (fact) {
    if (fact.slugs.length === 0) yield known.ofFactWithoutEntity(fact);
    for (const slug of fact.slugs) yield standings(slug).ofFact(slug, fact);
  };
  const found = promotions(facts, reader, standings);
  const pages: PagePlan[] = [];
  const edited: EditedBlock[] = [];
  const promoted: Promotion[] = [];
  /** The lines of both pages after the run. */
  const shown = new Map<string, string>();
  const judgedFacts = findFactsWithNewVerdicts(run);
  const judged = new Set(judgedFacts.map(({ id }) => id));
  const touched = new Set([...facts, ...judgedFacts].flatMap(({ subjects }) => subjects));
  const cancelled = new Set(facts.flatMap(readCancellations));
  for (const { kind, path, title } of PAGES) {
    const current = readPage(path);
    const block = findManagedBlocks(current ?? '').find(({ name }) => name === BLOCK);
    const lines = readDurableLines(block?.content ?? '');
    // Leave out facts that a person has written on the page, and facts that no longer hold.
    const curated = new PageTextIndex(readProse(current ?? ''));
    const ofKind = found.filter(({ fact }) => fact.kind === kind && !lines.has(fact.id));
    const fresh = ofKind.filter((one) => !curated.has(one.fact.text) && holds(one, partsOf));
    // A line may change if one of its subjects has new facts or verdicts, which may have replaced it. A line without a
    // subject may change if a new fact cancels something. After a merge conflict every line may change.
    const mayChange = ({ subjects, statement }: Pick<ReflectFact, 'subjects' | 'statement'>) =>
      block?.state === 'conflicted' ||
      subjects.some((one) => touched.has(one)) ||
      (subjects.length === 0 && statement.some((part) => termsAndDays(part).some((term) => cancelled.has(term))));
    const isOpen = (slugs: readonly string[]) =>
      (slugs.length === 0 && cancelled.size > 0) || mayChange({ subjects: slugs, statement: [] });
    const newerOf = ({ id, subjects }: ReflectFact) =>
      kind === 'world' ? subjects.map((slug) => standings(slug).aboveFact(slug, id)).find((one) => one) : undefined;
    const content = render(lines, fresh, { partsOf, newerOf, isOpen, mayChange, judged }, run);
    for (const [id, line] of readDurableLines(content)) shown.set(id, line);
    if (content === '' && block === undefined) continue;
    const replaced = replaceManagedBlock(current ?? title, BLOCK, content);
    if (replaced.status === 'edited' || replaced.status === 'broken') {
      if (fresh.length > 0) edited.push({ path, block: BLOCK, state: replaced.status, content });
      continue;
    }
    addAll(promoted, fresh);
    if (replaced.text !== current) pages.push({ path, text: replaced.text });
  }
  return { pages, edited, promoted, lines: shown };
}

function promotions(facts: readonly ReflectFact[], reader: FactReader, standings: StatusesOf): readonly Promotion[] {
  const found = new Map<string, Promotion>();
  const keyOf = memoize(buildStatementKey);
  const about = memoize((slug: string) => groupBy(standings(slug).about(slug), keyOf));
  for (const fact of facts) {
    const key = keyOf(fact);
    if (found.has(key)) continue;
    // Facts with the same words about the same entities as this fact; the fact itself is one of them.
    const same =
      fact.slugs.length > 0
        ? fact.slugs.flatMap((slug) => about(slug).get(key) ?? [])
        : reader.sayingTheSame(fact).filter((other) => buildStatementKey(other) === key);
    const promotion = findPromotion(fact, [...same, fact]);
    if (promotion !== undefined) found.set(key, promotion);
  }
  return [...found.values()];
}

/** Tells which lines of a block may change in this run, and the statuses of their facts. */
interface LookedAt {
  readonly partsOf: PartsOf;
  /** The newest statement of the thread in which a fact stands below others, if nobody settled that. */
  readonly newerOf: (fact: ReflectFact) => ReflectFact | undefined;
  /** Whether the fact of a line about entities with these slugs must be read, because the line may change. */
  readonly isOpen: (slugs: readonly string[]) => boolean;
  /** Whether the line of this fact may change. */
  readonly mayChange: (fact: ReflectFact) => boolean;
  /** Ids of the facts that got a verdict since the last run. */
  readonly judged: ReadonlySet<string>;
}

/** A line of a block, with its day and sort key. */
interface SortedLine {
  /** Sort key of the line among the lines of the same day. */
  readonly id: string;
  readonly day: Day | null;
  readonly line: string;
  /** The fact of the line, if the line may change. */
  readonly fact: ReflectFact | undefined;
  /** The line of the newest statement of the thread. The line itself if it stands alone. */
  readonly top?: SortedLine;
}

const CITED = /\bf-[0-9a-z]{13}\b/g;
const OWN_ID = /\^f-[0-9a-z]{13}\s*$/;

/**
 * Renders the lines of a block, sorted by day, without duplicates. Statements of one thread that nobody settled stand
 * together, the newest first, with their days. Drops the line of a missing fact. Keeps the line of a fact in a file that is
 * temporarily unavailable.
 */
function render(
  lines: ReadonlyMap<string, string>,
  fresh: readonly Promotion[],
  { partsOf, newerOf, isOpen, mayChange, judged }: LookedAt,
  { search, reader, elsewhere }: ReflectRun,
): string {
  const replacedBy = new Map([...lines].map(([id, line]) => [id, readReplacedBy(line) ?? '']));
  const stated = search.daysOf([...lines.keys(), ...replacedBy.values()]);
  // A line that is marked as replaced keeps this mark while the fact that replaced it exists or may be in an unavailable
  // file. But if the fact of the line has a new verdict, the line is checked again.
  const isAway = (id: string): boolean => !stated.has(id) && elsewhere.mayHave(id);
  const citesAway = (line: string): boolean => (line.match(CITED) ?? []).some((id) => isAway(id));
  const isOver = (id: string): boolean => {
    const by = replacedBy.get(id) ?? '';
    return !judged.has(id) && (stated.has(by) || (by !== '' && isAway(by)));
  };
  const open = new Set<string>();
  /** Lines whose fact has a new verdict, or that name no entity and were replaced by a fact that no longer exists. */
  const reopened = new Set<string>();
  for (const [id, line] of lines) {
    if (isOver(id)) continue;
    const slugs = findEntities(line).map((name) => reader.slugOf(name));
    if (judged.has(id) || (slugs.length === 0 && replacedBy.get(id) !== '')) reopened.add(id);
    if (reopened.has(id) || isOpen(slugs)) open.add(id);
  }
  reader.lookUp(open);
  // Day and sort key of the line before. The loop finds the day of each existing line, and the fact of each line that
  // may change.
  let last: Pick<SortedLine, 'id' | 'day'> = { id: '', day: null };
  const kept = [...lines].flatMap(([id, line]): readonly SortedLine[] => {
    const day = stated.get(id);
    if (day === undefined && !isAway(id)) return [];
    // The day of a fact in an unavailable file is unknown. Sort its line directly behind the line before it.
    last = day === undefined ? { id: `${last.id}~`, day: last.day } : { id, day };
    if (citesAway(line)) return [{ ...last, line, fact: undefined }];
    const fact = open.has(id) ? reader.byId(id) : undefined;
    return [{ ...last, line, fact: fact && (reopened.has(id) || mayChange(fact)) ? fact : undefined }];
  });
  const added = fresh.map(({ fact }) => ({ id: fact.id, day: fact.day, line: '', fact }));
  return formatLines(withThreads([...kept, ...added], newerOf), partsOf);
}

/** Writes sorted lines, those with the same text only once. */
function formatLines(lines: readonly SortedLine[], partsOf: PartsOf): string {
  const topped = new Set(lines.flatMap(({ top }) => top ?? []));
  const distinct = new Map<string, string>();
  for (const one of lines.toSorted(inOrder)) {
    const { line, fact, top, day } = one;
    const key = fact === undefined ? line.replace(OWN_ID, '') : buildStatementKey(fact);
    if (distinct.has(key)) continue;
    const saidOn = top !== undefined || topped.has(one) ? day : null;
    distinct.set(key, fact === undefined ? line : formatDurableLine(fact, struckOf(fact, partsOf), saidOn));
  }
  return [...distinct.values()].join('\n');
}

/**
 * Finds for each line the line of the newest statement of its thread. Lines that do not change in this run stay in the
 * thread in which they stand on the page: a thread has its lines together, the days falling.
 */
function withThreads(lines: readonly SortedLine[], newerOf: LookedAt['newerOf']): readonly SortedLine[] {
  const byKey = new Map(lines.flatMap((line) => (line.fact ? [[buildStatementKey(line.fact), line] as const] : [])));
  const found: SortedLine[] = [];
  let top: SortedLine | undefined;
  let before: SortedLine | undefined;
  for (const line of lines) {
    const newer = line.fact && newerOf(line.fact);
    const isClosed = line.fact === undefined && hasSaidOnNote(line.line);
    const goesOn =
      isClosed && before !== undefined && entitiesOf(before) === entitiesOf(line) && isEarlier(line, before);
    if (!goesOn) top = isClosed ? line : undefined;
    before = isClosed ? line : undefined;
    const above = newer === undefined ? (goesOn ? top : undefined) : byKey.get(buildStatementKey(newer));
    found.push(above === undefined || above === line ? line : { ...line, top: above });
  }
  return found;
}

function entitiesOf({ line }: SortedLine): string {
  return findEntities(line).join(' ');
}

function isEarlier(a: SortedLine, b: SortedLine): boolean {
  return (a.day ?? '') <= (b.day ?? '');
}

/** Sort order: by the day of the thread; within the thread the newest first. */
function inOrder(a: SortedLine, b: SortedLine): number {
  const [topA, topB] = [a.top ?? a, b.top ?? b];
  if (topA.id === topB.id)
    return Number(topA !== a) - Number(topB !== b) || compareText(b.day ?? '', a.day ?? '') || compareText(b.id, a.id);
  return compareText(topA.day ?? '', topB.day ?? '') || compareText(topA.id, topB.id);
}

/** Whether a fact still holds; a fact that is replaced or over is not promoted. */
function holds({ fact, reason }: Promotion, partsOf: PartsOf): boolean {
  if (fact.kind !== 'world' || reason === 'important') return true;
  return [...partsOf(fact)].every((parts) => parts.length === 0 || parts.some(({ place }) => place !== 'before'));
}

/** Parts of a world fact that later facts have replaced or ended; experiences are never replaced. */
function struckOf(fact: ReflectFact, partsOf: PartsOf): readonly ReplacedPart[] {
  if (fact.kind !== 'world') return [];
  for (const [status] of partsOf(fact)) {
    if (status === undefined) continue;
    const parts = status.place === 'before' ? [{ ...status, text: fact.text }] : status.struck;
    const struck = parts.flatMap(({ text, by, ending: how }) =>
      how === null || by === null ? [] : [{ text, by, how }],
    );
    if (struck.length > 0) return struck;
  }
  return [];
}
