import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { childEnv } from './support/cli.js';
import { ROOT } from './support/readme.js';

/**
 * Runs these files with the reporter.
 * @returns the exit code and the last lines
 */
function run(files: Readonly<Record<string, string>>, lines = 1): [number | null, ...string[]] {
  const folder = mkdtempSync(join(tmpdir(), 'closing-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const reporter = join(ROOT, 'test/support/closing-line.ts');
    const args = ['vitest', 'run', '--root', folder, '--globals', '--reporter', 'default', '--reporter', reporter];
    const child = spawnSync('npx', args, { cwd: ROOT, env: childEnv(), encoding: 'utf8' });
    return [child.status, ...child.stdout.trimEnd().split('\n').slice(-lines)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('a test run ends with a count that includes failed tests and files that do not load', () => {
  const files = {
    'a.test.js': "test('one', () => {});\ntest('two', () => { throw new Error('no'); });\n",
    'b.test.js': "import './nowhere.js';\ntest('three', () => {});\n",
    'c.test.js': "test('four', () => {});\ntest.skip('five', () => {});\n",
  };
  expect(run(files)).toEqual([1, '2 passed, 2 failed, 1 skipped']);
});

test('skipped tests are listed with their reason before the last line', () => {
  const files = {
    'a.test.js':
      "test('one', () => {});\ntest('two', (context) => context.skip('there is no server'));\ntest.skip('three', () => {});\n",
  };
  expect(run(files, 3)).toEqual([
    0,
    'skipped: two: there is no server',
    'skipped: three',
    '1 passed, 0 failed, 2 skipped',
  ]);
});

test('a run that fails before its tests does not end with "0 failed"', () => {
  const files = {
    'a.test.js': "test('one', () => {});\n",
    'setup.js': "export default () => { throw new Error('no build'); };\n",
    'vitest.config.js': "export default { test: { globalSetup: ['setup.js'] } };\n",
  };
  expect(run(files)).toEqual([1, '0 passed, 1 failed']);
});
