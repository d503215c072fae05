import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { IndexReport } from '../../src/index/run.js';
import { cli } from '../support/cli.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const GOOD = { 'memory/2026-03-01.md': '# 2026-03-01\n\n- W @Peter: likes heliotrope\n' };

test('files that cannot be read as text are skipped with a notice; the others are indexed', async () => {
  const workspace = testWorkspace(GOOD);
  workspace.write('memory/2026-03-02.md', Buffer.from([0x23, 0x20, 0x00, 0x01]));
  workspace.write('memory/2026-03-03.md', 'x '.repeat(4_600_000));
  workspace.write(
    'memory/2026-03-04.md',
    Buffer.concat([Buffer.from('broken '), Buffer.from([0xff, 0xfe]), Buffer.from(' marigold\n')]),
  );
  workspace.write('memory/2026-03-05.sync-conflict-20260305-101010-ABC.md', '- W @X: conflict\n');
  mkdirSync(workspace.path('memory/2026-03-06.md'));
  symlinkSync('/nowhere', workspace.path('memory/2026-03-07.md'));
  workspace.write('memory/2026-03-09.md', `a char starts as '\0', like a peony\n${'and so on\n'.repeat(20)}`);
  writeFileSync(`${workspace.base}/outside.md`, '- W @X: secretword\n');
  symlinkSync(`${workspace.base}/outside.md`, workspace.path('memory/2026-03-08.md'));
  const report = await workspace.json<IndexReport>(['index', '--verify']);
  const notices = new Map(report.notices.map(({ path, reason }) => [path, reason]));
  expect(notices.get('memory/2026-03-02.md')).toContain('binary');
  expect(notices.get('memory/2026-03-03.md')).toContain('larger than 8 MB');
  expect(notices.get('memory/2026-03-04.md')).toContain('not valid UTF-8');
  expect(notices.get('memory/2026-03-05.sync-conflict-20260305-101010-ABC.md')).toContain('conflict copy');
  expect(notices.get('memory/2026-03-08.md')).toContain('outside of the workspace');
  const found = async (word: string) => (await workspace.recall(word)).results.length;
  expect(notices.get('memory/2026-03-09.md')).toBeUndefined();
  const words = ['heliotrope', 'marigold', 'secretword', 'peony'];
  expect(await Promise.all(words.map(found))).toEqual([1, 1, 0, 1]);
});

test('100,000 bullets, a line of 7 MB and 5,000-deep nests are indexed', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-01.md': Array.from({ length: 100_000 }, (_, i) => `- W @N: number ${i}\n`).join(''),
    'memory/2026-03-02.md': `${'word '.repeat(1_400_000)}needle\n`,
    'memory/2026-03-03.md': `${'>'.repeat(5_000)} quoted\n\n${'- '.repeat(5_000)}nested\n`,
  });
  await workspace.json(['index']);
  for (const word of ['99999', 'needle', 'quoted', 'nested']) {
    const { results } = await workspace.recall(word, '--k', '1');
    expect(results[0]?.content, word).toContain(word);
  }
});

test.each(['../../etc/passwd', 'con', '.', '🎉', 'e\u0301', "'; DROP TABLE unit; --"])(
  'an entity named %j causes no error',
  async (name) => {
    const workspace = testWorkspace(GOOD);
    const run = await workspace.run(['entity', 'show', name]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/^error: nothing is known about .*\nhint: .*\n$/);
    expect((await workspace.run(['retain', `W @${name}: something`])).code).toBeLessThanOrEqual(2);
  },
);

test.each([
  '" OR NEAR( *',
  'text : peter',
  '^peter AND NOT (',
  '* + - " \' ; --',
  'NEAR(a b, 3)',
  '{text}: "unclosed',
  '\u0301',
  '🎉🎉',
])('a query of %j is treated as plain text', async (query) => {
  const run = await testWorkspace(GOOD).run(['recall', '--json', '--', query]);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(run.stdout)).toHaveProperty('results');
});

test('a query of 100 KB is answered', async () => {
  const { results } = await testWorkspace(GOOD).recall(`heliotrope ${'word '.repeat(20_000)}`);
  expect(results[0]?.content).toContain('heliotrope');
});

test('a missing workspace, a file as workspace and an empty question each print one error and one hint', async () => {
  const workspace = testWorkspace({ ...GOOD, 'file.md': 'x' });
  const errors = [
    [await cli(['-w', workspace.path('nowhere'), 'recall', 'x']), 1, 'there is no workspace at'],
    [await cli(['-w', workspace.path('file.md'), 'recall', 'x']), 1, 'is a file, not a folder'],
    [await workspace.run(['recall', '   ']), 2, 'the question is empty'],
    [await workspace.run(['recall', 'x', '--k', '0']), 2, '--k must be a whole number'],
    [await workspace.run(['recall', 'x', '--kind', 'opinoin']), 2, 'unknown kind "opinoin"'],
  ] as const;
  for (const [run, code, message] of errors) {
    expect(run).toMatchObject({ code, stdout: '' });
    expect(run.stderr).toMatch(/^error: [^\n]+\nhint: [^\n]+\n$/);
    expect(run.stderr).toContain(message);
  }
});

const HOSTILE = 'zinnias\u001b[2J\u001b]0;owned\u0007\u009b31m\rred\u202eder';
/** Characters that move the cursor, colour the screen or reverse text. */
const UNSAFE = /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const ESCAPED = 'zinnias\\u001b[2J';

async function hostileWorkspace(): Promise<TemporaryWorkspace> {
  const line = HOSTILE.replace('\r', '');
  const workspace = testWorkspace({
    'MEMORY.md': `# Memory\n\n- likes ${line}\n`,
    'memory/2026-03-01.md': `- W @Peter: likes ${line}\n- O(c=0.8) @Peter: prefers ${line} over tulips\n`,
    'memory/2026-03-02.md': `- O(c=0.8) @Peter: prefers ${line} over roses\n`,
    'memory/topics/a\u001b[31mb.md': '- W @Peter: likes heather\n',
  });
  const input = JSON.stringify([{ role: 'user', content: `remember ${HOSTILE}` }]);
  await workspace.json(['session', 'add', 'chat', '--stdin'], { input });
  return workspace;
}

test('text output escapes control characters of a memory', async () => {
  const workspace = await hostileWorkspace();
  const shown = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await workspace.run(args);
    expect({ args, unsafe: UNSAFE.exec(stdout + stderr)?.[0] }).toEqual({ args, unsafe: undefined });
    return stdout;
  };
  expect(await shown('recall', 'who likes zinnias?')).toContain(ESCAPED);
  expect(await shown('get', 'memory/2026-03-01.md#L1')).toContain(ESCAPED);
  expect(await shown('core', 'show')).toContain(ESCAPED);
  expect(await shown('entity', 'show', 'Peter')).toContain(ESCAPED);
  expect(await shown('reflect', '--dry-run')).toContain(ESCAPED);
  await workspace.json(['reflect']);
  expect(await shown('opinion', 'list')).toContain(ESCAPED);
  expect(await shown('opinion', 'show', 'zinnias')).toContain(ESCAPED);
  expect(await shown('opinion', 'why', 'zinnias')).toContain(ESCAPED);
  expect(await shown('session', 'show', 'chat')).toContain(ESCAPED);
  expect(await shown('session', 'search', 'chat', 'zinnias')).toContain('zinnias\\u001b');
  expect(await shown('session', 'context', 'chat')).toContain(ESCAPED);
  expect(await shown('recall', 'heather')).toContain('a\\u001b[31mb.md');
  for (const args of [['lint'], ['status'], ['doctor'], ['retain', `W @P: ${HOSTILE}`], ['get', `${HOSTILE}.md`]])
    await shown(...args);
});

test('JSON has the same text without control characters', async () => {
  const workspace = await hostileWorkspace();
  const { stdout } = await workspace.run(['get', 'memory/2026-03-01.md#L1', '--json']);
  expect(UNSAFE.exec(stdout)).toBeNull();
  expect(JSON.parse(stdout).item.content).toContain(HOSTILE.replace('\r', ''));
});

test('a prompt read through a pipe has the exact text', async () => {
  const workspace = testWorkspace({ 'wm.md': `# Session Title\n\nThe ${HOSTILE}\n` });
  const input = JSON.stringify([{ role: 'user', content: 'remember the tulips' }]);
  const { stdout } = await workspace.run(['wm', 'prompt', '--old', workspace.path('wm.md'), '--messages', '-'], {
    input,
  });
  expect(stdout).toContain('\u001b[2J');
});

/** Names of properties that every JavaScript object has. */
const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'] as const;

test.each(NAMES)('an entity, a heading, a field and a tag may be called %s', async (name) => {
  const workspace = testWorkspace({
    'memory/2026-03-12.md': `- W @${name}: keeps heliotrope bees\n- O(c=0.8) @${name}: prefers honey over sugar\n`,
    'memory/topics/notes.md': `---\n${name}: zinnias\ntags: [${name}]\n---\n# ${name}\n\n## ${name}\n\n- ${name}:: tulips\n`,
  });
  await workspace.json(['reflect']);
  const recall = await workspace.json<{ results: { source: string }[]; warnings: string[] }>([
    'recall',
    'bees',
    '--entity',
    name,
  ]);
  expect(recall.warnings).toEqual([]);
  expect(recall.results.map(({ source }) => source)).toContain('memory/2026-03-12.md#L1');
  const tagged = await workspace.json<{ results: { content: string }[] }>(['recall', 'tulips', '--tag', name]);
  expect(tagged.results.map(({ content }) => content)).toContainEqual(expect.stringContaining('tulips'));
  const shown = await workspace.json<{ factCount: number }>(['entity', 'show', name]);
  expect(shown.factCount).toBe(2);
  for (const args of [
    ['lint'],
    ['view'],
    ['opinion', 'why', name],
    ['context', 'build', '--message', `what does ${name} keep?`],
  ])
    expect((await workspace.run(args)).code, args[0]).toBe(0);
});

test.each(NAMES)('%s as a key or a choice is refused as unknown', async (name) => {
  const workspace = testWorkspace({ 'memory.config.json5': `{ "${name}": 1 }` });
  expect(await workspace.run(['status'])).toMatchObject({ code: 2, stderr: expect.stringContaining(name) });
  workspace.remove('memory.config.json5');
  for (const args of [
    ['types', name],
    ['recall', 'x', '--kind', name],
    ['connect', name],
    ['get', name],
  ]) {
    const { code, stderr } = await workspace.run(args);
    expect({ args, isRefused: [1, 2].includes(code ?? 0), stderr }).toMatchObject({
      isRefused: true,
      stderr: expect.stringContaining(name),
    });
    expect(stderr).not.toContain('--verbose');
  }
});
