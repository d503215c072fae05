import type { CommandEntry } from './command.js';

/** Every command, in the order of `--help`. Loading one loads nothing of the others. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    group: 'Memory',
    summary: 'scaffold a workspace; never overwrites',
    load: () => import('./commands/init.js'),
  },
  {
    name: 'flush',
    group: 'Sessions',
    summary: 'save what matters before a context compaction',
    load: () => import('./commands/flush.js'),
  },
  {
    name: 'context',
    group: 'For agents',
    summary: 'what goes into a prompt: is experience worth recalling, remove injected blocks',
    load: () => import('./commands/context.js'),
  },
];
