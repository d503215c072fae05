import { fail } from '../../base/failure.js';
import { suggestKnownWord } from '../../base/nearest.js';
import type { McpTool } from '../tool.js';
import { BANK_MCP_TOOLS } from './bank.js';
import { MEMORY_TOOLS } from './memory.js';
import { SESSION_TOOLS } from './sessions.js';
import { AGENT_MODEL_TOOLS } from './turns.js';

/** All tools, in listing order. */
export const MCP_TOOLS: readonly McpTool[] = [
  ...MEMORY_TOOLS,
  ...BANK_MCP_TOOLS,
  ...SESSION_TOOLS,
  ...AGENT_MODEL_TOOLS,
];

/** Tools that a server offers by default. Each listed tool takes space in every conversation of the host. */
const DEFAULT_TOOLS = 'recall get retain forget entity context_build core session_search';

/**
 * The tools of a server.
 * @param wanted `all`, or comma-separated names; without it the default tools
 * @throws MemoryError `usage` for an unknown name
 */
export function findMcpTools(wanted?: string): readonly McpTool[] {
  if (wanted === 'all') return MCP_TOOLS;
  const names = (wanted ?? DEFAULT_TOOLS).split(/[\s,]+/).filter((name) => name !== '');
  for (const name of names) {
    if (MCP_TOOLS.some((tool) => tool.name === name)) continue;
    const known = MCP_TOOLS.map((tool) => tool.name);
    fail('usage', `there is no tool "${name}"`, suggestKnownWord(name, known));
  }
  return MCP_TOOLS.filter(({ name }) => names.includes(name));
}
