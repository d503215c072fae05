import type { Command } from 'commander';
import { ExitCode, fail } from '../../../base/failure.js';
import type { AddReport } from '../../../session/add.js';
import { type MessageDraft, readDraft, readDrafts } from '../../../session/message.js';
import type { CommandContext, Run } from '../../command.js';
import { readLoosely } from '../../io.js';
import { openFor } from '../../open.js';
import { count } from '../../text/count.js';

interface AddOptions {
  readonly role?: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly stdin?: boolean;
  readonly idempotencyKey?: string;
}

export function defineAdd(session: Command, run: Run): Command {
  return session
    .command('add')
    .description('append messages to the log of a session; makes the session when there is none')
    .argument('<id>', 'id of the session')
    .option('--role <role>', 'user, assistant, tool or system; with --stdin: of messages that have none')
    .option('--text <text>', 'what was said')
    .option('--tool-call-id <id>', 'with --role tool: the call that this answers')
    .option('--tool-name <name>', 'with --role tool: the name of the tool')
    .option('--stdin', 'read messages from standard input: one JSON object a line, or a list')
    .option('--idempotency-key <key>', 'adding again under the same key adds nothing twice')
    .addHelpText(
      'after',
      '\nOn stdin: {"role","content"} a line. The content is text, or parts such as\n' +
        '  {"type":"text","text"}, {"type":"tool_call","id","name","input"},\n' +
        '  {"type":"tool_result","id","output"}\nAll lines are added, or none.\n\n' +
        'Example:\n  openclaw memory session add chat-1 --role user --text "use Redis, port 6380"',
    )
    .action((id: string, options: AddOptions) => run((context) => add(context, id, options)));
}

async function add(context: CommandContext, id: string, options: AddOptions): Promise<ExitCode> {
  const { out } = context;
  const messages = options.stdin ? await fromStdin(context, options) : [fromOptions(options)];
  const workspace = await openFor(context);
  const sessions = await workspace.sessions(context.signal);
  const report = await sessions.add(id, { messages, idempotencyKey: options.idempotencyKey });
  if (report.redacted.length > 0) out.warn(`secrets were replaced: ${[...new Set(report.redacted)].join(', ')}`);
  if (report.empty.length > 0) {
    out.warn(`${count(report.empty.length, 'message')} left out: nothing but injected context or blanks`);
  }
  const commit_due = report.pending_tokens >= sessions.commitThreshold;
  out.answer(addText(report, commit_due), { ...report, commit_due });
  return ExitCode.done;
}

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
  if (draft === undefined) return unknownRole(role);
  return text.trim() === '' ? fail('usage', 'the message is empty', 'give --text something to say') : draft;
}

async function fromStdin({ io, out }: CommandContext, { role, text }: AddOptions): Promise<readonly MessageDraft[]> {
  if (text !== undefined) {
    fail('usage', 'messages come from --text or from --stdin, not from both', 'leave one of them out');
  }
  return readDrafts(await readLoosely(io, out.warn), role);
}

function unknownRole(role: string): never {
  return fail('usage', `unknown role "${role.slice(0, 40)}"`, 'use user, assistant, tool or system');
}
