import type { Clock } from '../base/clock.js';
import { fail } from '../base/failure.js';
import { readRequest, readTypedRequest } from '../base/request.js';
import type { IndexContext } from '../index/fresh.js';
import { withIndexRepair } from '../index/heal.js';
import { shortenIds } from '../index/query/ids.js';
import type { IndexSearch } from '../index/search.js';
import type { FileTree } from '../index/tree.js';
import { type RecallSource, recall } from '../recall/recall.js';
import * as requests from '../recall/request.js';
import {
  addSemanticSource,
  type IndexAccess,
  openSource,
  type SemanticSourceResult,
  throwIfInterrupted,
} from './index-access.js';
import { EVAL_REQUEST } from './requests.js';

/** What `recall` asks of a workspace. */
export interface RecallServices {
  readonly clock: Clock;
  readonly openSemantic: (mode?: requests.RecallMode, signal?: AbortSignal) => Promise<SemanticSourceResult>;
  readonly reader: IndexAccess;
}

/** @param use works on the answer while the index that it is from is open */
export async function answerOneQuestion<T>(
  recalling: RecallServices,
  given: requests.RecallRequest,
  use: (answer: requests.RecallAnswer, search: IndexSearch) => T,
  signal: AbortSignal | undefined,
): Promise<T> {
  const request = readRequest('recall', requests.RECALL_REQUEST, given);
  const query = await requests.readRecallRequest(request, recalling.clock);
  return withIndexRepair(recalling.reader.context, async (healed) => {
    const asked = await openAsked(recalling, request.mode, [query.query], healed, signal);
    try {
      const answer = await recall(asked.source, query);
      const used = use(await sayUnread(answer, asked.tree, recalling.reader.context), asked.source.search);
      throwIfInterrupted(signal);
      return used;
    } finally {
      asked.close();
    }
  });
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

interface Asked {
  readonly source: RecallSource;
  readonly semantic: SemanticSourceResult;
  readonly tree: FileTree;
  close(): void;
}

async function openAsked(
  { openSemantic, reader }: RecallServices,
  mode: requests.RecallMode | undefined,
  queries: readonly string[],
  healed: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Asked> {
  const semantic = await openSemantic(mode, signal);
  try {
    // The server works on the question's vector while the index is opened and searched by words.
    await semantic.source?.prepare(queries);
    const { fresh, source } = await openSource(reader, healed);
    const close = (): void => {
      semantic.source?.close();
      fresh.close();
    };
    return { source: addSemanticSource(source, semantic), semantic, tree: fresh.tree, close };
  } catch (error) {
    semantic.source?.close();
    throw error;
  }
}

/** An answer for a person. */
export interface ReadableAnswer {
  readonly answer: requests.RecallAnswer;
  /** The shortest beginnings of the ids in it that mean nothing else. */
  readonly ids: ReadonlyMap<string, string>;
  /** Where nothing was found: how many files were looked at. */
  readonly files: number;
}

/** An answer with what a person reads beside it. */
export function makeAnswerReadable(answer: requests.RecallAnswer, search: IndexSearch): ReadableAnswer {
  const files = answer.results.length === 0 ? search.fileCount() : 0;
  const ids = answer.results.flatMap(({ id, superseded, newer }) => [id, superseded ?? [], newer ?? []].flat());
  return { answer, ids: shortenIds(search, ids), files };
}

export async function* answerManyQuestions(
  recalling: RecallServices,
  given: Iterable<requests.BatchedRecall> | AsyncIterable<requests.BatchedRecall>,
  by: requests.RecallMode | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<requests.RecallAnswer> {
  const { mode } = readTypedRequest('recallBatch', EVAL_REQUEST, { mode: by, signal });
  let asked: Asked | undefined;
  const open = async (queries: readonly string[], healed: readonly string[]): Promise<Asked> => {
    if (asked !== undefined && healed.length === 0) return asked;
    asked?.close();
    asked = undefined;
    asked = await openAsked(recalling, mode, queries, healed, signal);
    return asked;
  };
  try {
    const { context } = recalling.reader;
    await withIndexRepair(context, (healed) => open([], healed));
    for await (const some of groupAvailableValues(given)) {
      const group = some.map((request) => readTypedRequest('recallBatch', requests.BATCHED_REQUEST, request));
      const queries = group.map(({ query }) => query);
      await asked?.semantic.source?.prepare(queries);
      for (const request of group) {
        const query = await requests.readRecallRequest(request, recalling.clock);
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

/** Vectors of so many questions are asked for at once. */
const MOST = 32;

/**
 * Takes what has come in already together, up to 32, so that one request serves many; never waits for a second while
 * there is a first: whoever writes one line and waits for its answer gets it.
 */
export async function* groupAvailableValues<T>(values: Iterable<T> | AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  if (!(Symbol.asyncIterator in Object(values) || Symbol.iterator in Object(values)) || typeof values === 'string')
    fail('usage', 'recallBatch needs a list of requests', 'pass an array or a generator');
  const iterator = Symbol.asyncIterator in values ? values[Symbol.asyncIterator]() : values[Symbol.iterator]();
  let next = ahead(iterator);
  // An error is thrown where the value is awaited; until then it is nobody's.
  const read = () => {
    next = ahead(iterator);
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

async function ahead<T>(iterator: Iterator<T> | AsyncIterator<T>): Promise<IteratorResult<T>> {
  return iterator.next();
}

/** The value of a promise that is settled once everything that is ready has had its turn. */
function orUndefined<T>(promise: Promise<T>): Promise<T | undefined> {
  const turn = new Promise<undefined>((resolve) => void setImmediate(() => setImmediate(resolve, undefined)));
  // What goes wrong is thrown when its own turn comes.
  return Promise.race([promise.catch(() => undefined), turn]);
}
