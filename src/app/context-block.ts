import { checkRequest } from '../base/request.js';
import { BUILD, type BuildRequest, type BuildTools, type BuiltContext, buildBlock } from '../context/build.js';
import { openMeaning } from '../recall/meaning.js';
import { type RecallSource, recall } from '../recall/recall.js';
import { type Semantic, withSemantic } from './answering.js';

/** What a workspace lends to find the memories before a message. */
export interface BlockTools extends Pick<BuildTools, 'settings' | 'clock' | 'core'> {
  readonly openSemantic: () => Promise<Semantic>;
  readonly reading: <T>(use: (source: RecallSource) => Promise<T>) => Promise<T>;
}

/** The block of memories to put before the last message of a conversation. */
export function contextBlock(request: BuildRequest, tools: BlockTools): Promise<BuiltContext> {
  checkRequest('buildContext', BUILD, request);
  const { settings, clock, core, openSemantic, reading } = tools;
  const read: BuildTools['read'] = async (query, use) => {
    const { source, warnings } = await openSemantic();
    // Asked for once: the score of a page needs it as well as recall.
    const vectors = source?.vectorOf(query);
    const asked = vectors && { prepare: async () => {}, vectorOf: () => vectors, close: () => {} };
    try {
      return await reading(async (from) => {
        const found = await vectors;
        const meaning = found?.ok === true ? openMeaning(from.search, found.value) : undefined;
        const recalling = withSemantic(from, { warnings, ...(asked && { source: asked }) });
        return use(from.search, (k) => recall(recalling, { query, k }), meaning);
      });
    } finally {
      source?.close();
    }
  };
  return buildBlock(request, { settings, clock, core, read });
}
