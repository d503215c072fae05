import { join } from 'node:path';
import type { Clock } from '../base/clock.js';
import type { OnProgress } from '../base/progress.js';
import { checkedSignal, checkRequest } from '../base/request.js';
import type { BuildRequest } from '../context/build.js';
import { areSidecarsStale } from '../extract/stale.js';
import type { FreshIndex, IndexContext, OpenIndex } from '../index/fresh.js';
import type { Search } from '../index/search.js';
import { hasVectors } from '../index/vectors/path.js';
import type { CoreEdit } from '../memory/core-edit.js';
import type { Alike } from '../memory/threads/threads.js';
import type { GetRequest } from '../recall/get.js';
import type { OpinionFilter } from '../recall/opinion-view.js';
import type { RecallSource } from '../recall/recall.js';
import type { BatchedRecall, RecallMode, RecallRequest } from '../recall/request.js';
import type { ReflectContext } from '../reflect/reflect.js';
import type { SettleRequest } from '../reflect/settle.js';
import type { ForgetReport, ForgetRequest } from '../retain/forget.js';
import type { RetainRequest } from '../retain/retain.js';
import type { EvalCase } from '../upkeep/eval-case.js';
import type { LintRequest } from '../upkeep/lint.js';
import type { ViewRequest } from '../view/view.js';
import { mayAsk } from '../workspace/allowed.js';
import { openClock, systemZone, today } from '../workspace/clock.js';
import { checkBegun, checkWorkspace, isNamed, type Located } from '../workspace/locate.js';
import { type ModelSettings, modelSettings } from '../workspace/model-settings.js';
import { readSettings } from '../workspace/read-settings.js';
import { type Reads, readsOf } from '../workspace/reads.js';
import type { Settings } from '../workspace/settings.js';
import { openStateFolder, type StateFolder } from '../workspace/state-folder.js';
import { type Reader, reading, type Semantic, withSemantic } from './answering.js';
import type { Workspace } from './api/workspace.js';
import { findWorkspace, type OpenWorkspaceOptions } from './find.js';
import type { Recalling } from './recalling.js';
import type { EmbedOptions, EvalOptions, IndexOptions, Progress, PullOptions, WatchOptions } from './requests.js';
import { EMBED, EVAL, INDEX, PROGRESS, TEXT, TEXTS, WATCH, YES_NO } from './requests.js';

/**
 * Finds and opens a workspace: clock, settings and state folder wired into the verbs.
 * @throws MemoryError `workspace` when there is none, `settings` when its settings are wrong, `usage`
 * @example
 * const memory = await openWorkspace({ workspace: folder, timezone: 'Europe/Vienna' });
 * memory.clock.zone; // => 'Europe/Vienna'
 */
export async function openWorkspace(options: OpenWorkspaceOptions = {}): Promise<Workspace> {
  return openLocalWorkspace(options);
}

/**
 * As {@link openWorkspace}.
 * @param openIndex keeps the index open between the workspaces of one process, where there are many
 */
export async function openLocalWorkspace(
  options: OpenWorkspaceOptions,
  openIndex?: OpenIndex,
): Promise<LocalWorkspace> {
  const { host, located, userTimezone, config } = await findWorkspace(options);
  checkWorkspace(located.root);
  const state = openStateFolder(located.root, host, isNamed(located));
  const settings = await readSettings(located.root, state.path);
  const zone = options.timezone ?? settings.timezone ?? userTimezone ?? systemZone();
  const models = modelSettings(settings, host, config, (server) => mayAsk(server, host));
  return new LocalWorkspace(
    located,
    readsOf(settings, located.root, host),
    state,
    settings,
    models,
    openClock(zone, options.now, settings.dateOrder),
    options.signal,
    options.onProgress,
    openIndex,
  );
}

/**
 * An open workspace and its verbs. Holds no handles between calls. Each verb is loaded when it is first asked for:
 * start-up is part of the product, and half of it is compiling code.
 */
export class LocalWorkspace implements Workspace {
  constructor(
    private readonly located: Located,
    readonly reads: Reads,
    private readonly state: StateFolder,
    readonly settings: Settings,
    readonly models: ModelSettings,
    readonly clock: Clock,
    private readonly signal?: AbortSignal,
    private readonly onProgress?: OnProgress,
    private readonly openIndex?: OpenIndex,
  ) {}

  get root(): string {
    return this.located.root;
  }

  async recall(request: RecallRequest, signal = this.signal) {
    const { answerOne } = await import('./recalling.js');
    return answerOne(this.recalling, request, (answer) => answer, checkedSignal(signal));
  }

  async recallToRead(request: RecallRequest, signal = this.signal) {
    const { answerOne, toRead } = await import('./recalling.js');
    return answerOne(this.recalling, request, toRead, checkedSignal(signal));
  }

  async get(request: GetRequest) {
    const { GET, get } = await import('../recall/get.js');
    checkRequest('get', GET, request);
    return this.reading('get', async (source) => get({ ...source, root: this.root }, request));
  }

  async shortIds(ids: readonly string[]) {
    checkRequest('shortIds', { ids: TEXTS }, { ids });
    const { shortIds } = await import('../index/query/ids.js');
    return this.reading('recall', async ({ search }) => shortIds(search, ids));
  }

  async buildContext(request: BuildRequest, signal = this.signal) {
    const { contextBlock } = await import('./context-block.js');
    return contextBlock(request, {
      settings: this.settings,
      clock: this.clock,
      core: async () => (await this.core()).text,
      openSemantic: () => this.openSemantic('auto', signal),
      reader: this.reader('context build'),
    });
  }

  async *recallBatch(
    requests: Iterable<BatchedRecall> | AsyncIterable<BatchedRecall>,
    mode?: RecallMode,
    signal = this.signal,
  ) {
    const { answerMany } = await import('./recalling.js');
    yield* answerMany(this.recalling, requests, mode, signal);
  }

  async retain(request: RetainRequest) {
    const { retain, RETAIN } = await import('../retain/retain.js');
    checkRequest('retain', RETAIN, request);
    return retain(this.context, { ...request, nearDuplicateDays: this.settings.nearDuplicateDays });
  }

  async forget(request: ForgetRequest) {
    const { forgetStatement } = await import('./forgetting.js');
    const read = (use: (search: Search) => Promise<ForgetReport>) =>
      this.reading('forget', ({ search }) => use(search));
    return forgetStatement(this.context, this.indexContext('forget'), read, request);
  }

  async standing() {
    const { findStanding } = await import('../retain/standing.js');
    return this.reading('forget', async ({ search }) => findStanding(this.root, search));
  }

  async unforget(id: string, dryRun = false) {
    checkRequest('unforget', { id: TEXT, dryRun: YES_NO }, { id, dryRun });
    const { unforget } = await import('../retain/unforget.js');
    return unforget(this.context, id, dryRun);
  }

  async commit(paths: readonly string[], message: string) {
    checkRequest('commit', { paths: TEXTS, message: TEXT }, { paths, message });
    const { commitWithEarlier } = await import('../workspace/git/uncommitted.js');
    return commitWithEarlier({ root: this.root, stateFolder: this.state.path }, paths, message, this.signal);
  }

  async index(options: IndexOptions = {}) {
    checkRequest('index', { ...INDEX, ...PROGRESS }, options);
    const { runIndex } = await import('../index/run.js');
    return runIndex(this.indexContext('index', options), options);
  }

  async embed(options: EmbedOptions = {}) {
    checkRequest('embed', { ...EMBED, ...PROGRESS }, options);
    const { fill } = await import('./embedding.js');
    const context = { ...this.indexContext('index', options), retryRefused: options.retryRefused === true };
    try {
      return await this.reading('index', async ({ search }, { warnings }) => {
        const report = await fill({ ...context, search }, this);
        return { ...report, warnings: [...warnings, ...report.warnings] };
      });
    } catch (error) {
      const { embeddingFailure } = await import('./models.js');
      throw await embeddingFailure(error, this, context.signal);
    }
  }

  async lint(request: LintRequest) {
    checkBegun(this.root, this.state.path);
    const { lint } = await import('../upkeep/lint.js');
    return lint({ ...this.context, coreBudgetChars: this.settings.coreBudgetChars }, request);
  }

  async watch(options: WatchOptions) {
    checkRequest('watch', WATCH, options);
    const { watch } = await import('../upkeep/watch.js');
    const place = this.indexContext('watch', options);
    const embed = async () => (await import('./embedding.js')).fillIndexed(place, this);
    return watch(this.indexContext('watch'), { ...options, embed });
  }

  async eval(cases: readonly EvalCase[], options: EvalOptions = {}) {
    checkRequest('eval', EVAL, options);
    const { evaluateCases } = await import('./evaluation.js');
    return this.reading('eval', async (source) => {
      const semantic = await this.openSemantic(options.mode, options.signal ?? this.signal);
      try {
        return await evaluateCases(cases, withSemantic(source, semantic), options);
      } finally {
        semantic.source?.close();
      }
    });
  }

  async status() {
    const { statusOf } = await import('../upkeep/status.js');
    const { root, located, clock, state: stateFolder } = this;
    const { host = null, hostFrom, chatModel, embedModel } = this.models;
    const configured = { host, hostFrom, chatModel, embedModel };
    const where = { root, foundBy: located.by, timezone: clock.zone, today: today(clock), stateFolder, configured };
    const embedding = hasVectors(this.state.path) ? await import('./embedding.js') : undefined;
    return this.reading('status', async ({ search }, fresh) =>
      statusOf(where, fresh, embedding?.overview(this.state.path, search, this) ?? null, this.context),
    );
  }

  async probeModels(signal = this.signal) {
    return (await import('./models.js')).probe(this, checkedSignal(signal));
  }

  async embeddingModels(signal = this.signal) {
    const { LocalEmbeddingModels } = await import('./embedding-models.js');
    return new LocalEmbeddingModels(this, this.context, checkedSignal(signal));
  }

  async pullModels(options: PullOptions = {}) {
    checkRequest('pullModels', PROGRESS, options);
    const { onProgress, signal = this.signal } = options;
    const { pullMissing } = await import('./models.js');
    return pullMissing(this, onProgress, signal);
  }

  async entity(name: string) {
    checkRequest('entity', { name: TEXT }, { name });
    const { showEntity } = await import('../recall/entity-view.js');
    const { entityHolds } = await import('../reflect/entity-holds.js');
    const at = { today: today(this.clock), root: this.root };
    const embedding = hasVectors(this.state.path) ? await import('./embedding.js') : undefined;
    return this.reading('entity', async (source) => {
      const view = showEntity(source, name);
      const held = (alike?: Alike) => view && { ...view, holds: entityHolds(source.search, name, { ...at, alike }) };
      return embedding ? embedding.withLikeness(this.state.path, this, source.search, held) : held();
    });
  }

  private get recalling(): Recalling {
    return {
      clock: this.clock,
      openSemantic: (mode, signal) => this.openSemantic(mode, signal),
      reader: this.reader('recall'),
    };
  }

  private async openSemantic(mode: RecallMode = 'auto', signal?: AbortSignal): Promise<Semantic> {
    if (mode === 'lexical' || (mode === 'auto' && !hasVectors(this.state.path))) return { warnings: [] };
    const { semanticOf } = await import('./embedding.js');
    return semanticOf(this.state.path, this, mode, signal);
  }

  entities = () => this.reading('entity', async ({ search }) => search.entities());

  async opinions(filter: OpinionFilter = {}) {
    const { listOpinions, OPINIONS } = await import('../recall/opinion-view.js');
    checkRequest('opinions', OPINIONS, filter);
    return this.reading('opinion', async (source) => listOpinions(source, filter));
  }

  async findOpinions(wanted: string) {
    checkRequest('findOpinions', { wanted: TEXT }, { wanted });
    const { findOpinions } = await import('../recall/opinion-view.js');
    return this.reading('opinion', async (source) => findOpinions(source, wanted));
  }

  async core() {
    const { showCore } = await import('../retain/core.js');
    return showCore(this.coreContext);
  }

  async changeCore(edit: CoreEdit, dryRun = false) {
    const { changeCore } = await import('../retain/core.js');
    checkRequest('changeCore', { dryRun: YES_NO }, { dryRun });
    return changeCore(this.coreContext, edit, dryRun);
  }

  async proposals() {
    const { CoreProposals } = await import('../retain/proposals.js');
    return new CoreProposals(this.coreContext);
  }

  async history() {
    const { PageHistory } = await import('../upkeep/history.js');
    return new PageHistory(this.context, (use) => this.reading('history', async ({ search }) => use(search)));
  }

  async checkSchedule() {
    return (await import('../upkeep/schedule.js')).checkSchedule(this.state.path, this.clock);
  }

  private get coreContext() {
    return { ...this.context, budget: this.settings.coreBudgetChars };
  }

  private get context() {
    const { root, reads, clock, signal, onProgress } = this;
    return { root, reads, stateFolder: this.state.path, clock, signal, onProgress };
  }

  async reflection(signal = this.signal) {
    const { LocalReflection } = await import('./reflection.js');
    const { storedVectors } = await import('./embedding.js');
    const context = { ...this.reflectContext, signal, openVectors: () => storedVectors(this.state.path, this) };
    const models = { open: () => this.chatModel(signal), isNamed: this.models.isChatModelNamed };
    return new LocalReflection(context, models, checkedSignal(signal));
  }

  async settle(request: SettleRequest, by?: 'human' | 'agent') {
    const { SETTLE, settle } = await import('../reflect/settle.js');
    checkRequest('settle', SETTLE, request);
    return settle({ ...this.context, read: this.reflectContext.read }, request, by);
  }

  async view(request: ViewRequest = {}) {
    const { makeView } = await import('../view/view.js');
    return this.reading('view', (source) => makeView(this.reflectContext, this.settings, source, request));
  }

  private get reflectContext(): ReflectContext {
    const { coreBudgetChars: coreBudget, pageLines, pageMentions } = this.settings;
    const read: ReflectContext['read'] = (use) => this.reading('reflect', ({ search }) => use(search));
    const pageSettings = { budget: pageLines, mentions: pageMentions };
    return { ...this.context, coreBudget, pageSettings, read, openVectors: () => undefined };
  }

  async extraction(signal = this.signal) {
    const { openExtraction } = await import('./extraction.js');
    return openExtraction(this, { ...this.context, signal: checkedSignal(signal) }, (use) =>
      this.reading('extract', use),
    );
  }

  refreshSummaries = async () =>
    areSidecarsStale(this.root, this.state.path)
      ? (await import('../extract/apply.js')).refreshSidecars(this.context)
      : [];

  async sessions(signal = this.signal) {
    const { LocalSessions } = await import('./sessions.js');
    const place = { ...this.context, signal: checkedSignal(signal) };
    return new LocalSessions(place, this.settings, {
      model: () => this.chatModel(signal),
      retain: (facts) => this.retain({ facts }),
      extract: async (input) => (await this.extraction(signal)).ofArchive(input),
    });
  }

  async chatModel(signal = this.signal) {
    return (await import('./models.js')).chatModelOf(this, checkedSignal(signal));
  }

  logPath(name: string): string {
    return join(this.state.path, 'logs', `${name}.log`);
  }

  private async reading<T>(command: string, use: (source: RecallSource, fresh: FreshIndex) => Promise<T>): Promise<T> {
    return reading(this.reader(command), use);
  }

  private reader(command: string): Reader {
    const { recallResources: withResources, recallLimit: defaultLimit } = this.settings;
    const how = { clock: this.clock, withResources, defaultLimit };
    return { context: this.indexContext(command), openIndex: this.openIndex, how };
  }

  private indexContext(
    command: string,
    { signal = this.signal, onProgress = this.onProgress }: Progress = {},
  ): IndexContext {
    return { ...this.context, command, signal, onProgress };
  }
}
