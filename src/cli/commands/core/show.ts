import type { Command } from 'commander';
import { ExitCode } from '../../../base/failure.js';
import type { Run } from '../../command.js';
import { openFor } from '../../open.js';

export function defineShow(command: Command, run: Run): void {
  command
    .command('show')
    .summary('print the core file')
    .addHelpText('after', '\nExample:\n  openclaw memory core show')
    .action(() =>
      run(async (context) => {
        const workspace = await openFor(context);
        const view = await workspace.core();
        for (const warning of view.warnings) context.out.warn(warning);
        context.out.note(`${view.path}: ${view.chars} of ${view.budget} characters`);
        context.out.answer(view.text, view);
        return ExitCode.done;
      }),
    );
}
