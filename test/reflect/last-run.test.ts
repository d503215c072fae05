import { expect, test } from 'vitest';
import { type LastRun, readLastRun, writeLastRun } from '../../src/reflect/progress.js';
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
