import type { Command } from 'commander';
import { ExitCode } from '../../../base/failure.js';
import { orThrow } from '../../../base/result.js';
import { mergeWorkingMemory } from '../../../wm/merge.js';
import { parseOperations } from '../../../wm/operations.js';
import type { Run } from '../../command.js';
import { readInput } from '../../io.js';
import { twoFromStdin } from './input.js';

export function defineMerge(command: Command, run: Run): Command {
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
