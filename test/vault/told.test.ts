import { chmodSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/recall/request.js';
import { WITHOUT_RIGHTS } from '../support/mishap-rounds.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

interface Problem {
  readonly rule: string;
  readonly path: string;
  readonly line: number | null;
}

async function lint(workspace: TemporaryWorkspace, launcher?: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await workspace.run(['lint', '--json'], launcher === undefined ? {} : { launcher });
  const { problems }: { problems: readonly Problem[] } = JSON.parse(stdout);
  return problems.map(({ rule, path, line }) => `${rule} ${path}${line === null ? '' : `#L${line}`}`);
}

async function doctor(workspace: TemporaryWorkspace, launcher?: readonly string[]): Promise<string> {
  const { stdout } = await workspace.run(['doctor', '--json'], launcher === undefined ? {} : { launcher });
  const { checks }: { checks: readonly { check: string; message: string }[] } = JSON.parse(stdout);
  return checks.find(({ check }) => check === 'files')?.message ?? '';
}

test('lint and doctor name what looks like a day and is not read as one, and what is not read', async () => {
  const workspace = testWorkspace({
    'memory.config.json5': "{ extraFolders: ['.'] }",
    'memory/2026-02-30.md': 'x\n',
    'memory/2026-02-30-plans.md': 'x\n',
    'memory/topics/10.01.2026.md': 'x\n',
    'journals/2026-13-01 Mon.md': 'x\n',
    '2026年1月10日.md': 'x\n',
    '10.01.2026 Invoice.md': 'x\n',
    'memory/a.MD': 'x\n',
    'B.markdown': 'x\n',
  });
  const found = await lint(workspace);
  expect(found.toSorted()).toEqual([
    'day-name 2026年1月10日.md',
    'day-name journals/2026-13-01 Mon.md',
    'day-name memory/2026-02-30.md',
    'day-name memory/topics/10.01.2026.md',
    'left-out B.markdown',
    'left-out memory/a.MD',
  ]);
  const said = await doctor(workspace);
  for (const path of found) expect(said).toContain(path.slice(path.indexOf(' ') + 1));
});

test('a file that cannot be read is named by lint, doctor and status, and every answer warns of it', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-10.md': '- W @Ivo: rides a bicycle\n',
    'memory/topics/a.md': 'bicycle\n',
  });
  await workspace.run(['index']);
  chmodSync(workspace.path('memory/2026-03-10.md'), 0);
  symlinkSync('nowhere.md', workspace.path('memory/topics/gone.md'));
  symlinkSync('loop.md', workspace.path('memory/topics/loop.md'));
  const paths = ['memory/2026-03-10.md', 'memory/topics/gone.md', 'memory/topics/loop.md'];
  const launcher = WITHOUT_RIGHTS;
  expect(await lint(workspace, launcher)).toEqual(paths.map((path) => `unreadable ${path}`));
  const { warnings, results } = await workspace.json<RecallAnswer>(['recall', 'bicycle'], { launcher });
  expect(results.map(({ path }) => path)).toEqual(['memory/topics/a.md']);
  const { notices } = await workspace.json<{ notices: readonly { path: string }[] }>(['status'], { launcher });
  const said = await doctor(workspace, launcher);
  for (const path of paths) {
    expect(said).toContain(path);
    expect(warnings).toContainEqual(expect.stringContaining(path));
    expect(notices.map((notice) => notice.path)).toContain(path);
  }
});

test('what was forgotten and was brought back is named where it stands', async () => {
  const workspace = testWorkspace({
    'memory.config.json5': "{ extraFolders: ['notes'] }",
    'memory/2026-03-10.md': '- W @Ivo: rides a bicycle\n- the shop is closed\n',
    'notes/b.md': 'x\n',
  });
  await workspace.json(['forget', '--query', 'rides a bicycle']);
  expect(await lint(workspace)).toEqual([]);
  expect(await doctor(workspace)).toBe('all can be read');
  workspace.write('memory/2026-03-11.md', 'x\n\n- W @Ivo: rides a bicycle\n');
  workspace.write('notes/a.md', '- W @Ivo: rides a bicycle\n');
  expect(await lint(workspace)).toEqual(['forgotten-text memory/2026-03-11.md#L3', 'forgotten-text notes/a.md#L1']);
  expect(await doctor(workspace)).toContain('memory/2026-03-11.md#L3 (this was forgotten');
});
