import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { git, identity } from '../support/git.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const LOG = [
  '- W @Peter: Lives in Graz.',
  '- W @Peter: Rides a red bicycle.',
  '- O(c=0.8) @Peter: Prefers tea.',
  '- W @Nora: Visits her sister until February 3, 2026.',
  '- W @harbor: The gate code is 4411.',
  '',
].join('\n');

async function repository(): Promise<TemporaryWorkspace> {
  const workspace = testWorkspace({ '.gitignore': '.memory/\n', 'memory/2026-02-01.md': LOG });
  await git(workspace.root, 'init', '-q', '-b', 'main');
  await git(workspace.root, 'add', '.');
  await git(workspace.root, 'commit', '-q', '-m', 'start');
  return workspace;
}

const run = (workspace: TemporaryWorkspace, day: string, ...args: readonly string[]) =>
  workspace.run([...args, '--commit', '--now', `${day}T12:00:00Z`], { env: identity(workspace) });
const reflect = (workspace: TemporaryWorkspace, day: string) => run(workspace, day, 'reflect', '--max-calls', '0');
const message = (workspace: TemporaryWorkspace) => git(workspace.root, 'log', '-1', '--format=%B');

test('the commit of a run says whom it is about, what came to hold, what holds no more, and who settled it', async () => {
  const workspace = await repository();
  await reflect(workspace, '2026-02-02');
  const first = await message(workspace);
  expect(first.split('\n')[0]).toBe('memory: Peter, harbor, Nora: 5 facts, 1 belief');
  expect(first).toContain('Came to hold:\n');
  expect(first).not.toContain('Holds no more:');
  await run(workspace, '2026-02-05', 'retain', 'W @Peter: Moved from Graz to Lisbon.', 'O(c=0.9) @Peter: Prefers tea.');
  expect(await message(workspace)).toBe('memory: retain 2 facts about Peter\n\n');
  await reflect(workspace, '2026-02-06');
  const second = await message(workspace);
  expect(second.split('\n')[0]).toMatch(/^memory: Peter(?:, Nora)?: 2 facts, 1 belief, 1 proposal$/);
  expect(second).toMatch(/Came to hold:\n(?:- .*\n)*- Peter: Moved from Graz to Lisbon\.\n/);
  expect(second).toMatch(
    /Holds no more:\n(?:- .*\n)*- Peter: Lives in Graz\. \(replaced, settled by the words of the later fact: Moved from Graz to Lisbon\.\)\n/,
  );
  expect(second).toMatch(/Beliefs:\n- 0\.80 → 0\.\d\d Peter: Prefers tea\. \(evidence\)/);
});

test('a date that passed, and a person who settled it, are named', async () => {
  const workspace = await repository();
  await reflect(workspace, '2026-02-02');
  await run(workspace, '2026-02-02', 'retain', 'W @Peter: Walks everywhere.');
  const { results } = await workspace.recall('Peter rides bicycle');
  const [old] = results.filter(({ content }) => content.includes('bicycle'));
  const [walks] = (await workspace.recall('Peter walks everywhere')).results;
  await run(workspace, '2026-02-04', 'settle', old?.id ?? '', walks?.id ?? '', 'replaces');
  const settled = await message(workspace);
  expect(settled.split('\n')[0]).toBe(`memory: settle ${old?.id}`);
  expect(settled).toMatch(/Rides a red bicycle.*\n.*replaced by\n.*Walks everywhere/);
  await reflect(workspace, '2026-02-05');
  const text = await message(workspace);
  expect(text).toContain('- Nora: Visits her sister until February 3, 2026. (ended, settled by its date)');
  expect(text).toContain('- Peter: Rides a red bicycle. (replaced, settled by a person: Walks everywhere.)');
});

test('machine comments change only where the text beside them does', async () => {
  const workspace = await repository();
  await reflect(workspace, '2026-02-02');
  const comments = (path: string) =>
    workspace
      .read(path)
      .split('\n')
      .filter((line) => line.includes('<!--'));
  const [nora, opinions] = [comments('bank/entities/Nora.md'), comments('bank/opinions.md')];
  expect([nora.length, opinions.length]).toEqual([2, 1]);
  await run(workspace, '2026-02-02', 'retain', 'W @harbor: The gate is green.', 'O(c=0.6) @Nora: Prefers maps.');
  await reflect(workspace, '2026-02-03');
  expect(comments('bank/opinions.md').slice(0, 1)).toEqual(opinions);
  expect(comments('bank/opinions.md')).toHaveLength(2);
  const diff = await git(workspace.root, 'show', '-U0', '--format=');
  const removed = diff.split('\n').filter((line) => line.startsWith('-') && line.includes('<!--'));
  const headers = diff.split('\n').filter((line) => line.startsWith('+++ ')).length;
  expect(removed.every((line) => line.includes('memory:begin'))).toBe(true);
  expect(removed.length).toBeLessThanOrEqual(headers);
  await reflect(workspace, '2026-02-03');
  expect(await git(workspace.root, 'log', '--oneline')).toMatch(/(?:.*\n){4}$/);
});

test('a refused commit keeps no text of facts for later', async () => {
  const workspace = await repository();
  const hook = workspace.path('.git/hooks/pre-commit');
  writeFileSync(hook, '#!/bin/sh\nexit 1\n');
  chmodSync(hook, 0o755);
  await reflect(workspace, '2026-02-02');
  rmSync(hook);
  await reflect(workspace, '2026-02-03');
  expect(await message(workspace)).toMatch(/^memory: Peter, .*: 5 facts, 1 belief\n\n$/);
});
