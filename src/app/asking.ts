import { join } from 'node:path';
import { lazy } from '../base/cache.js';
import type { Clock } from '../base/clock.js';
import { fail } from '../base/failure.js';
import { readRequest, readTypedRequest } from '../base/request.js';
import type { BuiltContext, ContextBuildRequest, MemoryAccess } from '../context/build.js';
import type { FreshIndex, IndexContext } from '../index/fresh.js';
import { withIndexRepair } from '../index/heal.js';
import type { IndexSearch } from '../index/search.js';
import { type FileTree, requireAllRead } from '../index/tree.js';
import { hasVectors } from '../index/vectors/path.js';
import type { AwayFiles } from '../memory/away.js';
import { EVIDENCE_PATH } from '../memory/evidence.js';
import type { FinalPairVerdicts } from '../memory/threads/verdicts.js';
import type { RecallSource } from '../query/query.js';
import * as requests from '../query/request.js';
import type { SemanticSource } from '../query/semantic.js';
import { today } from '../workspace/clock.js';
import { findLinesWithText } from '../workspace/files.js';
import { coreContext, type WorkspaceParts } from './open.js';
import { EVAL_REQUEST } from './requests.js';

/** The place of the index, for one command. */
export function indexContext(
  { context, models }: Pick<WorkspaceParts, 'context' | 'models'>,
  command: string,
): IndexContext {
  return { ...context, command, withCodes: models.meaning === 'default' || models.meaning === 'built-in' };
}

/** The questions of a command that also searches by meaning. */
interface AskedByMeaning {
  /** Default: `auto`. */
  readonly mode?: requests.RecallMode | undefined;
  /** Whether the model that comes with the package may be asked, if no other has vectors. Default: no. */
  readonly mayUseBuiltIn?: boolean;
  /** Questions that come first. Their vectors are computed while the index is opened and searched by words. */
  readonly queries: readonly string[];
}

/**
 * Calls a function with an index that is up to date. If the index or its vectors turn out to be damaged, heals them and
 * calls the function once more.
 * @param meaning the questions that are also searched by meaning. Default: search by words only
 */
export function withIndex<T>(
  parts: WorkspaceParts,
  command: string,
  use: (source: RecallSource, fresh: FreshIndex) => Promise<T>,
  meaning?: AskedByMeaning,
): Promise<T> {
  return withIndexRepair(indexContext(parts, command), async (healed) => {
    const { source, fresh, close } = await openSource(parts, command, healed, meaning);
    try {
      return await use(source, fresh);
    } finally {
      close();
    }
  });
}

/** As {@link withIndex}, for who decides by what is read. @throws MemoryError `io` where something can't be read now */
export function withWholeIndex<T>(
  parts: WorkspaceParts,
  command: string,
  use: (search: IndexSearch, away: AwayFiles, tree: FileTree) => Promise<T>,
): Promise<T> {
  return withIndex(parts, command, async ({ search }, { tree, away }) => {
    requireAllRead([...tree.notices, ...search.unreadFiles()]);
    const evidence = tree.notices.find(({ path }) => path === EVIDENCE_PATH);
    if (evidence !== undefined)
      fail(
        'io',
        `${EVIDENCE_PATH} ${evidence.reason}`,
        'put a readable file there; without it, nothing can be decided',
      );
    return search.atOneMoment(() => use(search, away, tree));
  });
}

/** Index for questions about the present: logs of future days are left out. */
export function withoutFutureLogs(source: RecallSource): RecallSource {
  return { ...source, ...source.present, present: undefined };
}

/** @throws MemoryError `interrupted` */
export function throwIfInterrupted(signal: AbortSignal | undefined, what = 'the answer was'): void {
  if (signal?.aborted) fail('interrupted', `${what} interrupted`, 'run the command again');
}

/** Answers a question. @param use works on the answer while the index that it is from is open */
export async function answerQuestion<T>(
  parts: WorkspaceParts,
  given: requests.RecallRequest,
  use: (answer: requests.RecallAnswer, search: IndexSearch) => T,
): Promise<T> {
  const { clock, signal } = parts.context;
  const request = readRequest('recall', requests.RECALL_REQUEST, given);
  const query = await requests.readRecallRequest(request, clock);
  const { recall } = await import('../query/query.js');
  const ask = async (source: RecallSource, { tree }: FreshIndex) => {
    const answer = await recall(source, query);
    const used = use(await sayUnread(answer, tree, indexContext(parts, 'recall')), source.search);
    throwIfInterrupted(signal);
    return used;
  };
  return withIndex(parts, 'recall', ask, { mode: request.mode, mayUseBuiltIn: true, queries: [query.query] });
}

/** Nothing was found: it may stand in notes that no setting has read. */
async function sayUnread(
  answer: requests.RecallAnswer,
  tree: FileTree,
  context: IndexContext,
): Promise<requests.RecallAnswer> {
  if (answer.results.length > 0) return answer;
  const { findUnreadNotices } = await import('../index/run.js');
  const unread = findUnreadNotices(context, tree).map(({ path, reason }) => `${path} ${reason}`);
  return { ...answer, warnings: [...answer.warnings, ...unread] };
}

/** An answer for a person. */
export interface ReadableAnswer {
  readonly answer: requests.RecallAnswer;
  /** The shortest beginnings of the ids in it that mean nothing else. */
  readonly ids: ReadonlyMap<string, string>;
  /** The texts of newer statements, by id. */
  readonly newer: ReadonlyMap<string, string>;
  /** Where nothing was found: how many files were looked at. */
  readonly files: number;
}

/** Answers a question, with what a person reads beside the answer. */
export async function answerReadably(parts: WorkspaceParts, given: requests.RecallRequest): Promise<ReadableAnswer> {
  const { shortenIds } = await import('../index/query/ids.js');
  return answerQuestion(parts, given, (answer, search) => {
    const files = answer.results.length === 0 ? search.fileCount() : 0;
    const ids = answer.results.flatMap(({ id, superseded, newer }) => [id, superseded ?? [], newer ?? []].flat());
    const texts = answer.results.flatMap(({ newer: id }): readonly (readonly [string, string])[] => {
      const unit = id === undefined ? undefined : id.startsWith('l-') ? search.logLine(id) : search.statements(id)[0];
      return id === undefined || unit === undefined ? [] : [[id, unit.text]];
    });
    return { answer, ids: shortenIds(search, ids), newer: new Map(texts), files };
  });
}

/** Answers many questions from one index, in order. */
export async function* answerQuestions(
  parts: WorkspaceParts,
  given: Iterable<requests.BatchedRecall> | AsyncIterable<requests.BatchedRecall>,
  by: requests.RecallMode | undefined,
): AsyncGenerator<requests.RecallAnswer> {
  const { clock, signal } = parts.context;
  const { mode } = readTypedRequest('recallBatch', EVAL_REQUEST, { mode: by, signal });
  const { recall } = await import('../query/query.js');
  const context = indexContext(parts, 'recall');
  let asked: OpenSource | undefined;
  const open = async (queries: readonly string[], healed: readonly string[]): Promise<OpenSource> => {
    if (asked !== undefined && healed.length === 0) return asked;
    asked?.close();
    asked = undefined;
    asked = await openSource(parts, 'recall', healed, { mode, mayUseBuiltIn: true, queries });
    return asked;
  };
  try {
    await withIndexRepair(context, (healed) => open([], healed));
    for await (const some of groupAvailableValues(given)) {
      const group = some.map((request) => readTypedRequest('recallBatch', requests.BATCHED_REQUEST, request));
      const queries = group.map(({ query }) => query);
      await asked?.source.semantic?.prepare(queries);
      for (const request of group) {
        const query = await requests.readRecallRequest(request, clock);
        const answer = await withIndexRepair(context, async (healed) =>
          recall((await open(queries, healed)).source, query),
        );
        throwIfInterrupted(signal);
        yield answer;
      }
    }
  } finally {
    asked?.close();
  }
}

/** Maximum number of questions whose vectors one request asks for. */
const MOST = 32;

/**
 * Groups the values that have already arrived, up to 32, so that one request serves many. Never waits for a second value:
 * somebody who writes one line and waits for its answer gets it.
 */
export async function* groupAvailableValues<T>(values: Iterable<T> | AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  if (!(Symbol.asyncIterator in Object(values) || Symbol.iterator in Object(values)) || typeof values === 'string')
    fail('usage', 'recallBatch needs a list of requests', 'pass an array or a generator');
  const iterator = Symbol.asyncIterator in values ? values[Symbol.asyncIterator]() : values[Symbol.iterator]();
  const ahead = async (): Promise<IteratorResult<T>> => iterator.next();
  let next = ahead();
  // The empty handler keeps Node from ending the process. The error is thrown where the value is awaited.
  const read = () => {
    next = ahead();
    next.catch(() => {});
  };
  for (let first = await next; !first.done; first = await next) {
    const group = [first.value];
    read();
    for (let ready = await orUndefined(next); ready !== undefined && !ready.done; ready = await orUndefined(next)) {
      group.push(ready.value);
      read();
      if (group.length === MOST) break;
    }
    yield group;
  }
}

/** The value of a promise if it is settled after two turns of the event loop, which let everything ready finish. */
function orUndefined<T>(promise: Promise<T>): Promise<T | undefined> {
  const turn = new Promise<undefined>((resolve) => void setImmediate(() => setImmediate(resolve, undefined)));
  // An error is not lost: the caller awaits the promise itself later.
  return Promise.race([promise.catch(() => undefined), turn]);
}

/** The block of memories to put before the last message of a conversation. */
export async function buildBlock(parts: WorkspaceParts, given: ContextBuildRequest): Promise<BuiltContext> {
  const { buildContextBlock, CONTEXT_BUILD_REQUEST } = await import('../context/build.js');
  const { recall } = await import('../query/query.js');
  const request = { ...readRequest('buildContext', CONTEXT_BUILD_REQUEST, given), messages: given.messages };
  const { settings, context } = parts;
  const read: MemoryAccess['read'] = (query, use) =>
    withIndex(
      parts,
      'context build',
      async (whole) => {
        const { semantic, ...words } = withoutFutureLogs(whole);
        // Asked for once: the score of a page needs it as well as recall.
        const found = await semantic?.vectorOf(query);
        const once = semantic && found && withVectors(semantic, found);
        const meaning =
          found?.ok === true
            ? (await import('../query/similarity.js')).pageSimilarity(words.search, found.value)
            : undefined;
        const source = { ...words, semantic: once, inOneStep: true };
        return use(words.search, (k) => recall(source, { query, k }), meaning);
      },
      { queries: [query] },
    );
  const core = async () => (await import('../retain/core.js')).showCore(coreContext(parts)).text;
  return buildContextBlock(request, { settings, clock: context.clock, core, read });
}

function withVectors(semantic: SemanticSource, found: Awaited<ReturnType<SemanticSource['vectorOf']>>): SemanticSource {
  return {
    prepare: async () => {},
    vectorOf: async () => found,
    alike: (search) => semantic.alike(search),
    isForUnsure: semantic.isForUnsure,
    close: () => {},
  };
}

interface OpenSource {
  readonly source: RecallSource;
  readonly fresh: FreshIndex;
  close(): void;
}

/** @param healed what was found damaged and is whole again */
async function openSource(
  parts: WorkspaceParts,
  command: string,
  healed: readonly string[],
  meaning: AskedByMeaning | undefined,
): Promise<OpenSource> {
  const { context, settings, shared } = parts;
  const semantic = meaning === undefined ? undefined : await openSemantic(parts, meaning);
  try {
    await semantic?.source?.prepare(meaning?.queries ?? []);
    const open = shared?.openIndex ?? (await import('../index/fresh.js')).openFreshIndex;
    const opened = await open(indexContext(parts, command));
    const fresh = { ...opened, warnings: [...healed, ...opened.warnings] };
    const close = (): void => {
      semantic?.source?.close();
      fresh.close();
    };
    const search = await openSearch(fresh, context.root, context.clock);
    const { recallResources: withResources, recallLimit: defaultLimit } = settings;
    const how = { clock: context.clock, withResources, defaultLimit, semantic: semantic?.source };
    return {
      source: { ...search, ...how, warnings: [...search.warnings, ...(semantic?.warnings ?? [])] },
      fresh,
      close,
    };
  } catch (error) {
    semantic?.source?.close();
    throw error;
  }
}

async function openSemantic(parts: WorkspaceParts, { mode = 'auto', mayUseBuiltIn = false }: AskedByMeaning) {
  const { meaning } = parts.models;
  if (mode === 'lexical' || meaning === 'none') return undefined;
  if (meaning === 'built-in' && !mayUseBuiltIn) return undefined;
  const isBuiltInChosen = mayUseBuiltIn && meaning !== 'named';
  const mayHaveVectors = meaning !== 'built-in' && hasVectors(parts.context.stateFolder);
  if (mayHaveVectors || (mode === 'hybrid' && !isBuiltInChosen)) {
    const { openConfiguredSemanticSource } = await import('./embedding.js');
    const opened = openConfiguredSemanticSource(parts, isBuiltInChosen ? 'auto' : mode);
    if (opened.source !== undefined || opened.warnings.length > 0 || !isBuiltInChosen) return opened;
  }
  if (!isBuiltInChosen) return undefined;
  const { openBuiltInModel } = await import('../query/built-in.js');
  return { source: openBuiltInModel(mode !== 'hybrid'), warnings: [] };
}

/** An open index to be asked, with the beliefs that it holds. */
export async function openSearch({ segments, stale, warnings, tree, away }: FreshIndex, root: string, clock: Clock) {
  const [{ IndexSearch }, { BeliefLookup }, { readFinalVerdicts }] = await Promise.all([
    import('../index/search.js'),
    import('../query/beliefs.js'),
    import('../memory/threads/verdicts.js'),
  ]);
  const search = IndexSearch.of(segments);
  const evidence = join(root, EVIDENCE_PATH);
  const asking = (index: IndexSearch) => {
    const beliefs = new BeliefLookup(index, (having) => findLinesWithText(evidence, having));
    const verdicts = lazy(
      (): FinalPairVerdicts => beliefs.taking(readFinalVerdicts(findLinesWithText(evidence, OF_TWO))),
    );
    return { search: index, beliefs, verdicts };
  };
  const present = search.upTo(today(clock));
  const unread = [...tree.notices.filter(({ isUnread }) => isUnread), ...search.unreadFiles()];
  return {
    ...asking(search),
    present: present && asking(present),
    stale,
    away,
    warnings: [...warnings, ...away.warnings(), ...unread.map(({ path, reason }) => `${path} ${reason}`)],
  };
}

/** Text that every evidence line about two statements contains. */
const OF_TWO = '"of"';
