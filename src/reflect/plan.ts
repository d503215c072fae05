import type { Day } from '../base/clock.js';
import { addTo, compareText } from '../base/order.js';
import type { OnProgress } from '../base/request.js';
import type { IndexedFile, Search } from '../index/search.js';
import type { VectorSearch } from '../index/vectors/nearest.js';
import { dayOfPath } from '../language/time/calendar.js';
import type { Prior } from '../memory/confidence.js';
import { baseOf } from '../memory/opinion-notes.js';
import { settleOpinions } from '../memory/opinions-merge.js';
import { type PageOpinion, readOpinionsPage } from '../memory/opinions-page.js';
import type { Proposal } from '../memory/proposals.js';
import { PairBook } from '../memory/threads/verdicts.js';
import type { FileChange } from '../workspace/changes.js';
import { AwaitedFacts } from './awaited.js';
import { Belief, Beliefs } from './beliefs/beliefs.js';
import { EvidenceBook } from './beliefs/evidence-book.js';
import { matchEvidence } from './beliefs/evidence-lines.js';
import { type HumanEdits, readHumanEdits } from './beliefs/human-edits.js';
import { FactReader, type ReflectFact } from './facts.js';
import { type JudgePairs, type Judging, judgeDay, judgeLate } from './judging.js';
import { nearnessOf } from './nearness.js';
import { type OpinionReport, originOf, planOpinions } from './opinions.js';
import { planDurablePages } from './pages/durable-pages.js';
import { type EditedBlock, type Narrate, type PageSettings, planEntityPages } from './pages/entity-pages.js';
import { EntityStandings } from './pages/entity-standings.js';
import type { NowChange } from './pages/now-changes.js';
import { missing } from './pages/orphans.js';
import type { PageRecords } from './pages/page-records.js';
import type { Promotion } from './pages/promotion.js';
import { suggestForCore, suggestRoom } from './pages/suggestions.js';
import {
  EVIDENCE_LENGTH,
  isLate,
  NEWEST_RUN,
  noteTaken,
  noteUnasked,
  PAGE_SETTINGS,
  type Progress,
  reachOf,
  takenBefore,
  unaskedBefore,
} from './progress.js';
import { EVIDENCE_PATH, OPINIONS_PATH, pageHash, type Scope, scopeOf, withLines } from './scope.js';
import { type JudgeStatements, judgeStatements, type SettledLine, settledLines } from './statements/judging.js';
import { OpenPairs } from './statements/open-pairs.js';
import {
  addAfterSettings,
  addDue,
  addEdited,
  addMentioned,
  addOrphaned,
  addSettled,
  touchedEntities,
} from './touched.js';

export interface PlanInput {
  readonly search: Search;
  readonly today: Day;
  /** ISO 8601. */
  readonly now: string;
  readonly progress: Progress;
  /** Is told how far it is. */
  readonly onProgress?: OnProgress | undefined;
  /** Only facts from this day on. */
  readonly since?: Day | undefined;
  /** A model is to judge what the rules alone have judged. */
  readonly rejudge?: boolean | undefined;
  /** The text of a page, null when there is none. */
  readonly readPage: (path: string) => string | null;
  /** Path of the core file. */
  readonly core: string;
  /** In characters. */
  readonly coreBudget: number;
  readonly pageSettings: PageSettings;
  readonly pageRecords: PageRecords;
  readonly judge: JudgePairs;
  readonly narrate: Narrate;
  readonly settle?: JudgeStatements | undefined;
  /** To find what a fact may be about by its meaning, too. */
  readonly vectors?: VectorSearch | undefined;
}

/** All that a run would do. */
export interface Plan {
  /** Evidence first, then opinions, then the pages made from both. */
  readonly changes: readonly FileChange[];
  /** Facts that were looked at. */
  readonly facts: number;
  /** Facts that the rules have judged for as long as the model is away. */
  readonly awaited: number;
  readonly entities: readonly string[];
  readonly opinions: readonly OpinionReport[];
  readonly promoted: readonly Promotion[];
  readonly proposals: readonly Proposal[];
  /** Blocks that people own now. */
  readonly edited: readonly EditedBlock[];
  readonly settled: readonly SettledLine[];
  /** What came to hold on the pages of entities, or holds no more. */
  readonly nowChanges: readonly NowChange[];
  readonly pageRecords: PageRecords;
  /** A run of a later day has been: this one only shows what it would do. */
  readonly isOfThePast: boolean;
  readonly warnings: readonly string[];
  /** What is to be remembered as {@link Progress}. */
  readonly seen: ReadonlyMap<string, string>;
  /** Pages that are away since. */
  readonly away: readonly string[];
}

/** Of an entity's facts so many of those indexed last are looked at. */
const MOST_FACTS = 2_000;
const NONE: ReadonlySet<string> = new Set();
/** Roles of pages whose facts are looked at, and of those that a merge may have left in pieces. */
const WATCHED: ReadonlySet<string> = new Set(['daily', 'topic', 'bank', 'core', 'entity', 'opinions']);

/** Plans a run: looks at every page that has changed since it was last looked at, day by day, and writes nothing. */
export async function planRun(input: PlanInput): Promise<Plan> {
  const { search, progress, since, readPage, today, pageSettings } = input;
  const reader = new FactReader(search, readPage, today);
  // What is dated after the day of the run waits for its day.
  const all = search.files();
  const files = all.filter(({ path }) => (dayOfPath(path) ?? '') <= today);
  const away = missing(all, progress);
  const changed = files.filter(({ path, hash, role }) => WATCHED.has(role) && progress.get(path) !== hash);
  const seen = new Map(changed.map(({ path, hash }) => [path, hash]));
  const facts = factsOf(changed, reader, since, seen);

  const opinionsText = readPage(OPINIONS_PATH);
  const evidenceText = readPage(EVIDENCE_PATH) ?? '';
  const pairs = new PairBook(evidenceText);
  const before = new EntityStandings(reader, today, pairs.winning());
  const scope = scopeOf(progress, files, changed, { opinions: opinionsText ?? '', evidence: evidenceText });
  const settled = scope.all
    ? settleOpinions(opinionsText ?? '')
    : { text: opinionsText ?? '', merged: NONE, isUnsettled: false };
  const book = new EvidenceBook(evidenceText);
  const page = settled.isUnsettled
    ? []
    : readOpinionsPage(settled.text).map((one) => matchEvidence(one, reader, scope));
  const { beliefs, edits } = readBeliefs(page, book, { ...input, reader, scope, merged: settled.merged });
  const awaited = new AwaitedFacts(progress, input.rejudge ? allEvidence(files, reader, since) : undefined);
  if (!settled.isUnsettled) {
    const [judge, reopened] = [awaited.watch(input.judge), awaited.reopened];
    await judgeAll(facts, {
      beliefs,
      book,
      reader,
      seen,
      progress,
      judge,
      reopened,
      isAll: scope.all,
      onProgress: input.onProgress,
    });
  }
  const standings = await standingsAfter(before, pairs, { ...input, files, changed, seen });
  const verdicts = book.winning();
  const opinions = planOpinions({
    ...edits,
    scope,
    judged: book.judged(),
    text: settled.text,
    beliefs,
    verdicts,
    merged: settled.merged,
    today,
    reader,
  });
  const told = touchedEntities(facts, opinions.reports, reader);
  const touched = new Map([...unaskedBefore(progress), ...told]);
  addMentioned(facts, standings, touched);
  addDue(input.pageRecords, today, touched);
  addEdited(changed, readPage, touched);
  addSettled({ evidence: evidenceText, given: pairs.given(), progress, reader }, touched);
  const settings = JSON.stringify(pageSettings);
  addAfterSettings(settings, input, touched);
  seen.set(PAGE_SETTINGS, settings);
  if (!settled.isUnsettled) addOrphaned({ ...input, changed, away, reader }, beliefs, verdicts, touched);
  const news = new Set(facts.map(({ id }) => id));
  const entities = await planEntityPages({
    ...input,
    touched,
    told: new Set(told.keys()),
    isNew: ({ id }) => news.has(id),
    settings: pageSettings,
    standings,
    records: input.pageRecords,
    reader,
    beliefs,
    convictions: opinions.convictions,
  });
  noteUnasked(entities.unasked, touched, progress, seen);
  const durable = await planDurablePages({ facts, reader, readPage, standings });
  const edited = [...entities.edited, ...durable.edited];
  const lines = book.lines() + pairs.lines();
  const wanted = [
    ...(lines === '' ? [] : [{ path: EVIDENCE_PATH, text: withLines(evidenceText, lines) }]),
    { path: OPINIONS_PATH, text: settled.isUnsettled ? (opinionsText ?? '') : opinions.text },
    ...durable.pages,
    ...entities.pages,
    ...edited.map(versionOf),
  ];
  const changes = wanted
    .map(({ path, text }): FileChange => ({ path, before: readPage(path), after: text }))
    .filter(({ before, after }) => (before ?? '') !== after);
  if (!settled.isUnsettled) {
    const isFact = (id: string) => reader.byId(id) !== undefined;
    noteBeliefs(opinions.text, withLines(evidenceText, lines), scope.all ? isFact : null, seen);
  }
  const newest = progress.get(NEWEST_RUN) ?? today;
  const isOfThePast = newest > today;
  seen.set(NEWEST_RUN, isOfThePast ? newest : today);
  return {
    changes,
    facts: facts.length,
    awaited: awaited.note((id) => reader.byId(id) !== undefined, seen),
    entities: entities.pages.map(({ path }) => path),
    opinions: opinions.reports,
    promoted: durable.promoted,
    proposals: [
      ...suggestForCore(durable.promoted, opinions.reports, beliefs, opinions.convictions),
      ...suggestRoom(input.core, readPage(input.core) ?? '', input.coreBudget),
    ],
    edited,
    settled: settledLines(pairs.given(), reader),
    nowChanges: entities.changes,
    pageRecords: entities.records,
    isOfThePast,
    warnings: [
      ...warningsOf(settled.isUnsettled, book.unread),
      ...(isOfThePast ? [`a run of ${newest} has been: as of ${today} only what would be done is shown`] : []),
    ],
    seen,
    away,
  };
}

/** Remembers how the run leaves beliefs and evidence. @param isFact null: the page is as the last run left it */
function noteBeliefs(
  opinions: string,
  evidence: string,
  isFact: ((id: string) => boolean) | null,
  seen: Map<string, string>,
): void {
  if (evidence !== '') {
    seen.set(EVIDENCE_PATH, pageHash(evidence));
    seen.set(EVIDENCE_LENGTH, String(evidence.length));
  }
  if (opinions !== '') seen.set(OPINIONS_PATH, pageHash(opinions));
  if (isFact !== null) noteTaken(readOpinionsPage(opinions), isFact, seen);
}

/** Has statements judged about which nobody has said what later ones do to them. @returns where they stand by then */
async function standingsAfter(
  before: EntityStandings,
  book: PairBook,
  { settle, changed, rejudge, ...input }: StatementsInput,
): Promise<EntityStandings> {
  if (settle === undefined) return before;
  const { reader } = before;
  await judgeStatements({
    ...{ ...input, reader, book, judge: settle },
    changed: new Set(changed.map(({ path }) => path)),
    isAll: rejudge === true,
    open: new OpenPairs(before, book, input.vectors && nearnessOf(input.search, input.vectors)),
  });
  return book.given().length === 0 ? before : new EntityStandings(reader, before.day, book.winning());
}

interface StatementsInput extends PlanInput {
  readonly files: readonly IndexedFile[];
  readonly changed: readonly IndexedFile[];
  readonly seen: Map<string, string>;
}

interface Examining extends Judging {
  readonly reader: FactReader;
  readonly progress: Progress;
  readonly onProgress?: OnProgress | undefined;
  /** Pages with a fact that had to wait leave it; how far back beliefs reach is noted. */
  readonly seen: Map<string, string>;
  /** Any belief may have changed since the last run. */
  readonly isAll: boolean;
}

/** Lets all facts speak, day by day; then the older ones about beliefs that they could not know. */
async function judgeAll(facts: readonly ReflectFact[], judging: Examining): Promise<void> {
  const { beliefs, book, reader, reopened, seen, progress, isAll } = judging;
  if (isAll) settleOrigins(beliefs.all(), book, reader);
  const again = [...reopened].flatMap((id) => reader.byId(id) ?? []);
  const each = new Map([...again, ...facts].map((fact) => [fact.id, fact]));
  const days = [...byDay([...each.values()])];
  for (const [done, [day, ofDay]] of days.entries()) {
    judging.onProgress?.(done, days.length, 'days');
    for (const { source } of await judgeDay(ofDay, day, judging)) seen.delete(pathOf(source));
  }
  const judged = book.judged();
  const moved = beliefs.all().filter(({ id }) => isAll || judged.has(id));
  settleOrigins(moved, book, reader);
  const late = beliefs.all().filter((belief) => isLate(belief, progress));
  const open = await judgeLate(late, (slug) => reader.ofEntity(slug, MOST_FACTS), judging);
  const reached = progress.size === 0 ? beliefs.all() : late;
  for (const belief of reached) if (!open.has(belief)) seen.set(belief.id, reachOf(belief));
}

/** Lets beliefs reach back to where they began, for as far as that is known by now. */
function settleOrigins(beliefs: readonly Belief[], book: EvidenceBook, reader: FactReader): void {
  const verdicts = book.winning();
  for (const belief of beliefs) belief.prior = originOf(belief, verdicts, reader);
}

interface ReadingBeliefs extends Pick<PlanInput, 'today' | 'now' | 'search' | 'vectors' | 'progress'> {
  readonly reader: FactReader;
  readonly scope: Scope;
  readonly merged: ReadonlySet<string>;
}

/** The beliefs of the page, with what people have changed on it since the last run. */
function readBeliefs(
  page: readonly PageOpinion[],
  book: EvidenceBook,
  { reader, scope, merged, search, vectors, progress, ...when }: ReadingBeliefs,
): { readonly beliefs: Beliefs; readonly edits: HumanEdits } {
  const dayOf = (id: string): Day | null => reader.byId(id)?.day ?? null;
  const taken = (id: string) => takenBefore(progress, id);
  const edits = scope.all
    ? readHumanEdits(page, book.given(), merged, { ...when, dayOf, taken, hasForeign: scope.hasForeign })
    : { verdicts: [], priors: new Map<string, Prior>(), edited: NONE, strays: NONE };
  for (const verdict of edits.verdicts) book.add(verdict);
  const beliefs = new Beliefs(vectors && nearnessOf(search, vectors));
  for (const opinion of page) {
    const { id, bullet } = opinion;
    const { entities, text } = bullet;
    const slugs = [...new Set(entities.map((name) => reader.slugOf(name)))];
    const prior = edits.priors.get(id) ?? baseOf(opinion);
    beliefs.add(new Belief({ id, entities, slugs, text, page: opinion, prior }));
  }
  return { beliefs, edits };
}

/** The facts of changed pages. A log before `since` is left for another run. */
function factsOf(
  files: readonly IndexedFile[],
  reader: FactReader,
  since: Day | undefined,
  seen: Map<string, string>,
): readonly ReflectFact[] {
  const facts = files
    .filter(({ role }) => role !== 'entity' && role !== 'opinions')
    .flatMap(({ path }) => reader.ofPage(path));
  const wanted = facts.filter(({ day }) => since === undefined || (day !== null && day >= since));
  if (wanted.length < facts.length) {
    const taken = new Set(wanted);
    for (const fact of facts) if (!taken.has(fact)) seen.delete(pathOf(fact.source));
  }
  return wanted;
}

function allEvidence(files: readonly IndexedFile[], reader: FactReader, since: Day | undefined): ReadonlySet<string> {
  const facts = factsOf(
    files.filter(({ role }) => WATCHED.has(role)),
    reader,
    since,
    new Map(),
  );
  return new Set(facts.filter(({ isEvidence }) => isEvidence).map(({ id }) => id));
}

/** Evidence by its day, in the order of days; within a day in an order that does not depend on the files'. */
function byDay(facts: readonly ReflectFact[]): ReadonlyMap<Day, readonly ReflectFact[]> {
  const days = new Map<Day, ReflectFact[]>();
  const evidence = facts.filter(({ isEvidence }) => isEvidence);
  for (const fact of evidence.toSorted((a, b) => compareText(a.id, b.id))) {
    if (fact.day !== null) addTo(days, fact.day, fact);
  }
  return new Map([...days].sort(([a], [b]) => compareText(a, b)));
}

/** What would stand in a block that a person owns now. */
function versionOf({ path, block, content }: EditedBlock): { readonly path: string; readonly text: string } {
  const name = path
    .replace(/^bank\//, '')
    .replace(/\.md$/, '')
    .replaceAll('/', '-');
  const head = `# What would stand in the block "${block}" of ${path}\n\nSomebody has edited it, and owns it now. Delete the block there to have it made anew.`;
  return { path: `bank/proposals/block-${name}.md`, text: `${head}\n\n${content}\n` };
}

function pathOf(source: string): string {
  return source.replace(/#.*$/, '');
}

function warningsOf(isUnsettled: boolean, unread: number): readonly string[] {
  return [
    ...(isUnsettled
      ? [`${OPINIONS_PATH} has a merge conflict about more than opinions: settle it, then run reflect again`]
      : []),
    ...(unread > 0 ? [`${EVIDENCE_PATH} has ${unread} lines that are no verdict; they count for nothing`] : []),
  ];
}
