import { Argument } from 'commander';
import { ExitCode } from '../../base/failure.js';
import type { DefineCommand } from '../command.js';
import type { Shell } from '../completion/scripts.js';

export const define: DefineCommand = (command, run) => {
  command
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', '\nExample:\n  source <(openclaw memory completion bash)')
    .action((shell: Shell) =>
      run(async (context) => {
        const [{ commandTree }, { completionScript }] = await Promise.all([
          import('../completion/tree.js'),
          import('../completion/scripts.js'),
        ]);
        const script = completionScript(shell, await commandTree(context.commands));
        context.out.answer(script, { shell, script });
        return ExitCode.done;
      }),
    );
};
