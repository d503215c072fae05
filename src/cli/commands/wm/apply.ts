import type { Command } from 'commander';
import { WM_APPLY, type WmApplyOptions } from '../../../session/requests.js';
import type { Run } from '../../command.js';
import { readFlags } from '../../flags.js';
import { readInput } from '../../io.js';
import { openFor } from '../../open.js';
import { exitOf, finishedText } from '../session/outcome.js';

interface ApplyOptions {
  readonly ops: string;
  readonly archive?: string;
  readonly part?: string;
  readonly maxTokens?: string;
}

export function defineApply(command: Command, run: Run): Command {
  return command
    .command('apply')
    .description('finish the oldest waiting archive of a session by operations, under the guards')
    .argument('<session>', 'id of the session')
    .requiredOption('--ops <file>', 'the operations, or the whole answer of a model; - for stdin')
    .option('--archive <id>', 'refuse when another archive is the oldest that waits')
    .option('--part <n>', 'the part that the answer is for (default: as the answer says)')
    .option('--max-tokens <n>', 'as in wm prompt, when it was given there')
    .addHelpText('after', '\nExample:\n  openclaw memory wm apply chat-1 --ops answer.json')
    .action((session: string, options: ApplyOptions) =>
      run(async (context) => {
        const answer = await readInput(options.ops, context.io);
        const sessions = await (await openFor(context)).sessions(context.signal);
        const request = readFlags<WmApplyOptions>('wm apply', WM_APPLY, options);
        const report = await sessions.wmApply(session, answer, request);
        for (const warning of report.warnings) context.out.warn(warning);
        const taken = `taken; the next part: openclaw memory wm prompt ${session}`;
        context.out.answer(report.finished.map(finishedText).join('\n') || taken, report);
        return exitOf(context, report.finished);
      }),
    );
}
