import { readdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { GetAnswer } from '../../src/recall/get.js';
import type { RetainReport } from '../../src/retain/retain.js';
import type { SessionMatches } from '../../src/session/search.js';
import type { PageChange } from '../../src/upkeep/history.js';
import type { LintReport } from '../../src/upkeep/lint.js';
import { git } from '../support/git.js';
import { testWorkspace } from '../support/test-workspace.js';

const NAME = 'Übergänge';

test.each([
  ['composed', 'NFC', 'NFD'],
  ['decomposed', 'NFD', 'NFC'],
] as const)('a page with a %s name is found by its other form, and written to', async (_, stored, typed) => {
  const path = `memory/topics/${NAME}.md`.normalize(stored);
  const other = path.normalize(typed);
  const workspace = testWorkspace({ [path]: '- W @Mo: keeps zebrafish\n' });
  const { item } = await workspace.json<GetAnswer>(['get', `${other}#L1`]);
  expect(item).toMatchObject({ path, content: expect.stringContaining('zebrafish') });
  const { retained } = await workspace.json<RetainReport>(['retain', 'W @Mo: bought gouramis', '--file', other]);
  expect(retained[0]?.source.startsWith(`${path}#L`)).toBe(true);
  expect(readdirSync(workspace.path('memory/topics'))).toEqual([path.slice('memory/topics/'.length)]);
  const { checked, problems } = await workspace.json<LintReport>(['lint', other]);
  expect([checked, problems.every((one) => one.path === path)]).toEqual([1, true]);
  await git(workspace.root, 'init', '-q', '-b', 'main');
  await git(workspace.root, 'add', '-A');
  await git(workspace.root, 'commit', '-q', '-m', 'fish');
  const history = await workspace.json<{ page: string; changes: readonly PageChange[] }>(['history', other]);
  expect([history.page, history.changes.map(({ subject }) => subject)]).toEqual([path, ['fish']]);
  const { stdout } = await workspace.run(['history', other, '--at', '2099-01-01']);
  expect(stdout).toContain('zebrafish');
});

test('lint checks the pages of a folder whose name is typed in another form', async () => {
  const folder = 'memory/topics/Café'.normalize('NFD');
  const workspace = testWorkspace({ [`${folder}/a.md`]: 'a\n', 'memory/topics/b.md': 'b\n' });
  const { checked } = await workspace.json<LintReport>(['lint', `${folder.normalize('NFC')}/`]);
  expect(checked).toBe(1);
});

test.each(['a\nb.md', 'a\\b.md', ' a.md', 'a .md'])('get shows the page %j', async (name) => {
  const path = `memory/topics/${name}`;
  const workspace = testWorkspace({ [path]: '# Fish\n\nThe zebrafish swim.\n' });
  const { item } = await workspace.json<GetAnswer>(['get', path]);
  expect(item).toMatchObject({ path, content: '# Fish\n\nThe zebrafish swim.' });
  const { item: line } = await workspace.json<GetAnswer>(['get', `${path}#L3`]);
  expect(line).toMatchObject({ path, startLine: 3 });
});

test.each([
  ['.gz', 'gzip -dc'],
  ['.2026-03-01.zst', 'zstd -dc'],
])('a transcript named .jsonl%s is refused with a way to read it', async (end, command) => {
  const workspace = testWorkspace();
  const line = JSON.stringify({ role: 'user', content: 'The zebrafish swim.' });
  const file = `${workspace.base}/chat-1.jsonl${end}`;
  writeFileSync(file, gzipSync(`${line}\n`));
  const { code, stderr } = await workspace.run(['session', 'import', file]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${file} is compressed`)]);
  expect(stderr).toContain(`${command} ${file} | openclaw memory session import - --session chat-1`);
});

test('a search over a damaged archive reports the damage', async () => {
  const workspace = testWorkspace();
  for (const text of ['The zebrafish swim.', 'The gouramis rest.'])
    await workspace.run(['session', 'add', 'chat', '--role', 'user', '--text', text]);
  await workspace.run(['session', 'commit', 'chat', '--keep-recent', '0']);
  const whole = await workspace.json<SessionMatches>(['session', 'search', 'chat', 'gouramis']);
  expect([whole.found, whole.warnings]).toEqual([1, []]);
  const log = 'sessions/chat/history/archive_001/messages.jsonl';
  workspace.write(log, `${workspace.read(log).split('\n')[0]}\n{"id":\n`);
  const { stderr } = await workspace.run(['session', 'search', 'chat', 'gouramis']);
  expect(stderr).toContain(
    'archive_001 is damaged: 1 of 2 messages can be read; its messages may be missing from this result',
  );
});
