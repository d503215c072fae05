import type { Command } from 'commander';
import { ExitCode } from '../../../base/failure.js';
import type { Run } from '../../command.js';
import { openFor } from '../../open.js';

export function defineList(session: Command, run: Run): Command {
  return session
    .command('list')
    .description('all sessions, the one written last first, from their meta files alone')
    .addHelpText('after', '\nExample:\n  openclaw memory session list --json')
    .action(() =>
      run(async (context) => {
        const workspace = await openFor(context);
        const all = await (await workspace.sessions()).list();
        const lines = all.map(
          ({ session, live_messages, pending_tokens, archives, updated_at }) =>
            `${session}  ${live_messages} live, ${pending_tokens} tokens pending, ` +
            `${archives.completed + archives.failed + archives.pending} archives, ${updated_at ?? 'never written'}`,
        );
        context.out.answer(lines.join('\n'), { sessions: all });
        return ExitCode.done;
      }),
    );
}
