import { ExitCode } from '../../../base/failure.js';
import type { DefineCommand } from '../../command.js';
import { workspaceOptions } from '../../open.js';

export const define: DefineCommand = (command, run) => {
  command
    .option('--read-only', 'only the tools that read')
    .addHelpText(
      'after',
      '\nFor hosts of the Model Context Protocol: they start it and talk to it on stdin\nand stdout. Without a workspace it runs all the same and says so in each answer.\n\nExample:\n  openclaw memory mcp --read-only',
    )
    .action(({ readOnly = false }: { readonly readOnly?: boolean }) =>
      run(async (context) => {
        const { serve } = await import('../../../mcp/serve.js');
        const { out, signal } = context;
        await serve({ workspace: workspaceOptions(context), isReadOnly: readOnly, signal, onWarning: out.warn });
        return ExitCode.done;
      }),
    );
};
