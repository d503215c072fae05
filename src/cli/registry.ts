import type { CommandEntry, DefineCommand, HelpSection } from './verb.js';

const recall = () => import('./commands/recall.js');
const show = () => import('./commands/show.js');
const agenda = () => import('./commands/agenda.js');
const opinion = () => import('./commands/opinion.js');
const context = () => import('./commands/context.js');
const flush = () => import('./commands/session/flush.js');
const session = () => import('./commands/session/session.js');
const reflect = () => import('./commands/reflect.js');
const schedule = () => import('./commands/schedule.js');
const link = () => import('./commands/hosts/openclaw.js');
const health = () => import('./commands/health.js');
const indexing = () => import('./commands/indexing.js');
const checks = () => import('./commands/checks.js');
const extract = () => import('./commands/extract.js');
const connect = () => import('./commands/hosts/connect.js');
const hook = () => import('./commands/hosts/hook.js');

/** @param load loads the file with the command */
const of =
  (group: HelpSection) =>
  <N extends string>(
    name: N,
    summary: string,
    load: () => Promise<{ readonly commands: Readonly<Record<N, DefineCommand>> }>,
  ): CommandEntry => ({ name, group, summary, load: async () => (await load()).commands[name] });
const daily = of('Every day');
const upkeep = of('Upkeep');
const hosts = of('Hosts and agents');
const hidden = of('hidden');

/** All commands, in the order of `--help`. Loading a command loads only the file with it. */
export const COMMANDS: readonly CommandEntry[] = [
  daily('init', 'create a workspace; never overwrites a file', () => import('./commands/init.js')),
  daily('recall', 'find facts, with citations', recall),
  hidden('search', 'the same as recall, with the flags of other memory tools', recall),
  daily('agenda', 'show what lies ahead and what is open', agenda),
  daily('recent', 'show what was written, decided and changed, day by day', agenda),
  daily('get', 'show a fact, some lines or a page, and the lines that link to it', show),
  daily('retain', "add facts to today's log", () => import('./commands/retain.js')),
  daily(
    'import',
    'read chats, mails, highlights and calendars of other programs',
    () => import('./commands/import.js'),
  ),
  daily('forget', 'remove a fact for good, even if a git merge brings it back', () => import('./commands/forget.js')),
  upkeep('index', 'update, rebuild or verify the index', indexing),
  daily('status', 'show the workspace, its files and facts, and whether the index is up to date', health),
  daily('view', 'write the whole memory as one HTML page', () => import('./commands/view.js')),
  daily('entity', 'list people and things, and show what is known about one', show),
  hosts('session', 'keep a conversation: its log, its archives and its Working Memory', session),
  daily('reflect', 'turn new facts into pages, and update beliefs from their evidence', reflect),
  daily('opinion', 'list beliefs, and show their confidence and evidence', opinion),
  daily('settle', 'decide whether a later statement replaces an earlier one', opinion),
  daily('core', 'show and change the core file, within its budget', () => import('./commands/core.js')),
  upkeep('extract', 'save long-term memories from conversations as typed pages', extract),
  upkeep('types', 'list the memory types, with the folder and the fields of each', extract),
  upkeep('history', 'show how a fact, an opinion or a page changed', show),
  hosts('flush', 'save important facts before a conversation is compacted', flush),
  hosts('context', 'build the memories that go before a message, or remove them from a text', context),
  hosts('connect', 'connect this memory to Claude Code, Codex, Cursor and other hosts', connect),
  hosts('disconnect', 'undo connect', connect),
  hidden('skill', 'print or install the skill that tells agents how to use this memory', connect),
  hosts('mcp', 'run as an MCP server (Model Context Protocol)', hook),
  hidden('hooks', "print or install the hooks of an agent's host", connect),
  hosts('hook', "handle one event from a host's hook, read from standard input", hook),
  hidden('link', 'make "openclaw memory" run this program next to OpenClaw', link),
  hosts('wm', 'show or update a Working Memory', () => import('./commands/session/wm.js')),
  upkeep('lint', 'report broken lines and contradictions in the files', checks),
  upkeep('doctor', 'check the installation and the workspace', health),
  upkeep('models', 'list, get, choose and test models', () => import('./commands/models.js')),
  upkeep('watch', 'keep the index up to date as files change', indexing),
  upkeep('completion', 'print a completion script for your shell', () => import('./commands/completion.js')),
  upkeep('schedule', 'print how to run reflect every night, or check its last run', schedule),
  upkeep('eval', 'measure recall with your own questions', checks),
];

/** Commands under the names that other tools use, for "did you mean". */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
  add: 'retain',
  ask: 'recall',
  calendar: 'agenda',
  daily: 'recent',
  delete: 'forget',
  find: 'recall',
  grep: 'recall',
  log: 'recent',
  read: 'get',
  remember: 'retain',
  remove: 'forget',
  save: 'retain',
  show: 'get',
  task: 'agenda',
  tasks: 'agenda',
  today: 'agenda',
  todo: 'agenda',
  todos: 'agenda',
  write: 'retain',
};
