import { fail } from '../../base/failure.js';
import { didYouMean } from '../../base/nearest.js';
import type { McpTool } from '../tool.js';
import { BANK_VERB_TOOLS } from './bank.js';
import { MEMORY_TOOLS } from './memory.js';
import { SESSION_TOOLS } from './sessions.js';
import { TURN_TOOLS } from './turns.js';

/** Every tool, in the order in which they are listed. */
export const TOOLS: readonly McpTool[] = [...MEMORY_TOOLS, ...BANK_VERB_TOOLS, ...SESSION_TOOLS, ...TURN_TOOLS];

/** What a server offers unless it is told otherwise: each listed tool costs every conversation of the host its size. */
const DEFAULT_TOOLS = 'recall get retain forget entity context_build core session_search';

/**
 * The tools of a server.
 * @param wanted `all`, or names divided by commas; the default ones when it is not given
 * @throws MemoryError `usage` for a name that no tool has
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
