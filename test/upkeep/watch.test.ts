import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { BIN, childEnv } from '../support/cli.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

interface Event {
  readonly event: string;
  readonly path?: string;
}

/** `watch --json` as a process, and its events one by one. */
function watching(workspace: TemporaryWorkspace) {
  const child = spawn(process.execPath, [BIN, 'memory', '-w', workspace.root, 'watch', '--json'], {
    env: childEnv(workspace.env),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Event> => JSON.parse((await lines.next()).value);
  const until = async (wanted: Event): Promise<void> => {
    for (let event = await next(); event.event !== wanted.event || event.path !== wanted.path; event = await next());
  };
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return (await once(child, 'exit'))[0];
  };
  return { next, until, stop, pid: child.pid };
}

test('each change is one event, and the index has it by then', { timeout: 60_000 }, async () => {
  const workspace = testWorkspace({ 'memory/2026-03-01.md': 'tea\n' });
  const watch = watching(workspace);
  expect(await watch.next()).toMatchObject({ event: 'ready', files: 1 });
  workspace.write('memory/2026-03-02.md', 'coffee\n');
  expect(await watch.next()).toMatchObject({ event: 'added', path: 'memory/2026-03-02.md' });
  workspace.write('memory/2026-03-02.md', 'cocoa\n');
  await watch.until({ event: 'changed', path: 'memory/2026-03-02.md' });
  expect(await workspace.json(['index'])).toMatchObject({ added: 0, changed: 0 });
  workspace.remove('memory/2026-03-02.md');
  await watch.until({ event: 'removed', path: 'memory/2026-03-02.md' });
  expect(await watch.stop('SIGTERM')).toBe(0);
});

test('it survives folders that go and come back, and ends cleanly on Ctrl-C', { timeout: 60_000 }, async () => {
  const workspace = testWorkspace({ 'memory/2026-03-01.md': 'tea\n', 'bank/world.md': 'a\n' });
  const watch = watching(workspace);
  await watch.next();
  rmSync(workspace.path('memory'), { recursive: true });
  await watch.until({ event: 'removed', path: 'memory/2026-03-01.md' });
  mkdirSync(workspace.path('memory'));
  workspace.write('memory/2026-03-05.md', 'milk\n');
  await watch.until({ event: 'added', path: 'memory/2026-03-05.md' });
  expect(await watch.stop('SIGINT')).toBe(0);
});

test.runIf(process.platform === 'linux')(
  '#27 (complaint 27) descriptors do not grow with the files',
  { timeout: 60_000 },
  async () => {
    const open = async (files: number): Promise<number> => {
      const workspace = testWorkspace({ 'memory/2026-03-01.md': 'tea\n' });
      for (let i = 0; i < files; i++) workspace.write(`memory/topics/${i}.md`, `note ${i}\n`);
      const watch = watching(workspace);
      await watch.next();
      const count = readdirSync(`/proc/${watch.pid}/fd`).length;
      await watch.stop('SIGTERM');
      return count;
    };
    expect((await open(300)) - (await open(3))).toBeLessThan(10);
  },
);
