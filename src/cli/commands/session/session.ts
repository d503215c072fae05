import { ExitCode } from '../../../base/failure.js';
import type { SessionContext } from '../../../session/context.js';
import type { ExpandedArchive } from '../../../session/expand.js';
import { renderMessage } from '../../../session/message.js';
import {
  SEARCH_OPTIONS,
  SESSION_BRIEF_REQUEST,
  SESSION_CONTEXT_REQUEST,
  SESSION_EXPAND_REQUEST,
  SESSION_FIELDS,
  SESSION_SEARCH_REQUEST,
} from '../../../session/requests.js';
import type { SessionMatches } from '../../../session/search.js';
import type { SessionStatus } from '../../../session/session.js';
import { formatNumberOf } from '../../text.js';
import { defineGroup, defineVerb } from '../../verb.js';
import { openSessions } from '../../workspace.js';
import { ADD_COMMANDS, ARCHIVE_COMMANDS } from './writing.js';

const list = defineVerb({
  summary: 'list all sessions, the last written first',
  takes: {},
  examples: ['session list --json'],
  run: async (context) => {
    const all = await (await openSessions(context)).list();
    const lines = all.map(
      ({ session, live_messages, pending_tokens, archives, updated_at }) =>
        `${session}  ${live_messages} live, ${pending_tokens} tokens pending, ` +
        `${archives.completed + archives.failed + archives.pending} archives, ${updated_at ?? 'never written'}`,
    );
    context.out.answer(lines.join('\n'), { sessions: all });
  },
});

const status = defineVerb({
  summary: 'show the pending tokens, archives and flushes of one session',
  takes: SESSION_FIELDS,
  examples: ['session status chat-1 --json'],
  run: async (context, { session }) => {
    const sessions = await openSessions(context);
    const commit_threshold = sessions.commitThreshold;
    const found = await sessions.status(session);
    const commit_due = found.pending_tokens >= commit_threshold;
    context.out.answer(statusText(found, commit_due), { ...found, commit_threshold, commit_due });
  },
});

const show = defineVerb({
  summary: 'print the live messages, or the items that the Working Memory dropped',
  takes: {
    ...SESSION_FIELDS,
    removed: { type: 'boolean', doc: 'print the items that are no longer in the Working Memory, with the reason' },
  },
  examples: ['session show chat-1 --removed'],
  run: async (context, { session, removed: isOfRemoved }) => {
    const sessions = await openSessions(context);
    if (isOfRemoved) {
      const removed = await sessions.removed(session);
      const lines = removed.map(
        ({ archive_id, section, item, reason }) => `${archive_id}  ${section}: ${item}\n  ${reason}`,
      );
      return context.out.answer(lines.join('\n') || 'No item was dropped.', { session, removed });
    }
    const messages = await sessions.live(session);
    context.out.answer(messages.map(renderMessage).join('\n\n') || 'There are no live messages.', {
      session,
      messages,
    });
  },
});

const context = defineVerb({
  summary: "print the context for the model's next turn, within a budget",
  takes: SESSION_CONTEXT_REQUEST,
  examples: ['session context chat-1 --budget 32000 --json'],
  run: async (context, { session, budget }) => {
    const built = await (await openSessions(context)).context(session, budget);
    context.out.answer(contextText(built), built);
  },
});

const brief = defineVerb({
  summary: 'print the text for an agent that continues a session: Working Memory and core file',
  takes: { ...SESSION_FIELDS, ...SESSION_BRIEF_REQUEST },
  examples: ['session brief chat-1 --budget 2000'],
  run: async (context, { session, ...options }) => {
    const found = await (await openSessions(context)).brief(session, options);
    context.out.answer(found.block, found);
  },
});

const expand = defineVerb({
  summary: 'print all original messages of an archive',
  takes: SESSION_EXPAND_REQUEST,
  examples: ['session expand chat-1 archive_001'],
  run: async (context, { session, archive }) => {
    const expanded = await (await openSessions(context)).expand(session, archive);
    if (expanded.state !== 'completed') context.out.warn(`${expanded.archive_id} is not finished (${expanded.state})`);
    context.out.answer(expandText(expanded, expanded.messages.map(renderMessage)), expanded);
    if (expanded.damage === undefined) return ExitCode.done;
    const hint = 'restore its messages.jsonl from git or from a backup';
    context.out.problem({ type: 'io', message: expanded.damage, hint });
    return ExitCode.failed;
  },
});

const search = defineVerb({
  summary: 'find messages by their words',
  takes: { ...SESSION_SEARCH_REQUEST, ...SEARCH_OPTIONS },
  examples: ['session search chat-1 redis port'],
  run: async (context, { session, query, ...options }) => {
    const found = await (await openSessions(context)).search(session, query, options);
    for (const warning of found.warnings) context.out.warn(`${warning}; its messages may be missing from this result`);
    context.out.answer(searchText(found), found);
  },
});

const session = defineGroup(
  ['session add chat-1 --role user --text "use Redis, port 6380"', 'session status chat-1', 'session commit chat-1'],
  { ...ADD_COMMANDS, list, status, show, ...ARCHIVE_COMMANDS, context, brief, expand, search },
);

export const commands = { session };

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

function contextText(built: SessionContext): string {
  const { instruction, system_prompt_addition: rules, messages, tokens, left_out_messages, shortened_outputs } = built;
  const system = [instruction.trim(), rules].filter((text) => text !== '').join('\n\n');
  const said = messages.map(({ role, content, parts: rest }) =>
    content === undefined ? renderMessage({ role, parts: rest ?? [] }) : `[${role}]:\n${content}`,
  );
  const left = `${formatNumberOf(left_out_messages, 'message')} left out, ${formatNumberOf(shortened_outputs, 'message')} shortened`;
  return [...(system === '' ? [] : [`[system]:\n${system}`]), ...said, `(${tokens} tokens; ${left})`].join('\n\n');
}

function expandText({ archive_id, abstract }: ExpandedArchive, messages: readonly string[]): string {
  const summary = abstract === '' ? [] : [`**Summary**: ${abstract}`];
  return [`## ${archive_id}`, ...summary, `**Messages**: ${messages.length}`, ...messages].join('\n\n');
}

function searchText({ query, found, offset, matches, advice }: SessionMatches): string {
  if (found === 0) return `No message contains "${query}". ${advice ?? ''}`;
  const shown = found > matches.length ? ` (${offset + 1} to ${offset + matches.length}, newest first)` : '';
  const head = `Found ${formatNumberOf(found, 'message')} for "${query}"${shown}:`;
  const parts = matches.map(
    ({ archive, position, role, excerpt }, i) =>
      `## Match ${offset + i + 1}: ${archive} (message ${position}, ${role})\n${excerpt}`,
  );
  return [head, ...parts].join('\n\n');
}
