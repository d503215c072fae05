import { basename } from 'node:path';
import { ExitCode, fail, toFailure } from '../../../base/failure.js';
import type { OnProgress, RequestFields, RequestOf } from '../../../base/request.js';
import type { AddReport } from '../../../session/add.js';
import type { CommitReport, CompactionEvent, ResumeReport } from '../../../session/commit.js';
import type { FinishedArchive } from '../../../session/finish.js';
import type { ImportReport } from '../../../session/import.js';
import { type MessageDraft, readDraft, readDrafts, readJsonRecords } from '../../../session/message.js';
import {
  IMPORT_STORE_REQUEST,
  SESSION_ADD_REQUEST,
  SESSION_COMMIT_REQUEST,
  SESSION_COMPACT_REQUEST,
  SESSION_FIELDS,
  SESSION_RESUME_REQUEST,
} from '../../../session/requests.js';
import { shellWord } from '../../../text/slug.js';
import { resumeInBackground } from '../../background.js';
import { readInput, readStdinWithWarning } from '../../io.js';
import { formatNumberOf } from '../../text.js';
import { type CommandContext, defineVerb, failBoth, REQUIRED_ARGUMENT_FIELD } from '../../verb.js';
import { openAnyWorkspace, openMemoryWorkspace, reportWritePath } from '../../workspace.js';

const ROLE = { type: 'text', value: 'role' } as const;
const TAKES = {
  ...SESSION_FIELDS,
  role: { ...ROLE, doc: 'user, assistant, tool or system; with --stdin: role of messages without one' },
  text: { type: 'text', doc: 'the text of the message' },
  toolCallId: { type: 'text', value: 'id', doc: 'with --role tool: id of the tool call' },
  toolName: { type: 'text', value: 'name', doc: 'with --role tool: name of the tool' },
  stdin: { type: 'boolean', doc: 'read messages from standard input: one JSON object per line, or a list' },
  idempotencyKey: SESSION_ADD_REQUEST.idempotencyKey,
} as const satisfies RequestFields;

type AddOptions = RequestOf<typeof TAKES>;

const add = defineVerb({
  summary: 'add messages to a session; creates the session if needed',
  takes: TAKES,
  more:
    'On stdin, each line is {"role","content"}. The content is text, or parts such as\n' +
    '  {"type":"text","text"}, {"type":"tool_call","id","name","input"},\n' +
    '  {"type":"tool_result","id","output"}\nIf one line is wrong, no line is added.',
  examples: ['session add chat-1 --role user --text "use Redis, port 6380"'],
  run: async (context, request) => {
    const { out } = context;
    if (request.stdin && request.text !== undefined) failBoth('--text', '--stdin');
    const messages = request.stdin
      ? readDrafts(await readStdinWithWarning(context.io, out.warn), request.role)
      : [fromOptions(request)];
    const workspace = await openAnyWorkspace(context);
    const sessions = await workspace.sessions(context.signal);
    const report = await sessions.add(request.session, { messages, idempotencyKey: request.idempotencyKey });
    if (report.redacted.length > 0) out.warn(`secrets were replaced: ${[...new Set(report.redacted)].join(', ')}`);
    if (report.empty.length > 0) {
      out.warn(
        `${formatNumberOf(report.empty.length, 'message')} left out, because only injected context or white space was in it`,
      );
    }
    if (report.added.length > 0) reportWritePath(context, workspace.root);
    const commit_due = report.pending_tokens >= sessions.commitThreshold;
    out.answer(addText(report, commit_due), { ...report, commit_due });
  },
});

function addText({ added, duplicates, pending_tokens, live_messages }: AddReport, due: boolean): string {
  const lines = added.map(({ id, role, tokens }) => `${id}  ${role}, ${tokens} tokens`);
  if (duplicates > 0) lines.push(`${duplicates} already in the log`);
  const pending = `pending: ${pending_tokens} tokens of ${formatNumberOf(live_messages, 'message')}`;
  return [...lines, pending + (due ? '; a commit is due' : '')].join('\n');
}

function fromOptions({ role, text, toolCallId, toolName }: AddOptions): MessageDraft {
  if (text === undefined) return fail('usage', 'there is no message to add', 'use --role and --text, or --stdin');
  if (role === undefined)
    return fail('usage', '--role is missing', 'say who wrote the message, for example --role user');
  if (toolCallId !== undefined && role !== 'tool') {
    return fail('usage', '--tool-call-id needs --role tool', 'add tool calls of an assistant as JSON with --stdin');
  }
  const draft = readDraft({ role, content: text, tool_call_id: toolCallId, tool_name: toolName });
  if (draft === undefined) fail('usage', `unknown role "${role.slice(0, 40)}"`, 'use user, assistant, tool or system');
  return text.trim() === '' ? fail('usage', 'the message is empty', 'write the message after --text') : draft;
}

const afterTurn = defineVerb({
  summary: 'add the messages of one turn, and commit in the background if it is time',
  takes: {
    ...SESSION_FIELDS,
    stdin: { type: 'boolean', doc: 'read the messages from standard input: a JSON list, or one JSON object per line' },
    idempotencyKey: SESSION_ADD_REQUEST.idempotencyKey,
    history: SESSION_ADD_REQUEST.history,
  },
  more: 'Injected context is removed first. A message with an id that is already in the\nsession is not added again.',
  examples: ['session after-turn chat-1 --stdin < turn.jsonl'],
  run: async (context, { session, stdin, idempotencyKey, history }) => {
    const { out, io, signal } = context;
    if (stdin !== true) fail('usage', 'there are no messages', 'send them with --stdin');
    const messages = readTurn(await readStdinWithWarning(io, out.warn), out.warn);
    const workspace = await openAnyWorkspace(context);
    const sessions = await workspace.sessions(signal);
    const added = await sessions.add(session, { messages, idempotencyKey, history, onlyNewSources: true });
    if (added.added.length > 0) reportWritePath(context, workspace.root);
    const commit_threshold = sessions.commitThreshold;
    const due = added.pending_tokens >= commit_threshold;
    const commit = due ? await sessions.commit(session, { defer: true }) : null;
    const background =
      commit !== null && commit.pending.length > 0 ? resumeInBackground(context, workspace, session) : null;
    for (const warning of commit?.warnings ?? []) out.warn(warning);
    const status = await sessions.status(session).catch(noneYet);
    const said = `${formatNumberOf(added.added.length, 'message')} added; pending: ${(status ?? added).pending_tokens} tokens`;
    const then = background === null ? '' : `; a commit was due: process ${background.pid} finishes it`;
    out.answer(said + then, { ...added, status, commit_threshold, commit, background });
  },
});

/**
 * Returns null for the error that the session does not exist. This is no failure: a first turn without messages does
 * not create a session. Throws every other error again.
 */
function noneYet(error: unknown): null {
  if (toFailure(error).type !== 'not_found') throw error;
  return null;
}

/**
 * Reads the messages of a turn. A host may add messages in a form that only this host knows. Such a message is skipped
 * with a warning, so that the other messages are not lost.
 */
function readTurn(text: string, warn: (warning: string) => void): readonly MessageDraft[] {
  const strange = new Map<string, number>();
  const drafts = readJsonRecords(text).flatMap(({ record }) => {
    const draft = readDraft(record);
    if (draft === undefined) strange.set(String(record.role), (strange.get(String(record.role)) ?? 0) + 1);
    return draft ?? [];
  });
  const none = 'the role must be user, assistant, tool or system';
  for (const [role, messages] of strange)
    warn(`skipped ${formatNumberOf(messages, 'message')} with the role "${role}": ${none}`);
  return drafts;
}

const importTranscript = defineVerb({
  summary: 'add the new messages of a transcript of OpenClaw, Claude Code or Codex',
  takes: {
    file: { ...REQUIRED_ARGUMENT_FIELD, doc: 'file with JSON lines, - for stdin, or the SQLite store of OpenClaw' },
    ...IMPORT_STORE_REQUEST,
    strict: { type: 'boolean', doc: 'exit with code 1 if a real message of a user was left out' },
  },
  more: 'Heartbeats, cron turns, slash commands, thoughts and injected context are left\nout. If you import again, only new messages are added.',
  examples: ['session import transcript.jsonl --session chat-1'],
  run: async (context, { file, session, key, strict }) => {
    const { out } = context;
    const { isDatabaseFile } = await import('../../../session/import.js');
    const workspace = await openAnyWorkspace(context);
    const sessions = await workspace.sessions(context.signal);
    let reports: readonly ImportReport[];
    const packed = unpacking(file);
    if (packed !== undefined) fail('usage', `${file} is compressed`, packed);
    if (file !== '-' && isDatabaseFile(file)) {
      const store = await sessions.importStore(file, { key, session });
      reports = store.sessions;
      for (const name of store.elsewhere) {
        const how = unpacking(name);
        const then = how === undefined ? '' : `; ${how}`;
        out.warn(`not read: the host moved ${name} to a separate file${then}`);
      }
      out.answer(reports.map(importText).join('\n'), store);
    } else {
      if (key !== undefined) fail('usage', '--key works only with a SQLite store', 'run the command without --key');
      const report = await sessions.importTranscript(await readInput(file, context.io), session);
      reports = [report];
      out.answer(importText(report), report);
    }
    if (reports.some(({ added }) => added > 0)) reportWritePath(context, workspace.root);
    for (const { reason, messages, characters, lines = [] } of reports.flatMap(({ left_out }) => left_out)) {
      const size = `${formatNumberOf(messages, 'message')} of a user ${reason} (${formatNumberOf(characters, 'character')})`;
      const shown = lines.slice(0, MOST_LINES).join(', ') + (lines.length > MOST_LINES ? ', …' : '');
      out.warn(`left out: ${size}${lines.length === 0 ? '' : `: line ${shown}`}`);
    }
    return strict === true && reports.some(({ left_out }) => left_out.length > 0) ? ExitCode.failed : ExitCode.done;
  },
});

/** Command that unpacks a file, by its extension. */
const UNPACKED_BY = { '.gz': 'gzip -dc', '.zst': 'zstd -dc', '.xz': 'xz -dc', '.bz2': 'bzip2 -dc' } as const;

/** The command that unpacks a transcript, because hosts compress old ones; undefined for any other file. */
function unpacking(file: string): string | undefined {
  const packed = Object.entries(UNPACKED_BY).find(([end]) => file.toLowerCase().endsWith(end));
  if (packed === undefined) return undefined;
  const id = basename(file).replace(/\.(?:jsonl|ndjson|json)\b.*$/iu, '');
  return `decompress it like this: ${packed[1]} ${shellWord(file)} | openclaw memory session import - --session ${shellWord(id)}`;
}

const MOST_LINES = 20;

function importText({ session, added, known, noise, other_branches }: ImportReport): string {
  const rest = `${known} already known, ${noise} left out as noise, ${other_branches} on other branches`;
  return `${session}: ${formatNumberOf(added, 'message')} added, ${rest}`;
}

/** Time in ms after which the command tells the user what it is waiting for. */
const PATIENCE_MS = 2_000;
const WAITS = 'the messages are archived; you can stop with Ctrl-C and continue later: openclaw memory session resume';

const commit = defineVerb({
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
    if (isInBackground && request.defer) failBoth('--background', '--defer');
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

const compact = defineVerb({
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

const resume = defineVerb({
  summary: 'finish waiting archives in order, try failed ones again, and repair after a crash',
  takes: {
    session: { type: 'text', place: 'argument', doc: 'id of the session (default: all)' },
    ...SESSION_RESUME_REQUEST,
  },
  examples: ['session resume chat-1', 'session resume --max-wait 60'],
  run: async (context, { session, maxWait }) => {
    const { out } = context;
    const workspace = await openMemoryWorkspace(context);
    const sessions = await workspace.sessions(context.signal);
    const ids = session === undefined ? (await sessions.list()).map((one) => one.session) : [session];
    const reports: ResumeReport[] = [];
    const started = performance.now();
    // All sessions share the time limit.
    const left = () => maxWait && Math.max(0, maxWait - (performance.now() - started) / 1_000);
    for (const each of ids) reports.push(await sessions.resume(each, { maxWait: left() }));
    for (const { warnings } of reports) for (const warning of warnings) out.warn(warning);
    if (reports.some(({ finished }) => finished.length > 0)) reportWritePath(context, workspace.root);
    out.answer(reports.map(resumeText).join('\n'), { sessions: reports });
    const finished = reports.flatMap((report) => report.finished);
    return exitCodeOfArchives(context, finished);
  },
});

export const ADD_COMMANDS = { add, import: importTranscript, 'after-turn': afterTurn };
export const ARCHIVE_COMMANDS = { commit, compact, resume };

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
  const { archive, state, overview_by, stage, reason, notes, removed = 0, refused = [] } = finished;
  if (state === 'failed') return `${archive} failed at ${stage}: ${reason}; its messages stay in the context`;
  const why = overview_by === 'deterministic' && notes.length > 0 ? notes.join('; ') : MAKERS[overview_by ?? 'model'];
  const left = refused.length === 0 ? '' : ` (${formatNumberOf(refused.length, 'item')} left out, see --verbose)`;
  const gone =
    removed === 0
      ? ''
      : `\n${formatNumberOf(removed, 'item')} dropped; see: openclaw memory session show ${session} --removed`;
  return `${archive} completed: Working Memory ${why}${left}${gone}`;
}

function formatWaitingArchives(pending: readonly string[]): readonly string[] {
  return pending.length === 0 ? [] : [`waiting to be finished: ${pending.join(', ')}`];
}

/** The exit code of a command that finished archives. Prints failures on stderr. */
export function exitCodeOfArchives({ out }: CommandContext, finished: readonly FinishedArchive[]): ExitCode {
  for (const { section, item, reason } of finished.flatMap(({ refused = [] }) => refused))
    out.detail(`left out of ${section}: "${item}": ${reason}`);
  const failed = finished.find(({ state }) => state === 'failed');
  if (failed === undefined) return ExitCode.done;
  out.problem({
    type: 'io',
    message: `${failed.archive} failed at ${failed.stage}: ${failed.reason}`,
    hint: 'no message is lost; fix the cause, then run: openclaw memory session resume',
  });
  return ExitCode.failed;
}
