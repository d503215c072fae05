import { expect, test } from 'vitest';
import type { ReflectReport } from '../../src/reflect/plan.js';
import { type LastRun, readLastRun, writeLastRun } from '../../src/reflect/progress.js';
import type { HealthReport } from '../../src/upkeep/doctor.js';
import type { ScheduleCheck } from '../../src/upkeep/schedule.js';
import { testWorkspace } from '../support/test-workspace.js';

// A day that no machine's clock has reached.
const AHEAD = ['--now', '2931-01-01T10:00:00Z'];
const FILES = {
  'memory/2026-03-13.md':
    '- W @Mo: keeps zebrafish in the blue tank\n- W @Mo: will be in Rome until 2931-05-01\n- O(c=0.8) @Mo: likes quiet tanks\n',
  'memory/2930-05-05.md': '- W @Mo: moved from Linz to Wels\n- O(c=0.9) @Mo: hates loud pumps\n',
};
const MO = 'bank/entities/Mo.md';

test('a run ahead of the clock is reported, and the next run makes its pages as if it had not happened', async () => {
  const [workspace, other] = [testWorkspace(FILES), testWorkspace(FILES)];
  const ahead = await workspace.run(['reflect', ...AHEAD]);
  expect([ahead.code, ahead.stderr]).toEqual([
    0,
    expect.stringContaining("this run has the date 2931-01-01, which is after the time of this machine's clock"),
  ]);
  expect(workspace.read(MO)).toContain('Linz');
  expect(workspace.read('bank/opinions.md')).toContain('loud pumps');
  const next = await workspace.json<ReflectReport>(['reflect']);
  expect(next.warnings).toEqual([
    expect.stringContaining('an earlier run has the date 2931-01-01, which is after the time of this machine'),
  ]);
  expect(next.written).toEqual(expect.arrayContaining(['bank/opinions.md', MO]));
  await other.run(['reflect']);
  for (const path of [MO, 'bank/opinions.md']) expect(workspace.read(path)).toBe(other.read(path));
  workspace.write('memory/2026-03-15.md', '- W @Mo: bought gouramis\n');
  expect(await workspace.json<ReflectReport>(['reflect'])).toMatchObject({ warnings: [], written: [MO] });
});

test('edits by a person after a run ahead of the clock stay, and the next runs continue', async () => {
  const workspace = testWorkspace(FILES);
  await workspace.run(['reflect', ...AHEAD]);
  workspace.write(MO, workspace.read(MO).replace('# Mo\n', '# Mo\n\nA note of a person.\n'));
  const next = await workspace.json<ReflectReport>(['reflect']);
  expect(next.isOfThePast).toBe(false);
  expect(workspace.read(MO)).toContain('A note of a person.');
  expect(workspace.read(MO)).toContain('zebrafish');
  expect(workspace.read(MO)).not.toContain('Linz');
});

test('schedule --check and doctor report a run ahead of the clock until the next run', async () => {
  const workspace = testWorkspace(FILES);
  await workspace.run(['reflect', ...AHEAD]);
  const check = await workspace.run(['schedule', '--check', '--json']);
  expect([check.code, JSON.parse(check.stdout)]).toEqual([4, expect.objectContaining({ ok: false, problem: 'ahead' })]);
  expect((await workspace.run(['schedule', '--check'])).stdout).toContain("after the time of this machine's clock");
  expect((await workspace.run(['doctor'])).stdout).toMatch(
    /^warning +reflect +.*2931-01-01 10:00, which is after the time of this machine/m,
  );
  await workspace.run(['reflect']);
  expect(await workspace.json<ScheduleCheck>(['schedule', '--check'])).toMatchObject({ ok: true, problem: null });
  const { stdout } = await workspace.run(['doctor', '--json']);
  const report: HealthReport = JSON.parse(stdout);
  expect(report.checks.find((one) => one.check === 'reflect')).toMatchObject({ state: 'ok' });
});

test('a run dated before the last one writes nothing, and says so', async () => {
  const workspace = testWorkspace(FILES);
  await workspace.run(['reflect']);
  workspace.write('memory/2026-03-12.md', '- W @Ann: keeps bees\n');
  const past = ['--now', '2026-03-13T10:00:00Z'];
  const report = await workspace.json<ReflectReport>(['reflect', ...past]);
  expect(report).toMatchObject({ isOfThePast: true, written: [] });
  const { last } = await workspace.json<ScheduleCheck>(['schedule', '--check', ...past]);
  expect(last).toMatchObject({
    written: 0,
    message: 'nothing was written, because reflect already ran for a later day',
  });
});

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
