import { existsSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { IndexReport } from '../../src/index/run.js';
import type { StatusReport } from '../../src/upkeep/status.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

/** A folder of notes without files of this program. */
function vault(): TemporaryWorkspace {
  const workspace = testWorkspace(NOTES);
  rmSync(workspace.path('.memory'), { recursive: true });
  return workspace;
}

const NOTES = {
  '.obsidian/app.json': '{}',
  'Projects/Piano.md': '# Piano\n\nLena plays [[Chopin]]; the CSS has @font-face, and @Lena wrote it.\n',
  'Chopin.md': '# Chopin\n\nA composer. #music\n',
};

test('reading commands in a plain notes folder say so, suggest init --vault, and create nothing', async () => {
  const workspace = vault();
  const reading = [['recall', 'piano'], ['index'], ['status'], ['lint'], ['get', 'Chopin.md'], ['entity', 'list']];
  for (const args of reading) {
    const run = await workspace.run(args);
    expect(run, args.join(' ')).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        `error: there is no memory in ${workspace.root}, a vault of Obsidian\n` +
        `hint: make a workspace that reads these notes: openclaw memory init --vault ${workspace.root}\n`,
    });
    expect(existsSync(workspace.path('.memory'))).toBe(false);
  }
});

test('index, status and an empty answer count unread notes beside a memory, and say how to read them', async () => {
  const workspace = vault();
  const made = await workspace.run(['init']);
  expect(made.stderr).toContain('2 notes of a vault of Obsidian are not read');
  const said = /has 2 more notes that recall does not read; to read them, set extraFolders: \['\.'\]/;
  const { notices } = await workspace.json<IndexReport>(['index']);
  expect(notices).toMatchObject([{ path: workspace.root, reason: expect.stringMatching(said) }]);
  expect((await workspace.json<StatusReport>(['status'])).notices).toEqual(notices);
  const { results, warnings } = await workspace.recall('Chopin');
  expect([results, warnings]).toMatchObject([[], [expect.stringMatching(said)]]);
});

test.each(['', '\n', '// nothing yet: {\n', '/* nothing */'])(
  'empty settings of %j are valid and can be added to',
  async (text) => {
    const workspace = testWorkspace({ 'memory/2026-03-14.md': '- W @Peter: likes tea\n', 'memory.config.json5': text });
    expect((await workspace.run(['recall', 'tea'])).stdout).toContain('likes tea');
    expect((await workspace.run(['doctor'])).stdout).toMatch(/ok +settings +all settings have their default values/);
    expect(await workspace.run(['models', 'use', 'nomic-embed-text'])).toMatchObject({ code: 0 });
    expect(workspace.read('memory.config.json5')).toContain('"embedModel": "nomic-embed-text"');
    expect(workspace.read('memory.config.json5').startsWith(text)).toBe(true);
  },
);

test('init --vault makes notes read, with existing settings too, or says what to write', async () => {
  const workspace = vault();
  await workspace.run(['init', '--vault']);
  const { results, warnings } = await workspace.recall('Chopin');
  expect([results[0]?.path, warnings]).toEqual(['Chopin.md', []]);
  const settings = workspace.read('memory.config.json5');
  expect((await workspace.run(['init', '--vault'])).stdout).toContain('No file was changed');
  expect(workspace.read('memory.config.json5')).toBe(settings);
  workspace.write('memory.config.json5', '{ timezone: "UTC" } // mine\n');
  await workspace.run(['init', '--vault']);
  expect(workspace.read('memory.config.json5')).toBe('{\n  extraFolders: [\'.\'], timezone: "UTC" } // mine\n');
  for (const kept of ["{ extraFolders: ['other'] }\n", '// of mine\n{}\n']) {
    workspace.write('memory.config.json5', kept);
    const run = await workspace.run(['init', '--vault']);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("hint: write extraFolders: ['.'] into it") });
    expect(workspace.read('memory.config.json5')).toBe(kept);
  }
});

test('prose of a vault creates no entities, but counts for those of facts and logs', async () => {
  const workspace = testWorkspace({ ...NOTES, 'memory.config.json5': "{ extraFolders: ['.'] }" });
  const list = async () =>
    (await workspace.json<{ entities: { name: string; mentions: number }[] }>(['entity', 'list'])).entities;
  expect(await list()).toEqual([]);
  await workspace.run(['retain', 'W @Lena: plays the piano']);
  expect((await list()).map(({ name, mentions }) => [name, mentions])).toEqual([['Lena', 2]]);
});
