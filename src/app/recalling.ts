import type { Clock } from '../base/clock.js';
import { checkRequest } from '../base/request.js';
import type { FreshIndex } from '../index/fresh.js';
import { shortIds } from '../index/query/ids.js';
import type { Search } from '../index/search.js';
import { inGroups } from '../recall/groups.js';
import { type RecallSource, recall } from '../recall/recall.js';
import {
  BATCHED,
  type BatchedRecall,
  RECALL,
  type RecallAnswer,
  type RecallMode,
  type RecallRequest,
  readRecall,
} from '../recall/request.js';
import { endIfInterrupted, type Semantic, withSemantic } from './answering.js';
import { EVAL, type EvalOptions } from './requests.js';

/** What `recall` asks of a workspace. */
export interface Recalling {
  readonly clock: Clock;
  readonly openSemantic: (mode?: RecallMode, signal?: AbortSignal) => Promise<Semantic>;
  readonly openSource: () => Promise<{ readonly fresh: FreshIndex; readonly source: RecallSource }>;
}

/** @param use works on the answer while the index that it is from is open */
export async function answerOne<T>(
  { clock, openSemantic, openSource }: Recalling,
  request: RecallRequest,
  use: (answer: RecallAnswer, search: Search) => T,
  signal: AbortSignal | undefined,
): Promise<T> {
  checkRequest<RecallRequest>('recall', RECALL, request);
  const query = await readRecall(request, clock);
  const semantic = await openSemantic(request.mode, signal);
  // The server works on the question's vector while the index is opened and searched by words.
  await semantic.source?.prepare([query.query]);
  try {
    const { fresh, source } = await openSource();
    try {
      const used = use(await recall(withSemantic(source, semantic), query), source.search);
      endIfInterrupted(signal);
      return used;
    } finally {
      fresh.close();
    }
  } finally {
    semantic.source?.close();
  }
}

/** An answer with what a person reads beside it: the short forms of its ids, and in how many files there is no answer. */
export function toRead(answer: RecallAnswer, search: Search) {
  const files = answer.results.length === 0 ? search.fileCount() : 0;
  const ids = answer.results.flatMap(({ id, superseded, newer }) => [id, superseded ?? [], newer ?? []].flat());
  return { answer, ids: shortIds(search, ids), files };
}

export async function* answerMany(
  { clock, openSemantic, openSource }: Recalling,
  requests: Iterable<BatchedRecall> | AsyncIterable<BatchedRecall>,
  mode: RecallMode | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<RecallAnswer> {
  checkRequest<EvalOptions>('recallBatch', EVAL, { mode, signal });
  const semantic = await openSemantic(mode, signal);
  const { fresh, source } = await openSource();
  const asked = withSemantic(source, semantic);
  try {
    for await (const group of inGroups(requests)) {
      for (const request of group) checkRequest<BatchedRecall>('recallBatch', BATCHED, request);
      await semantic.source?.prepare(group.map(({ query }) => query));
      for (const request of group) {
        const answer = await recall(asked, await readRecall(request, clock));
        endIfInterrupted(signal);
        yield answer;
      }
    }
  } finally {
    semantic.source?.close();
    fresh.close();
  }
}
