import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openClock } from '../../src/workspace/clock.js';
import { tryLock } from '../../src/workspace/lock.js';
import { BIN, childEnv } from '../support/cli.js';
import { testWorkspace } from '../support/test-workspace.js';

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
