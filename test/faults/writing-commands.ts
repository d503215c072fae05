import type { Surroundings } from '../support/cli.js';
import type { FileContents, TemporaryWorkspace } from '../support/workspace.js';

/** A writing command, and the workspace in which it has something to write. */
export interface WritingCommand {
  readonly name: string;
  readonly files?: FileContents;
  /** Commands to run before it. */
  readonly before?: readonly (readonly string[])[];
  readonly args: readonly string[];
  readonly input?: string | ((workspace: TemporaryWorkspace) => string);
  /** The command that repairs the result of a fault, if it is not the command itself. */
  readonly again?: readonly string[];
  /** It writes in steps: a file may also have a complete intermediate text. */
  readonly inSteps?: true;
  /** It runs until it is stopped; the output after which that happens. */
  readonly stopAt?: string;
  /** It needs an embedding model. */
  readonly embeds?: true;
  /** Its final output, if the pages do not show the result. */
  readonly says?: RegExp;
  /** It writes no memory, but a page to look at or the settings of a host. */
  readonly isAside?: true;
  /** It never fails its caller: a failure is a warning. */
  readonly onlyWarns?: true;
}

/** Returns the environment of a command in a workspace. */
export function surroundingsOf(
  command: WritingCommand,
  workspace: TemporaryWorkspace,
  env: NodeJS.ProcessEnv,
): Surroundings {
  return { input: inputOf(command, workspace), env, stopAt: command.stopAt };
}

/** Returns the standard input of a command in a workspace. */
export function inputOf({ input = '' }: WritingCommand, workspace: TemporaryWorkspace): string {
  return typeof input === 'string' ? input : input(workspace);
}

const LOG = 'memory/2026-03-15.md';
const DAY =
  '# 2026-03-15\n\nA line of a person.\n\n## Retain\n\n- W @Peter: likes heliotrope\n- W @Anna: likes mauve\n';
const CORE = { 'MEMORY.md': '# Memory\n\n- Peter lives in Graz\n' };
const PROPOSED = {
  ...CORE,
  'bank/proposals/2026-01-02.md': '- [ ] add to the core: Anna plays chess (said often)\n',
};
const CHAT = [
  ['session', 'add', 'chat', '--role', 'user', '--text', 'keep the cache in Redis, on port 6380'],
  ['session', 'add', 'chat', '--role', 'assistant', '--text', 'Done. It is in src/cache.ts.'],
];
const DIARY = {
  'memory/2026-03-12.md': '## Retain\n\n- W @Peter: lives in Graz\n- O(c=0.8) @Peter: prefers short replies\n',
  'memory/2026-03-14.md': '## Retain\n\n- W @Peter: lives in Graz\n- W @Peter: asked for short replies !!\n',
  'bank/opinions.md': '# Opinions\n\nMy own words.\n\n- O(c=0.70) @Peter: prefers long replies\n',
};
const MOVED = {
  'memory/2026-03-12.md': '## Retain\n\n- W @Peter: lives in Graz\n',
  'memory/2026-03-14.md': '## Retain\n\n- W @Peter: lives in Linz\n',
};
const OPERATIONS = JSON.stringify({
  id: 'd',
  preferences: [{ topic: 'coffee', content: '- Drinks it black' }],
  tools: [{ tool_name: 'grep', purpose: 'finds lines', call_count: 2 }],
});
const TURNS = [
  { type: 'user', sessionId: 'talk', uuid: 'a', message: { role: 'user', content: 'use port 6380' } },
  { type: 'assistant', sessionId: 'talk', uuid: 'b', message: { role: 'assistant', content: 'It does now.' } },
];
const TRANSCRIPT = [
  { type: 'session', version: 3, id: 'chat', timestamp: '2026-03-01T10:00:00Z', cwd: '/' },
  {
    type: 'message',
    id: 'a',
    timestamp: '2026-03-01T10:00:01Z',
    message: { role: 'user', content: [{ type: 'text', text: 'use port 6380' }] },
  },
  {
    type: 'message',
    id: 'b',
    timestamp: '2026-03-01T10:00:02Z',
    message: { role: 'assistant', content: [{ type: 'text', text: 'It does now.' }] },
  },
];

/** Every writing command, each in a workspace where it has to write. */
export const WRITING_COMMANDS: readonly WritingCommand[] = [
  { name: 'init', args: ['init'] },
  { name: 'retain, a new log', args: ['retain', 'W @Peter: lives in Vienna'] },
  { name: 'retain, at the end of a log', files: { [LOG]: DAY }, args: ['retain', 'W @Peter: lives in Vienna'] },
  {
    name: 'retain, within a log',
    files: { [LOG]: `${DAY}\n## Evening\n\nMore of that person.\n` },
    args: ['retain', '--stdin'],
    input: 'W @Peter: lives in Vienna\nB @Anna: moved the cache\n',
  },
  { name: 'retain --file', args: ['retain', '--file', 'memory/topics/peter.md', 'W @Peter: lives in Vienna'] },
  { name: 'forget', files: { [LOG]: DAY }, args: ['forget', '--query', 'likes heliotrope'], inSteps: true },
  {
    name: 'forget --undo',
    files: { [LOG]: DAY },
    before: [['forget', '--query', 'likes heliotrope']],
    args: ['forget', '--undo', 'f-5g74qr5rnfe5p'],
    inSteps: true,
  },
  { name: 'core append', files: CORE, args: ['core', 'append', '- Anna plays chess'] },
  { name: 'core replace', files: CORE, args: ['core', 'replace', '--old', 'Graz', '--new', 'Vienna'] },
  { name: 'core insert', files: CORE, args: ['core', 'insert', '- Anna plays chess', '--line', '3'] },
  { name: 'core accept', files: PROPOSED, args: ['core', 'accept', '1'], inSteps: true },
  { name: 'core reject', files: PROPOSED, args: ['core', 'reject', '1'] },
  { name: 'lint --fix', files: { [LOG]: DAY.replace('- W @Anna', '- W@Anna') }, args: ['lint', '--fix'] },
  {
    name: 'doctor --fix',
    files: { [LOG]: DAY, 'memory/.2026-03-14.md.99999999.tmp': 'half' },
    args: ['doctor', '--fix'],
    inSteps: true,
  },
  { name: 'index', files: { [LOG]: DAY, ...CORE }, args: ['index'] },
  { name: 'index --force', files: { [LOG]: DAY, ...CORE }, before: [['index']], args: ['index', '--force'] },
  {
    name: 'index --embed',
    files: { [LOG]: DAY, ...CORE },
    args: ['index', '--embed'],
    embeds: true,
    says: /^(?:Made [1-9]|No vectors were missing)/m,
  },
  { name: 'reflect', files: DIARY, args: ['reflect'] },
  { name: 'reflect --undo', files: DIARY, before: [['reflect']], args: ['reflect', '--undo'] },
  { name: 'reflect', files: { [LOG]: DAY }, args: ['reflect'], inSteps: true },
  { name: 'reflect --undo', files: { [LOG]: DAY }, before: [['reflect']], args: ['reflect', '--undo'], inSteps: true },
  {
    name: 'session add',
    before: CHAT,
    args: ['session', 'add', 'chat', '--role', 'user', '--text', 'thank you', '--idempotency-key', 'k'],
    inSteps: true,
  },
  {
    name: 'session commit',
    before: CHAT,
    args: ['session', 'commit', 'chat', '--keep-recent', '1'],
    again: ['session', 'resume', 'chat'],
    inSteps: true,
  },
  {
    name: 'session compact',
    before: CHAT,
    args: ['session', 'compact', 'chat'],
    again: ['session', 'resume', 'chat'],
    inSteps: true,
  },
  {
    name: 'session import',
    args: ['session', 'import', '-'],
    input: jsonLines(TRANSCRIPT),
    inSteps: true,
  },
  {
    name: 'flush apply',
    before: CHAT,
    args: ['flush', 'apply', '--session', 'chat', '--answer', '-'],
    input: '{"calls":[{"tool":"memory_write","arguments":{"content":"- W @Redis: listens on port 6380"}}]}',
    inSteps: true,
  },
  {
    name: 'wm apply',
    before: [...CHAT, ['session', 'commit', 'chat', '--keep-recent', '0', '--defer']],
    args: ['wm', 'apply', 'chat', '--answer', '-'],
    input: '{"sections":{"Current State":{"op":"UPDATE","content":"The cache is in Redis."}}}',
    inSteps: true,
  },
  {
    name: 'session after-turn',
    before: CHAT,
    args: ['session', 'after-turn', 'chat', '--stdin', '--idempotency-key', 'k'],
    input: '{"role":"user","content":"thank you"}',
    inSteps: true,
  },
  {
    name: 'session resume',
    before: [...CHAT, ['session', 'commit', 'chat', '--keep-recent', '0', '--defer']],
    args: ['session', 'resume', 'chat'],
    inSteps: true,
  },
  {
    name: 'hook',
    files: { 'talk.jsonl': jsonLines(TURNS) },
    args: ['hook', 'claude-code'],
    input: (workspace) =>
      JSON.stringify({
        hook_event_name: 'Stop',
        session_id: 'talk',
        transcript_path: workspace.path('talk.jsonl'),
      }),
    inSteps: true,
    onlyWarns: true,
  },
  {
    name: 'extract apply',
    args: ['extract', 'apply', '--answer', '-'],
    input: OPERATIONS,
    inSteps: true,
  },
  {
    name: 'extract apply, by another name',
    files: { 'bank/entities/Anna.md': '---\nname: Anna\naliases: [Annie]\n---\n\n# Anna\n\nA person wrote this.\n' },
    args: ['extract', 'apply', '--answer', '-'],
    input: JSON.stringify({
      id: 'd',
      entities: [
        { name: 'Annie', content: { blocks: [{ search: 'wrote this.', replace: 'wrote this.\n\n- sails' }] } },
      ],
    }),
    inSteps: true,
  },
  {
    name: 'extract --undo',
    files: { 'operations.json': OPERATIONS },
    before: [['extract', 'apply', '--answer', 'workspace/operations.json']],
    args: ['extract', '--undo'],
    inSteps: true,
  },
  { name: 'settle', files: MOVED, args: ['settle', 'f-nrc9n840d1mza', 'f-p6qak7qr82ehd', 'replaces'] },
  {
    name: 'reflect apply',
    files: DIARY,
    args: ['reflect', 'apply', '--answer', '-'],
    input: '{"verdicts":[{"fact":"f-z5d9c69b35anv","opinion":"o-shc4nzwmgdxxz","verdict":"none"}]}',
  },
  {
    name: 'view',
    files: { [LOG]: DAY, ...CORE },
    args: ['view', '--out', 'page.html'],
    isAside: true,
    inSteps: true,
    onlyWarns: true,
  },
  { name: 'models use', args: ['models', 'use', 'embeddinggemma'] },
  { name: 'connect', args: ['connect', 'claude-code'], inSteps: true, isAside: true },
  { name: 'connect --project', args: ['connect', 'cursor', '--project'], inSteps: true, isAside: true },
  {
    name: 'disconnect',
    before: [['connect', 'cursor', '--project']],
    args: ['disconnect', 'cursor', '--project'],
    inSteps: true,
    isAside: true,
  },
  { name: 'watch', files: { [LOG]: DAY, ...CORE }, args: ['watch'], stopAt: 'Watching', says: /^Watching [1-9]/m },
];

function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
