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
    name: 'wm',
    group: 'Sessions',
    summary: 'update a Working Memory step by step, under its guards',
    load: () => import('./commands/wm.js'),
  },
];
