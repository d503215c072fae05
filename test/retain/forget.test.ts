import { cpSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findManagedBlocks, renderManagedBlock } from '../../src/markdown/blocks.js';
import { withoutGeneratedLines } from '../../src/retain/erase.js';
import { git, identity } from '../support/git.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const DAY1 = 'memory/2026-03-01.md';
const DAY2 = 'memory/2026-03-02.md';
const FACT = 'W @Peter: Lives in Vienna.';
const FILES = {
  [DAY1]: `# 2026-03-01\r\n\r\nTea.\r\n\r\n## Retain\r\n\r\n- ${FACT}\r\n- W @Anna: plays chess\r\n`,
  [DAY2]: '# 2026-03-02\n\n- w\n- W @peter: lives   in vienna\n  - W @Anna: swims\n',
  'bank/world.md': '# World\n\n- W @Peter: lives in Vienna ^f-abcdefghjkmnp\n',
  'memory/2026-03-03-call.md': 'He said that Peter lives in Vienna now.\n',
  'sessions/s1/messages.jsonl': '{"id":"1","role":"user","content":"Peter Lives in Vienna. Right?"}\n',
};

async function ids(workspace: TemporaryWorkspace, query: string): Promise<readonly string[]> {
  return (await workspace.recall(query)).results.map(({ id }) => id);
}
async function idOf(workspace: TemporaryWorkspace): Promise<string> {
  return (await ids(workspace, 'Peter lives in Vienna')).find((id) => id.startsWith('f-')) ?? '';
}
const verify = async (workspace: TemporaryWorkspace) =>
  expect(await workspace.run(['index', '--verify'])).toMatchObject({ code: 0 });

test('forget with an id from recall removes every copy of that statement only (complaint: recall shows no usable id)', async () => {
  const workspace = testWorkspace(FILES);
  const report = await workspace.json<{ erased: string[]; remaining: { source: string; what: string }[] }>([
    'forget',
    await idOf(workspace),
  ]);
  expect(report.erased).toEqual(['bank/world.md#L3', `${DAY1}#L7`, `${DAY2}#L4`]);
  expect(report.remaining).toEqual([
    { source: 'memory/2026-03-03-call.md#L1', what: 'text' },
    { source: 'sessions/s1/messages.jsonl', what: 'session' },
  ]);
  const mark = /<!-- forgotten 2026-03-15 n-[0-9a-f]{8} -->/;
  expect(workspace.read(DAY1).replace(mark, 'X')).toBe(
    '# 2026-03-01\r\n\r\nTea.\r\n\r\n## Retain\r\n\r\nX\r\n- W @Anna: plays chess\r\n',
  );
  expect(workspace.read(DAY2).replace(mark, 'X')).toBe('# 2026-03-02\n\n- w\nX\n  - W @Anna: swims\n');
  expect(workspace.read('bank/forgotten.md')).not.toMatch(/vienna/i);
  expect((await ids(workspace, 'Vienna')).filter((id) => id.startsWith('f-'))).toEqual([]);
  expect((await ids(workspace, 'Anna swims')).length).toBeGreaterThan(0);
  await verify(workspace);
});

test('a forgotten text restored by an edit or a file stays forgotten, in any spelling (complaint: it comes back)', async () => {
  const workspace = testWorkspace(FILES);
  await workspace.json(['forget', await idOf(workspace)]);
  workspace.write(DAY1, FILES[DAY1] ?? '');
  workspace.write('memory/2026-03-09.md', '* W @PETER: lives in\n  VIENNA。\n');
  expect((await ids(workspace, 'Vienna')).filter((id) => id.startsWith('f-'))).toEqual([]);
  await verify(workspace);
  await workspace.run(['index', '--force']);
  expect((await ids(workspace, 'Vienna')).filter((id) => id.startsWith('f-'))).toEqual([]);
});

test('retain refuses a forgotten fact; --force writes and keeps it', async () => {
  const workspace = testWorkspace(FILES);
  await workspace.json(['forget', await idOf(workspace)]);
  expect(await workspace.run(['retain', FACT])).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') });
  await workspace.json(['retain', FACT, '--force']);
  expect(await idOf(workspace)).toMatch(/^f-/);
  await verify(workspace);
});

test('--undo puts every line back where it was, byte for byte', async () => {
  const workspace = testWorkspace(FILES);
  const id = await idOf(workspace);
  await workspace.json(['forget', id]);
  await workspace.json(['forget', id, '--undo']);
  for (const path of [DAY1, DAY2, 'bank/world.md'] as const) expect(workspace.read(path)).toBe(FILES[path]);
  expect(await idOf(workspace)).toBe(id);
  await verify(workspace);
  expect(await workspace.run(['forget', id, '--undo'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no copy'),
  });
});

test('--no-copy leaves the text nowhere in the machine-local folder', async () => {
  const workspace = testWorkspace(FILES);
  const id = await idOf(workspace);
  await workspace.json(['forget', id, '--no-copy']);
  expect(readdirSync(workspace.path('.memory'))).not.toContain('forgotten');
});

test('--dry-run shows the diff and writes nothing', async () => {
  const workspace = testWorkspace(FILES);
  const { stdout } = await workspace.run(['forget', await idOf(workspace), '--dry-run']);
  expect(stdout).toContain('-- W @Anna: plays chess'.slice(0, 2));
  expect(stdout).toContain(`-- ${FACT}`);
  expect(workspace.read(DAY1)).toBe(FILES[DAY1]);
  expect(await idOf(workspace)).toMatch(/^f-/);
});

test.each([
  ['its id', (id: string) => [id]],
  ['its text', () => ['--query', 'lives in Vienna']],
])('a forgotten line that a person restored is removed again by %s, and --undo restores it', async (_, name) => {
  const workspace = testWorkspace({ [DAY1]: `- ${FACT}\n- W @Anna: plays chess\n` });
  const id = await idOf(workspace);
  await workspace.json(['forget', id]);
  const erased = workspace.read(DAY1);
  workspace.write(DAY1, erased.replace(/^<!-- forgotten .*$/m, `- ${FACT}`));
  expect(await workspace.json(['forget', ...name(id)])).toMatchObject({ id, erased: [`${DAY1}#L1`] });
  expect(workspace.read(DAY1)).toBe(erased);
  await workspace.json(['forget', id, '--undo']);
  expect(workspace.read(DAY1)).toBe(`- ${FACT}\n- W @Anna: plays chess\n`);
  await verify(workspace);
});

test('a line of log text is forgotten by its id, and an unknown id is an error', async () => {
  const workspace = testWorkspace(FILES);
  const [line = ''] = (await ids(workspace, 'Tea')).filter((id) => id.startsWith('l-'));
  expect(await workspace.json(['forget', line])).toMatchObject({ erased: [`${DAY1}#L3`] });
  expect(await ids(workspace, 'Tea')).toEqual([]);
  expect(await workspace.run(['forget', 'f-0000000000000'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no statement with the id'),
  });
  expect(await workspace.run(['forget'])).toMatchObject({ code: 2 });
});

test('--query forgets the only matching fact, and otherwise lists candidates', async () => {
  const workspace = testWorkspace({ [DAY1]: '- W @Anna: plays chess\n- W @Anna: plays go\n' });
  const two = await workspace.run(['forget', '--query', 'plays']);
  expect(two).toMatchObject({ code: 1, stdout: expect.stringContaining('plays go') });
  expect(await workspace.json(['forget', '--query', 'plays chess'])).toMatchObject({ content: '@Anna: plays chess' });
});

test('two clones that append, forget and merge with git lose nothing, and nothing forgotten returns', async () => {
  const workspace = testWorkspace();
  const env = identity(workspace);
  await workspace.run(['init', '--git'], { env });
  await workspace.run(['retain', FACT, '--commit'], { env });
  await workspace.run(['retain', 'W @Anna: plays chess', '--commit'], { env });
  const other = `${workspace.base}/clone`;
  cpSync(workspace.root, other, { recursive: true, filter: (path) => !path.endsWith('.memory') });
  const there = (...args: string[]) => workspace.run(['-w', other, ...args], { env });

  await workspace.run(['forget', '--query', 'lives in Vienna', '--commit'], { env });
  await workspace.run(['retain', 'W @Anna: swims', '--commit'], { env });
  await there('forget', '--query', 'plays chess', '--commit');
  await there('retain', 'B @Anna: I met her', '--commit');

  await git(workspace.root, 'remote', 'add', 'other', other);
  await git(workspace.root, 'fetch', '-q', 'other');
  await git(workspace.root, 'merge', '-q', '--no-edit', 'other/master').catch(() =>
    git(workspace.root, 'merge', '-q', '--no-edit', 'other/main'),
  );
  const facts = (await workspace.recall('Anna Peter Vienna chess swims met', '--kind', 'world', '--kind', 'experience'))
    .results;
  expect(facts.map(({ content }) => content).sort()).toEqual(['@Anna: I met her', '@Anna: swims']);
  for (const text of [FACT, 'W @Anna: plays chess'])
    expect(await workspace.run(['retain', text])).toMatchObject({ code: 2 });
  await verify(workspace);
});

test('forget accepts a cited place of a fact or log line, and refuses an empty place', async () => {
  const workspace = testWorkspace(FILES);
  const { erased } = await workspace.json<{ erased: string[] }>(['forget', `${DAY1}#L7`, '--dry-run']);
  expect(erased).toEqual(expect.arrayContaining([`${DAY1}#L7`, `${DAY2}#L4`]));
  await workspace.run(['forget', `${DAY1}#L3`]);
  expect(workspace.read(DAY1)).not.toContain('Tea.');
  expect(await workspace.run(['forget', `${DAY1}#L70`])).toMatchObject({ code: 1 });
});

const ONE = 'f-aaaaaaaaaaaaa';
const TWO = 'f-bbbbbbbbbbbbb';
const CONTENT = `**Now**\n\n- here ([x](x) ${ONE})\n\n**Recent**\n\n- there ([x](x) ${TWO})\n- both (${ONE}) (${TWO})`;
const PAGE = `# Peter\n\nmine, ${ONE}\n\n${renderManagedBlock('summary', CONTENT)}\n\nbelow\n`;

test('lines that cite a forgotten id are removed with headings left empty; the block stays generated', () => {
  const { text, lines } = withoutGeneratedLines(PAGE, new Set([ONE]));
  expect(text).toBe(
    `# Peter\n\nmine, ${ONE}\n\n${renderManagedBlock('summary', `**Recent**\n\n- there ([x](x) ${TWO})`)}\n\nbelow\n`,
  );
  expect(findManagedBlocks(text).map(({ state }) => state)).toEqual(['intact']);
  expect([...lines].map((line) => PAGE.split('\n')[line - 1])).toEqual([
    `- here ([x](x) ${ONE})`,
    `- both (${ONE}) (${TWO})`,
  ]);
});

test('a block that a person has edited, and a page without the id, stay as they are', () => {
  const edited = PAGE.replace('- here', '- HERE');
  expect(withoutGeneratedLines(edited, new Set([ONE])).text).toBe(edited);
  expect(withoutGeneratedLines(PAGE, new Set(['f-ccccccccccccc']))).toEqual({ text: PAGE, lines: new Set() });
});
