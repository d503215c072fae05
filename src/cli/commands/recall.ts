import { ExitCode, fail } from '../../base/failure.js';
import { UNIT_KINDS } from '../../memory/unit.js';
import { RECALL, type RecallAnswer, type RecallRequest, readRecall } from '../../recall/request.js';
import type { CommandContext, DefineCommand } from '../command.js';
import { readFlags } from '../flags.js';
import { openFor } from '../open.js';
import { recallText } from '../text/recall-text.js';

export const define: DefineCommand = (command, run) => {
  const collect = (value: string, all: readonly string[] = []): readonly string[] => [...all, value];
  command
    .argument('[question...]', 'what to find, in your own words')
    .option('--k <n>', 'most results (default 10)')
    .option('--since <date>', 'from this day on: a date, 30d, 2w, or words such as "last week"')
    .option('--until <date>', 'up to this day')
    .option('--around <date>', 'three days before to three days after')
    .option('--as-of <date>', 'what held on that day')
    .option('--entity <name>', 'only about this entity (again for more)', collect)
    .option('--kind <kind>', `only this kind: ${UNIT_KINDS.join(', ')}`, collect)
    .option('--budget <tokens>', 'at most so many tokens of content')
    .option('--mode <mode>', 'lexical (by words), hybrid (by meaning too), or auto: hybrid when it can be', 'auto')
    .option('--explain', 'say how the question was read and why each result is there')
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
        const answer = await workspace.recall(request, context.signal);
        show(context, answer);
        return ExitCode.done;
      }),
    );
};

function show({ out }: CommandContext, answer: RecallAnswer): void {
  for (const warning of answer.warnings) out.warn(warning);
  out.answer(recallText(answer, out.colour), answer);
}
