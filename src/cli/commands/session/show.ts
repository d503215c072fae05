import type { Command } from 'commander';
import { ExitCode } from '../../../base/failure.js';
import { renderMessage } from '../../../session/render.js';
import type { Run } from '../../command.js';
import { openFor } from '../../open.js';

export function defineShow(session: Command, run: Run): Command {
  return session
    .command('show')
    .description('print the live messages, or what the guards of the Working Memory let go')
    .argument('<id>', 'id of the session')
    .option('--removed', 'items that are in no later Working Memory, with the reason')
    .addHelpText('after', '\nExample:\n  openclaw memory session show chat-1 --removed')
    .action((id: string, options: { readonly removed?: boolean }) =>
      run(async (context) => {
        const workspace = await openFor(context);
        const sessions = await workspace.sessions(context.signal);
        if (options.removed) {
          const removed = await sessions.removed(id);
          const lines = removed.map(
            ({ archive_id, section, item, reason }) => `${archive_id}  ${section}: ${item}\n  ${reason}`,
          );
          context.out.answer(lines.join('\n') || 'Nothing was let go.', { session: id, removed });
          return ExitCode.done;
        }
        const messages = await sessions.live(id);
        context.out.answer(messages.map(renderMessage).join('\n\n') || 'No live messages.', { session: id, messages });
        return ExitCode.done;
      }),
    );
}
