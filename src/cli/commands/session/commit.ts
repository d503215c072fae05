import type { Command } from 'commander';
import type { Workspace } from '../../../app/workspace.js';
import { ExitCode, fail } from '../../../base/failure.js';
import type { CommitReport, ResumeReport } from '../../../session/commit.js';
import type { CompactionEvent } from '../../../session/compact.js';
import type { FinishedArchive } from '../../../session/finish.js';
import { startInBackground } from '../../background.js';
import type { CommandContext, Run } from '../../command.js';
import { openFor } from '../../open.js';
import { count } from '../../text/count.js';

interface CommitOptions {
  readonly keepRecent?: string;
  readonly threshold?: string | true;
  readonly background?: boolean;
  readonly defer?: boolean;
}

export function defineCommit(session: Command, run: Run): Command {
  return session
    .command('commit')
    .description('archive the older messages and bring the Working Memory up to date')
    .argument('<id>', 'id of the session')
    .option('--keep-recent <n>', 'how many of the newest messages stay (default: the setting, 10)')
    .option('--threshold [tokens]', 'only when so many tokens are pending; without a number: the setting')
    .option('--background', 'return when the messages are archived; another process finishes the archive')
    .option('--defer', 'archive only: finish with wm prompt and wm apply, or session resume')
    .addHelpText('after', '\nExample:\n  openclaw memory session commit chat-1 --keep-recent 10 --threshold 64000')
    .action((id: string, options: CommitOptions) => run((context) => commit(context, id, options)));
}

async function commit(context: CommandContext, id: string, options: CommitOptions): Promise<ExitCode> {
  if (options.background && options.defer) {
    fail('usage', '--background and --defer exclude each other', 'leave one of them out');
  }
  const { out } = context;
  const workspace = await openFor(context);
  const sessions = await workspace.sessions(context.signal);
  const report = await sessions.commit(id, {
    keep: number('--keep-recent', options.keepRecent),
    threshold: options.threshold === true ? true : number('--threshold', options.threshold),
    phase1Only: options.background === true || options.defer === true,
  });
  const background = options.background && report.pending.length > 0 ? startResume(context, workspace, id) : undefined;
  for (const warning of report.warnings) out.warn(warning);
  const lines = [commitText(report), ...report.finished.map(finishedText), ...waiting(report.pending)];
  if (background !== undefined)
    lines.push(`process ${background.pid} finishes them; its notes are in ${background.log}`);
  const json = { ...commitJson(report), ...(background === undefined ? {} : { background }) };
  out.answer(lines.join('\n'), json);
  return exitOf(context, report.finished);
}

/** Another process, of its own process group, that finishes the archives. */
function startResume({ global }: CommandContext, workspace: Workspace, id: string) {
  const log = workspace.logPath(`session-${id}`);
  const { now, tz } = global;
  const options = ['--workspace', workspace.root, '--quiet', ...option('--now', now), ...option('--tz', tz)];
  return { pid: startInBackground([...options, 'session', 'resume', id], log), log };
}

function option(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [name, value];
}

export function defineCompact(session: Command, run: Run): Command {
  return session
    .command('compact')
    .description('archive every message and wait for the Working Memory; counted as a compaction')
    .argument('<id>', 'id of the session')
    .option('--tokens <n>', 'tokens in the conversation now; with --context-window, the flush check comes first')
    .option('--context-window <n>', "tokens of the model's context window")
    .addHelpText(
      'after',
      '\nWith --json: one event a line, at last compaction_end with the outcome.\n\n' +
        'Example:\n  openclaw memory session compact chat-1',
    )
    .action((id: string, options: { readonly tokens?: string; readonly contextWindow?: string }) =>
      run(async (context) => {
        const { out } = context;
        const workspace = await openFor(context);
        const sessions = await workspace.sessions(context.signal);
        const request = {
          tokens: number('--tokens', options.tokens),
          contextWindow: number('--context-window', options.contextWindow),
        };
        // The last event comes with the outcome, below.
        const emit = (event: CompactionEvent): void => {
          if (out.json && event.type !== 'compaction_end') out.line(JSON.stringify(event));
          else if (event.type === 'memory_flush_start') out.note('saving memories …');
        };
        const report = await sessions.compact(id, request, emit);
        for (const warning of report.warnings) out.warn(warning);
        const lines = [commitText(report), ...report.finished.map(finishedText), ...waiting(report.pending)];
        out.answer(lines.join('\n'), { type: 'compaction_end', ...commitJson(report), flush: report.flush });
        return exitOf(context, report.finished);
      }),
    );
}

export function defineResume(session: Command, run: Run): Command {
  return session
    .command('resume')
    .description('finish or repair what a crash left, archives strictly in order; failed ones are tried again')
    .argument('[id]', 'id of the session (default: all)')
    .addHelpText('after', '\nExample:\n  openclaw memory session resume chat-1')
    .action((id: string | undefined) =>
      run(async (context) => {
        const { out } = context;
        const workspace = await openFor(context);
        const sessions = await workspace.sessions(context.signal);
        const ids = id === undefined ? (await sessions.list()).map(({ session }) => session) : [id];
        const reports: ResumeReport[] = [];
        for (const each of ids) reports.push(await sessions.resume(each));
        for (const { warnings } of reports) for (const warning of warnings) out.warn(warning);
        const finished = reports.flatMap((report) => report.finished);
        out.answer(reports.map(resumeText).join('\n'), { sessions: reports.map(resumeJson) });
        return exitOf(context, finished);
      }),
    );
}

function resumeText({ session, finished, pending, meta }: ResumeReport): string {
  const done = finished.map((archive) => `  ${finishedText(archive)}`);
  const counts = `${meta.liveCount} live, ${meta.archivedCount} archived messages`;
  const state = finished.length === 0 && pending.length === 0 ? 'nothing to finish' : `${finished.length} finished`;
  return [`${session}: ${state}; ${counts}`, ...done, ...waiting(pending)].join('\n');
}

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

function commitText({ outcome, archive, archivedCount, meta }: CommitReport): string {
  const kept = `${meta.liveCount} kept, ${meta.pendingTokens} tokens pending`;
  return archive === null ? OUTCOMES[outcome] : `${archive}: ${count(archivedCount, 'message')} archived, ${kept}`;
}

function commitJson(report: CommitReport) {
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

function waiting(pending: readonly string[]): readonly string[] {
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
function number(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const read = value.trim() === '' ? Number.NaN : Number(value);
  return Number.isNaN(read)
    ? fail('usage', `${name} is not a number: ${value}`, 'give a number, or leave it out')
    : read;
}
