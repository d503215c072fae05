import type { CommandEntry, CommandGroup } from './verb.js';

const of =
  (group: CommandGroup) =>
  (name: string, summary: string, load: CommandEntry['load']): CommandEntry => ({ name, group, summary, load });
const daily = of('Every day');
const upkeep = of('Upkeep');
const hosts = of('Hosts and agents');
const hidden = of('hidden');

/** All commands, in the order of `--help`. Loading one command loads no other. */
export const COMMANDS: readonly CommandEntry[] = [
  daily('init', 'scaffold a workspace; never overwrites', () => import('./commands/init.js')),
  daily('recall', 'find facts, with citations', () => import('./commands/recall.js')),
  hidden('search', 'recall under the name and with the flags of other tools', async () => ({
    define: (await import('./commands/recall.js')).defineSearch,
  })),
  daily('get', 'show a fact, lines or a page, and what links to it', () => import('./commands/find/get.js')),
  daily('retain', 'append typed facts to the daily log', () => import('./commands/retain.js')),
  daily(
    'forget',
    'take a statement out for good, also when a merge brings it back',
    () => import('./commands/forget.js'),
  ),
  upkeep('index', 'bring the index up to date, rebuild or verify it', () => import('./commands/index.js')),
  daily('status', 'workspace, files, facts, freshness', () => import('./commands/status.js')),
  daily('view', 'everything as one HTML page, to look at', () => import('./commands/find/view.js')),
  daily('entity', 'what is known of an entity', () => import('./commands/entity.js')),
  hosts(
    'session',
    'the log of a conversation, its archives and Working Memory',
    () => import('./commands/session/index.js'),
  ),
  daily('reflect', 'turn facts into pages; let beliefs follow the evidence', () => import('./commands/reflect.js')),
  daily('opinion', 'beliefs, their confidence and their evidence', () => import('./commands/bank/opinion.js')),
  daily('settle', 'say what a later statement does to an earlier one', () => import('./commands/bank/settle.js')),
  daily('core', 'show and change the core file, within its budget', () => import('./commands/core.js')),
  upkeep('extract', 'long-term memories out of conversations, as typed pages', () => import('./commands/extract.js')),
  upkeep('types', 'the memory types: where their pages are, and what is in them', () => import('./commands/types.js')),
  upkeep('history', 'how a fact, an opinion or a page changed in git', () => import('./commands/history.js')),
  hosts('flush', 'save what matters before a context compaction', () => import('./commands/session/flush.js')),
  hosts(
    'context',
    'what goes into a prompt: memories before a message; remove injected blocks',
    () => import('./commands/context.js'),
  ),
  hosts(
    'connect',
    'let the hosts of this machine call us: Claude Code, Codex, Cursor and others',
    () => import('./commands/hosts/connect.js'),
  ),
  hosts('disconnect', 'take all of that away again', async () => ({
    define: (await import('./commands/hosts/connect.js')).defineDisconnect,
  })),
  hosts(
    'skill',
    'print or install the skill that tells agents how to use the memory',
    () => import('./commands/hosts/skill.js'),
  ),
  hosts('mcp', 'serve the memory to hosts of the Model Context Protocol', () => import('./commands/hosts/mcp.js')),
  hosts(
    'hooks',
    "print or install the settings by which an agent's host calls us",
    () => import('./commands/hosts/hooks.js'),
  ),
  hosts('hook', "what a host's hooks call: an event on standard input", () => import('./commands/hosts/hook.js')),
  hosts(
    'link',
    'a launcher for this program beside a host of the same name',
    () => import('./commands/hosts/openclaw.js'),
  ),
  hosts('wm', 'update a Working Memory step by step, under its guards', () => import('./commands/session/wm.js')),
  upkeep('lint', 'look for what is wrong in the files', () => import('./commands/lint.js')),
  upkeep('doctor', 'check what the workspace stands on, and mend it', () => import('./commands/doctor.js')),
  upkeep(
    'models',
    'embedding models: those there are, which is set, what one knows and costs',
    () => import('./commands/models/index.js'),
  ),
  upkeep('watch', 'keep the index up to date as files change', () => import('./commands/watch.js')),
  upkeep('completion', 'print a completion script for your shell', () => import('./completion/scripts.js')),
  upkeep(
    'schedule',
    'print how to run reflect every night; say when it last ran',
    () => import('./commands/schedule.js'),
  ),
  upkeep('eval', "recall quality on one's own questions", () => import('./commands/eval.js')),
];
