import type { Clock } from '../../base/clock.js';
import type { Result } from '../../base/result.js';
import type { BuildRequest, BuiltContext } from '../../context/build.js';
import type { ListedEntity } from '../../index/entity-list.js';
import type { IndexReport } from '../../index/run.js';
import type { FillReport } from '../../index/vectors/fill.js';
import type { CoreEdit } from '../../memory/core-edit.js';
import type { ToolModel } from '../../model/model.js';
import type { EntityView } from '../../recall/entity-view.js';
import type { GetAnswer, GetRequest } from '../../recall/get.js';
import type { OpinionFilter, OpinionView } from '../../recall/opinion-view.js';
import type { BatchedRecall, RecallAnswer, RecallMode, RecallRequest } from '../../recall/request.js';
import type { EntityHolds } from '../../reflect/entity-holds.js';
import type { SettledPair, SettleRequest } from '../../reflect/settle.js';
import type { CoreReport, CoreView } from '../../retain/core.js';
import type { ForgetReport, ForgetRequest } from '../../retain/forget.js';
import type { RetainReport, RetainRequest } from '../../retain/retain.js';
import type { Standing } from '../../retain/standing.js';
import type { UndoReport } from '../../retain/unforget.js';
import type { EvalReport } from '../../upkeep/eval.js';
import type { EvalCase } from '../../upkeep/eval-case.js';
import type { LintReport, LintRequest } from '../../upkeep/lint.js';
import type { ModelsReport } from '../../upkeep/models.js';
import type { ScheduleCheck } from '../../upkeep/schedule.js';
import type { StatusReport } from '../../upkeep/status.js';
import type { ViewReport, ViewRequest } from '../../view/view.js';
import type { FileChange, CommitReport as GitCommit } from '../../workspace/changes.js';
import type { ModelSettings } from '../../workspace/model-settings.js';
import type { Settings } from '../../workspace/settings.js';
import type { ReadAnswer } from '../recalling.js';
import type { EmbedOptions, EvalOptions, IndexOptions, PullOptions, WatchOptions } from '../requests.js';
import type { EmbeddingModels, Extraction, History, Proposals, Reflection } from './parts.js';
import type { Sessions } from './sessions.js';

/**
 * An open workspace and its verbs. Holds no handles between calls, so there is nothing to close. What goes wrong is a
 * `MemoryError`, whose `failure` has a type to match on, a message, and a hint at what mends it.
 */
export interface Workspace {
  /** The folder, absolute. */
  readonly root: string;
  readonly settings: Settings;
  /** Which models are used, and where they run. */
  readonly models: ModelSettings;
  readonly clock: Clock;

  /**
   * Finds facts and log text, with citations.
   * @throws MemoryError `usage`, `interrupted`
   * @example
   * const { results } = await memory.recall({ query: 'where does Peter live?', k: 1 });
   * results[0]?.content; // => '@Peter: lives in Vienna'
   * results[0]?.source; // => 'memory/2026-03-12.md#L4'
   */
  recall(request: RecallRequest, signal?: AbortSignal): Promise<RecallAnswer>;

  /**
   * The block of memories to put before the last message of a conversation. What goes wrong leaves the conversation as it
   * is, with a warning.
   * @throws MemoryError `usage`
   * @example
   * const message = { role: 'user', content: 'Where does Peter live?' };
   * const { injected, block } = await memory.buildContext({ messages: [message] });
   * block.includes('lives in Vienna (memory/2026-03-12.md#L4)'); // => true
   */
  buildContext(request: BuildRequest, signal?: AbortSignal): Promise<BuiltContext>;

  /**
   * As {@link recall}, with what a person reads beside it.
   * @throws MemoryError `usage`, `interrupted`
   * @example
   * const { answer, ids } = await memory.recallToRead({ query: 'where does Peter live?', k: 1 });
   * ids.get(answer.results[0]?.id ?? '')?.length; // => 8
   */
  recallToRead(request: RecallRequest, signal?: AbortSignal): Promise<ReadAnswer>;

  /**
   * Shows a statement, lines or a page, with what links to the page.
   * @throws MemoryError `not_found`, and `usage` for what several ids begin with
   * @example
   * const { item } = await memory.get({ path: 'memory/2026-03-12.md#L4' });
   * item.content; // => '@Peter: lives in Vienna'
   */
  get(request: GetRequest): Promise<GetAnswer>;

  /**
   * The shortest beginnings of some ids that mean nothing else, at least six characters behind their kind.
   * @example
   * const { results } = await memory.recall({ query: 'where does Peter live?', k: 1 });
   * const id = results[0]?.id ?? '';
   * const short = (await memory.shortIds([id])).get(id) ?? '';
   * id.startsWith(short); // => true
   */
  shortIds(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;

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
  recallBatch(
    requests: Iterable<BatchedRecall> | AsyncIterable<BatchedRecall>,
    mode?: RecallMode,
    signal?: AbortSignal,
  ): AsyncGenerator<RecallAnswer>;

  /**
   * Appends typed facts; returns when the bytes are on disk.
   * @throws MemoryError `usage`, `refused`, `busy`, `interrupted`
   * @example
   * const { retained } = await memory.retain({ facts: ['W @Carla: keeps bees', 'O(c=0.9) @Carla: likes honey'] });
   * retained.map(({ source }) => source); // => ['memory/2026-03-15.md#L5', 'memory/2026-03-15.md#L6']
   */
  retain(request: RetainRequest): Promise<RetainReport>;

  /**
   * Forgets a statement wherever it stands, for good: a tombstone keeps it out also when a merge brings it back.
   * @throws MemoryError `not_found`, `busy`, `interrupted`
   * @example
   * const { results } = await memory.recall({ query: 'where does Peter live?', k: 1 });
   * const { erased } = await memory.forget({ id: results[0]?.id ?? '' });
   * erased; // => ['memory/2026-03-12.md#L4']
   */
  forget(request: ForgetRequest): Promise<ForgetReport>;

  /**
   * Forgotten statements that stand in a page all the same, for `forget` to take out.
   * @example
   * const standing = await memory.standing();
   * standing.length; // => 0
   */
  standing(): Promise<readonly Standing[]>;

  /**
   * Takes back what was forgotten on this machine.
   * @throws MemoryError `not_found`, `busy`, `interrupted`
   * @example
   * const { results } = await memory.recall({ query: 'where does Peter live?', k: 1 });
   * const { id } = await memory.forget({ id: results[0]?.id ?? '' });
   * const { restored } = await memory.unforget(id);
   * restored[0]?.path; // => 'memory/2026-03-12.md'
   */
  unforget(id: string, dryRun?: boolean): Promise<UndoReport>;

  /**
   * One git commit of exactly these files, relative to the workspace.
   * @throws MemoryError `workspace` when it is in no repository
   * @example
   * const { changes } = await memory.retain({ facts: ['W @Carla: keeps bees'] });
   * const { commit, warning } = await memory.commit(changes.map(({ path }) => path), 'Carla keeps bees');
   * [typeof commit, warning]; // => ['string', undefined]
   */
  commit(paths: readonly string[], message: string): Promise<GitCommit>;

  /**
   * Brings the index up to date. Every verb that reads does so by itself; this one tells what it did.
   * @throws MemoryError `busy`, `interrupted`
   * @example
   * const { verify } = await memory.index({ verify: true });
   * verify?.differences; // => []
   */
  index(options?: IndexOptions): Promise<IndexReport>;

  /**
   * Makes the vectors that are missing for recall by meaning. What was made is kept, however it ends.
   * @throws MemoryError `model_unavailable`, `busy`, `interrupted`
   * @example
   * const { embedded } = await memory.embed();
   * embedded > 0; // => true
   */
  embed(options?: EmbedOptions): Promise<FillReport>;

  /**
   * What in the files a person should look at; mends what is safe to mend.
   * @throws MemoryError `not_found`, `busy`, `interrupted`
   * @example
   * const { problems } = await memory.lint({ paths: ['memory'], secrets: true, fix: false, dryRun: false });
   * problems; // => []
   */
  lint(request: LintRequest): Promise<LintReport>;

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
  watch(options: WatchOptions): Promise<void>;

  /**
   * Recall quality on one's own questions, all answered from one opened index.
   * @throws MemoryError `usage`, `interrupted`
   * @example
   * const { recall } = await memory.eval([{ query: 'where does Anna work?', expect: ['memory/2026-03-14.md#L2'] }]);
   * recall; // => 1
   */
  eval(cases: readonly EvalCase[], options?: EvalOptions): Promise<EvalReport>;

  /**
   * What there is, computed from the disk.
   * @example
   * const { today, facts } = await memory.status();
   * today; // => '2026-03-15'
   */
  status(): Promise<StatusReport>;

  /**
   * What the model server and both models can do: asks them, and so loads them. What can't be used is said in the report.
   * @throws MemoryError `interrupted`
   * @example
   * const { chat, embedding } = await memory.probeModels();
   * [chat.problem, embedding.problem]; // => [null, null]
   */
  probeModels(signal?: AbortSignal): Promise<ModelsReport>;

  /**
   * The embedding models that there are, which of them is used, and what it knows.
   * @example
   * const { models } = await (await memory.embeddingModels()).list();
   * models.find(({ isSet }) => isSet)?.name; // => 'embeddinggemma'
   */
  embeddingModels(signal?: AbortSignal): Promise<EmbeddingModels>;

  /**
   * Fetches the models that are set and not there, over the net. Returns their names.
   * @throws MemoryError `model_unavailable`, `interrupted`
   * @example
   * const steps: string[] = [];
   * const fetched = await memory.pullModels({ onProgress: (model, { status }) => steps.push(`${model}: ${status}`) });
   * fetched; // => []
   */
  pullModels(options?: PullOptions): Promise<readonly string[]>;

  /**
   * What is known of an entity: its page, the facts about it, and which of them hold today; undefined when it is unknown.
   * @example
   * const peter = await memory.entity('Peter');
   * peter?.name; // => 'Peter'
   */
  entity(name: string): Promise<(EntityView & { readonly holds: EntityHolds }) | undefined>;

  /**
   * Every entity, the most mentioned first.
   * @example
   * const entities = await memory.entities();
   * entities.map(({ name }) => name); // => ['Peter', 'Anna']
   */
  entities(): Promise<readonly ListedEntity[]>;

  /**
   * Opinions, those of the bank first, the surest first.
   * @example
   * const opinions = await memory.opinions({ entities: ['Peter'], minConfidence: 0.5 });
   * opinions[0]?.content; // => '@Peter: Prefers tea in the morning.'
   */
  opinions(filter?: OpinionFilter): Promise<readonly OpinionView[]>;

  /**
   * The opinions that an id, or a text in them, names.
   * @example
   * const [opinion] = await memory.findOpinions('tea');
   * opinion?.confidence; // => 0.8
   */
  findOpinions(wanted: string): Promise<readonly OpinionView[]>;

  /**
   * The core file as it is.
   * @example
   * const { path, budget } = await memory.core();
   * path; // => 'MEMORY.md'
   */
  core(): Promise<CoreView>;

  /**
   * Changes the core file within its budget.
   * @throws MemoryError `refused` when it would not fit, `not_found`, `busy`, `interrupted`
   * @example
   * await memory.changeCore({ type: 'append', text: 'Anna works in Graz.' });
   * (await memory.core()).text.endsWith('Anna works in Graz.\n'); // => true
   */
  changeCore(edit: CoreEdit, dryRun?: boolean): Promise<CoreReport>;

  /**
   * What is proposed for the core.
   * @example
   * const proposals = await memory.proposals();
   * proposals.list().waiting.length; // => 1
   */
  proposals(): Promise<Proposals>;

  /**
   * Everything there is as one HTML page, to look at: it asks for nothing on the network.
   * @throws MemoryError `usage` for a file that is no page of ours, `not_found` for an unknown entity
   * @example
   * const { counts } = await memory.view({ out: '-', entity: 'Anna' });
   * counts.entities; // => 1
   */
  view(request?: ViewRequest): Promise<ViewReport>;

  /**
   * How pages and statements changed in git.
   * @example
   * const history = await memory.history();
   * const { changes } = await history.of('bank/opinions.md');
   * changes.length; // => 1
   */
  history(): Promise<History>;

  /**
   * When reflect last ran on this machine, and with what result.
   * @example
   * const { problem } = await memory.checkSchedule();
   * problem; // => 'never'
   */
  checkSchedule(): Promise<ScheduleCheck>;

  /**
   * Turning facts into pages, and beliefs that follow the evidence.
   * @example
   * const reflection = await memory.reflection();
   * const { facts } = await reflection.run({ dryRun: true, maxCalls: 0 });
   * facts; // => 3
   */
  reflection(signal?: AbortSignal): Promise<Reflection>;

  /**
   * A verdict on what a later statement does to an earlier one of the same subject; a person's counts before every other.
   * @throws MemoryError `not_found`, `usage` for two that can't be settled so, `busy`, `interrupted`
   * @example
   * const { retained } = await memory.retain({ facts: ['W @Carla: keeps bees', 'W @Carla: sold the hives'] });
   * const [older = '', newer = ''] = retained.map(({ id }) => id);
   * const { verdict } = await memory.settle({ older, newer, relation: 'ends' });
   * [verdict.of === older, verdict.by]; // => [true, 'human']
   */
  settle(request: SettleRequest, by?: 'human' | 'agent'): Promise<SettledPair>;

  /**
   * Brings the summaries of the folders of typed memories up to date with what people and other verbs wrote there. Every
   * writing command ends with it.
   * @throws MemoryError `settings` for a memory type of the workspace that can't be read
   * @example
   * const changes = await memory.refreshSummaries();
   * changes.length; // => 0
   */
  refreshSummaries(): Promise<readonly FileChange[]>;

  /**
   * Long-term memories out of conversations, as typed pages.
   * @example
   * const extraction = await memory.extraction();
   * const { pages } = await extraction.apply('{"profile": [{"content": "- Keeps bees"}]}');
   * pages; // => [{ path: 'bank/profile.md', operation: 'add' }]
   */
  extraction(signal?: AbortSignal): Promise<Extraction>;

  /**
   * The sessions of this workspace.
   * @example
   * const sessions = await memory.sessions();
   * (await sessions.list()).map(({ session }) => session); // => ['chat']
   */
  sessions(signal?: AbortSignal): Promise<Sessions>;

  /**
   * The chat model that is set, when it is there. Failures: `model_unavailable` with what mends it, `interrupted`.
   * @example
   * const model = await memory.chatModel();
   * model.ok; // => true
   */
  chatModel(signal?: AbortSignal): Promise<Result<ToolModel>>;

  /**
   * A file that a process in the background may write its notes to.
   * @example
   * memory.logPath('reflect').endsWith('logs/reflect.log'); // => true
   */
  logPath(name: string): string;
}
