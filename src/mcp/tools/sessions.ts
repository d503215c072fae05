import { flag } from '../../base/report.js';
import { ADD_REPORT } from '../../session/add.js';
import { COMMIT_REPORT } from '../../session/commit.js';
import { SESSION_CONTEXT } from '../../session/context.js';
import { EXPANDED_ARCHIVE } from '../../session/expand.js';
import { readDrafts } from '../../session/message.js';
import {
  SEARCH_OPTIONS,
  SESSION_ADD_REQUEST,
  SESSION_COMMIT_REQUEST,
  SESSION_CONTEXT_REQUEST,
  SESSION_EXPAND_REQUEST,
  SESSION_FIELDS,
  SESSION_SEARCH_REQUEST,
} from '../../session/requests.js';
import { SESSION_MATCHES } from '../../session/search.js';
import { SESSION_STATUS } from '../../session/session.js';
import { type McpTool, makeMcpTool } from '../tool.js';

export const SESSION_TOOLS: readonly McpTool[] = [
  makeMcpTool({
    name: 'session_add',
    title: 'Add messages to a session',
    description:
      'Append messages of a conversation to its log, on disk when this returns. Injected memory is removed, secrets ' +
      'are replaced. `commitDue` says when to call session_commit.',
    effect: 'writes',
    input: {
      ...SESSION_FIELDS,
      messages: {
        type: 'list',
        of: { type: 'record' },
        required: true,
        doc: 'each {"role", "content"}; content is text, or parts such as {"type": "tool_call", "id", "name", "input"}',
      },
      idempotencyKey: SESSION_ADD_REQUEST.idempotencyKey,
    },
    output: { ...ADD_REPORT, commitDue: flag() },
    run: async (memory, { session, messages, idempotencyKey }, signal) => {
      const sessions = await memory.sessions(signal);
      const drafts = readDrafts(JSON.stringify(messages));
      const report = await sessions.add(session, { messages: drafts, idempotencyKey });
      return { ...report, commitDue: report.pending_tokens >= sessions.commitThreshold };
    },
  }),
  makeMcpTool({
    name: 'session_status',
    title: 'State of a session',
    description: 'Show the number of live messages and tokens, the archives, and the time of the last commit.',
    effect: 'reads',
    input: SESSION_FIELDS,
    output: SESSION_STATUS,
    run: async (memory, { session }, signal) => (await memory.sessions(signal)).status(session),
  }),
  makeMcpTool({
    name: 'session_commit',
    title: 'Commit a session',
    description:
      'Move all but the newest messages into an archive, where they stay, and update the Working Memory. A local model may ' +
      'need minutes: with maxWait the rules finish it, with defer you do, by wm_prompt and wm_apply.',
    effect: 'writes',
    input: { ...SESSION_FIELDS, ...SESSION_COMMIT_REQUEST },
    output: COMMIT_REPORT,
    run: async (memory, { session, ...options }, signal) => (await memory.sessions(signal)).commit(session, options),
  }),
  makeMcpTool({
    name: 'session_context',
    title: 'Context of a session',
    description:
      "Build the context for the model's next turn: core file, Working Memory and messages, within its window.",
    effect: 'reads',
    input: SESSION_CONTEXT_REQUEST,
    output: SESSION_CONTEXT,
    run: async (memory, { session, budget }, signal) => (await memory.sessions(signal)).context(session, budget),
  }),
  makeMcpTool({
    name: 'session_expand',
    title: 'Messages of an archive',
    description:
      'Read the original messages of one archive. Use it when the summary lacks a detail: an exact command, a ' +
      'file path, a piece of code, a value. session_search names the archives.',
    effect: 'reads',
    input: SESSION_EXPAND_REQUEST,
    output: EXPANDED_ARCHIVE,
    run: async (memory, { session, archive }, signal) => (await memory.sessions(signal)).expand(session, archive),
  }),
  makeMcpTool({
    name: 'session_search',
    title: 'Search sessions',
    description:
      'Search the messages of all sessions, or of one, also archived ones. Use two or three concrete words (names, ' +
      'dates), and other words before you say that something is unknown. session_expand takes `session` and `archive`.',
    effect: 'reads',
    input: {
      query: SESSION_SEARCH_REQUEST.query,
      session: { type: 'text', isNeverEmpty: true, doc: 'only this session' },
      ...SEARCH_OPTIONS,
    },
    output: SESSION_MATCHES,
    run: async (memory, { session, query, ...options }, signal) => {
      const sessions = await memory.sessions(signal);
      return session === undefined ? sessions.searchAll(query, options) : sessions.search(session, query, options);
    },
  }),
];
