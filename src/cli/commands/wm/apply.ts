import type { Command } from 'commander';
import { orThrow } from '../../../base/result.js';
import { parseOperations } from '../../../wm/operations.js';
import type { Run } from '../../command.js';
import { readInput } from '../../io.js';
import { openFor } from '../../open.js';
import { exitOf, finishedText } from '../session/outcome.js';

interface ApplyOptions {
  readonly ops: string;
  readonly archive?: string;
}

export function defineApply(command: Command, run: Run): Command {
  return command
    .command('apply')
    .description('finish the oldest waiting archive of a session by operations, under the guards')
    .argument('<session>', 'id of the session')
    .requiredOption('--ops <file>', 'the operations, or the whole answer of a model; - for stdin')
    .option('--archive <id>', 'refuse when another archive is the oldest that waits')
    .addHelpText('after', '\nExample:\n  openclaw memory wm apply chat-1 --ops answer.json')
    .action((session: string, options: ApplyOptions) =>
      run(async (context) => {
        const { operations, recovered } = orThrow(parseOperations(await readInput(options.ops, context.io)));
        if (recovered) context.out.warn('the operations are not valid JSON; what could be recovered was used');
        const sessions = await (await openFor(context)).sessions(context.signal);
        const report = await sessions.wmApply(session, operations, options.archive);
        for (const warning of report.warnings) context.out.warn(warning);
        context.out.answer(report.finished.map(finishedText).join('\n'), report);
        return exitOf(context, report.finished);
      }),
    );
}
