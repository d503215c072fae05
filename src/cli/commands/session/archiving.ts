import { ExitCode, fail } from '../../../base/failure.js';
import type { OnProgress } from '../../../base/request.js';
import type { CommitReport, ResumeReport } from '../../../session/commit.js';
import type { CompactionEvent } from '../../../session/compact.js';
import type { FinishedArchive } from '../../../session/finish.js';
import { SESSION_COMMIT_REQUEST, SESSION_COMPACT_REQUEST, SESSION_FIELDS } from '../../../session/requests.js';
import { resumeInBackground } from '../../background.js';
import { formatNumberOf } from '../../text/format.js';
import { type CommandContext, defineVerb } from '../../verb.js';
import { openMemoryWorkspace, reportWritePath } from '../../workspace.js';

/** Time in ms after which the command tells the user what it is waiting for. */
const PATIENCE_MS = 2_000;
const WAITS = 'the messages are archived; you can stop with Ctrl-C and continue later: openclaw memory session resume';

export const defineSessionCommit = defineVerb({
  summary: 'archive the older messages, and update the Working Memory',
  takes: {
    ...SESSION_FIELDS,
    ...SESSION_COMMIT_REQUEST,
    background: {
      type: 'boolean',
      doc: 'return as soon as the messages are archived; a background process does the rest',
    },
  },
  examples: ['session commit chat-1 --keep-recent 10 --threshold 64000'],
  run: async (context, { session, background: isInBackground, ...request }) => {
    if (isInBackground && request.defer)
      fail('usage', "--background and --defer can't be used together", 'use only one of them');
    const { out } = context;
    let asked = '';
    const onProgress: OnProgress = (done, all, what) => {
      if (asked === '') asked = ` (${all} ${what})`;
      context.onProgress?.(done, all, what);
    };
    const workspace = await openMemoryWorkspace({ ...context, onProgress });
    const sessions = await workspace.sessions(context.signal);
    const note = (): void => out.note(`waiting for the chat model${asked}; ${WAITS} ${session}`);
    const patience = setTimeout(note, PATIENCE_MS);
    const defer = isInBackground === true || request.defer === true;
    const report = await sessions.commit(session, { ...request, defer }).finally(() => clearTimeout(patience));
    if (report.archived + report.finished.length > 0) reportWritePath(context, workspace.root);
    const background =
      isInBackground && report.pending.length > 0 ? resumeInBackground(context, workspace, session) : undefined;
    const lines = linesOf(report, session);
    if (background !== undefined) lines.push(`process ${background.pid} finishes them; its log is ${background.log}`);
    out.answer(lines.join('\n'), { ...report, ...(background === undefined ? {} : { background }) });
    return exitCodeOfArchives(context, report.finished);
  },
});

export const defineSessionCompact = defineVerb({
  summary: 'archive every message, and wait for the Working Memory; this counts as a compaction',
  takes: { ...SESSION_FIELDS, ...SESSION_COMPACT_REQUEST },
  more: 'With --json: one event per line. The last one, compaction_end, has the result.',
  examples: ['session compact chat-1'],
  run: async (context, { session, ...request }) => {
    const { out } = context;
    // Do not print the final event here: it is printed below, together with the outcome.
    const emit = (event: CompactionEvent): void => {
      if (out.json && event.type !== 'compaction_end') out.line(JSON.stringify(event));
      else if (event.type === 'memory_flush_start') out.note('saving memories …');
    };
    const workspace = await openMemoryWorkspace(context);
    const report = await (await workspace.sessions(context.signal)).compact(session, request, emit);
    if (report.archived + report.finished.length > 0) reportWritePath(context, workspace.root);
    out.answer(linesOf(report, session).join('\n'), { type: 'compaction_end', ...report });
    return exitCodeOfArchives(context, report.finished);
  },
});

export const defineSessionResume = defineVerb({
  summary: 'finish waiting archives in order, try failed ones again, and repair after a crash',
  takes: { session: { type: 'text', place: 'argument', doc: 'id of the session (default: all)' } },
  examples: ['session resume chat-1'],
  run: async (context, { session }) => {
    const { out } = context;
    const workspace = await openMemoryWorkspace(context);
    const sessions = await workspace.sessions(context.signal);
    const ids = session === undefined ? (await sessions.list()).map((one) => one.session) : [session];
    const reports: ResumeReport[] = [];
    for (const each of ids) reports.push(await sessions.resume(each));
    for (const { warnings } of reports) for (const warning of warnings) out.warn(warning);
    if (reports.some(({ finished }) => finished.length > 0)) reportWritePath(context, workspace.root);
    out.answer(reports.map(resumeText).join('\n'), { sessions: reports });
    const finished = reports.flatMap((report) => report.finished);
    return exitCodeOfArchives(context, finished);
  },
});

function linesOf(report: CommitReport, session: string): string[] {
  const finished = report.finished.map((each) => formatFinishedArchive(each, session));
  return [commitText(report), ...finished, ...formatWaitingArchives(report.pending)];
}

function resumeText({ session, finished, pending, live_messages, archived_messages }: ResumeReport): string {
  const done = finished.map((archive) => `  ${formatFinishedArchive(archive, session)}`);
  const counts = `${live_messages} live, ${archived_messages} archived messages`;
  const state = finished.length === 0 && pending.length === 0 ? 'nothing to finish' : `${finished.length} finished`;
  return [`${session}: ${state}; ${counts}`, ...done, ...formatWaitingArchives(pending)].join('\n');
}

const OUTCOMES: Readonly<Record<CommitReport['outcome'], string>> = {
  accepted: 'archived',
  no_messages: 'nothing to archive: there are no messages',
  all_within_keep_window: 'nothing to archive: all messages are among the newest, which stay',
  below_threshold: 'nothing archived: below the threshold',
};

function commitText({ outcome, archive, archived, live_messages, pending_tokens }: CommitReport): string {
  const kept = `${live_messages} kept, ${pending_tokens} tokens pending`;
  return archive === null ? OUTCOMES[outcome] : `${archive}: ${formatNumberOf(archived, 'message')} archived, ${kept}`;
}

const MAKERS = { model: 'by the model', agent: "by the agent's operations", deterministic: 'without a model' } as const;

/**
 * One line about a finished archive. If items were dropped from the Working Memory, a second line says how many and how
 * to list them.
 */
export function formatFinishedArchive(finished: FinishedArchive, session: string): string {
  const { archive, state, overview_by, stage, reason, notes, removed = 0 } = finished;
  if (state === 'failed') return `${archive} failed at ${stage}: ${reason}; its messages stay in the context`;
  const why = overview_by === 'deterministic' && notes.length > 0 ? notes.join('; ') : MAKERS[overview_by ?? 'model'];
  const gone =
    removed === 0
      ? ''
      : `\n${formatNumberOf(removed, 'item')} dropped; see: openclaw memory session show ${session} --removed`;
  return `${archive} completed: Working Memory ${why}${gone}`;
}

function formatWaitingArchives(pending: readonly string[]): readonly string[] {
  return pending.length === 0 ? [] : [`waiting to be finished: ${pending.join(', ')}`];
}

/** The exit code of a command that finished archives. Prints failures on stderr. */
export function exitCodeOfArchives({ out }: CommandContext, finished: readonly FinishedArchive[]): ExitCode {
  const failed = finished.find(({ state }) => state === 'failed');
  if (failed === undefined) return ExitCode.done;
  out.problem({
    type: 'io',
    message: `${failed.archive} failed at ${failed.stage}: ${failed.reason}`,
    hint: 'no message is lost; fix the cause, then run: openclaw memory session resume',
  });
  return ExitCode.failed;
}
