import type { Command } from 'commander';
import { ExitCode } from '../../../base/failure.js';
import type { Run } from '../../command.js';
import { readInput } from '../../io.js';
import { openFor } from '../../open.js';
import { COMMIT, finished, inWords, SESSION } from './outcome.js';

interface ApplyOptions {
  readonly session: string;
  readonly answer: string;
  readonly until?: string;
  readonly commit?: boolean;
}

export function defineApply(flush: Command, run: Run): Command {
  return flush
    .command('apply')
    .description("save what the calling agent's own model answered to flush prompt")
    .requiredOption(...SESSION)
    .requiredOption('--answer <file>', 'the answer; - for stdin')
    .option('--until <id>', 'the last message of the part, as flush prompt says it; needed where there are several')
    .option(...COMMIT)
    .addHelpText('after', '\nExample:\n  openclaw memory flush apply --session chat-1 --answer answer.json')
    .action((options: ApplyOptions) =>
      run(async (context) => {
        const { session, answer, until, commit } = options;
        const { out, io } = context;
        const text = await readInput(answer, io);
        const workspace = await openFor(context);
        const report = await (await workspace.sessions(context.signal)).flushApply(session, text, { until });
        for (const warning of report.warnings) out.warn(warning);
        out.answer(inWords(report), await finished(context, workspace, report, commit));
        return ExitCode.done;
      }),
    );
}
