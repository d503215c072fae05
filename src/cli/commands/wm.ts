import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ExitCode, fail, MemoryError } from '../../base/failure.js';
import type { Result } from '../../base/result.js';
import { mergeWorkingMemory } from '../../wm/merge.js';
import { parseOperations } from '../../wm/operations.js';
import { parseMessages } from '../../wm/transcript.js';
import { readTemplate } from '../../workspace/templates.js';
import type { CommandContext, DefineCommand, Run } from '../command.js';
import { readAll } from '../io.js';

export const define: DefineCommand = (command, run) => {
  command
    .addHelpText(
      'after',
      '\nExample:\n  openclaw memory wm prompt --old wm.md --messages messages.jsonl > prompt.txt\n' +
        '  openclaw memory wm merge --old wm.md --ops answer.json > new-wm.md',
    )
    .allowExcessArguments()
    .action(() => run(() => noSuchCommand(command.args[0])));
  for (const step of [defineMerge(command, run), definePrompt(command, run)]) {
    // The one place that prints errors is the command line's.
    step.configureOutput({ writeErr: () => {} });
  }
};

function noSuchCommand(name: string | undefined): never {
  const message = name === undefined ? 'wm needs a command' : `unknown command "wm ${name}"`;
  return fail('usage', message, 'use wm merge or wm prompt; see openclaw memory wm --help');
}

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
        const old = await readInput(options.old, context);
        const { operations, recovered } = orThrow(parseOperations(await readInput(options.ops, context)));
        if (recovered) context.out.warn('the operations are not valid JSON; what could be recovered was used');
        const merged = mergeWorkingMemory(old, operations);
        for (const reminder of merged.reminders) context.out.note(reminder);
        context.out.answer(merged.document, merged);
        return ExitCode.done;
      }),
    );
}

function definePrompt(command: Command, run: Run): Command {
  return command
    .command('prompt')
    .description('print prompt and JSON schema for the operations on a Working Memory')
    .requiredOption('--old <file>', 'the Working Memory as it is; - for stdin; may be empty or an older summary')
    .requiredOption('--messages <file>', 'the new messages, JSON or JSON lines; - for stdin')
    .addHelpText('after', '\nExample:\n  openclaw memory wm prompt --old wm.md --messages messages.jsonl --json')
    .action((options: { readonly old: string; readonly messages: string }) =>
      run(async (context) => {
        if (options.old === '-' && options.messages === '-') twoFromStdin('--old and --messages');
        const old = await readInput(options.old, context);
        const messages = orThrow(parseMessages(await readInput(options.messages, context)));
        const { buildWmPrompt } = await import('../../wm/prompt.js');
        const built = buildWmPrompt(old, messages, {
          update: readTemplate('prompts/wm-update.md'),
          create: readTemplate('prompts/wm-create.md'),
        });
        const schema = JSON.stringify(built.schema);
        context.out.answer(`${built.prompt.trimEnd()}\n\nJSON schema of the answer:\n${schema}\n`, built);
        return ExitCode.done;
      }),
    );
}

async function readInput(path: string, { io }: CommandContext): Promise<string> {
  return path === '-' ? readAll(io.stdin) : readFileSync(resolve(io.cwd, path), 'utf8');
}

function orThrow<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new MemoryError(result.error);
}

function twoFromStdin(options: string): never {
  return fail('usage', `${options} cannot both be read from stdin`, 'give one of them as a file');
}
