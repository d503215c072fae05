import type { Tool } from '../tool.js';
import { BANK_TOOLS } from './bank.js';
import { CONTEXT_TOOLS } from './context.js';
import { EXTRACTION_TOOLS } from './extraction.js';
import { MEMORY_TOOLS } from './memory.js';
import { SESSION_TOOLS } from './sessions.js';
import { TURN_TOOLS } from './turns.js';

/** Every tool, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
  ...MEMORY_TOOLS,
  ...CONTEXT_TOOLS,
  ...BANK_TOOLS,
  ...SESSION_TOOLS,
  ...TURN_TOOLS,
  ...EXTRACTION_TOOLS,
];
