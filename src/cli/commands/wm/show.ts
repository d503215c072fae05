import type { Command } from 'commander';
import { ExitCode } from '../../../base/failure.js';
import type { Run } from '../../command.js';
import { openFor } from '../../open.js';

export function defineShow(command: Command, run: Run): Command {
  return command
    .command('show')
    .description('print the Working Memory of a session')
    .argument('<session>', 'id of the session')
    .addHelpText('after', '\nExample:\n  openclaw memory wm show chat-1')
    .action((session: string) =>
      run(async (context) => {
        const shown = await (await (await openFor(context)).sessions()).workingMemory(session);
        if (shown.document === null) context.out.note('there is no Working Memory yet: commit the session');
        if (shown.overview_by === 'deterministic') {
          context.out.note(`${shown.archive} was summed up without a model; the next commit with one will do better`);
        }
        context.out.answer(shown.document ?? '', shown);
        return ExitCode.done;
      }),
    );
}
