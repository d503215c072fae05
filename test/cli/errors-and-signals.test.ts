import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openClock } from '../../src/workspace/clock.js';
import { tryLock } from '../../src/workspace/lock.js';
import { BIN, childEnv, cli } from '../support/cli.js';
import { testWorkspace } from '../support/test-workspace.js';

const FILES = { 'memory/2026-03-14.md': '## Retain\n- W @Peter: likes short replies\n' };

/** Strikes while the command waits for its input, which never comes. */
const meanwhile = (what: string) =>
  `require('node:stream').Readable.prototype[Symbol.asyncIterator] = () => {
    setImmediate(() => { ${what} });
    return { next: () => new Promise(() => {}) };
  };`;
const MOMENTS = {
  'an exception of a callback': meanwhile('throw new TypeError("a cat sat on it");'),
  'a rejection that nobody waits for': meanwhile('Promise.reject(new TypeError("a cat sat on it"));'),
  'what is no error at all': meanwhile('throw "a cat sat on it";'),
  'an exception of the command':
    'require("node:crypto").createHash = function ofACat() { throw new TypeError("a cat sat on it"); };',
};

/** Runs a command with an unexpected error. */
function broken(moment: keyof typeof MOMENTS, ...args: readonly string[]) {
  const workspace = testWorkspace(FILES);
  const preload = join(workspace.home, 'preload.cjs');
  writeFileSync(preload, MOMENTS[moment]);
  return workspace.start(['retain', '--stdin', ...args], {
    env: { NODE_OPTIONS: `--require ${preload}` },
    input: 'W @Peter: lives in Vienna\n',
  });
}

test.each([
  'an exception of a callback',
  'a rejection that nobody waits for',
  'what is no error at all',
  'an exception of the command',
] as const)('%s is reported in two lines that do not quote the bundle', async (moment) => {
  const { code, stderr } = await broken(moment);
  expect(stderr).toBe('error: a cat sat on it\nhint: run it again with --verbose, and report this\n');
  expect(code).toBe(1);
});

test('--verbose adds the call stack with the names of our sources and without places in the bundle', async () => {
  const { stderr } = await broken('an exception of the command', '--verbose');
  const [, , what, ...calls] = stderr.trimEnd().split('\n');
  expect(what).toBe('TypeError: a cat sat on it');
  expect(calls).toContain('    at ofACat');
  expect(calls.length).toBeGreaterThan(3);
  expect(calls.length).toBeLessThanOrEqual(12);
  for (const call of calls) expect(call).toMatch(/^ {4}at [\w.<>$[\]]+$/);
});

test('with --json an unexpected error is the only document', async () => {
  const { stdout } = await broken('an exception of a callback', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { type: 'internal', message: 'a cat sat on it' } });
});

test.skipIf(!existsSync('/dev/full'))(
  'every command reports one error when its output cannot be written to the disk',
  async () => {
    const workspace = testWorkspace(FILES);
    for (const args of [['recall', 'Peter'], ['recall', 'Peter', '--json'], ['status'], ['--help']]) {
      const launcher = ['bash', '-c', '"$@" > /dev/full', 'bash'];
      const { code, stderr } = await workspace.start(args, { launcher });
      expect(stderr).toMatch(/^error: standard output could not be written: the disk is full\nhint: [^\n]+\n$/);
      expect(code).toBe(1);
    }
  },
);

test.skipIf(!existsSync('/dev/full'))('a warning that cannot be written changes nothing else', async () => {
  const workspace = testWorkspace({ ...FILES, 'MEMORY.md': '', 'memory.md': '' });
  const launcher = ['bash', '-c', '"$@" 2> /dev/full', 'bash'];
  const { code, stdout } = await workspace.start(['recall', 'Peter'], { launcher });
  expect(code).toBe(0);
  expect(stdout).toContain('likes short replies');
});

test.skipIf(process.platform === 'win32')(
  'a command works in a deleted folder, such as a removed worktree',
  async () => {
    const workspace = testWorkspace(FILES);
    const launcher = ['bash', '-c', 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', 'bash'];
    const { code, stdout, stderr } = await workspace.start(['recall', 'Peter'], { launcher });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('likes short replies');
  },
);

test('an unknown system time zone is refused with a hint, and settings that are a list are reported as such', async () => {
  const workspace = testWorkspace(FILES);
  const unknown = await cli(['-w', workspace.root, 'status'], { env: { ...workspace.env, TZ: 'Nonsense/Zone' } });
  expect(unknown).toMatchObject({ stdout: '', stderr: expect.stringMatching(/^error: .*Nonsense\/Zone.*\nhint: /) });
  workspace.write('memory.config.json5', '[]');
  const { stderr } = await workspace.run(['status']);
  expect(stderr).toBe('error: memory.config.json5: must be an object, not a list\nhint: see docs/settings.md\n');
});

describe('waiting for the lock', () => {
  const FILES = {
    'memory/2026-03-14.md': '## Retain\n- W @Peter: likes short replies ^f-aaaaaaaaaaaaa\n',
    'MEMORY.md': '',
  };

  /** Reports on stderr when a command begins to wait. */
  const SAYS_SO = `const timers = require('node:timers/promises');
  const wait = timers.setTimeout;
  timers.setTimeout = (...args) => (process.stderr.write('WAITS\\n'), wait(...args));`;

  test.each([
    ['retain', 'W @Anna: lives in Graz'],
    ['forget', 'f-aaaaaaaaaaaaa'],
    ['core', 'append', 'Peter likes short replies.'],
    ['index', '--force'],
    ['session', 'add', 'chat', '--role', 'user', '--text', 'hello'],
  ])('Ctrl-C stops a %s that waits for another writer', async (...command) => {
    const workspace = testWorkspace(FILES);
    await workspace.start(['index']);
    const preload = join(workspace.home, 'preload.cjs');
    writeFileSync(preload, SAYS_SO);
    const folder = command[0] === 'session' ? '.memory/sessions/chat' : '.memory';
    mkdirSync(workspace.path(folder), { recursive: true });
    const held = tryLock(workspace.path(folder), { command: 'a test', clock: openClock('UTC') });
    if (held === undefined) throw new Error('the lock is not free');
    const before = workspace.read('memory/2026-03-14.md');
    try {
      const env = childEnv({ ...workspace.env, NODE_OPTIONS: `--require ${preload}` });
      const child = spawn(process.execPath, [BIN, 'memory', '-w', workspace.root, ...command], { env });
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => {
        if (said === '') child.kill('SIGINT');
        said += chunk.toString();
      });
      const code = await new Promise((resolve) => child.on('close', resolve));
      expect(said.replaceAll('WAITS\n', '')).toBe(
        'error: interrupted while waiting for another process that writes\nhint: run the command again\n',
      );
      expect(code).toBe(1);
    } finally {
      held.release();
    }
    expect(workspace.read('memory/2026-03-14.md')).toBe(before);
  });
});
