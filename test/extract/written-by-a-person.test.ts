import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const PROFILE = '# About me\n\nI keep bees, and always have.\n\n- Allergic to nuts\n';

async function apply(workspace: TemporaryWorkspace, operations: unknown) {
  const file = join(workspace.base, 'ops.json');
  writeFileSync(file, JSON.stringify(operations));
  const { code, stdout, stderr } = await workspace.run(['extract', 'apply', '--answer', file, '--json']);
  return { code, stderr, ...JSON.parse(stdout) };
}

function shown(workspace: TemporaryWorkspace, path: string, page_id = 1) {
  const hash = createHash('sha256')
    .update(readFileSync(join(workspace.root, path)))
    .digest('hex');
  return { page_id, path, hash };
}

test.each([
  ['deletes the page', { deletes: [{ page_id: 1 }] }],
  ['replaces its text', { profile: [{ page_id: 1, content: '- short' }] }],
  ['patches a line', { profile: [{ page_id: 1, content: { blocks: [{ search: 'nuts', replace: 'milk' }] } }] }],
  ['takes a line out', { profile: [{ page_id: 1, content: { blocks: [{ delete: '- Allergic to nuts' }] } }] }],
])('an answer that %s of a person is proposed once and not applied', async (_, operations) => {
  for (const text of [PROFILE, PROFILE.replaceAll('\n', '\r\n'), `\ufeff${PROFILE}`]) {
    const workspace = testWorkspace({ 'bank/profile.md': text });
    const pages = [shown(workspace, 'bank/profile.md')];
    for (const id of ['first', 'second']) {
      const { code, rejected, proposed, stderr } = await apply(workspace, { id, pages, ...operations });
      expect({ code, refused: rejected.length, proposed: proposed.length }).toEqual({
        code: 1,
        refused: 1,
        proposed: 1,
      });
      expect(stderr).toContain('(bank/profile.md): a person wrote line');
    }
    expect(workspace.read('bank/profile.md')).toBe(text);
    const { stdout } = await workspace.run(['core', 'proposals', '--json']);
    expect(JSON.parse(stdout).proposals).toHaveLength(1);
    await workspace.run(['core', 'reject', '1']);
    await apply(workspace, { id: 'third', pages, ...operations });
    expect(JSON.parse((await workspace.run(['core', 'proposals', '--json'])).stdout).proposals).toEqual([]);
  }
});

test('a proposal can be accepted, even a deletion, but not once the page has changed', async () => {
  const workspace = testWorkspace({ 'bank/profile.md': PROFILE.replaceAll('\n', '\r\n') });
  const pages = [shown(workspace, 'bank/profile.md')];
  const blocks = [{ search: 'nuts', replace: 'hazelnuts' }];
  await apply(workspace, { id: 'a', pages, profile: [{ page_id: 1, content: { blocks } }] });
  await apply(workspace, { id: 'b', pages, deletes: [{ page_id: 1 }] });
  expect(await workspace.run(['core', 'accept', '1'])).toMatchObject({ code: 0 });
  expect(workspace.read('bank/profile.md')).toBe(PROFILE.replace('nuts', 'hazelnuts').replaceAll('\n', '\r\n'));
  expect(await workspace.run(['core', 'accept', '1'])).toMatchObject({ code: 1 });
  await apply(workspace, { id: 'c', pages: [shown(workspace, 'bank/profile.md')], deletes: [{ page_id: 1 }] });
  expect(await workspace.run(['core', 'accept', '2'])).toMatchObject({ code: 0 });
  expect(existsSync(join(workspace.root, 'bank/profile.md'))).toBe(false);
});

test('a generated line can change among lines of a person, even in a clone without .memory/', async () => {
  const workspace = testWorkspace();
  await apply(workspace, { id: 'a', preferences: [{ topic: 'tea', content: '- Likes green tea\n- No milk' }] });
  const path = 'bank/preferences/tea.md';
  const mixed = `${workspace.read(path).replace('- No', '\n  Only in the morning!  \n\n- No')}\r\nMine.\r\n`;
  workspace.write(path, mixed);
  rmSync(join(workspace.root, '.memory'), { recursive: true });
  const blocks = [{ search: 'green tea', replace: 'black tea' }];
  expect(await apply(workspace, { id: 'b', preferences: [{ uri: path, content: { blocks } }] })).toMatchObject({
    code: 0,
  });
  expect(workspace.read(path)).toBe(mixed.replace('green', 'black'));
});

test('a line of a person stays theirs after an answer has duplicated it', async () => {
  const line = 'I keep bees, and always have.';
  const workspace = testWorkspace({ 'bank/profile.md': `${line}\n` });
  const pages = () => [shown(workspace, 'bank/profile.md')];
  const doubled = { profile: [{ page_id: 1, content: { blocks: [{ search: line, replace: `${line}\n${line}` }] } }] };
  expect(await apply(workspace, { id: 'a', pages: pages(), ...doubled })).toMatchObject({ code: 0 });
  expect(await apply(workspace, { id: 'b', pages: pages(), deletes: [{ page_id: 1 }] })).toMatchObject({ code: 1 });
  expect(workspace.read('bank/profile.md')).toMatch(new RegExp(`^${line}\n`));
});

test('a merge of pages changes neither links nor front matter that a person wrote', async () => {
  const ida = '---\ntype: person # hers\n---\n# Ida\n\n- Drinks [tea](../preferences/tea.md)\n';
  const workspace = testWorkspace({ 'bank/entities/Ida.md': ida });
  await apply(workspace, { id: 'a', preferences: [{ topic: 'tea', content: '- Green tea' }] });
  await apply(workspace, { id: 'b', preferences: [{ topic: 'drinks', content: '- Water' }] });
  const pages = [shown(workspace, 'bank/preferences/tea.md')];
  const { code, rejected } = await apply(workspace, {
    id: 'c',
    pages,
    deletes: [{ page_id: 1, replacement: 'bank/preferences/drinks.md' }],
    entities: [{ name: 'Ida', category: 'cat', content: { blocks: [{ search: '', replace: '' }] } }],
  });
  expect(code).toBe(1);
  expect(rejected).toHaveLength(2);
  expect(workspace.read('bank/entities/Ida.md')).toBe(ida);
  expect(existsSync(join(workspace.root, 'bank/preferences/tea.md'))).toBe(false);
});

test('a truncated answer is applied without its open items, and the whole answer may follow', async () => {
  const type =
    'name: recipes\ndirectory: bank/recipes\nfilename_template: "{{ title }}"\nfields:\n  - name: title\n    merge_op: immutable\n' +
    '  - name: made\n    type: int64\n    merge_op: sum\ncontent_template: "# {{ title }}: {{ made }}"\n';
  const workspace = testWorkspace({ 'bank/types/recipes.yaml': type });
  const whole =
    '{"id":"p","recipes":[{"title":"soup","made":2},{"title":"cut"}],"profile":[{"content":"- Payments may be refunded only when they are below 10 euros, never above"}]}';
  const cuts = ['never', '"profile', ':"cut', '"title":"so'].map((at) => whole.slice(0, whole.indexOf(at) + 5));
  for (const cut of cuts.reverse()) {
    const file = join(workspace.base, 'cut.json');
    writeFileSync(file, cut);
    const { code, stderr } = await workspace.run(['extract', 'apply', '--answer', file]);
    expect(code).toBe(1);
    expect(stderr).toContain('ends too early');
    expect(existsSync(join(workspace.root, 'bank/profile.md'))).toBe(false);
  }
  expect(existsSync(join(workspace.root, 'bank/recipes/cu.md'))).toBe(false);
  expect(workspace.read('bank/recipes/soup.md')).toContain('# soup: 2');
  expect(await apply(workspace, JSON.parse(whole))).toMatchObject({ code: 0 });
  expect(workspace.read('bank/recipes/soup.md')).toContain('# soup: 2');
  expect(workspace.read('bank/profile.md')).toContain('never above');
  expect(await apply(workspace, JSON.parse(whole))).toMatchObject({ run: null });
});

test('an answer nested 3,000 levels deep is refused without an exception', async () => {
  const workspace = testWorkspace();
  const file = join(workspace.base, 'deep.json');
  writeFileSync(file, `{"profile":[{"content":${'['.repeat(3_000)}${']'.repeat(3_000)}}]}`);
  const { code, stderr } = await workspace.run(['extract', 'apply', '--answer', file]);
  expect(code).toBe(2);
  expect(stderr).not.toContain('call stack');
});

test('a list that an answer repeats or splits is applied as a whole', async () => {
  const item = (topic: string) => `{"topic":"${topic}","content":"- ${topic} {\\"preferences\\":"}`;
  const answers = [
    `{"preferences":[${item('a')}],"tools":[{"tool_name":"grep"}],"preferences":[${item('b')}]}`,
    `{"id":"x","preferences":${item('c')},"preferences":[${item('d')},{"topic":"cut`,
    `[{"preferences":${item('e')}},{"preferences":[${item('f')}]}]`,
  ];
  const workspace = testWorkspace();
  for (const answer of answers) await workspace.run(['extract', 'apply', '--answer', '-'], { input: answer });
  for (const topic of 'abcdef')
    expect(workspace.read(`bank/preferences/${topic}.md`)).toBe(`# ${topic}\n\n- ${topic} {"preferences":\n`);
  expect(existsSync(workspace.path('bank/preferences/cut.md'))).toBe(false);
});

test('a name with other accents or capitals means the same page, which stays the person’s', async () => {
  const path = `bank/preferences/${'Café'.normalize('NFD')}.md`;
  const workspace = testWorkspace({ [path]: '# Café\n\n- Flat white\n' });
  const report = await apply(workspace, { preferences: [{ topic: 'café', content: '- Filter' }] });
  expect(report).toMatchObject({ code: 1, pages: [] });
  expect(workspace.read(path)).toBe('# Café\n\n- Flat white\n');
  expect(existsSync(workspace.path('bank/preferences/café.md'))).toBe(false);
});

test('front matter with exploding YAML aliases is refused', async () => {
  const levels = Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(10)}]\n`);
  const page = `---\na0: &a0 [x]\n${levels.join('')}---\n# tea\n\nx\n`;
  const workspace = testWorkspace({ 'bank/preferences/tea.md': page });
  const { rejected } = await apply(workspace, { preferences: [{ topic: 'tea', content: '- green' }] });
  expect(rejected).toEqual([
    { operation: 'preferences[0]', page: 'bank/preferences/tea.md', reason: expect.stringContaining('front matter') },
  ]);
  expect(workspace.read('bank/preferences/tea.md')).toBe(page);
});
