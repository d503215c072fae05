import { readRequest } from '../base/request.js';
import {
  type BuiltContext,
  buildContextBlock,
  CONTEXT_BUILD_REQUEST,
  type ContextBuildRequest,
  type MemoryAccess,
} from '../context/build.js';
import { withIndexRepair } from '../index/heal.js';
import { recall } from '../recall/recall.js';
import type { SemanticSource } from '../recall/semantic.js';
import { pageSimilarity } from '../recall/similarity.js';
import {
  addSemanticSource,
  type IndexAccess,
  type SemanticSourceResult,
  withIndex,
  withoutFutureLogs,
} from './index-access.js';

/** What a workspace lends to find the memories before a message. */
interface ContextBlockServices extends Pick<MemoryAccess, 'settings' | 'clock' | 'core'> {
  readonly openSemantic: () => Promise<SemanticSourceResult>;
  readonly reader: IndexAccess;
}

/** The block of memories to put before the last message of a conversation. */
export function buildWorkspaceContextBlock(
  given: ContextBuildRequest,
  tools: ContextBlockServices,
): Promise<BuiltContext> {
  const request = { ...readRequest('buildContext', CONTEXT_BUILD_REQUEST, given), messages: given.messages };
  const { settings, clock, core, openSemantic, reader } = tools;
  const readOnce: MemoryAccess['read'] = async (query, use) => {
    const { source, warnings } = await openSemantic();
    // Asked for once: the score of a page needs it as well as recall.
    const vectors = source?.vectorOf(query);
    const alike: SemanticSource['alike'] = (search) => source?.alike(search) ?? (() => false);
    const asked = vectors && { alike, prepare: async () => {}, vectorOf: () => vectors, close: () => {} };
    try {
      return await withIndex(reader, async (whole) => {
        const from = withoutFutureLogs(whole);
        const found = await vectors;
        const meaning = found?.ok === true ? pageSimilarity(from.search, found.value) : undefined;
        const semantic = addSemanticSource(from, { warnings, ...(asked && { source: asked }) });
        const recalling = { ...semantic, inOneStep: true };
        return use(from.search, (k) => recall(recalling, { query, k }), meaning);
      });
    } finally {
      source?.close();
    }
  };
  const read: MemoryAccess['read'] = (query, use) => withIndexRepair(reader.context, () => readOnce(query, use));
  return buildContextBlock(request, { settings, clock, core, read });
}
