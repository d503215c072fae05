import { ExitCode, fail } from '../../../base/failure.js';
import type { CommitReport, ResumeReport } from '../../../session/commit.js';
import type { FinishedArchive } from '../../../session/finish.js';
import type { CommandContext } from '../../command.js';
import { count } from '../../text/count.js';

export function resumeJson({ session, finished, pending, meta, warnings }: ResumeReport) {
  return {
    session,
    finished: finished.map(finishedJson),
    pending,
    live_messages: meta.liveCount,
    pending_tokens: meta.pendingTokens,
    warnings,
  };
}

const OUTCOMES: Readonly<Record<CommitReport['outcome'], string>> = {
  accepted: 'archived',
  no_messages: 'nothing to archive: there are no messages',
  all_within_keep_window: 'nothing to archive: all messages are among those that are kept',
  below_threshold: 'nothing archived: below the threshold',
};

export function commitText({ outcome, archive, archivedCount, meta }: CommitReport): string {
  const kept = `${meta.liveCount} kept, ${meta.pendingTokens} tokens pending`;
  return archive === null ? OUTCOMES[outcome] : `${archive}: ${count(archivedCount, 'message')} archived, ${kept}`;
}

export function commitJson(report: CommitReport) {
  const { session, outcome, archive, archivedCount, finished, pending, warnings, meta } = report;
  return {
    session,
    outcome,
    archive,
    archived: archivedCount,
    live_messages: meta.liveCount,
    pending_tokens: meta.pendingTokens,
    keep_recent_count: meta.keepRecentCount,
    compaction_count: meta.compactionCount,
    finished: finished.map(finishedJson),
    pending,
    warnings,
  };
}

const MAKERS = { model: 'by the model', agent: "by the agent's operations", deterministic: 'without a model' } as const;

export function finishedText({ archive, state, overviewBy, stage, reason, notes }: FinishedArchive): string {
  if (state === 'failed') return `${archive} failed at ${stage}: ${reason}; its messages stay in the context`;
  const why = overviewBy === 'deterministic' && notes.length > 0 ? notes.join('; ') : MAKERS[overviewBy ?? 'model'];
  return `${archive} completed: Working Memory ${why}`;
}

function finishedJson({ archive, state, overviewBy, removed, notes, stage, reason }: FinishedArchive) {
  return { archive, state, overview_by: overviewBy, removed, notes, stage, reason };
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

/** A number as it was given; its range is the library's business. */
export function number(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const read = value.trim() === '' ? Number.NaN : Number(value);
  return Number.isNaN(read)
    ? fail('usage', `${name} is not a number: ${value}`, 'give a number, or leave it out')
    : read;
}
