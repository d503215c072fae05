import { ExitCode } from '../../../base/failure.js';
import type { CommitReport } from '../../../session/commit.js';
import type { FinishedArchive } from '../../../session/finish.js';
import type { CommandContext } from '../../command.js';
import { count } from '../../text/shown.js';

const OUTCOMES: Readonly<Record<CommitReport['outcome'], string>> = {
  accepted: 'archived',
  no_messages: 'nothing to archive: there are no messages',
  all_within_keep_window: 'nothing to archive: all messages are among those that are kept',
  below_threshold: 'nothing archived: below the threshold',
};

export function commitText({ outcome, archive, archived, live_messages, pending_tokens }: CommitReport): string {
  const kept = `${live_messages} kept, ${pending_tokens} tokens pending`;
  return archive === null ? OUTCOMES[outcome] : `${archive}: ${count(archived, 'message')} archived, ${kept}`;
}

const MAKERS = { model: 'by the model', agent: "by the agent's operations", deterministic: 'without a model' } as const;

/** What became of an archive; of what its Working Memory let go, how many items and where they are named. */
export function finishedText(finished: FinishedArchive, session: string): string {
  const { archive, state, overview_by, stage, reason, notes, removed = 0 } = finished;
  if (state === 'failed') return `${archive} failed at ${stage}: ${reason}; its messages stay in the context`;
  const why = overview_by === 'deterministic' && notes.length > 0 ? notes.join('; ') : MAKERS[overview_by ?? 'model'];
  const gone =
    removed === 0 ? '' : `\n${count(removed, 'item')} let go: openclaw memory session show ${session} --removed`;
  return `${archive} completed: Working Memory ${why}${gone}`;
}

export function waiting(pending: readonly string[]): readonly string[] {
  return pending.length === 0 ? [] : [`waiting to be finished: ${pending.join(', ')}`];
}

/** The exit code of a command that finished archives; says on stderr what failed. */
export function exitOf({ out }: CommandContext, finished: readonly FinishedArchive[]): ExitCode {
  const failed = finished.find(({ state }) => state === 'failed');
  if (failed === undefined) return ExitCode.done;
  out.problem({
    type: 'io',
    message: `${failed.archive} failed at ${failed.stage}: ${failed.reason}`,
    hint: 'its messages are kept; mend that, then run openclaw memory session resume',
  });
  return ExitCode.failed;
}
