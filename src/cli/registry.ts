import type { CommandEntry, HelpSection } from './verb.js';

const of =
  (group: HelpSection) =>
  (name: string, summary: string, load: CommandEntry['load']): CommandEntry => ({ name, group, summary, load });
const daily = of('Every day');
const upkeep = of('Upkeep');
const hosts = of('Hosts and agents');
const hidden = of('hidden');

/** All commands, in the order of `--help`. Loading one command loads no other. */
export const COMMANDS: readonly CommandEntry[] = [
  daily('init', 'create a workspace; never overwrites a file', () => import('./commands/init.js')),
  daily('recall', 'find facts, with citations', () => import('./commands/recall.js')),
  hidden('search', 'the same as recall, with the flags of other memory tools', async () => ({
    define: (await import('./commands/recall.js')).defineSearch,
  })),
  daily(
    'get',
    'show a fact, some lines or a page, and the lines that link to it',
    () => import('./commands/find/get.js'),
  ),
  daily('retain', "add facts to today's log", () => import('./commands/retain.js')),
  daily('forget', 'remove a fact for good, even if a git merge brings it back', () => import('./commands/forget.js')),
  upkeep('index', 'update, rebuild or verify the index', () => import('./commands/index.js')),
  daily(
    'status',
    'show the workspace, its files and facts, and whether the index is up to date',
    () => import('./commands/status.js'),
  ),
  daily('view', 'write the whole memory as one HTML page', () => import('./commands/find/view.js')),
  daily('entity', 'list people and things, and show what is known about one', () => import('./commands/entity.js')),
  hosts(
    'session',
    'keep a conversation: its log, its archives and its Working Memory',
    () => import('./commands/session/index.js'),
  ),
  daily(
    'reflect',
    'turn new facts into pages, and update beliefs from their evidence',
    () => import('./commands/reflect.js'),
  ),
  daily('opinion', 'list beliefs, and show their confidence and evidence', () => import('./commands/bank/opinion.js')),
  daily(
    'settle',
    'decide whether a later statement replaces an earlier one',
    () => import('./commands/bank/settle.js'),
  ),
  daily('core', 'show and change the core file, within its budget', () => import('./commands/core.js')),
  upkeep('extract', 'save long-term memories from conversations as typed pages', () => import('./commands/extract.js')),
  upkeep('types', 'list the memory types, with the folder and the fields of each', () => import('./commands/types.js')),
  upkeep('history', 'show how a fact, an opinion or a page changed', () => import('./commands/history.js')),
  hosts(
    'flush',
    'save important facts before a conversation is compacted',
    () => import('./commands/session/flush.js'),
  ),
  hosts(
    'context',
    'build the memories that go before a message, or remove them from a text',
    () => import('./commands/context.js'),
  ),
  hosts(
    'connect',
    'connect this memory to Claude Code, Codex, Cursor and other hosts',
    () => import('./commands/hosts/connect.js'),
  ),
  hosts('disconnect', 'undo connect', async () => ({
    define: (await import('./commands/hosts/connect.js')).defineDisconnect,
  })),
  hosts(
    'skill',
    'print or install the skill that tells agents how to use this memory',
    () => import('./commands/hosts/skill.js'),
  ),
  hosts('mcp', 'run as an MCP server (Model Context Protocol)', () => import('./commands/hosts/mcp.js')),
  hosts('hooks', "print or install the hooks of an agent's host", () => import('./commands/hosts/hooks.js')),
  hosts(
    'hook',
    "handle one event from a host's hook, read from standard input",
    () => import('./commands/hosts/hook.js'),
  ),
  hosts(
    'link',
    'make "openclaw memory" run this program next to OpenClaw',
    () => import('./commands/hosts/openclaw.js'),
  ),
  hosts('wm', 'show or update a Working Memory', () => import('./commands/session/wm.js')),
  upkeep('lint', 'report broken lines and contradictions in the files', () => import('./commands/lint.js')),
  upkeep('doctor', 'check the installation and the workspace', () => import('./commands/doctor.js')),
  upkeep('models', 'list, choose and test embedding models', () => import('./commands/models/index.js')),
  upkeep('watch', 'keep the index up to date as files change', () => import('./commands/watch.js')),
  upkeep('completion', 'print a completion script for your shell', () => import('./completion/scripts.js')),
  upkeep(
    'schedule',
    'print how to run reflect every night, or check its last run',
    () => import('./commands/schedule.js'),
  ),
  upkeep('eval', 'measure recall with your own questions', () => import('./commands/eval.js')),
];
