import { defineVerb } from '../../verb.js';
import { buildWorkspaceOptions } from '../../workspace.js';

export const define = defineVerb({
  takes: {
    tools: {
      type: 'text',
      value: 'names',
      doc: '"all", or tool names with commas between them (default: the eight most used tools)',
    },
    readOnly: { type: 'boolean', doc: 'offer only tools that read' },
  },
  more: `An MCP host starts this command and talks to it on stdin and stdout. Without a
workspace it still runs, and each answer says that there is none.`,
  examples: ['mcp --read-only', 'mcp --tools all'],
  run: async (context, { tools, readOnly: isReadOnly = false }) => {
    const { serveMcp } = await import('../../../mcp/server.js');
    const { out, signal } = context;
    await serveMcp({ workspace: buildWorkspaceOptions(context), tools, isReadOnly, signal, onWarning: out.warn });
  },
});
