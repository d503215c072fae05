import { checkRequest } from '../base/request.js';
import { BUILD, type BuildRequest, type BuildTools, type BuiltContext, buildBlock } from '../context/build.js';
import { type RecallSource, recall } from '../recall/recall.js';
import { type Semantic, withSemantic } from './answering.js';

/** What a workspace lends to find the memories before a message. */
export interface BlockTools extends Pick<BuildTools, 'settings' | 'clock' | 'core'> {
  readonly openSemantic: () => Promise<Semantic>;
  readonly reading: <T>(use: (source: RecallSource) => Promise<T>) => Promise<T>;
}

/** The block of memories to put before the last message of a conversation. */
export function contextBlock(request: BuildRequest, tools: BlockTools): Promise<BuiltContext> {
  checkRequest<BuildRequest>('buildContext', BUILD, request);
  const { settings, clock, core, openSemantic, reading } = tools;
  const read: BuildTools['read'] = async (query, use) => {
    const semantic = await openSemantic();
    await semantic.source?.prepare([query]);
    try {
      return await reading((source) => use(source.search, (k) => recall(withSemantic(source, semantic), { query, k })));
    } finally {
      semantic.source?.close();
    }
  };
  return buildBlock(request, { settings, clock, core, read });
}
