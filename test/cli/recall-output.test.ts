import { expect, test } from 'vitest';
import { displayWidth } from '../../src/text/tokens.js';
import { testWorkspace } from '../support/test-workspace.js';

const FILES = {
  'memory/2026-03-12.md':
    '## Retain\n- W @Peter: plants pear trees behind the old barn, because the wind from the west is weaker there than beside the house\n',
  'memory/2026-03-13.md': '- the pear tree has "three" blossoms, at last\n- nothing else\n',
};
const PLANTED = 'what has Peter planted?';

test('on a terminal the words of the question are highlighted, and long text is wrapped with an indent', async () => {
  const workspace = testWorkspace(FILES);
  const { stdout } = await workspace.run(['recall', PLANTED, '-n', '1'], { columns: 60, env: { NO_COLOR: '' } });
  expect(stdout).toContain('\u001b[33mplants\u001b[39m pear');
  expect(stdout).not.toMatch(/\u001b\[33m(?:the|is)\b/);
  const plain = stdout
    .replace(/\u001b\[\d+m/g, '')
    .trimEnd()
    .split('\n');
  expect(plain.length).toBeGreaterThan(2);
  for (const line of plain.slice(1)) {
    expect(line).toMatch(/^ {2}\S/);
    expect(displayWidth(line)).toBeLessThanOrEqual(60);
  }
  const piped = await workspace.run(['recall', PLANTED, '-n', '1']);
  expect(piped.stdout.trimEnd().split('\n')).toHaveLength(2);
  expect(piped.stdout).not.toContain('\u001b');
});

test('the text of a newer statement is below the older one', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-12.md': '## Retain\n- W @Peter: works for Harrow Logistics in Leeds\n',
    'memory/2026-03-13.md': '## Retain\n- W @Peter: works for Stone Bakery in Leeds\n',
  });
  const { stdout } = await workspace.run(['recall', 'where does Peter work?']);
  const { results } = await workspace.json<{ results: readonly { newer?: string }[] }>([
    'recall',
    'where does Peter work?',
  ]);
  expect(results.filter(({ newer }) => newer !== undefined)).toHaveLength(1);
  expect(stdout).toMatch(/Harrow Logistics in Leeds\n {4}newer: @Peter: works for Stone Bakery in Leeds/);
});

test('--files names each file once, --csv prints a table, --limit is --k', async () => {
  const workspace = testWorkspace(FILES);
  const { stdout } = await workspace.run(['recall', 'pear tree', '--files']);
  expect(stdout.trimEnd().split('\n').sort()).toEqual(Object.keys(FILES));
  const csv = await workspace.run(['recall', 'blossoms', '--csv', '--limit', '1']);
  expect(csv.stdout).toMatch(
    /^"source","day","kind","score","text"\n"memory\/2026-03-13\.md#L1","2026-03-13","log","[\d.]+","the pear tree has ""three"" blossoms, at last"\n$/,
  );
  expect((await workspace.run(['recall', 'pear', '--files', '--csv'])).code).toBe(2);
  expect((await workspace.run(['recall', 'pear', '--files', '--json'])).code).toBe(2);
});

test('get shows several statements and pages', async () => {
  const workspace = testWorkspace(FILES);
  const [first, second] = ['memory/2026-03-12.md#L2', 'memory/2026-03-13.md#L1'];
  const { stdout } = await workspace.run(['get', first, second]);
  expect(stdout).toMatch(/^memory\/2026-03-12\.md#L2\n.*\n\nmemory\/2026-03-13\.md#L1\n/);
  expect(await workspace.json(['get', first, second])).toMatchObject({
    items: [{ item: { source: first } }, { item: { source: second } }],
  });
  expect(await workspace.json(['get', first])).toMatchObject({ item: { source: first } });
  expect((await workspace.run(['get', first, 'none.md'])).stderr).toContain('none.md');
});

test.each([
  ['todo', 'agenda'],
  ['find', 'recall'],
  ['write', 'retain'],
  ['retian', 'retain'],
])('the name "%s" of other tools leads to %s', async (word, command) => {
  const { code, stderr } = await testWorkspace(FILES).run([word, 'pears']);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`did you mean ${command}?`)]);
});

test('retain says what it kept a near fact beside, and how sure an opinion is', async () => {
  const workspace = testWorkspace(FILES);
  const text = 'W @Ana: the big meeting room on floor two has a new blue projector and a camera since spring';
  await workspace.run(['retain', text]);
  const near = await workspace.run(['retain', `${text} today`]);
  expect(near.stderr).toMatch(/kept beside nearly the same fact f-\w+: .*camera since spring/);
  expect((await workspace.run(['retain', 'O @Ana: prefers tea'])).stdout).toContain('prefers tea (c=0.7)');
});
