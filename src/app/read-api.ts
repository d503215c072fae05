import { checkRequest, checkSignalArgument, readRequest, readTypedRequest } from '../base/request.js';
import type { ContextBuildRequest } from '../context/build.js';
import { withIndexRepair } from '../index/heal.js';
import { hasVectors } from '../index/vectors/path.js';
import type { FactSimilarityTest } from '../memory/threads/threads.js';
import type { EntityView } from '../recall/entity-view.js';
import type { GetRequest } from '../recall/get.js';
import type { OpinionFilter } from '../recall/opinion-view.js';
import type { RecallSource } from '../recall/recall.js';
import type { BatchedRecall, RecallAnswer, RecallMode, RecallRequest } from '../recall/request.js';
import type { EntityState, StateCount } from '../reflect/entity-state.js';
import type { EvalCase } from '../upkeep/eval.js';
import type { ViewRequest } from '../view/view.js';
import { today } from '../workspace/clock.js';
import { addSemanticSource, withoutFutureLogs } from './index-access.js';
import type { RecallServices } from './recall-api.js';
import { ENTITY_REQUEST, EVAL_REQUEST, type EvalOptions, TEXT_FIELD, TEXTS_FIELD } from './requests.js';
import { OpenedWorkspace } from './resources.js';

/** An entity, what holds of it today, and what an answer about it lacks. */
type KnownEntity = EntityView & {
  readonly holds: EntityState;
  readonly holdsCount: StateCount;
  readonly warnings: readonly string[];
};

/** What an open workspace answers. Each verb is loaded when it is first asked for: half of start-up is compiling code. */
export class ReadApi extends OpenedWorkspace {
  /**
   * Finds facts and log text, with citations.
   * @throws MemoryError `usage`, `interrupted`
   * @example
   * const { results } = await memory.recall({ query: 'where does Peter live?', k: 1 });
   * results[0]?.content; // => '@Peter: lives in Vienna'
   * results[0]?.source; // => 'memory/2026-03-12.md#L4'
   */
  async recall(request: RecallRequest, signal = this.opened.signal) {
    const { answerOneQuestion } = await import('./recall-api.js');
    return answerOneQuestion(this.recalling, request, (answer) => answer, checkSignalArgument(signal));
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
  async buildContext(request: ContextBuildRequest, signal = this.opened.signal) {
    const { buildWorkspaceContextBlock } = await import('./context-block.js');
    return buildWorkspaceContextBlock(request, {
      settings: this.settings,
      clock: this.clock,
      core: async () => (await this.core()).text,
      openSemantic: () => this.openSemantic('auto', signal),
      reader: this.reader('context build'),
    });
  }

  /**
   * As {@link recall}, with what a person reads beside it.
   * @throws MemoryError `usage`, `interrupted`
   * @example
   * const { answer, ids } = await memory.recallToRead({ query: 'where does Peter live?', k: 1 });
   * ids.get(answer.results[0]?.id ?? '')?.length; // => 8
   */
  async recallToRead(request: RecallRequest, signal = this.opened.signal) {
    const { answerOneQuestion, makeAnswerReadable } = await import('./recall-api.js');
    return answerOneQuestion(this.recalling, request, makeAnswerReadable, checkSignalArgument(signal));
  }

  /**
   * Shows a statement, lines or a page, with what links to the page.
   * @throws MemoryError `not_found`, and `usage` for what several ids begin with
   * @example
   * const { item } = await memory.get({ path: 'memory/2026-03-12.md#L4' });
   * item.content; // => '@Peter: lives in Vienna'
   */
  async get(given: GetRequest) {
    const { GET_REQUEST, getItem } = await import('../recall/get.js');
    const request = readRequest('get', GET_REQUEST, given);
    return this.reading('get', async (source) => getItem({ ...source, root: this.root }, request));
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
    checkRequest('shortIds', { ids: TEXTS_FIELD }, { ids });
    const { shortenIds, shortenIndexedIds } = await import('../index/query/ids.js');
    const context = this.indexContext('recall');
    // What has come since would hardly begin alike, and is indexed by whoever asks about it.
    const short = await withIndexRepair(context, async () => shortenIndexedIds(this.stateFolder, ids));
    return short ?? this.reading('recall', async ({ search }) => shortenIds(search, ids));
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
    signal = this.opened.signal,
  ): AsyncGenerator<RecallAnswer> {
    const { answerManyQuestions } = await import('./recall-api.js');
    yield* answerManyQuestions(this.recalling, requests, mode, signal);
  }

  /**
   * Recall quality on one's own questions, all answered from one opened index.
   * @throws MemoryError `usage`, `interrupted`
   * @example
   * const { recall } = await memory.eval([{ query: 'where does Anna work?', expect: ['memory/2026-03-14.md#L2'] }]);
   * recall; // => 1
   */
  async eval(cases: readonly EvalCase[], given: EvalOptions = {}) {
    const options = readTypedRequest('eval', EVAL_REQUEST, given);
    const { evaluateCases } = await import('../upkeep/eval.js');
    return this.reading('eval', async (source) => {
      const semantic = await this.openSemantic(options.mode, options.signal ?? this.opened.signal);
      try {
        return await evaluateCases(cases, addSemanticSource(source, semantic), options);
      } finally {
        semantic.source?.close();
      }
    });
  }

  /**
   * What there is, computed from the disk.
   * @example
   * const { today, facts } = await memory.status();
   * today; // => '2026-03-15'
   */
  async status() {
    const { buildStatus } = await import('../upkeep/status.js');
    const { root, clock, stateFolder } = this;
    const { located, state } = this.opened;
    const { host = null, hostFrom, chatModel, embedModel } = this.models;
    const configured = { host, hostFrom, chatModel, embedModel };
    const day = today(clock);
    const where = { root, foundBy: located.by, timezone: clock.zone, today: day, stateFolder: state, configured };
    const embedding = hasVectors(stateFolder) ? await import('./embedding.js') : undefined;
    return this.reading('status', async ({ search }, fresh) =>
      buildStatus(where, fresh, embedding?.vectorOverviewOf(stateFolder, search, this) ?? null, this.context),
    );
  }

  /**
   * What is known of an entity: its page, the facts about it and what holds today, all of it or the newest; undefined when
   * it is unknown.
   * @example
   * const peter = await memory.entity('Peter');
   * peter?.name; // => 'Peter'
   */
  async entity(wanted: string, given: { readonly facts?: number } = {}): Promise<KnownEntity | undefined> {
    const { name, facts } = readTypedRequest('entity', ENTITY_REQUEST, { ...given, name: wanted });
    const { showEntity } = await import('../recall/entity-view.js');
    const { MAX_ALL_ENTITY_FACTS, EntityStateReader, limitToNewest } = await import('../reflect/entity-state.js');
    const at = {
      today: today(this.clock),
      root: this.root,
      ...(facts === undefined ? { mostFacts: MAX_ALL_ENTITY_FACTS } : {}),
    };
    const embedding = hasVectors(this.stateFolder) ? await import('./embedding.js') : undefined;
    const show = async (source: RecallSource) => {
      const view = showEntity(source, name, facts);
      const { search, warnings } = source;
      const held = (alike?: FactSimilarityTest) =>
        view && {
          ...view,
          ...limitToNewest(new EntityStateReader(search, { ...at, alike }).of(name), facts),
          warnings,
        };
      return embedding ? embedding.runWithSimilarityTest(this.stateFolder, this, search, held) : held();
    };
    return this.reading('entity', (source) => {
      const now = withoutFutureLogs(source);
      return now.search.atOneMoment(() => show(now));
    });
  }

  /**
   * Every entity, the most mentioned first.
   * @example
   * const entities = await memory.entities();
   * entities.map(({ name }) => name); // => ['Peter', 'Anna']
   */
  async entities() {
    return this.reading('entity', async ({ search }) => search.entities());
  }

  /**
   * Opinions, those of the bank first, the surest first.
   * @example
   * const opinions = await memory.opinions({ entities: ['Peter'], minConfidence: 0.5 });
   * opinions[0]?.content; // => '@Peter: Prefers tea in the morning.'
   */
  async opinions(given: OpinionFilter = {}) {
    const { listOpinions, OPINIONS_REQUEST } = await import('../recall/opinion-view.js');
    const filter = readRequest('opinions', OPINIONS_REQUEST, given);
    return this.reading('opinion', async (source) => listOpinions(withoutFutureLogs(source), filter));
  }

  /**
   * The opinions that an id, or a text in them, names.
   * @example
   * const [opinion] = await memory.findOpinions('tea');
   * opinion?.confidence; // => 0.8
   */
  async findOpinions(wanted: string) {
    checkRequest('findOpinions', { wanted: TEXT_FIELD }, { wanted });
    const { findOpinions } = await import('../recall/opinion-view.js');
    return this.reading('opinion', async (source) => findOpinions(withoutFutureLogs(source), wanted));
  }

  /**
   * Names the files that are away or can't be read. Every answer lacks their content now.
   * @example
   * const warnings = await memory.warnings();
   * warnings.length; // => 0
   */
  async warnings(): Promise<readonly string[]> {
    return this.reading('status', async ({ warnings }) => warnings);
  }

  /**
   * The core file as it is.
   * @example
   * const { path, budget } = await memory.core();
   * path; // => 'MEMORY.md'
   */
  async core() {
    const { showCore } = await import('../retain/core.js');
    return showCore(this.coreContext);
  }

  /**
   * Forgotten statements that stand in a page all the same, for `forget` to take out.
   * @example
   * const standing = await memory.standing();
   * standing.length; // => 0
   */
  async standing() {
    const { findLeftovers } = await import('../retain/leftovers.js');
    return this.reading('forget', async ({ search }) => findLeftovers(this.root, search));
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
    return this.reading('view', async (source) => {
      const made = await makeView(this.reflectContext, this.settings, source, request);
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
    return new History(this.context, (use) => this.reading('history', async ({ search }) => use(search)));
  }

  /**
   * When reflect last ran on this machine, and with what result.
   * @example
   * const { problem } = await memory.checkSchedule();
   * problem; // => 'never'
   */
  async checkSchedule() {
    return (await import('../upkeep/schedule.js')).checkSchedule(this.stateFolder, this.clock);
  }

  private get recalling(): RecallServices {
    return {
      clock: this.clock,
      openSemantic: (mode, signal) => this.openSemantic(mode, signal),
      reader: this.reader('recall'),
    };
  }
}
