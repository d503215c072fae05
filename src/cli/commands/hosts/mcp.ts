import { verb } from '../../verb.js';
import { workspaceOptions } from '../../workspace.js';

export const define = verb({
  takes: {
    tools: {
      type: 'text',
      value: 'names',
      doc: 'all, or names divided by commas (default: the eight that agents use most)',
    },
    readOnly: { type: 'boolean', doc: 'only the tools that read' },
  },
  more: `For hosts of the Model Context Protocol: they start it and talk to it on stdin
and stdout. Without a workspace it runs all the same and says so in each answer.`,
  examples: ['mcp --read-only', 'mcp --tools all'],
  run: async (context, { tools, readOnly: isReadOnly = false }) => {
    const { serve } = await import('../../../mcp/server.js');
    const { out, signal } = context;
    await serve({ workspace: workspaceOptions(context), tools, isReadOnly, signal, onWarning: out.warn });
  },
});
