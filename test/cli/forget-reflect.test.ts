import { readdirSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';
import type { FileContents, TemporaryWorkspace } from '../support/workspace.js';

const LOGS: FileContents = {
  'memory/2026-03-01.md':
    '## Retain\n- O(c=0.9) @Peter: prefers xyzzy replies\n- W @Peter: lives in Plughville\n- B @Peter: I ate hungapple with @Lena\n',
  'memory/2026-03-02.md': '## Retain\n- W @Peter: lives in Plughville\n- W @Peter: works at the mill\n',
};

/** Returns every file below the workspace that contains a text, including the index and other binary files. */
function holders(workspace: TemporaryWorkspace, text: string): readonly string[] {
  return readdirSync(workspace.root, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(workspace.path(path)).isFile())
    .filter((path) => readFileSync(workspace.path(path)).toString('latin1').toLowerCase().includes(text));
}

const reflect = (workspace: TemporaryWorkspace) =>
  workspace.json<{ conflicts: unknown[]; written: string[] }>(['reflect']);

test.each([
  ['a promoted fact', 'lives in Plughville', 'plughville'],
  ['the only fact about an entity', 'I ate hungapple with @Lena', 'hungapple'],
  ['an opinion with its evidence', 'prefers xyzzy replies', 'xyzzy'],
])('forget --no-copy of %s removes its text everywhere, and reflect does not bring it back', async (_, said, word) => {
  const workspace = testWorkspace(LOGS);
  await reflect(workspace);
  await workspace.json(['recall', said]);
  await workspace.json(['view']);
  expect(holders(workspace, word)).toEqual(expect.arrayContaining(['bank/entities/Peter.md', '.memory/view.html']));
  for (;;) {
    const { results } = await workspace.json<{ results: { id: string; content: string }[] }>(['recall', word]);
    const [first] = results.filter(({ content }) => content.toLowerCase().includes(word));
    if (first === undefined) break;
    expect(await workspace.json(['forget', first.id, '--no-copy'])).toMatchObject({ remaining: [] });
  }
  expect(holders(workspace, word)).toEqual([]);
  expect(await reflect(workspace)).toMatchObject({ conflicts: [] });
  expect(holders(workspace, word)).toEqual([]);
  expect((await reflect(workspace)).written).toEqual([]);
  expect(workspace.read('bank/entities/Peter.md')).toContain('works at the mill');
  expect(await workspace.run(['index', '--verify'])).toMatchObject({ code: 0 });
});

test('reflect --undo refuses runs that hold a forgotten text, and undoes the others', async () => {
  const workspace = testWorkspace(LOGS);
  await reflect(workspace);
  await workspace.json(['forget', '--query', 'I ate hungapple with @Lena']);
  expect(await workspace.run(['reflect', '--undo'])).toMatchObject({ code: 1 });
  workspace.write('memory/2026-03-03.md', '## Retain\n- W @Anna: swims\n');
  await workspace.json(['--now', '2026-03-15T13:00:00Z', 'reflect']);
  expect(await workspace.run(['reflect', '--undo'])).toMatchObject({ code: 0 });
});

test('a forgotten fact is removed from generated blocks only; a block that a person has edited is named', async () => {
  const workspace = testWorkspace(LOGS);
  await reflect(workspace);
  const page = workspace.read('bank/entities/Peter.md');
  workspace.write('bank/entities/Peter.md', page.replace('lives in Plughville', 'lives in Plughville, upstairs'));
  await reflect(workspace);
  const edited = workspace.read('bank/entities/Peter.md');
  const { remaining } = await workspace.json<{ remaining: { source: string }[] }>([
    'forget',
    '--query',
    'lives in Plughville',
  ]);
  const proposed = 'bank/proposals/block-entities-Peter.md';
  expect(remaining.map(({ source }) => source.replace(/#.*/, ''))).toEqual(['bank/entities/Peter.md', proposed]);
  expect(workspace.read('bank/entities/Peter.md')).toBe(edited);
  // The proposed text is generated: the next run removes it.
  await reflect(workspace);
  expect(workspace.read('bank/entities/Peter.md')).toBe(edited);
  expect(workspace.read(proposed)).not.toContain('Plughville');
});

test.each([
  [
    'a line that a person deletes',
    (workspace: TemporaryWorkspace) => workspace.write('memory/2026-03-01.md', '# Log\n'),
  ],
  ['a deleted log', (workspace: TemporaryWorkspace) => workspace.remove('memory/2026-03-01.md')],
])('the next reflect removes %s from the pages of its entities', async (_, take) => {
  const workspace = testWorkspace({ ...LOGS, 'bank/entities/Lena.md': '# Lena\n' });
  await reflect(workspace);
  expect(workspace.read('bank/entities/Lena.md')).toContain('hungapple');
  take(workspace);
  await reflect(workspace);
  for (const name of ['Lena', 'Peter'])
    expect(workspace.read(`bank/entities/${name}.md`)).not.toMatch(/hungapple|2026-03-01/);
  expect((await reflect(workspace)).written).toEqual([]);
});
