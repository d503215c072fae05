import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { childEnv } from './support/cli.js';
import { ROOT } from './support/readme.js';

test('a test run ends with a count in which a failed test and a file that does not load both count', () => {
  const folder = mkdtempSync(join(tmpdir(), 'closing-'));
  try {
    writeFileSync(
      join(folder, 'a.test.js'),
      "test('one', () => {});\ntest('two', () => { throw new Error('no'); });\n",
    );
    writeFileSync(join(folder, 'b.test.js'), "import './nowhere.js';\ntest('three', () => {});\n");
    writeFileSync(join(folder, 'c.test.js'), "test('four', () => {});\ntest.skip('five', () => {});\n");
    const reporter = join(ROOT, 'test/support/closing-line.ts');
    const args = ['vitest', 'run', '--root', folder, '--globals', '--reporter', 'default', '--reporter', reporter];
    const { status, stdout } = spawnSync('npx', args, { cwd: ROOT, env: childEnv(), encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('2 passed, 2 failed, 1 skipped');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
