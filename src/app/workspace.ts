import type { Day } from '../base/clock.js';
import { checkRequest, checkSignalArgument, readRequest, readTypedRequest } from '../base/request.js';
import { areFolderSummariesStale } from '../extract/stale.js';
import type { IndexSearch } from '../index/search.js';
import type { FileTree, Notice } from '../index/tree.js';
import type { FillReport } from '../index/vectors/fill.js';
import type { CoreEdit } from '../memory/core-edit.js';
import type { SettleRequest } from '../reflect/settle.js';
import type { ForgetReport, ForgetRequest } from '../retain/forget.js';
import type { RetainRequest, StaleSourceOption } from '../retain/retain.js';
import type { LintContext, LintRequest } from '../upkeep/lint.js';
import type { FileChange, GitCommitReport as GitCommit } from '../workspace/changes.js';
import { requireMemory } from '../workspace/locate.js';
import type { OpenWorkspaceOptions } from './find.js';
import { withWholeIndex } from './index-access.js';
import { ReadApi } from './read-api.js';
import type { EmbedOptions, IndexOptions, PullOptions, WatchOptions } from './requests.js';
import {
  EMBED_REQUEST,
  INDEX_REQUEST,
  PROGRESS_OPTION,
  TEXT_FIELD,
  TEXTS_FIELD,
  WATCH_REQUEST,
  YES_NO_FIELD,
} from './requests.js';
import { openResources, type SharedResources } from './resources.js';

/**
 * Finds and opens a workspace: clock, settings and state folder wired into the verbs.
 * @throws MemoryError `workspace` when there is none, `settings` when its settings are wrong, `usage`
 * @example
 * const memory = await openWorkspace({ workspace: folder, timezone: 'Europe/Vienna' });
 * memory.clock.zone; // => 'Europe/Vienna'
 */
export async function openWorkspace(options: OpenWorkspaceOptions = {}): Promise<Workspace> {
  return new Workspace(await openResources(options));
}

/**
 * As {@link openWorkspace}.
 * @param shared is kept between the workspaces of one process, where there are many
 */
export async function openWarmWorkspace(options: OpenWorkspaceOptions, shared: SharedResources): Promise<Workspace> {
  return new Workspace(await openResources(options, shared));
}

/**
 * An open workspace and its verbs. Holds no handles between calls, so there is nothing to close. What goes wrong is a
 * `MemoryError`, whose `failure` has a type to match on, a message, and a hint at what mends it.
 */
export class Workspace extends ReadApi {
  /**
   * Appends typed facts; returns when the bytes are on disk.
   * @throws MemoryError `usage`, `refused`, `busy`, `interrupted`
   * @example
   * const { retained } = await memory.retain({ facts: ['W @Carla: keeps bees', 'O(c=0.9) @Carla: likes honey'] });
   * retained.map(({ source }) => source); // => ['memory/2026-03-15.md#L5', 'memory/2026-03-15.md#L6']
   */
  async retain(given: RetainRequest) {
    const { retain, RETAIN_REQUEST } = await import('../retain/retain.js');
    const request = readRequest('retain', RETAIN_REQUEST, given);
    return retain(this.context, { ...request, nearDuplicateDays: this.settings.nearDuplicateDays });
  }

  /** Retains what was read out of files, as far as it still stands there. */
  private async retainRead(request: RetainRequest, check: StaleSourceOption = {}) {
    const { retain } = await import('../retain/retain.js');
    return retain(this.context, { ...request, ...check, nearDuplicateDays: this.settings.nearDuplicateDays });
  }

  /**
   * Appends facts to the log of a day, or to another one of that day where it is not read, without those that the log of
   * another day says already.
   */
  private async retainOnce(facts: readonly string[], day: Day) {
    const { retain } = await import('../retain/retain.js');
    const { nearDuplicateDays } = this.settings;
    const order = { facts, file: `memory/${day}.md`, isOnceInAllLogs: true, elsewhere: true };
    return retain(this.context, { ...order, nearDuplicateDays });
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
    const { forgetStatement } = await import('./forgetting.js');
    const read = (use: (search: IndexSearch, tree: FileTree) => Promise<ForgetReport>) =>
      withWholeIndex(this.reader('forget'), (search, _, tree) => use(search, tree));
    return forgetStatement(this.context, this.indexContext('forget'), read, request);
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
    checkRequest('unforget', { id: TEXT_FIELD, dryRun: YES_NO_FIELD }, { id, dryRun });
    const { unforget } = await import('../retain/unforget.js');
    return unforget(this.context, id, dryRun);
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
    checkRequest('commit', { paths: TEXTS_FIELD, message: TEXT_FIELD }, { paths, message });
    const { commitWithEarlierChanges } = await import('../workspace/git/uncommitted.js');
    return commitWithEarlierChanges(this.context, paths, message, this.opened.signal);
  }

  /**
   * Brings the index up to date. Every verb that reads does so by itself; this one tells what it did.
   * @throws MemoryError `busy`, `interrupted`
   * @example
   * const { verify } = await memory.index({ verify: true });
   * verify?.differences; // => []
   */
  async index(given: IndexOptions = {}) {
    const options = readTypedRequest('index', { ...INDEX_REQUEST, ...PROGRESS_OPTION }, given);
    const { runIndex } = await import('../index/run.js');
    return runIndex(this.indexContext('index', options), options);
  }

  /**
   * Makes the vectors that are missing for recall by meaning. What was made is kept, however it ends.
   * @throws MemoryError `model_unavailable`, `busy`, `interrupted`
   * @example
   * const { embedded } = await memory.embed();
   * embedded > 0; // => true
   */
  async embed(given: EmbedOptions = {}): Promise<FillReport> {
    const options = readTypedRequest('embed', { ...EMBED_REQUEST, ...PROGRESS_OPTION }, given);
    const { fillMissingVectors } = await import('./embedding.js');
    const context = { ...this.indexContext('index', options), retryRefused: options.retryRefused === true };
    try {
      return await this.reading('index', async ({ search }, { tree, warnings }) => {
        const report = await fillMissingVectors({ ...context, search, notices: tree.notices }, this);
        return { ...report, warnings: [...warnings, ...report.warnings] };
      });
    } catch (error) {
      const { explainEmbeddingFailure } = await import('./models.js');
      throw await explainEmbeddingFailure(error, this, context.signal);
    }
  }

  /**
   * What in the files a person should look at; mends what is safe to mend.
   * @throws MemoryError `not_found`, `busy`, `interrupted`
   * @example
   * const { problems } = await memory.lint({ paths: ['memory'], secrets: true, fix: false, dryRun: false });
   * problems; // => []
   */
  async lint(request: LintRequest) {
    requireMemory(this.root, this.stateFolder);
    const { lint } = await import('../upkeep/lint.js');
    const { coreBudgetChars } = this.settings;
    const read: LintContext['read'] = (use) => this.reading('lint', ({ search }, fresh) => use(search, fresh));
    return lint({ ...this.context, coreBudgetChars, read }, request);
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
  async watch(options: WatchOptions): Promise<void> {
    checkRequest('watch', WATCH_REQUEST, options);
    const { watch } = await import('../upkeep/watch.js');
    const place = this.indexContext('watch', options);
    const embed = async (notices: readonly Notice[]) =>
      (await import('./embedding.js')).fillVectorsOfIndexedTexts({ ...place, notices }, this);
    return watch(this.indexContext('watch'), { ...options, embed });
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
    checkRequest('changeCore', { dryRun: YES_NO_FIELD }, { dryRun });
    return changeCore(this.coreContext, edit, dryRun);
  }

  /**
   * What is proposed for the core.
   * @example
   * const proposals = await memory.proposals();
   * proposals.list().waiting.length; // => 1
   */
  async proposals() {
    const { Proposals } = await import('../retain/proposals.js');
    return new Proposals(this.coreContext);
  }

  /**
   * A verdict on what a later statement does to an earlier one of the same subject; a person's counts before every other.
   * @throws MemoryError `not_found`, `usage` for two that can't be settled so, `busy`, `interrupted`
   * @example
   * const { retained } = await memory.retain({ facts: ['W @Carla: keeps bees', 'W @Carla: sold the hives'] });
   * const [older = '', newer = ''] = retained.map(({ id }) => id);
   * const { verdict } = await memory.settle({ older, newer, relation: 'ends' });
   * [verdict.of === older, verdict.by]; // => [true, 'human']
   */
  async settle(given: SettleRequest, by?: 'human' | 'agent') {
    const { SETTLE_REQUEST, settlePair } = await import('../reflect/settle.js');
    const request = readRequest('settle', SETTLE_REQUEST, given);
    return settlePair({ ...this.context, readAll: this.reflectContext.readAll }, request, by);
  }

  /**
   * Brings the summaries of the folders of typed memories up to date with what people and other verbs wrote there. Every
   * writing command ends with it.
   * @throws MemoryError `settings` for a memory type of the workspace that can't be read
   * @example
   * const changes = await memory.refreshSummaries();
   * changes.length; // => 0
   */
  async refreshSummaries(): Promise<readonly FileChange[]> {
    if (!areFolderSummariesStale(this.root, this.stateFolder)) return [];
    return (await import('../extract/apply.js')).refreshFolderSummaries(this.context);
  }

  /**
   * Turning facts into pages, and beliefs that follow the evidence.
   * @example
   * const reflection = await memory.reflection();
   * const { facts } = await reflection.run({ dryRun: true, maxCalls: 0 });
   * facts; // => 3
   */
  async reflection(signal = this.opened.signal) {
    const { Reflection } = await import('./reflection.js');
    const { openStoredVectors } = await import('./embedding.js');
    const context = { ...this.reflectContext, signal, openVectors: () => openStoredVectors(this.stateFolder, this) };
    const models = { open: () => this.chatModel(signal), isNamed: this.models.isChatModelNamed };
    return new Reflection(context, models, checkSignalArgument(signal));
  }

  /**
   * Long-term memories out of conversations, as typed pages.
   * @example
   * const extraction = await memory.extraction();
   * const { pages } = await extraction.apply('{"profile": [{"content": "- Keeps bees"}]}');
   * pages; // => [{ path: 'bank/profile.md', operation: 'add' }]
   */
  async extraction(signal = this.opened.signal) {
    const { Extraction } = await import('./extraction.js');
    const context = { ...this.context, signal: checkSignalArgument(signal) };
    return new Extraction(context, {
      model: () => this.chatModel(signal),
      find: (request) => this.recall(request, signal),
      reading: (use) => this.reading('extract', use),
      retain: (request, check) => this.retainRead(request, check),
      rounds: this.settings.extractRounds,
    });
  }

  /**
   * The sessions of this workspace.
   * @example
   * const sessions = await memory.sessions();
   * (await sessions.list()).map(({ session }) => session); // => ['chat']
   */
  async sessions(signal = this.opened.signal) {
    const { Sessions } = await import('./sessions.js');
    const place = { ...this.context, signal: checkSignalArgument(signal) };
    return new Sessions(place, this.settings, {
      model: () => this.chatModel(signal),
      retain: (facts, day) => this.retainOnce(facts, day),
      extract: async (input) => (await this.extraction(signal)).ofArchive(input),
    });
  }

  /**
   * The chat model that is set, when it is there. Failures: `model_unavailable` with what mends it, `interrupted`.
   * @example
   * const model = await memory.chatModel();
   * model.ok; // => true
   */
  async chatModel(signal = this.opened.signal) {
    return (await import('./models.js')).chatModelOf(this, checkSignalArgument(signal));
  }

  /**
   * What the model server and both models can do: asks them, and so loads them. What can't be used is said in the report.
   * @throws MemoryError `interrupted`
   * @example
   * const { chat, embedding } = await memory.probeModels();
   * [chat.problem, embedding.problem]; // => [null, null]
   */
  async probeModels(signal = this.opened.signal) {
    return (await import('./models.js')).probeConfiguredModels(this, checkSignalArgument(signal));
  }

  /**
   * The embedding models that there are, which of them is used, and what it knows.
   * @example
   * const { models } = await (await memory.embeddingModels()).list();
   * models.find(({ isSet }) => isSet)?.name; // => 'embeddinggemma'
   */
  async embeddingModels(signal = this.opened.signal) {
    const { EmbeddingModels } = await import('./embedding-models.js');
    return new EmbeddingModels(this, this.context, checkSignalArgument(signal));
  }

  /**
   * Fetches the models that are set and not there, over the net. Returns their names.
   * @throws MemoryError `model_unavailable`, `interrupted`
   * @example
   * const steps: string[] = [];
   * const fetched = await memory.pullModels({ onProgress: (model, { status }) => steps.push(`${model}: ${status}`) });
   * fetched; // => []
   */
  async pullModels(options: PullOptions = {}) {
    checkRequest('pullModels', PROGRESS_OPTION, options);
    const { onProgress, signal = this.opened.signal } = options;
    const { pullMissingModels } = await import('./models.js');
    return pullMissingModels(this, onProgress, signal);
  }
}
