import { ExitCode } from '../../../base/failure.js';
import { workspaceOptions } from '../../open.js';
import { verb } from '../../verb.js';

export const define = verb({
  takes: { readOnly: { type: 'boolean', doc: 'only the tools that read' } },
  more: `For hosts of the Model Context Protocol: they start it and talk to it on stdin
and stdout. Without a workspace it runs all the same and says so in each answer.`,
  examples: ['mcp --read-only'],
  run: async (context, { readOnly: isReadOnly = false }) => {
    const { serve } = await import('../../../mcp/server.js');
    const { out, signal } = context;
    await serve({ workspace: workspaceOptions(context), isReadOnly, signal, onWarning: out.warn });
    return ExitCode.done;
  },
});
