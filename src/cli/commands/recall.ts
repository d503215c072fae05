import type { Workspace } from '../../app/workspace.js';
import { ExitCode, fail } from '../../base/failure.js';
import { RECALL, type RecallRequest, readRecall } from '../../recall/request.js';
import type { CommandContext } from '../command.js';
import { openFor } from '../open.js';
import { recallText } from '../text/recall-text.js';
import { verb } from '../verb.js';

export const define = verb({
  takes: { ...RECALL, batch: { type: 'boolean', doc: 'read questions as JSON lines, answer as JSON lines' } },
  examples: ['recall "what does Peter prefer for WhatsApp replies?"'],
  run: async (context, { batch, ...flags }) => {
    if (batch && flags.query !== '')
      fail('usage', 'questions come from the argument or from --batch, not from both', 'leave one out');
    const workspace = await openFor(context);
    const request = await readRecall(flags, workspace.clock, 'flag');
    if (batch) {
      const { recallBatch } = await import('../recall-batch.js');
      return recallBatch(context, workspace, request);
    }
    await show(context, workspace, request);
    return ExitCode.done;
  },
});

/** Prints an answer; ids are shortened for people only. */
export async function show(
  { out, signal }: CommandContext,
  workspace: Workspace,
  request: RecallRequest,
  leastScore = 0,
): Promise<void> {
  const read = out.json
    ? { answer: await workspace.recall(request, signal), ids: new Map<string, string>(), files: 0 }
    : await workspace.recallToRead(request, signal);
  const { answer: whole } = read;
  const answer =
    leastScore > 0 ? { ...whole, results: whole.results.filter(({ score }) => score >= leastScore) } : whole;
  for (const warning of answer.warnings) out.warn(warning);
  out.answer(recallText({ ...read, answer }, out.colour), answer);
}

const { query, ...REST } = RECALL;

/** `recall` under the name and with the flags of other tools. */
export const defineSearch = verb({
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
