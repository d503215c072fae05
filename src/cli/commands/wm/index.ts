import type { Command } from 'commander';
import { ExitCode, fail, MemoryError } from '../../../base/failure.js';
import type { Result } from '../../../base/result.js';
import { mergeWorkingMemory } from '../../../wm/merge.js';
import { parseOperations } from '../../../wm/operations.js';
import type { WmPrompt } from '../../../wm/prompt.js';
import { parseMessages } from '../../../wm/transcript.js';
import { readTemplate } from '../../../workspace/templates.js';
import type { CommandContext, DefineCommand, Run } from '../../command.js';
import { readInput } from '../../io.js';
import { openFor } from '../../open.js';
import { promptText } from '../../text/prompt-text.js';
import { exitOf, finishedText, resumeJson } from '../session/commit.js';

export const define: DefineCommand = (command, run) => {
  command.addHelpText(
    'after',
    '\nExample:\n  openclaw memory wm prompt --old wm.md --messages messages.jsonl > prompt.txt\n' +
      '  openclaw memory wm merge --old wm.md --ops answer.json > new-wm.md',
  );
  for (const step of [defineMerge, definePrompt, defineApply, defineShow]) step(command, run);
};

function defineMerge(command: Command, run: Run): Command {
  return command
    .command('merge')
    .description('apply section operations to a Working Memory under its guards; writes nothing')
    .requiredOption('--old <file>', 'the Working Memory as it is; - for stdin; may be empty or an older summary')
    .requiredOption('--ops <file>', 'the operations, or the whole answer of a model; - for stdin')
    .addHelpText('after', '\nExample:\n  openclaw memory wm merge --old wm.md --ops answer.json --json')
    .action((options: { readonly old: string; readonly ops: string }) =>
      run(async (context) => {
        if (options.old === '-' && options.ops === '-') twoFromStdin('--old and --ops');
        const old = await readInput(options.old, context.io);
        const { operations, recovered } = orThrow(parseOperations(await readInput(options.ops, context.io)));
        if (recovered) context.out.warn('the operations are not valid JSON; what could be recovered was used');
        const merged = mergeWorkingMemory(old, operations);
        for (const reminder of merged.reminders) context.out.note(reminder);
        context.out.answer(merged.document, merged);
        return ExitCode.done;
      }),
    );
}

interface PromptOptions {
  readonly old?: string;
  readonly messages?: string;
}

function definePrompt(command: Command, run: Run): Command {
  return command
    .command('prompt')
    .description('print prompt and JSON schema for the operations on a Working Memory')
    .argument('[session]', 'the session whose oldest waiting archive it is for; without it, give both files')
    .option('--old <file>', 'the Working Memory as it is; - for stdin; may be empty or an older summary')
    .option('--messages <file>', 'the new messages, JSON or JSON lines; - for stdin')
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
  const { buildWmPrompt } = await import('../../../wm/prompt.js');
  const document = await readInput(old, context.io);
  return buildWmPrompt(document, orThrow(parseMessages(await readInput(messages, context.io))), {
    update: readTemplate('prompts/wm-update.md'),
    create: readTemplate('prompts/wm-create.md'),
  });
}

async function promptOf(context: CommandContext, session: string, { old, messages }: PromptOptions): Promise<WmPrompt> {
  if (old !== undefined || messages !== undefined) {
    return fail('usage', 'a session has its Working Memory and messages already', 'leave out --old and --messages');
  }
  const sessions = await (await openFor(context)).sessions();
  const built = await sessions.wmPrompt(session);
  context.out.note(`for ${built.archive}; answer with: openclaw memory wm apply ${session} --ops FILE`);
  return built;
}

interface ApplyOptions {
  readonly ops: string;
  readonly archive?: string;
}

function defineApply(command: Command, run: Run): Command {
  return command
    .command('apply')
    .description('finish the oldest waiting archive of a session by operations, under the guards')
    .argument('<session>', 'id of the session')
    .requiredOption('--ops <file>', 'the operations, or the whole answer of a model; - for stdin')
    .option('--archive <id>', 'refuse when another archive is the oldest that waits')
    .addHelpText('after', '\nExample:\n  openclaw memory wm apply chat-1 --ops answer.json')
    .action((session: string, options: ApplyOptions) =>
      run(async (context) => {
        const { operations, recovered } = orThrow(parseOperations(await readInput(options.ops, context.io)));
        if (recovered) context.out.warn('the operations are not valid JSON; what could be recovered was used');
        const sessions = await (await openFor(context)).sessions(context.signal);
        const report = await sessions.wmApply(session, operations, options.archive);
        for (const warning of report.warnings) context.out.warn(warning);
        context.out.answer(report.finished.map(finishedText).join('\n'), resumeJson(report));
        return exitOf(context, report.finished);
      }),
    );
}

function defineShow(command: Command, run: Run): Command {
  return command
    .command('show')
    .description('print the Working Memory of a session')
    .argument('<session>', 'id of the session')
    .addHelpText('after', '\nExample:\n  openclaw memory wm show chat-1')
    .action((session: string) =>
      run(async (context) => {
        const shown = await (await (await openFor(context)).sessions()).workingMemory(session);
        if (shown.document === null) context.out.note('there is no Working Memory yet: commit the session');
        if (shown.overview_by === 'deterministic') {
          context.out.note(`${shown.archive} was summed up without a model; the next commit with one will do better`);
        }
        context.out.answer(shown.document ?? '', shown);
        return ExitCode.done;
      }),
    );
}

function orThrow<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new MemoryError(result.error);
}

function twoFromStdin(options: string): never {
  return fail('usage', `${options} cannot both be read from stdin`, 'give one of them as a file');
}
