import { fail } from '../../base/failure.js';
import { didYouMean } from '../../base/nearest.js';
import type { McpTool } from '../tool.js';
import { BANK_VERB_TOOLS } from './bank.js';
import { MEMORY_TOOLS } from './memory.js';
import { SESSION_TOOLS } from './sessions.js';
import { TURN_TOOLS } from './turns.js';

/** All tools, in listing order. */
export const TOOLS: readonly McpTool[] = [...MEMORY_TOOLS, ...BANK_VERB_TOOLS, ...SESSION_TOOLS, ...TURN_TOOLS];

/** Tools that a server offers by default. Each listed tool takes space in every conversation of the host. */
const DEFAULT_TOOLS = 'recall get retain forget entity context_build core session_search';

/**
 * The tools of a server.
 * @param wanted `all`, or comma-separated names; without it the default tools
 * @throws MemoryError `usage` for an unknown name
 */
export function toolsNamed(wanted?: string): readonly McpTool[] {
  if (wanted === 'all') return TOOLS;
  const names = (wanted ?? DEFAULT_TOOLS).split(/[\s,]+/).filter((name) => name !== '');
  for (const name of names) {
    if (TOOLS.some((tool) => tool.name === name)) continue;
    const known = TOOLS.map((tool) => tool.name);
    fail('usage', `there is no tool "${name}"`, didYouMean(name, known));
  }
  return TOOLS.filter(({ name }) => names.includes(name));
}
