import type { Command } from 'commander';
import { ExitCode, fail } from '../../../base/failure.js';
import { WM_PROMPT, type WmPromptOptions } from '../../../session/requests.js';
import type { WmPrompt } from '../../../wm/prompt.js';
import { readTemplate } from '../../../workspace/templates.js';
import type { CommandContext, Run } from '../../command.js';
import { readFlags } from '../../flags.js';
import { readInput } from '../../io.js';
import { openFor } from '../../open.js';
import { promptText } from '../../text/prompt-text.js';
import { twoFromStdin } from './input.js';

interface PromptOptions {
  readonly old?: string;
  readonly messages?: string;
  readonly maxTokens?: string;
  readonly part?: string;
}

export function definePrompt(command: Command, run: Run): Command {
  return command
    .command('prompt')
    .description('print prompt and JSON schema for the operations on a Working Memory')
    .argument('[session]', 'the session whose oldest waiting archive it is for; without it, give both files')
    .option('--old <file>', 'the Working Memory as it is; - for stdin; may be empty or an older summary')
    .option('--messages <file>', 'the new messages, JSON or JSON lines; - for stdin')
    .option('--max-tokens <n>', 'most tokens of the prompt; a longer archive comes in parts (default 16000)')
    .option('--part <n>', 'this part of the archive (default: the next that waits for an answer)')
    .addHelpText(
      'after',
      '\nExample:\n  openclaw memory wm prompt chat-1 --json\n' +
        '  openclaw memory wm prompt --old wm.md --messages messages.jsonl --json',
    )
    .action((session: string | undefined, options: PromptOptions) =>
      run(async (context) => {
        const built =
          session === undefined ? await promptOfFiles(context, options) : await promptOf(context, session, options);
        context.out.answer(promptText(built), built);
        return ExitCode.done;
      }),
    );
}

async function promptOfFiles(context: CommandContext, { old, messages }: PromptOptions): Promise<WmPrompt> {
  if (old === undefined || messages === undefined) {
    return fail('usage', 'there is nothing to prompt for', 'name a session, or give both --old and --messages');
  }
  if (old === '-' && messages === '-') twoFromStdin('--old and --messages');
  const { looseWmPrompt } = await import('../../../session/working-memory.js');
  const document = await readInput(old, context.io);
  return looseWmPrompt(document, await readInput(messages, context.io), {
    update: readTemplate('prompts/wm-update.md'),
    create: readTemplate('prompts/wm-create.md'),
  });
}

async function promptOf(context: CommandContext, session: string, options: PromptOptions): Promise<WmPrompt> {
  const { old, messages } = options;
  if (old !== undefined || messages !== undefined) {
    return fail('usage', 'a session has its Working Memory and messages already', 'leave out --old and --messages');
  }
  const sessions = await (await openFor(context)).sessions();
  const built = await sessions.wmPrompt(session, readFlags<WmPromptOptions>('wm prompt', WM_PROMPT, options));
  const part = built.parts === 1 ? '' : `, part ${built.part} of ${built.parts}`;
  context.out.note(`for ${built.archive}${part}; answer with: openclaw memory wm apply ${session} --ops FILE`);
  return built;
}
