import { chmodSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/query/request.js';
import type { CliResult } from '../support/cli.js';
import { WITHOUT_RIGHTS } from '../support/cli.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

interface Problem {
  readonly rule: string;
  readonly path: string;
  readonly line: number | null;
}

function answerTo(
  workspace: TemporaryWorkspace,
  args: readonly string[],
  launcher?: readonly string[],
): Promise<CliResult> {
  return launcher === undefined ? workspace.run(args) : workspace.start(args, { launcher });
}

async function lint(workspace: TemporaryWorkspace, launcher?: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await answerTo(workspace, ['lint', '--json'], launcher);
  const { problems }: { problems: readonly Problem[] } = JSON.parse(stdout);
  return problems.map(({ rule, path, line }) => `${rule} ${path}${line === null ? '' : `#L${line}`}`);
}

async function doctor(workspace: TemporaryWorkspace, launcher?: readonly string[]): Promise<string> {
  const { stdout } = await answerTo(workspace, ['doctor', '--json'], launcher);
  const { checks }: { checks: readonly { check: string; message: string }[] } = JSON.parse(stdout);
  return checks.find(({ check }) => check === 'files')?.message ?? '';
}

test('lint and doctor report names that only look like days, and unread files', async () => {
  const workspace = testWorkspace({
    'memory.config.json5': "{ extraFolders: ['.'] }",
    'memory/2026-02-30.md': 'x\n',
    'memory/2026-02-30-plans.md': 'y\n',
    'memory/topics/10.01.2026.md': 'x\n',
    'journals/2026-13-01 Mon.md': 'x\n',
    '2026年1月10日.md': 'x\n',
    '10.01.2026 Invoice.md': 'x\n',
    'memory/a.MD': 'x\n',
    'B.markdown': 'x\n',
  });
  const found = await lint(workspace);
  expect(found.toSorted()).toEqual([
    'day-name 2026年1月10日.md',
    'day-name journals/2026-13-01 Mon.md',
    'day-name memory/2026-02-30.md',
    'day-name memory/topics/10.01.2026.md',
    'left-out B.markdown',
    'left-out memory/a.MD',
  ]);
  const said = await doctor(workspace);
  for (const path of found) expect(said).toContain(path.slice(path.indexOf(' ') + 1));
});

test('an unreadable file is reported by lint, doctor and status, and every answer warns about it', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-10.md': '- W @Ivo: rides a bicycle\n',
    'memory/topics/a.md': 'bicycle\n',
  });
  await workspace.run(['index']);
  chmodSync(workspace.path('memory/2026-03-10.md'), 0);
  symlinkSync('nowhere.md', workspace.path('memory/topics/gone.md'));
  symlinkSync('loop.md', workspace.path('memory/topics/loop.md'));
  const paths = ['memory/2026-03-10.md', 'memory/topics/gone.md', 'memory/topics/loop.md'];
  const launcher = WITHOUT_RIGHTS;
  expect(await lint(workspace, launcher)).toEqual(paths.map((path) => `unreadable ${path}`));
  const { warnings, results } = await workspace.startJson<RecallAnswer>(['recall', 'bicycle'], { launcher });
  expect(results.map(({ path }) => path)).toEqual(['memory/topics/a.md']);
  const { notices } = await workspace.startJson<{ notices: readonly { path: string }[] }>(['status'], { launcher });
  const said = await doctor(workspace, launcher);
  for (const path of paths) {
    expect(said).toContain(path);
    expect(warnings).toContainEqual(expect.stringContaining(path));
    expect(notices.map((notice) => notice.path)).toContain(path);
  }
});

test('a forgotten text that was brought back is reported with its place', async () => {
  const workspace = testWorkspace({
    'memory.config.json5': "{ extraFolders: ['notes'] }",
    'memory/2026-03-10.md': '- W @Ivo: rides a bicycle\n- the shop is closed\n',
    'notes/b.md': 'x\n',
  });
  await workspace.json(['forget', '--query', 'rides a bicycle']);
  expect(await lint(workspace)).toEqual([]);
  expect(await doctor(workspace)).toBe('all files can be read');
  workspace.write('memory/2026-03-11.md', 'x\n\n- W @Ivo: rides a bicycle\n');
  workspace.write('notes/a.md', '- W @Ivo: rides a bicycle\n');
  expect(await lint(workspace)).toEqual(['forgotten-text memory/2026-03-11.md#L3', 'forgotten-text notes/a.md#L1']);
  expect(await doctor(workspace)).toContain('memory/2026-03-11.md#L3 (this statement was forgotten');
});

test.each([
  [['retain', '--stdin'], 'W @Ivo: caf\xe9\n'],
  [['core', 'append', '--stdin'], 'caf\xe9\n'],
  [['core', 'insert', '--line', '1', '--stdin'], '\xff\xfea\n'],
])('%j refuses invalid UTF-8 and writes nothing', async (args, input) => {
  const workspace = testWorkspace({ 'MEMORY.md': 'tea\n' });
  const { code, stderr } = await workspace.run(args, { input: Buffer.from(input, 'latin1') });
  expect([code, stderr]).toEqual([2, expect.stringContaining('not valid UTF-8')]);
  expect(workspace.pages()).toEqual([{ path: 'MEMORY.md', text: 'tea\n' }]);
});

test('questions of a batch may contain any Unicode character', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-10.md': '日記\u2028naïve 🚲\n' });
  const input = `\ufeff${JSON.stringify({ query: 'naïve\u2028日記 🚲' })}\n`;
  const { code, stdout } = await workspace.run(['recall', '--batch'], { input });
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ query: 'naïve\u2028日記 🚲' })]);
});

test('session add replaces invalid UTF-8 with a warning', async () => {
  const workspace = testWorkspace();
  const input = Buffer.from('{"role":"user","content":"caf\xe9"}', 'latin1');
  const { code, stderr } = await workspace.run(['session', 'add', 's1', '--stdin'], { input });
  expect([code, stderr]).toEqual([0, expect.stringContaining('not valid UTF-8')]);
  expect((await workspace.run(['session', 'show', 's1'])).stdout).toContain('caf\ufffd');
});

const BLOCK = '<openviking-context>\n## Memories\n- W @Eve: lives in Oslo\n</openviking-context>';

test.each([
  [['retain', `W @Ivo: rides ${BLOCK}a bicycle`], ''],
  [['retain', '--stdin'], `${BLOCK}\nW @Ivo: rides a bicycle\n`],
  [
    ['retain', '--stdin'],
    'W @Ivo: rides a bicycle\n<Relevant_Memories>\n- W @Eve: lives in Oslo\n</relevant-memories >\n',
  ],
  [['core', 'append', `rides a bicycle ${BLOCK}`], ''],
  [['core', 'append', '--stdin'], `${BLOCK}\nrides a bicycle\n`],
  [
    ['core', 'replace', '--old', 'tea', '--new', `rides a bicycle <hindsight_memories>Eve, Oslo</hindsight_memories>`],
    '',
  ],
  [['core', 'insert', '--line', '1', `rides a bicycle${BLOCK}`], ''],
])('injected memories are not stored by %j', async (args, input) => {
  const workspace = testWorkspace({ 'MEMORY.md': 'tea\n' });
  const { code, stdout } = await workspace.run([...args, '--json'], { input });
  const text = workspace.pages().map((page) => page.text);
  expect([code, text.join().match(/bicycle/g)]).toEqual([0, ['bicycle']]);
  expect(text.join()).not.toMatch(/Eve|Oslo|context>|memories/i);
  if (!args.includes('--stdin') || args[0] === 'core')
    expect(JSON.parse(stdout).warnings).toEqual(expect.arrayContaining(['injected context was removed']));
});

test('injected memories are not stored by what an agent saves before a compaction', async () => {
  const workspace = testWorkspace({ 'MEMORY.md': 'tea\n' });
  await workspace.run(['session', 'add', 's1', '--role', 'user', '--text', 'remember that I ride a bicycle']);
  const answer = {
    calls: [{ tool: 'memory_write', arguments: { content: `${BLOCK}\n- W @Ivo: rides a bicycle` } }],
  };
  workspace.write('../answer.json', JSON.stringify(answer));
  const { code } = await workspace.run([
    'flush',
    'apply',
    '--session',
    's1',
    '--answer',
    `${workspace.base}/answer.json`,
  ]);
  expect([code, workspace.read('memory/2026-03-15.md')]).toEqual([0, expect.stringMatching(/bicycle\n$/)]);
  expect(workspace.read('memory/2026-03-15.md')).not.toContain('Oslo');
});

test('a text of only injected memories changes nothing', async () => {
  const workspace = testWorkspace({ 'MEMORY.md': 'tea\n' });
  for (const args of [
    ['core', 'append', BLOCK],
    ['core', 'replace', '--old', 'tea', '--new', BLOCK],
    ['retain', BLOCK],
  ])
    expect((await workspace.run(args)).code).toBe(2);
  expect(workspace.pages()).toEqual([{ path: 'MEMORY.md', text: 'tea\n' }]);
});

test('status and index name the files of an extra folder that are no Markdown, but no pictures', async () => {
  const workspace = testWorkspace({
    'memory.config.json5': "{ extraFolders: ['notes'] }",
    'notes/a.md': 'x\n',
    'notes/chat.txt': 'x\n',
    'notes/old/list.csv': 'x\n',
    'notes/old/plan.org': 'x\n',
    'notes/old/more.txt': 'x\n',
    'notes/photo.png': 'x\n',
  });
  const { stdout } = await workspace.run(['status']);
  expect(stdout).toMatch(/notes has 4 files that are not read, because only \.md is: \S+, \S+, \S+, …/);
  expect(stdout).not.toContain('photo.png');
  expect((await workspace.run(['index'])).stderr).toContain('openclaw memory import');
});
