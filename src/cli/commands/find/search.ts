import { RECALL, readRecall } from '../../../recall/request.js';
import { openFor } from '../../open.js';
import { verb } from '../../verb.js';
import { show } from '../recall.js';

const { query, ...REST } = RECALL;

/** `recall` under the name and with the flags of other tools. */
export const define = verb({
  takes: {
    words: { type: 'text', place: 'words?', doc: query.doc },
    query: { type: 'text', doc: 'the same; wins over the argument' },
    maxResults: { ...REST.k, doc: 'most results (default 10)' },
    minScore: {
      type: 'number',
      least: 0,
      most: 1,
      example: 0.3,
      value: 'score',
      doc: 'leave out results of a lower score, 0 to 1',
    },
    ...REST,
  },
  examples: ['search --query "deployment notes" --max-results 20 --json'],
  run: async (context, { words = '', query: asked = words, maxResults, minScore, ...request }) => {
    const workspace = await openFor(context);
    const k = maxResults ?? request.k;
    await show(
      context,
      workspace,
      await readRecall({ ...request, query: asked, k }, workspace.clock, 'flag'),
      minScore,
    );
  },
});
