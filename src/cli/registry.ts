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
    name: 'recall',
    group: 'Memory',
    summary: 'find facts, with citations',
    load: () => import('./commands/recall.js'),
  },
  {
    name: 'retain',
    group: 'Memory',
    summary: 'append typed facts to the daily log',
    load: () => import('./commands/retain.js'),
  },
  {
    name: 'forget',
    group: 'Memory',
    summary: 'take a statement out for good, also when a merge brings it back',
    load: () => import('./commands/forget.js'),
  },
  {
    name: 'index',
    group: 'Memory',
    summary: 'bring the index up to date, rebuild or verify it',
    load: () => import('./commands/index.js'),
  },
  {
    name: 'status',
    group: 'Memory',
    summary: 'workspace, files, facts, freshness',
    load: () => import('./commands/status.js'),
  },
  {
    name: 'entity',
    group: 'Bank',
    summary: 'what is known of an entity',
    load: () => import('./commands/entity.js'),
  },
  {
    name: 'session',
    group: 'Sessions',
    summary: 'the log of a conversation, its archives and Working Memory',
    load: () => import('./commands/session/index.js'),
  },
  {
    name: 'reflect',
    group: 'Bank',
    summary: 'turn facts into pages; let beliefs follow the evidence',
    load: () => import('./commands/reflect.js'),
  },
  {
    name: 'opinion',
    group: 'Bank',
    summary: 'beliefs, their confidence and their evidence',
    load: () => import('./commands/opinion.js'),
  },
  {
    name: 'core',
    group: 'Bank',
    summary: 'show and change the core file, within its budget',
    load: () => import('./commands/core/index.js'),
  },
  {
    name: 'types',
    group: 'Bank',
    summary: 'the memory types: where their pages are, and what is in them',
    load: () => import('./commands/types.js'),
  },
  {
    name: 'history',
    group: 'Bank',
    summary: 'how a fact, an opinion or a page changed in git',
    load: () => import('./commands/history.js'),
  },
  {
    name: 'flush',
    group: 'Sessions',
    summary: 'save what matters before a context compaction',
    load: () => import('./commands/flush/index.js'),
  },
  {
    name: 'context',
    group: 'For agents',
    summary: 'what goes into a prompt: memories before a message; remove injected blocks',
    load: () => import('./commands/context/index.js'),
  },
  {
    name: 'skill',
    group: 'For agents',
    summary: 'print or install the skill that tells agents how to use the memory',
    load: () => import('./commands/skill.js'),
  },
  {
    name: 'mcp',
    group: 'For agents',
    summary: 'serve the memory to hosts of the Model Context Protocol',
    load: () => import('./commands/mcp.js'),
  },
  {
    name: 'wm',
    group: 'Sessions',
    summary: 'update a Working Memory step by step, under its guards',
    load: () => import('./commands/wm/index.js'),
  },
  {
    name: 'lint',
    group: 'Upkeep',
    summary: 'look for what is wrong in the files',
    load: () => import('./commands/lint.js'),
  },
  {
    name: 'doctor',
    group: 'Upkeep',
    summary: 'check what the workspace stands on, and mend it',
    load: () => import('./commands/doctor.js'),
  },
  {
    name: 'watch',
    group: 'Upkeep',
    summary: 'keep the index up to date as files change',
    load: () => import('./commands/watch.js'),
  },
  {
    name: 'completion',
    group: 'Upkeep',
    summary: 'print a completion script for your shell',
    load: () => import('./commands/completion.js'),
  },
  {
    name: 'schedule',
    group: 'Upkeep',
    summary: 'print how to run reflect every night; say when it last ran',
    load: () => import('./commands/schedule.js'),
  },
  {
    name: 'eval',
    group: 'Upkeep',
    summary: "recall quality on one's own questions",
    load: () => import('./commands/eval.js'),
  },
];
