import { type Command, Option } from 'commander';
import { ExitCode, fail, MemoryError } from '../../../base/failure.js';
import type { BuildRequest, BuiltContext, ChatMessage } from '../../../context/build.js';
import { GATE_TRIGGERS, type GateTrigger } from '../../../context/gate.js';
import type { CommandContext, Run } from '../../command.js';
import { readAll, readInput } from '../../io.js';
import { openFor } from '../../open.js';

interface BuildOptions {
  readonly message?: string;
  readonly stdin?: boolean;
  readonly sessionKey?: string;
  readonly cron?: boolean;
  readonly trigger?: GateTrigger;
  readonly bypass?: boolean;
  readonly task?: string;
  readonly automation?: string;
  readonly skill?: string;
  readonly withCore?: boolean;
  readonly blockOnly?: boolean;
}

export function defineBuild(command: Command, run: Run): void {
  command
    .command('build')
    .description('the memories to put before a message, and the message')
    .option('--message <text>', 'what the user said')
    .option('--stdin', 'read the conversation from standard input: a JSON list, or one JSON message a line')
    .option('--session-key <key>', 'a key with ":cron:" in it makes this a cron session')
    .option('--cron', 'this is a cron session')
    .addOption(new Option('--trigger <trigger>', 'what asks; all but task_start force a recall').choices(GATE_TRIGGERS))
    .option('--bypass', 'the session is excluded from recall')
    .option('--task <text>', 'of a forced trigger: the task that it starts')
    .option('--automation <text>', 'of a forced trigger: name and prompt of the automation')
    .option('--skill <file>', 'of a forced trigger: the SKILL.md that is loaded')
    .option('--with-core', 'the core file goes first')
    .option('--block-only', 'print the block alone; nothing when there is none')
    .addHelpText('after', '\nExample:\n  openclaw memory context build --message "fix the login bug" --json')
    .action((options: BuildOptions) => run((context) => build(context, options)));
}

async function build(context: CommandContext, options: BuildOptions): Promise<ExitCode> {
  const { out } = context;
  const built = await buildHere(context, {
    messages: await messagesOf(context, options),
    sessionKey: options.sessionKey,
    isCron: options.cron,
    trigger: options.trigger,
    isBypassed: options.bypass,
    about: await aboutOf(context, options),
    withCore: options.withCore,
  });
  for (const warning of built.warnings) out.warn(warning);
  if (out.json) out.answer('', built);
  else {
    // To the byte what goes into the prompt; a terminal gets its line feed.
    const text = options.blockOnly === true ? built.block : await asText(built);
    out.raw(context.io.stdout.isTTY === true && text !== '' ? `${text}\n` : text);
  }
  return ExitCode.done;
}

/** Where there is no workspace, nothing is remembered: the message goes on as it is. */
async function buildHere(context: CommandContext, request: BuildRequest): Promise<BuiltContext> {
  try {
    return await (await openFor(context)).buildContext(request, context.signal);
  } catch (error) {
    if (!(error instanceof MemoryError) || error.failure.type === 'usage') throw error;
    const { unchangedContext } = await import('../../../context/build.js');
    return unchangedContext(request.messages, error.failure.message);
  }
}

async function messagesOf({ io }: CommandContext, options: BuildOptions): Promise<readonly ChatMessage[]> {
  const { message, stdin, task, automation, skill } = options;
  if (message !== undefined && stdin === true)
    fail('usage', 'messages come from --message or from --stdin, not from both', 'leave one of them out');
  if (message !== undefined) return [{ role: 'user', content: message }];
  if (stdin === true) {
    const { readRecords } = await import('../../../session/message.js');
    return readRecords(await readAll(io.stdin)).map(({ record, place }) => {
      const { role, content } = record;
      if (typeof role === 'string') return { ...record, role, content };
      return fail('usage', `${place} has no role`, 'give {"role","content"}');
    });
  }
  if (task ?? automation ?? skill) return [];
  return fail('usage', 'there is no message', 'give --message TEXT, or --stdin with the conversation');
}

async function aboutOf({ io }: CommandContext, { task, automation, skill }: BuildOptions): Promise<string> {
  const file = skill === undefined ? '' : await readInput(skill, io);
  // A skill says in its front matter what it is for.
  const said = [...file.slice(0, 4_000).matchAll(/^(?:name|description):[ \t]*(.+)$/gmu)].map(([, text = '']) => text);
  const about = said.length > 0 ? said.join('\n') : file.slice(0, 1_000);
  return [task ?? '', automation ?? '', about].filter((text) => text !== '').join('\n');
}

async function asText({ messages }: BuiltContext): Promise<string> {
  const { textOf } = await import('../../../context/build.js');
  const last = messages.at(-1);
  return last === undefined ? '' : textOf(last);
}
