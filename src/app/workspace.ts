import { join } from 'node:path';
import type { Clock } from '../base/clock.js';
import { checkRequest, type OnProgress, readRequest, readTypedRequest } from '../base/request.js';
import type { ContextBuildRequest } from '../context/build.js';
import { withIndexRepair } from '../index/heal.js';
import type { IndexSearch } from '../index/search.js';
import type { Notice } from '../index/tree.js';
import type { FillReport } from '../index/vectors/fill.js';
import { hasVectors } from '../index/vectors/path.js';
import type { CoreEdit } from '../memory/core-edit.js';
import type { FactSimilarityTest } from '../memory/threads/threads.js';
import type { AgendaRequest } from '../query/agenda.js';
import type { EntityView } from '../query/entity-view.js';
import type { GetRequest } from '../query/get.js';
import type { OpinionFilter } from '../query/opinion-view.js';
import type { RecallSource } from '../query/query.js';
import type { RecentRequest } from '../query/recent.js';
import type { BatchedRecall, RecallAnswer, RecallMode, RecallRequest } from '../query/request.js';
import type { EntityState, StateCount } from '../reflect/entity-state.js';
import type { SettleRequest } from '../reflect/settle.js';
import type { ForgetRequest } from '../retain/forget.js';
import type { ImportRequest } from '../retain/import.js';
import type { NoteRequest } from '../retain/note.js';
import type { RetainRequest } from '../retain/retain.js';
import type { EvalCase } from '../upkeep/eval.js';
import type { LintContext, LintRequest } from '../upkeep/lint.js';
import type { ViewRequest } from '../view/view.js';
import type { FileChange, GitCommitReport as GitCommit } from '../workspace/changes.js';
import { today } from '../workspace/clock.js';
import { requireMemory } from '../workspace/locate.js';
import type { ModelSettings } from '../workspace/model-settings.js';
import type { ReadScope } from '../workspace/read-scope.js';
import type { Settings } from '../workspace/settings.js';
import * as asking from './asking.js';
import { coreContext, type OpenWorkspaceOptions, openParts, partsForCall, type WorkspaceParts } from './open.js';
import * as requests from './requests.js';
import { forgetStatement, retainFacts } from './writing.js';

/**
 * Finds and opens a workspace: clock, settings and state folder wired into the verbs.
 * @throws MemoryError `workspace` when there is none, `settings` when its settings are wrong, `usage`
 * @example
 * const memory = await openWorkspace({ workspace: folder, timezone: 'Europe/Vienna' });
 * memory.clock.zone; // => 'Europe/Vienna'
 */
export async function openWorkspace(options: OpenWorkspaceOptions = {}): Promise<Workspace> {
  return new Workspace(await openParts(options));
}

/** An entity, what holds of it today, and what an answer about it lacks. */
type KnownEntity = EntityView & {
  readonly holds: EntityState;
  readonly holdsCount: StateCount;
  readonly warnings: readonly string[];
};

/**
 * An open workspace and its verbs. Each verb is a function of the workspace's parts, and is loaded when it is first asked
 * for: half of start-up is compiling code. Holds no handles between calls, so there is nothing to close. What goes wrong is
 * a `MemoryError`, whose `failure` has a type to match on, a message, and a hint at what mends it.
 */
export class Workspace {
  /** The folder, absolute. */
  readonly root: string;
  readonly settings: Settings;
  /** Which models are used, and where they run. */
  readonly models: ModelSettings;
  readonly clock: Clock;
  /** @internal */
  readonly reads: ReadScope;

  constructor(private readonly parts: WorkspaceParts) {
    const { context, settings, models } = parts;
    this.root = context.root;
    this.settings = settings;
    this.models = models;
    this.clock = context.clock;
    this.reads = context.reads;
  }

  /** The parts for a call with a signal of its own. */
  private under(signal: AbortSignal | undefined, onProgress?: OnProgress): WorkspaceParts {
    return partsForCall(this.parts, { signal, onProgress });
  }

  /**
   * A file that a process in the background may write its notes to.
   * @example
   * memory.logPath('reflect').endsWith('logs/reflect.log'); // => true
   */
  logPath(name: string): string {
    return join(this.parts.context.stateFolder, 'logs', `${name}.log`);
  }

  /**
   * Finds facts and log text, with citations.
   * @throws MemoryError `usage`, `interrupted`
   * @example
   * const { results } = await memory.recall({ query: 'where does Peter live?', k: 1 });
   * results[0]?.content; // => '@Peter: lives in Vienna'
   * results[0]?.source; // => 'memory/2026-03-12.md#L4'
   */
  async recall(request: RecallRequest, signal?: AbortSignal) {
    return asking.answerQuestion(this.under(signal), request, (answer) => answer);
  }

  /**
   * The block of memories to put before the last message of a conversation. What goes wrong leaves the conversation as it
   * is, with a warning.
   * @throws MemoryError `usage`
   * @example
   * const message = { role: 'user', content: 'Where does Peter live?' };
   * const { injected, block } = await memory.buildContext({ messages: [message] });
   * block.includes('lives in Vienna (memory/2026-03-12.md#L4)'); // => true
   */
  async buildContext(request: ContextBuildRequest, signal?: AbortSignal) {
    return asking.buildBlock(this.under(signal), request);
  }

  /**
   * As {@link recall}, with what a person reads beside it.
   * @throws MemoryError `usage`, `interrupted`
   * @example
   * const { answer, ids } = await memory.recallToRead({ query: 'where does Peter live?', k: 1 });
   * ids.get(answer.results[0]?.id ?? '')?.length; // => 8
   */
  async recallToRead(request: RecallRequest, signal?: AbortSignal) {
    return asking.answerReadably(this.under(signal), request);
  }

  /**
   * Shows a statement, lines or a page, with what links to the page.
   * @throws MemoryError `not_found`, and `usage` for what several ids begin with
   * @example
   * const { item } = await memory.get({ path: 'memory/2026-03-12.md#L4' });
   * item.content; // => '@Peter: lives in Vienna'
   */
  async get(given: GetRequest) {
    const { GET_REQUEST, getItem } = await import('../query/get.js');
    const request = readRequest('get', GET_REQUEST, given);
    return asking.withIndex(this.parts, 'get', async (source) => getItem({ ...source, root: this.root }, request));
  }

  /**
   * Lists coming dates, yearly dates and open tasks.
   * @throws MemoryError `usage` for a text that is no time
   * @example
   * const { dates } = await memory.agenda({ when: 'next week' });
   * dates.length; // => 0
   */
  async agenda(given: AgendaRequest = {}) {
    const { AGENDA_REQUEST, makeAgenda } = await import('../query/agenda.js');
    const { when = '', k } = readRequest('agenda', AGENDA_REQUEST, given);
    const { readPeriodAhead } = await import('../query/day-options.js');
    const span = when.trim() === '' ? undefined : readPeriodAhead(when, this.clock);
    const days = { today: today(this.clock), span, k };
    return asking.withIndex(this.parts, 'agenda', ({ search, ...source }) =>
      search.atOneMoment(async () => makeAgenda({ search, ...source }, days)),
    );
  }

  /**
   * Lists for each day what was written, decided and changed. The newest day comes first.
   * @throws MemoryError `usage` for a text that is no time
   * @example
   * const { days } = await memory.recent({ since: '2026-03-13' });
   * days.map(({ day }) => day); // => ['2026-03-14']
   */
  async recent(given: RecentRequest = {}) {
    const { RECENT_REQUEST, findRecent } = await import('../query/recent.js');
    const { since } = readRequest('recent', RECENT_REQUEST, given);
    const { readDay } = await import('../query/day-options.js');
    const first = since === undefined ? undefined : await readDay(since, this.clock, 'since', 'since');
    return asking.withIndex(this.parts, 'recent', ({ search, ...source }) =>
      search.atOneMoment(async () => findRecent({ search, ...source }, today(this.clock), first)),
    );
  }

  /**
   * The shortest beginnings of some ids that mean nothing else, at least six characters behind their kind.
   * @example
   * const { results } = await memory.recall({ query: 'where does Peter live?', k: 1 });
   * const id = results[0]?.id ?? '';
   * const short = (await memory.shortIds([id])).get(id) ?? '';
   * id.startsWith(short); // => true
   */
  async shortIds(ids: readonly string[]) {
    checkRequest('shortIds', { ids: requests.TEXTS_FIELD }, { ids });
    const { shortenIds, shortenIndexedIds } = await import('../index/query/ids.js');
    const context = asking.indexContext(this.parts, 'recall');
    // The index need not be up to date: a newer id hardly begins like one of these, and the next question indexes it.
    const short = await withIndexRepair(context, async () => shortenIndexedIds(context.stateFolder, ids));
    return short ?? asking.withIndex(this.parts, 'recall', async ({ search }) => shortenIds(search, ids));
  }

  /**
   * Answers many questions from one opened index, in order, all in one mode. A wrong request ends it.
   * @throws MemoryError `usage`, `interrupted`
   * @example
   * const found: string[] = [];
   * for await (const { query, results } of memory.recallBatch([{ query: 'Peter' }, { query: 'Anna' }])) {
   *   found.push(`${query}: ${results.length}`);
   * }
   * found; // => ['Peter: 3', 'Anna: 2']
   */
  async *recallBatch(
    requests: Iterable<BatchedRecall> | AsyncIterable<BatchedRecall>,
    mode?: RecallMode,
    signal?: AbortSignal,
  ): AsyncGenerator<RecallAnswer> {
    yield* asking.answerQuestions(this.under(signal), requests, mode);
  }

  /**
   * Recall quality on one's own questions, all answered from one opened index.
   * @throws MemoryError `usage`, `interrupted`
   * @example
   * const { recall } = await memory.eval([{ query: 'where does Anna work?', expect: ['memory/2026-03-14.md#L2'] }]);
   * recall; // => 1
   */
  async eval(cases: readonly EvalCase[], given: requests.EvalOptions = {}) {
    const options = readTypedRequest('eval', requests.EVAL_REQUEST, given);
    const { evaluateCases } = await import('../upkeep/eval.js');
    const ask = (source: RecallSource) => evaluateCases(cases, source, options);
    return asking.withIndex(this.under(options.signal), 'eval', ask, {
      mode: options.mode,
      mayUseBuiltIn: true,
      queries: [],
    });
  }

  /**
   * Counts the pages, facts and sessions of the workspace, and reports the state of index, lock and models.
   * @example
   * const { today, facts } = await memory.status();
   * today; // => '2026-03-15'
   */
  async status() {
    const { buildStatus } = await import('../upkeep/status.js');
    const { root, clock, parts } = this;
    const { host = null, hostFrom, chatModel, embedModel } = this.models;
    const configured = { host, hostFrom, chatModel, embedModel };
    const { located, state: stateFolder } = parts;
    const where = { root, foundBy: located.by, timezone: clock.zone, today: today(clock), stateFolder, configured };
    const embedding = await this.embeddingIfUsed();
    return asking.withIndex(parts, 'status', async ({ search }, fresh) => {
      const vectors = embedding?.vectorOverviewOf(parts, search) ?? null;
      const { meaning } = this.models;
      const usesBuiltIn = meaning === 'built-in' || (meaning === 'default' && (vectors?.current ?? 0) === 0);
      return buildStatus(where, fresh, vectors, usesBuiltIn, parts.context);
    });
  }

  /**
   * Shows an entity: its page, its facts, and the statements that hold today, or on the day `asOf`. Returns undefined for an
   * unknown entity.
   * @example
   * const peter = await memory.entity('Peter');
   * peter?.name; // => 'Peter'
   */
  async entity(
    wanted: string,
    given: { readonly facts?: number; readonly asOf?: string } = {},
  ): Promise<KnownEntity | undefined> {
    const { name, facts, asOf } = readTypedRequest('entity', requests.ENTITY_REQUEST, { ...given, name: wanted });
    const { showEntity, searchAt, confidenceReader } = await import('../query/entity-view.js');
    const { readDay } = await import('../query/day-options.js');
    const day = asOf === undefined ? undefined : await readDay(asOf, this.clock, 'until', 'asOf');
    const { EntityStateReader, limitToNewest } = await import('../reflect/entity-state.js');
    const { MAX_ALL_ENTITY_FACTS } = await import('../reflect/entity-statuses.js');
    const most = facts === undefined ? { mostFacts: MAX_ALL_ENTITY_FACTS } : {};
    const at = { today: day ?? today(this.clock), root: this.root, ...most };
    const embedding = await this.embeddingIfUsed();
    return asking.withIndex(this.parts, 'entity', (source) => {
      const now = day === undefined ? asking.withoutFutureLogs(source) : source;
      const { warnings } = now;
      const search = searchAt(now.search, day);
      return search.atOneMoment(async () => {
        const view = showEntity({ ...now, today: at.today }, name, facts, day);
        const confidenceOf = confidenceReader(now, day);
        const held = (alike?: FactSimilarityTest) => {
          const state = view && new EntityStateReader(search, { ...at, alike, confidenceOf }).of(name);
          return view && state && { ...view, ...limitToNewest(state, facts), warnings };
        };
        return embedding ? embedding.runWithSimilarityTest(this.parts, search, held) : held();
      });
    });
  }

  /**
   * Every entity, and every name that the notes use in plain words, the most mentioned first.
   * @example
   * const entities = await memory.entities();
   * entities.map(({ name }) => name); // => ['Peter', 'Anna']
   */
  async entities() {
    const { listNames } = await import('../query/name-list.js');
    return asking.withIndex(this.parts, 'entity', ({ search }) => search.atOneMoment(async () => listNames(search)));
  }

  /**
   * Opinions, those of the bank first, the surest first.
   * @example
   * const opinions = await memory.opinions({ entities: ['Peter'], minConfidence: 0.5 });
   * opinions[0]?.content; // => '@Peter: Prefers tea in the morning.'
   */
  async opinions(given: OpinionFilter = {}) {
    const { listOpinions, OPINIONS_REQUEST } = await import('../query/opinion-view.js');
    const filter = readRequest('opinions', OPINIONS_REQUEST, given);
    return asking.withIndex(this.parts, 'opinion', async (source) =>
      listOpinions(asking.withoutFutureLogs(source), filter),
    );
  }

  /**
   * The opinions that an id, or a text in them, names.
   * @example
   * const [opinion] = await memory.findOpinions('tea');
   * opinion?.confidence; // => 0.8
   */
  async findOpinions(wanted: string) {
    checkRequest('findOpinions', { wanted: requests.TEXT_FIELD }, { wanted });
    const { findOpinions } = await import('../query/opinion-view.js');
    return asking.withIndex(this.parts, 'opinion', async (source) =>
      findOpinions(asking.withoutFutureLogs(source), wanted),
    );
  }

  /**
   * Names the files that are away or can't be read. Every answer lacks their content now.
   * @example
   * const warnings = await memory.warnings();
   * warnings.length; // => 0
   */
  async warnings(): Promise<readonly string[]> {
    return asking.withIndex(this.parts, 'status', async ({ warnings }) => warnings);
  }

  /**
   * The core file as it is.
   * @example
   * const { path, budget } = await memory.core();
   * path; // => 'MEMORY.md'
   */
  async core() {
    return (await import('../retain/core.js')).showCore(coreContext(this.parts));
  }

  /**
   * Forgotten statements that stand in a page all the same, for `forget` to take out.
   * @example
   * const standing = await memory.standing();
   * standing.length; // => 0
   */
  async standing() {
    const { findLeftovers } = await import('../retain/erase.js');
    return asking.withIndex(this.parts, 'forget', async ({ search }) => findLeftovers(this.root, search));
  }

  /**
   * Everything there is as one HTML page, to look at: it asks for nothing on the network.
   * @throws MemoryError `usage` for a file that is no page of ours, `not_found` for an unknown entity
   * @example
   * const { counts } = await memory.view({ out: '-', entity: 'Anna' });
   * counts.entities; // => 1
   */
  async view(request: ViewRequest = {}) {
    const { makeView } = await import('../view/view.js');
    const { reflectContext } = await import('./reflection.js');
    return asking.withIndex(this.parts, 'view', async (source) => {
      const made = await makeView(reflectContext(this.parts), this.settings, source, request);
      return { ...made, warnings: source.warnings };
    });
  }

  /**
   * How pages and statements changed in git.
   * @example
   * const history = await memory.history();
   * const { changes } = await history.of('bank/opinions.md');
   * changes.length; // => 1
   */
  async history() {
    const { History } = await import('../upkeep/history.js');
    const { parts } = this;
    return new History(parts.context, (use) => asking.withIndex(parts, 'history', async ({ search }) => use(search)));
  }

  /**
   * When reflect last ran on this machine, and with what result.
   * @example
   * const { problem } = await memory.checkSchedule();
   * problem; // => 'never'
   */
  async checkSchedule() {
    return (await import('../upkeep/schedule.js')).checkSchedule(this.parts.context);
  }

  /**
   * Appends typed facts; returns when the bytes are on disk.
   * @throws MemoryError `usage`, `refused`, `busy`, `interrupted`
   * @example
   * const { retained } = await memory.retain({ facts: ['W @Carla: keeps bees', 'O(c=0.9) @Carla: likes honey'] });
   * retained.map(({ source }) => source); // => ['memory/2026-03-15.md#L5', 'memory/2026-03-15.md#L6']
   */
  async retain(given: RetainRequest) {
    const { RETAIN_REQUEST } = await import('../retain/retain.js');
    return retainFacts(this.parts, readRequest('retain', RETAIN_REQUEST, given));
  }

  /**
   * Appends a line or a text to a page below `memory/`, or makes the page; returns when the bytes are on disk.
   * @throws MemoryError `usage`, `refused`, `busy`, `interrupted`
   * @example
   * const { source } = await memory.note({ text: 'Carla keeps bees.', path: 'memory/topics/bees.md' });
   * source; // => 'memory/topics/bees.md#L3'
   */
  async note(given: NoteRequest) {
    const { NOTE_REQUEST, note } = await import('../retain/note.js');
    return note(this.parts.context, readRequest('note', NOTE_REQUEST, given));
  }

  /**
   * Writes exports of other programs as pages in `memory/imports/`: chats, mails, highlights, calendars. Adds only what these
   * pages do not have yet.
   * @throws MemoryError `usage` for an unknown format, `refused` for a file that is too large, `busy`, `interrupted`
   * @example
   * const { chats } = await memory.importExports({ files: [`${folder}/WhatsApp Chat with Bo.txt`] });
   * chats.map(({ title, added }) => [title, added]); // => [['Bo', 1]]
   */
  async importExports(given: ImportRequest) {
    const { IMPORT_REQUEST, importExports } = await import('../retain/import.js');
    return importExports(this.parts.context, readRequest('import', IMPORT_REQUEST, given));
  }

  /**
   * Forgets a statement wherever it stands, for good: a tombstone keeps it out also when a merge brings it back.
   * @throws MemoryError `not_found`, `busy`, `interrupted`
   * @example
   * const { results } = await memory.recall({ query: 'where does Peter live?', k: 1 });
   * const { erased } = await memory.forget({ id: results[0]?.id ?? '' });
   * erased; // => ['memory/2026-03-12.md#L4']
   */
  async forget(request: ForgetRequest) {
    return forgetStatement(this.parts, request);
  }

  /**
   * Takes back what was forgotten on this machine.
   * @throws MemoryError `not_found`, `busy`, `interrupted`
   * @example
   * const { results } = await memory.recall({ query: 'where does Peter live?', k: 1 });
   * const { id } = await memory.forget({ id: results[0]?.id ?? '' });
   * const { restored } = await memory.unforget(id);
   * restored[0]?.path; // => 'memory/2026-03-12.md'
   */
  async unforget(id: string, dryRun = false) {
    checkRequest('unforget', { id: requests.TEXT_FIELD, dryRun: requests.YES_NO_FIELD }, { id, dryRun });
    const { unforget } = await import('../retain/tombstones.js');
    return unforget(this.parts.context, id, dryRun);
  }

  /**
   * One git commit of exactly these files, relative to the workspace.
   * @throws MemoryError `workspace` when it is in no repository
   * @example
   * const { changes } = await memory.retain({ facts: ['W @Carla: keeps bees'] });
   * const { commit, warning } = await memory.commit(changes.map(({ path }) => path), 'Carla keeps bees');
   * [typeof commit, warning]; // => ['string', undefined]
   */
  async commit(paths: readonly string[], message: string): Promise<GitCommit> {
    checkRequest('commit', { paths: requests.TEXTS_FIELD, message: requests.TEXT_FIELD }, { paths, message });
    const { commitWithEarlierChanges } = await import('../workspace/git/commit.js');
    const { context } = this.parts;
    return commitWithEarlierChanges(context, paths, message, context.signal);
  }

  /**
   * Brings the index up to date. Every verb that reads does so by itself; this one tells what it did.
   * @throws MemoryError `busy`, `interrupted`
   * @example
   * const { verify } = await memory.index({ verify: true });
   * verify?.differences; // => []
   */
  async index(given: requests.IndexOptions = {}) {
    const options = readTypedRequest('index', { ...requests.INDEX_REQUEST, ...requests.PROGRESS_OPTION }, given);
    const { runIndex } = await import('../index/run.js');
    return runIndex(asking.indexContext(partsForCall(this.parts, options), 'index'), options);
  }

  /**
   * Makes the vectors that are missing for recall by meaning. What was made is kept, however it ends.
   * @throws MemoryError `model_unavailable`, `busy`, `interrupted`
   * @example
   * const { embedded } = await memory.embed();
   * embedded > 0; // => true
   */
  async embed(given: requests.EmbedOptions = {}): Promise<FillReport> {
    const options = readTypedRequest('embed', { ...requests.EMBED_REQUEST, ...requests.PROGRESS_OPTION }, given);
    const { fillMissingVectors } = await import('./models.js');
    return fillMissingVectors(partsForCall(this.parts, options), options.retryRefused);
  }

  /**
   * What in the files a person should look at; mends what is safe to mend.
   * @throws MemoryError `not_found`, `busy`, `interrupted`
   * @example
   * const { problems } = await memory.lint({ paths: ['memory'], secrets: true, fix: false, dryRun: false });
   * problems; // => []
   */
  async lint(request: LintRequest) {
    const { context } = this.parts;
    requireMemory(context.root, context.stateFolder);
    const { lint } = await import('../upkeep/lint.js');
    const { coreBudgetChars } = this.settings;
    const read: LintContext['read'] = (use) =>
      asking.withIndex(this.parts, 'lint', ({ search }, fresh) => use(search, fresh));
    return lint({ ...context, coreBudgetChars, read }, request);
  }

  /**
   * Keeps the index up to date as files change, and the vectors when there are some, until `signal` ends it.
   * @example
   * const end = new AbortController();
   * const events: string[] = [];
   * await memory.watch({
   *   signal: end.signal,
   *   onEvent: ({ event }) => {
   *     events.push(event);
   *     end.abort();
   *   },
   * });
   * events; // => ['ready']
   */
  async watch(options: requests.WatchOptions): Promise<void> {
    checkRequest('watch', requests.WATCH_REQUEST, options);
    const { watch } = await import('../upkeep/watch.js');
    const parts = this.under(options.signal);
    const embed = async (notices: readonly Notice[]) =>
      (await import('./models.js')).fillVectorsOfIndexedTexts(parts, notices);
    return watch(asking.indexContext(parts, 'watch'), { ...options, embed });
  }

  /**
   * Changes the core file within its budget.
   * @throws MemoryError `refused` when it would not fit, `not_found`, `busy`, `interrupted`
   * @example
   * await memory.changeCore({ type: 'append', text: 'Anna works in Graz.' });
   * (await memory.core()).text.endsWith('Anna works in Graz.\n'); // => true
   */
  async changeCore(edit: CoreEdit, dryRun = false) {
    const { changeCore } = await import('../retain/core.js');
    checkRequest('changeCore', { dryRun: requests.YES_NO_FIELD }, { dryRun });
    return changeCore(coreContext(this.parts), edit, dryRun);
  }

  /**
   * What is proposed for the core.
   * @example
   * const proposals = await memory.proposals();
   * proposals.list().waiting.length; // => 1
   */
  async proposals() {
    const { Proposals } = await import('../retain/proposals.js');
    return new Proposals(coreContext(this.parts));
  }

  /**
   * A verdict on what a later statement does to an earlier one of the same subject, or a fact to a belief; a person's counts
   * before every other.
   * @throws MemoryError `not_found`, `usage` for two that can't be settled so, `busy`, `interrupted`
   * @example
   * const { retained } = await memory.retain({ facts: ['W @Carla: keeps bees', 'W @Carla: sold the hives'] });
   * const [older = '', newer = ''] = retained.map(({ id }) => id);
   * const { verdict } = await memory.settle({ older, newer, relation: 'ends' });
   * [verdict.fact === newer, verdict.by]; // => [true, 'human']
   */
  async settle(given: SettleRequest, by?: 'human' | 'agent') {
    const { SETTLE_REQUEST, settlePair } = await import('../reflect/settle.js');
    const request = readRequest('settle', SETTLE_REQUEST, given);
    return settlePair(this.settling(), request, by);
  }

  /**
   * Lists the verdicts that models only propose. A proposal counts after `settle` takes it.
   * @example
   * const proposed = await memory.proposedVerdicts();
   * proposed.length; // => 0
   */
  async proposedVerdicts() {
    const { listProposedVerdicts } = await import('../reflect/settle-belief.js');
    return listProposedVerdicts(this.settling());
  }

  private settling() {
    const readAll = <T>(use: (search: IndexSearch) => Promise<T>) => asking.withWholeIndex(this.parts, 'reflect', use);
    return { ...this.parts.context, readAll };
  }

  /**
   * Brings the summaries of the folders of typed memories up to date with what people and other verbs wrote there. `extract`,
   * `reflect` and `forget` do it themselves.
   * @throws MemoryError `settings` for a memory type of the workspace that can't be read
   * @example
   * const changes = await memory.refreshSummaries();
   * changes.length; // => 0
   */
  async refreshSummaries(): Promise<readonly FileChange[]> {
    return (await import('../extract/apply.js')).refreshFolderSummaries(this.parts.context, false);
  }

  /**
   * Turning facts into pages, and beliefs that follow the evidence.
   * @example
   * const reflection = await memory.reflection();
   * const { facts } = await reflection.run({ dryRun: true, maxCalls: 0 });
   * facts; // => 3
   */
  async reflection(signal?: AbortSignal) {
    const { Reflection } = await import('./reflection.js');
    return new Reflection(this.under(signal));
  }

  /**
   * Long-term memories out of conversations, as typed pages.
   * @example
   * const extraction = await memory.extraction();
   * const { pages } = await extraction.apply('{"profile": [{"content": "- Keeps bees"}]}');
   * pages; // => [{ path: 'bank/profile.md', operation: 'add' }]
   */
  async extraction(signal?: AbortSignal) {
    const { Extraction } = await import('./extraction.js');
    return new Extraction(this.under(signal));
  }

  /**
   * The sessions of this workspace.
   * @example
   * const sessions = await memory.sessions();
   * (await sessions.list()).map(({ session }) => session); // => ['chat']
   */
  async sessions(signal?: AbortSignal) {
    const { Sessions } = await import('./sessions.js');
    return new Sessions(this.under(signal));
  }

  /**
   * The chat model that is set, when it is there. Failures: `model_unavailable` with what mends it, `interrupted`.
   * @example
   * const model = await memory.chatModel();
   * model.ok; // => true
   */
  async chatModel(signal?: AbortSignal) {
    return (await import('./chat.js')).chatModelOf(this.under(signal));
  }

  /**
   * What the model server and both models can do: asks them, and so loads them. What can't be used is said in the report.
   * @throws MemoryError `interrupted`
   * @example
   * const { chat, embedding } = await memory.probeModels();
   * [chat.problem, embedding.problem]; // => [null, null]
   */
  async probeModels(signal?: AbortSignal) {
    return (await import('./models.js')).probeConfiguredModels(this.under(signal));
  }

  /**
   * The embedding models that there are, which of them is used, and what it knows.
   * @example
   * const { models } = await (await memory.embeddingModels()).list();
   * models.find(({ isSet }) => isSet)?.name; // => 'embeddinggemma'
   */
  async embeddingModels(signal?: AbortSignal) {
    const { EmbeddingModels } = await import('./models.js');
    return new EmbeddingModels(this.under(signal));
  }

  /**
   * The chat model that is set: what it may do, and its test.
   * @example
   * const chat = await memory.chatModels();
   * await chat.canChat('qwen3:4b-instruct'); // => true
   */
  async chatModels(signal?: AbortSignal) {
    const { ChatModels } = await import('./chat.js');
    return new ChatModels(this.under(signal));
  }

  /**
   * Fetches the models that are set and not there, over the net. Returns their names.
   * @throws MemoryError `model_unavailable`, `interrupted`
   * @example
   * const steps: string[] = [];
   * const fetched = await memory.pullModels({ onProgress: (model, { status }) => steps.push(`${model}: ${status}`) });
   * fetched; // => []
   */
  async pullModels(options: requests.PullOptions = {}) {
    checkRequest('pullModels', requests.PROGRESS_OPTION, options);
    return (await import('./models.js')).pullMissingModels(this.under(options.signal), options.onProgress);
  }

  /** The code of recall by meaning, where there are vectors. */
  private async embeddingIfUsed() {
    return hasVectors(this.parts.context.stateFolder) ? import('./embedding.js') : undefined;
  }
}
