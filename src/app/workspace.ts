import { join } from 'node:path';
import type { Clock } from '../base/clock.js';
import { checkArguments, checkRequest } from '../base/request.js';
import type { Result } from '../base/result.js';
import type { ListedEntity } from '../index/entity-list.js';
import type { FreshIndex, IndexContext } from '../index/fresh.js';
import type { IndexReport } from '../index/run.js';
import type { Search } from '../index/search.js';
import type { FillReport } from '../index/vectors/fill.js';
import { hasVectors } from '../index/vectors/path.js';
import type { CoreEdit } from '../memory/core-edit.js';
import type { ToolModel } from '../model/model.js';
import type { EntityView } from '../recall/entity-view.js';
import type { OpinionFilter, OpinionView } from '../recall/opinion-view.js';
import type { RecallSource } from '../recall/recall.js';
import {
  BATCHED,
  type BatchedRecall,
  RECALL,
  type RecallAnswer,
  type RecallMode,
  type RecallRequest,
  readRecall,
} from '../recall/request.js';
import type { ReflectContext } from '../reflect/reflect.js';
import type { CoreReport, CoreView } from '../retain/core.js';
import type { ForgetReport, ForgetRequest } from '../retain/forget.js';
import type { Proposals } from '../retain/proposals.js';
import type { RetainReport, RetainRequest } from '../retain/retain.js';
import type { Standing } from '../retain/standing.js';
import type { UndoReport } from '../retain/unforget.js';
import type { EvalReport } from '../upkeep/eval.js';
import type { EvalCase } from '../upkeep/eval-case.js';
import type { History } from '../upkeep/history.js';
import type { LintReport, LintRequest } from '../upkeep/lint.js';
import type { ModelsReport } from '../upkeep/models-report.js';
import type { ScheduleCheck } from '../upkeep/schedule.js';
import type { StatusReport } from '../upkeep/status.js';
import type { CommitReport as GitCommit } from '../workspace/changes.js';
import { openClock, systemZone, today } from '../workspace/clock.js';
import { checkWorkspace, type Located } from '../workspace/locate.js';
import { type ModelSettings, modelSettings } from '../workspace/model-settings.js';
import { readSettings } from '../workspace/read-settings.js';
import type { Settings } from '../workspace/settings.js';
import { openStateFolder, type StateFolder } from '../workspace/state-folder.js';
import { endIfInterrupted, openSearch, type Semantic, withSemantic } from './answering.js';
import { findWorkspace, type OpenWorkspaceOptions } from './find.js';
import type { Reflection } from './reflection.js';
import {
  EMBED,
  type EmbedOptions,
  EVAL,
  type EvalOptions,
  INDEX,
  type IndexOptions,
  PROGRESS,
  type Progress,
  type PullOptions,
  TEXT,
  TEXTS,
  WATCH,
  type WatchOptions,
  YES_NO,
} from './requests.js';
import type { Sessions } from './sessions.js';

/**
 * Finds and opens a workspace: clock, settings and state folder wired into the verbs.
 * @throws MemoryError `workspace` when there is none, `settings` when its settings are wrong, `usage`
 */
export async function openWorkspace(options: OpenWorkspaceOptions = {}): Promise<Workspace> {
  const { host, located, userTimezone, config } = await findWorkspace(options);
  checkWorkspace(located.root);
  const state = openStateFolder(located.root, host);
  const settings = await readSettings(located.root, state.path);
  const zone = options.timezone ?? settings.timezone ?? userTimezone ?? systemZone();
  const models = modelSettings(settings, host.env, config);
  return new Workspace(
    located,
    state,
    settings,
    models,
    openClock(zone, options.now, settings.dateOrder),
    options.signal,
  );
}

/**
 * An open workspace and its verbs. Holds no handles between calls. Each verb is loaded when it is first asked for:
 * start-up is part of the product, and half of it is compiling code.
 */
export class Workspace {
  constructor(
    private readonly located: Located,
    private readonly state: StateFolder,
    readonly settings: Settings,
    readonly models: ModelSettings,
    readonly clock: Clock,
    private readonly signal?: AbortSignal,
  ) {}

  get root(): string {
    return this.located.root;
  }

  /** Finds facts and log text, with citations. */
  async recall(request: RecallRequest, signal = this.signal): Promise<RecallAnswer> {
    checkRequest<RecallRequest>('recall', RECALL, request);
    const query = await readRecall(request, this.clock);
    const semantic = await this.openSemantic(request.mode, signal);
    // The server works on the question's vector while the index is opened and searched by words.
    await semantic.source?.prepare([query.query]);
    try {
      const { recall } = await import('../recall/recall.js');
      const answer = await this.reading('recall', (source) => recall(withSemantic(source, semantic), query));
      endIfInterrupted(signal);
      return answer;
    } finally {
      semantic.source?.close();
    }
  }

  /** Answers many questions from one opened index, in order, all in one mode. A wrong request ends it. */
  async *recallBatch(
    requests: Iterable<BatchedRecall> | AsyncIterable<BatchedRecall>,
    mode?: RecallMode,
    signal = this.signal,
  ): AsyncGenerator<RecallAnswer> {
    checkRequest<EvalOptions>('recallBatch', EVAL, { mode, signal });
    const semantic = await this.openSemantic(mode, signal);
    const [{ recall }, { inGroups }] = await Promise.all([
      import('../recall/recall.js'),
      import('../recall/groups.js'),
    ]);
    const { fresh, source } = await this.openSource('recall');
    const asked = withSemantic(source, semantic);
    try {
      for await (const group of inGroups(requests)) {
        for (const request of group) checkRequest<BatchedRecall>('recallBatch', BATCHED, request);
        await semantic.source?.prepare(group.map(({ query }) => query));
        for (const request of group) {
          const answer = await recall(asked, await readRecall(request, this.clock));
          endIfInterrupted(signal);
          yield answer;
        }
      }
    } finally {
      semantic.source?.close();
      fresh.close();
    }
  }

  /** Appends typed facts; returns when the bytes are on disk. */
  async retain(request: RetainRequest): Promise<RetainReport> {
    const { retain, RETAIN } = await import('../retain/retain.js');
    checkRequest<RetainRequest>('retain', RETAIN, request);
    return retain(this.context, { ...request, nearDuplicateDays: this.settings.nearDuplicateDays });
  }

  /** Forgets a statement wherever it stands, for good: a tombstone keeps it out also when a merge brings it back. */
  async forget(request: ForgetRequest): Promise<ForgetReport> {
    const { forgetStatement } = await import('./forgetting.js');
    const read = (use: (search: Search) => Promise<ForgetReport>) =>
      this.reading('forget', ({ search }) => use(search));
    return forgetStatement(this.context, this.indexContext('forget'), read, request);
  }

  /** Forgotten statements that stand in a page all the same, for `forget` to take out. */
  async standing(): Promise<readonly Standing[]> {
    const { findStanding } = await import('../retain/standing.js');
    return this.reading('forget', async ({ search }) => findStanding(this.root, search));
  }

  /** Takes back what was forgotten on this machine. */
  async unforget(id: string, dryRun = false): Promise<UndoReport> {
    checkArguments('unforget', { id: TEXT, dryRun: YES_NO }, { id, dryRun });
    const { unforget } = await import('../retain/unforget.js');
    return unforget(this.context, id, dryRun);
  }

  /** One git commit of exactly these files, relative to the workspace. */
  async commit(paths: readonly string[], message: string): Promise<GitCommit> {
    checkArguments('commit', { paths: TEXTS, message: TEXT }, { paths, message });
    const { commitPaths } = await import('../workspace/git.js');
    return commitPaths(this.root, paths, message);
  }

  /** Brings the index up to date. */
  async index(options: IndexOptions = {}): Promise<IndexReport> {
    checkRequest<IndexOptions>('index', INDEX, options);
    const { runIndex } = await import('../index/run.js');
    return runIndex(this.indexContext('index', options), options);
  }

  /**
   * Makes the vectors that are missing for recall by meaning. What was made is kept, however it ends.
   * @throws MemoryError `model_unavailable`, `busy`, `interrupted`
   */
  async embed(options: EmbedOptions = {}): Promise<FillReport> {
    checkRequest<EmbedOptions>('embed', EMBED, options);
    const { fill } = await import('./embedding.js');
    return this.reading('index', ({ search }) =>
      fill({ ...this.indexContext('index', options), retryRefused: options.retryRefused === true, search }, this),
    );
  }

  /** What in the files a person should look at; mends what is safe to mend. */
  async lint(request: LintRequest): Promise<LintReport> {
    const { lint } = await import('../upkeep/lint.js');
    return lint({ ...this.context, coreBudgetChars: this.settings.coreBudgetChars }, request);
  }

  /** Keeps the index up to date as files change, and the vectors when there are some, until `signal` ends it. */
  async watch(options: WatchOptions): Promise<void> {
    checkRequest<WatchOptions>('watch', WATCH, options);
    const { watch } = await import('../upkeep/watch.js');
    const place = this.indexContext('watch', options);
    const embed = async () => (await import('./embedding.js')).fillIndexed(place, this);
    return watch(this.indexContext('watch'), { ...options, embed });
  }

  /** Recall quality on one's own questions, all answered from one opened index. */
  async eval(cases: readonly EvalCase[], options: EvalOptions = {}): Promise<EvalReport> {
    checkRequest<EvalOptions>('eval', EVAL, options);
    const { evaluateCases } = await import('./evaluation.js');
    const semantic = await this.openSemantic(options.mode, options.signal ?? this.signal);
    try {
      return await this.reading('eval', (source) => evaluateCases(cases, withSemantic(source, semantic), options));
    } finally {
      semantic.source?.close();
    }
  }

  /** What there is, computed from the disk. */
  async status(): Promise<StatusReport> {
    const { statusOf } = await import('../upkeep/status.js');
    const { path, place, reason } = this.state;
    const { host, hostFrom, chatModel, embedModel } = this.models;
    const stateFolder = reason === undefined ? { path, place } : { path, place, reason };
    const where = {
      root: this.root,
      foundBy: this.located.by,
      timezone: this.clock.zone,
      today: today(this.clock),
      stateFolder,
      configured: { host: host ?? null, hostFrom, chatModel, embedModel },
    };
    return this.reading('status', async ({ search }, fresh) => {
      const embedding = hasVectors(this.state.path) ? await import('./embedding.js') : undefined;
      return statusOf(where, fresh, embedding?.overview(this.state.path, search, this) ?? null, this.clock);
    });
  }

  /** What the model server and both models can do: asks them, and so loads them. */
  async probeModels(signal = this.signal): Promise<ModelsReport> {
    const { probe } = await import('./models.js');
    return probe(this, signal);
  }

  /** Fetches the models that are set and not there, over the net. Returns their names. @throws MemoryError `model_unavailable` */
  async pullModels(options: PullOptions = {}): Promise<readonly string[]> {
    checkRequest<PullOptions>('pullModels', PROGRESS, options);
    const { onProgress, signal = this.signal } = options;
    const { pullMissing } = await import('./models.js');
    return pullMissing(this, onProgress, signal);
  }

  /** What is known of an entity: its page and the facts about it, or undefined when it is unknown. */
  async entity(name: string): Promise<EntityView | undefined> {
    checkArguments('entity', { name: TEXT }, { name });
    const { showEntity } = await import('../recall/entity-view.js');
    return this.reading('entity', async (source) => showEntity(source, name));
  }

  private async openSemantic(mode: RecallMode = 'auto', signal?: AbortSignal): Promise<Semantic> {
    if (mode === 'lexical' || (mode === 'auto' && !hasVectors(this.state.path))) return { warnings: [] };
    const { semanticOf } = await import('./embedding.js');
    return semanticOf(this.state.path, this, mode, signal);
  }

  /** Every entity, the most mentioned first. */
  async entities(): Promise<readonly ListedEntity[]> {
    return this.reading('entity', async ({ search }) => search.entities());
  }

  /** Opinions, those of the bank first, the surest first. */
  async opinions(filter: OpinionFilter = {}): Promise<readonly OpinionView[]> {
    const { listOpinions, OPINIONS } = await import('../recall/opinion-view.js');
    checkRequest<OpinionFilter>('opinions', OPINIONS, filter);
    return this.reading('opinion', async (source) => listOpinions(source, filter));
  }

  /** The opinions that an id, or a text in them, names. */
  async findOpinions(wanted: string): Promise<readonly OpinionView[]> {
    checkArguments('findOpinions', { wanted: TEXT }, { wanted });
    const { findOpinions } = await import('../recall/opinion-view.js');
    return this.reading('opinion', async (source) => findOpinions(source, wanted));
  }

  /** The core file as it is. */
  async core(): Promise<CoreView> {
    const { showCore } = await import('../retain/core.js');
    return showCore(this.coreContext);
  }

  /** Changes the core file within its budget. */
  async changeCore(edit: CoreEdit, dryRun = false): Promise<CoreReport> {
    const { changeCore } = await import('../retain/core.js');
    checkArguments('changeCore', { dryRun: YES_NO }, { dryRun });
    return changeCore(this.coreContext, edit, dryRun);
  }

  /** What is proposed for the core. */
  async proposals(): Promise<Proposals> {
    const { Proposals } = await import('../retain/proposals.js');
    return new Proposals(this.coreContext);
  }

  /** How pages and statements changed in git. */
  async history(): Promise<History> {
    const { History } = await import('../upkeep/history.js');
    return new History(this.root, this.clock, (use) => this.reading('history', async ({ search }) => use(search)));
  }

  /** When reflect last ran on this machine, and with what result. */
  async checkSchedule(): Promise<ScheduleCheck> {
    const { checkSchedule } = await import('../upkeep/schedule.js');
    return checkSchedule(this.state.path, this.clock);
  }

  private get coreContext() {
    return { ...this.context, budget: this.settings.coreBudgetChars };
  }

  private get context() {
    return { root: this.root, stateFolder: this.state.path, clock: this.clock, signal: this.signal };
  }

  /** Turning facts into pages, and beliefs that follow the evidence. */
  async reflection(signal = this.signal): Promise<Reflection> {
    const { Reflection } = await import('./reflection.js');
    const read: ReflectContext['read'] = (use) => this.reading('reflect', ({ search }) => use(search));
    const { storedVectors } = await import('./embedding.js');
    const openVectors = () => storedVectors(this.state.path, this);
    const context = { ...this.context, signal, coreBudget: this.settings.coreBudgetChars, read, openVectors };
    return new Reflection(context, () => this.chatModel(signal), signal);
  }

  /** The sessions of this workspace. */
  async sessions(signal = this.signal): Promise<Sessions> {
    const { Sessions } = await import('./sessions.js');
    const place = { ...this.context, signal };
    let model: Promise<Result<ToolModel>> | undefined;
    const once = () => (model ??= this.chatModel(signal));
    const retain = (facts: readonly string[]) => this.retain({ facts });
    return new Sessions(place, this.settings, { model: once, retain, window: this.models.numCtx });
  }

  /** The chat model that is set, when it is there. Failures: `model_unavailable` with what mends it, `interrupted`. */
  async chatModel(signal = this.signal): Promise<Result<ToolModel>> {
    const { chatModelOf } = await import('./models.js');
    return chatModelOf(this, signal);
  }

  /** A file that a process in the background writes its notes to. */
  logPath(name: string): string {
    return join(this.state.path, 'logs', `${name}.log`);
  }

  private async openSource(command: string): Promise<{ fresh: FreshIndex; source: RecallSource }> {
    const { openFresh } = await import('../index/fresh.js');
    const fresh = await openFresh(this.indexContext(command));
    const source: RecallSource = {
      ...(await openSearch(fresh, this.root)),
      clock: this.clock,
      withResources: this.settings.recallResources,
      defaultLimit: this.settings.recallLimit,
    };
    return { fresh, source };
  }

  private async reading<T>(command: string, use: (source: RecallSource, fresh: FreshIndex) => Promise<T>): Promise<T> {
    const { fresh, source } = await this.openSource(command);
    try {
      return await use(source, fresh);
    } finally {
      fresh.close();
    }
  }

  private indexContext(command: string, { signal = this.signal, onProgress }: Progress = {}): IndexContext {
    return { ...this.context, command, signal, ...(onProgress === undefined ? {} : { onProgress }) };
  }
}
