import { expect, test } from 'vitest';
import { type LastRun, readLastRun, writeLastRun } from '../../src/reflect/last-run.js';
import { testWorkspace } from '../support/test-workspace.js';

const RUN: LastRun = {
  run: 'r1',
  startedAt: '2026-03-15T03:40:00.000Z',
  endedAt: '2026-03-15T03:40:02.000Z',
  result: 'done',
  facts: 12,
  written: 3,
};

test('the record of a run is read back and replaces the one before', () => {
  const folder = testWorkspace().path('.memory');
  expect(readLastRun(folder)).toBeUndefined();
  writeLastRun(folder, RUN);
  expect(readLastRun(folder)).toEqual(RUN);
  const failed = { ...RUN, run: 'r2', result: 'failed', message: 'disk full' } as const;
  writeLastRun(folder, failed);
  expect(readLastRun(folder)).toEqual(failed);
});

test.each([
  '',
  '{"run":',
  'null',
  '[]',
  JSON.stringify({ ...RUN, run: 1 }),
  JSON.stringify({ ...RUN, endedAt: 'yesterday' }),
  JSON.stringify({ ...RUN, result: 'fine' }),
  JSON.stringify({ ...RUN, facts: -1 }),
  JSON.stringify({ ...RUN, written: undefined }),
  JSON.stringify({ ...RUN, message: {} }),
])('a record %j counts as missing', (text) => {
  const workspace = testWorkspace({ '.memory/reflect/last.json': text });
  expect(readLastRun(workspace.path('.memory'))).toBeUndefined();
});

test('a run that cannot read the last record releases its lock', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-14.md': '- W @Peter: lives in Graz\n' });
  workspace.write('.memory/reflect/last.json/in-the-way', '');
  const memory = await workspace.open();
  const reflection = await memory.reflection();
  await expect(reflection.run({})).rejects.toThrow('EISDIR');
  workspace.remove('.memory/reflect/last.json');
  expect(await reflection.run({})).toMatchObject({ facts: 1 });
});
