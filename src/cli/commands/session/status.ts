import type { Command } from 'commander';
import { ExitCode } from '../../../base/failure.js';
import type { SessionStatus } from '../../../session/session.js';
import type { Run } from '../../command.js';
import { openFor } from '../../open.js';

export function defineStatus(session: Command, run: Run): Command {
  return session
    .command('status')
    .description('pending tokens, archives and flushes of one session, from its meta file alone')
    .argument('<id>', 'id of the session')
    .addHelpText('after', '\nExample:\n  openclaw memory session status chat-1 --json')
    .action((id: string) =>
      run(async (context) => {
        const workspace = await openFor(context);
        const sessions = await workspace.sessions();
        const commit_threshold = sessions.commitThreshold;
        const status = await sessions.status(id);
        const commit_due = status.pending_tokens >= commit_threshold;
        context.out.answer(statusText(status, commit_due), { ...status, commit_threshold, commit_due });
        return ExitCode.done;
      }),
    );
}

function statusText(status: SessionStatus, due: boolean): string {
  const { completed, failed, pending } = status.archives;
  return [
    `session          ${status.session}`,
    `live messages    ${status.live_messages}`,
    `pending tokens   ${status.pending_tokens}${due ? ' (a commit is due)' : ''}`,
    `kept by commits  ${status.keep_recent_count}`,
    `archives         ${completed} completed, ${failed} failed, ${pending} pending (${status.archived_messages} messages)`,
    `last commit      ${status.last_commit_at ?? 'never'}`,
    `compactions      ${status.compaction_count}`,
    `memory flush     ${status.memory_flushing ? 'running' : (status.last_memory_flush?.timestamp ?? 'never')}`,
  ].join('\n');
}
