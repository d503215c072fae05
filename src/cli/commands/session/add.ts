import { fail } from '../../../base/failure.js';
import type { Fields, RequestOf } from '../../../base/request.js';
import type { AddReport } from '../../../session/add.js';
import { type MessageDraft, readDraft, readDrafts } from '../../../session/message.js';
import { ADD, SESSION } from '../../../session/requests.js';
import type { CommandContext } from '../../command.js';
import { readLoosely } from '../../io.js';
import { openToBegin } from '../../open.js';
import { count } from '../../text/shown.js';
import { verb } from '../../verb.js';
import { sayWhere } from '../../writing.js';

const TAKES = {
  ...SESSION,
  role: {
    type: 'text',
    value: 'role',
    doc: 'user, assistant, tool or system; with --stdin: of messages that have none',
  },
  text: { type: 'text', doc: 'what was said' },
  toolCallId: { type: 'text', value: 'id', doc: 'with --role tool: the call that this answers' },
  toolName: { type: 'text', value: 'name', doc: 'with --role tool: the name of the tool' },
  stdin: { type: 'boolean', doc: 'read messages from standard input: one JSON object a line, or a list' },
  idempotencyKey: ADD.idempotencyKey,
} as const satisfies Fields;

type AddOptions = RequestOf<typeof TAKES>;

export const add = verb({
  summary: 'append messages to the log of a session; makes the session when there is none',
  takes: TAKES,
  more:
    'On stdin: {"role","content"} a line. The content is text, or parts such as\n' +
    '  {"type":"text","text"}, {"type":"tool_call","id","name","input"},\n' +
    '  {"type":"tool_result","id","output"}\nAll lines are added, or none.',
  examples: ['session add chat-1 --role user --text "use Redis, port 6380"'],
  run: async (context, request) => {
    const { out } = context;
    const messages = request.stdin ? await fromStdin(context, request) : [fromOptions(request)];
    const workspace = await openToBegin(context);
    const sessions = await workspace.sessions(context.signal);
    const report = await sessions.add(request.session, { messages, idempotencyKey: request.idempotencyKey });
    if (report.redacted.length > 0) out.warn(`secrets were replaced: ${[...new Set(report.redacted)].join(', ')}`);
    if (report.empty.length > 0) {
      out.warn(`${count(report.empty.length, 'message')} left out: nothing but injected context or blanks`);
    }
    if (report.added.length > 0) sayWhere(context, workspace.root);
    const commit_due = report.pending_tokens >= sessions.commitThreshold;
    out.answer(addText(report, commit_due), { ...report, commit_due });
  },
});

function addText({ added, duplicates, pending_tokens, live_messages }: AddReport, due: boolean): string {
  const lines = added.map(({ id, role, tokens }) => `${id}  ${role}, ${tokens} tokens`);
  if (duplicates > 0) lines.push(`${duplicates} already there`);
  lines.push(
    `pending: ${pending_tokens} tokens of ${count(live_messages, 'message')}${due ? '; a commit is due' : ''}`,
  );
  return lines.join('\n');
}

function fromOptions({ role, text, toolCallId, toolName }: AddOptions): MessageDraft {
  if (text === undefined) return fail('usage', 'there is no message to add', 'give --role and --text, or use --stdin');
  if (role === undefined) return fail('usage', '--role is missing', 'say whose message it is, for example --role user');
  if (toolCallId !== undefined && role !== 'tool') {
    return fail('usage', '--tool-call-id goes with --role tool', 'give calls of an assistant as JSON with --stdin');
  }
  const draft = readDraft({ role, content: text, tool_call_id: toolCallId, tool_name: toolName });
  if (draft === undefined) fail('usage', `unknown role "${role.slice(0, 40)}"`, 'use user, assistant, tool or system');
  return text.trim() === '' ? fail('usage', 'the message is empty', 'give --text something to say') : draft;
}

async function fromStdin({ io, out }: CommandContext, { role, text }: AddOptions): Promise<readonly MessageDraft[]> {
  if (text !== undefined) {
    fail('usage', 'messages come from --text or from --stdin, not from both', 'leave one of them out');
  }
  return readDrafts(await readLoosely(io, out.warn), role);
}
