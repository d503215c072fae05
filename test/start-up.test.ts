import { expect, test } from 'vitest';
import { loadedPackages } from './support/loaded-packages.js';
import { testWorkspace } from './support/test-workspace.js';

/** Heavy libraries, the module that starts processes, and helpers that come with remark. */
const HEAVY = /^(?:node:child_process|remark.*|unified|mdast.*|micromark.*|zod|chokidar|json5|diff)$/;

const FILES = { 'memory/2026-03-14.md': '## Retain\n- W @Peter: likes short replies\n' };

test('recall loads none of remark, zod and chokidar', async () => {
  const workspace = testWorkspace(FILES);
  const packages = await loadedPackages(workspace, ['recall', 'what does Peter like?']);
  expect(packages).toContain('commander');
  expect(packages).toContain('stemmer');
  expect([...packages].filter((name) => HEAVY.test(name))).toEqual([]);
});

test('recall without vectors loads no code for vector search, even with --mode hybrid', async () => {
  const workspace = testWorkspace(FILES);
  for (const mode of ['auto', 'hybrid']) {
    const packages = await loadedPackages(workspace, ['recall', 'what does Peter like?', '--mode', mode]);
    expect([...packages].filter((name) => HEAVY.test(name) || name.startsWith('sqlite-vec'))).toEqual([]);
  }
});

test('recall reads times in every language without a library', async () => {
  const workspace = testWorkspace(FILES);
  for (const time of ['on the fourteenth of March', '上个月', 'letzte Woche', 'двадцать седьмого ноября']) {
    const packages = await loadedPackages(workspace, ['recall', `what did Peter like ${time}?`]);
    expect([...packages].filter((name) => HEAVY.test(name))).toEqual([]);
  }
});

test('settings are parsed once for each content, and checked without zod', async () => {
  const workspace = testWorkspace({ ...FILES, 'memory.config.json5': '{ recallLimit: 3 }' });
  const loaded = () => loadedPackages(workspace, ['recall', 'Peter']);
  expect(await loaded()).toContain('json5');
  const again = await loaded();
  expect([again.has('json5'), again.has('zod')]).toEqual([false, false]);
  workspace.write('memory.config.json5', '{ recallLimit: 4 }');
  const changed = await loaded();
  expect([changed.has('json5'), changed.has('zod')]).toEqual([true, false]);
});

test('a chat is imported without the libraries that read mails and calendars', async () => {
  const workspace = testWorkspace();
  workspace.write('chat.txt', '03.02.26, 10:10 - Bo: hello\n');
  const packages = await loadedPackages(workspace, ['import', workspace.path('chat.txt')]);
  expect([...packages].filter((name) => /^(?:ical\.js|postal-mime|html-to-text)$/.test(name))).toEqual([]);
});
