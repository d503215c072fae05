import { execFileSync } from 'node:child_process';
import { mkdirSync, statfsSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { RecallAnswer } from '../../src/recall/request.js';
import { testWorkspace } from '../support/test-workspace.js';
import { NOW, type TemporaryWorkspace } from '../support/workspace.js';

const LOG = `memory/${NOW.slice(0, 10)}.md`;
const PAGE = '# today\n\n- W @Peter: likes heliotrope\n';

/** Puts the workspace on a file system of its own, of this size. Needs the right to mount. */
function onOwnDisk(workspace: TemporaryWorkspace, size: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', workspace.root]);
  onTestFinished(() => void execFileSync('umount', ['-l', workspace.root]));
  mkdirSync(workspace.path('memory'));
  workspace.write(LOG, PAGE);
}

function mayMount(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

test.runIf(mayMount())('on a full disk retain says so, and the log is as it was', async () => {
  const workspace = testWorkspace();
  onOwnDisk(workspace, '256k');
  await workspace.start(['status']);
  const { bavail, bsize } = statfsSync(workspace.root);
  writeFileSync(workspace.path('filler'), Buffer.alloc(bavail * bsize));
  const facts = Array.from(
    { length: 200 },
    (_, i) => `W @X: fact ${i} of many that together need another block of the disk`,
  );
  const run = await workspace.start(['retain', '--stdin'], { input: facts.join('\n') });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(/^error: [^\n]*disk is full\nhint: [^\n]+\n$/);
  expect(workspace.read(LOG)).toBe(PAGE);
});

test.runIf(mayMount())(
  'a read-only workspace answers, from an index in the cache folder, and refuses to retain',
  async () => {
    const workspace = testWorkspace();
    onOwnDisk(workspace, '1m');
    execFileSync('mount', ['-o', 'remount,ro', workspace.root]);
    const { results } = await workspace.startJson<RecallAnswer>(['recall', 'heliotrope']);
    expect(results.map(({ source }) => source)).toEqual([`${LOG}#L3`]);
    const status = await workspace.startJson<{ stateFolder: { place: string; reason: string } }>(['status']);
    expect(status.stateFolder).toMatchObject({ place: 'cache', reason: 'read-only' });
    const refused = await workspace.start(['retain', 'W @X: a']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^error: [^\n]*read-only[^\n]*\nhint: [^\n]+\n$/);
  },
);
