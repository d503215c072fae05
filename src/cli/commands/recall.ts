import type { Workspace } from '../../app/api/workspace.js';
import { ExitCode, fail } from '../../base/failure.js';
import { RECALL, type RecallRequest, readRecall } from '../../recall/request.js';
import type { CommandContext, DefineCommand } from '../command.js';
import { readFlags } from '../flags.js';
import { openFor } from '../open.js';
import { addFilterOptions } from '../recall-options.js';
import { recallText } from '../text/recall-text.js';

export const define: DefineCommand = (command, run) => {
  addFilterOptions(
    command.argument('[question...]', 'what to find, in your own words').option('--k <n>', 'most results (default 10)'),
  )
    .option('--batch', 'read questions as JSON lines, answer as JSON lines')
    .addHelpText('after', '\nExample:\n  openclaw memory recall "what does Peter prefer for WhatsApp replies?"')
    .action((words: string[], options: { readonly batch?: boolean }) =>
      run(async (context) => {
        const flags = readFlags<RecallRequest>('recall', RECALL, { ...options, query: words.join(' ') });
        if (options.batch && words.length > 0) {
          fail('usage', 'questions come from the argument or from --batch, not from both', 'leave one out');
        }
        const workspace = await openFor(context);
        const request = await readRecall(flags, workspace.clock, 'flag');
        if (options.batch) {
          const { recallBatch } = await import('../recall-batch.js');
          return recallBatch(context, workspace, request);
        }
        await show(context, workspace, request);
        return ExitCode.done;
      }),
    );
};

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
