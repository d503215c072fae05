import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { BIN, childEnv } from '../support/cli.js';
import { FakeOllama } from '../support/ollama/server.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

interface Event {
  readonly event: string;
  readonly path?: string;
  readonly texts?: number;
  readonly message?: string;
}

/** `watch --json` as a process, and its events one by one. */
function watching(workspace: TemporaryWorkspace, env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [BIN, 'memory', '-w', workspace.root, 'watch', '--json'], {
    env: childEnv({ ...workspace.env, ...env }),
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

test('vectors of new texts are made where there are some; a server that is away is said once', async () => {
  const server = await new FakeOllama().start();
  onTestFinished(() => server.stop());
  const env = { OLLAMA_HOST: server.url };
  const workspace = testWorkspace({ 'memory/2026-03-01.md': 'Peter drinks tea in the morning\n' });
  await workspace.run(['index', '--embed'], { env });
  workspace.write('memory/2026-03-02.md', 'Anna drinks coffee at noon\nPaul drinks milk at night\n');
  const watch = watching(workspace, env);
  expect(await watch.next()).toMatchObject({ event: 'ready' });
  expect(await watch.next()).toEqual({ event: 'embedded', texts: 2 });
  server.faults.set('hang-before-headers');
  workspace.write('memory/2026-03-03.md', 'Peter drinks cocoa in the morning\n');
  await watch.until({ event: 'added', path: 'memory/2026-03-03.md' });
  await server.hung();
  // A model that does not answer keeps nothing from being indexed.
  workspace.write('memory/2026-03-04.md', 'Peter drinks water in the morning\n');
  await watch.until({ event: 'added', path: 'memory/2026-03-04.md' });
  expect(await watch.stop('SIGINT')).toBe(0);
  server.faults.clear();
  await server.stop();
  const away = watching(workspace, env);
  await away.next();
  expect(await away.next()).toMatchObject({ event: 'failed', message: expect.stringContaining('is not running') });
  workspace.write('memory/2026-03-05.md', 'Peter drinks juice in the morning\n');
  await away.until({ event: 'added', path: 'memory/2026-03-05.md' });
  workspace.write('memory/2026-03-06.md', 'Peter drinks wine in the morning\n');
  expect(await away.next()).toMatchObject({ event: 'added', path: 'memory/2026-03-06.md' });
  expect(await away.stop('SIGINT')).toBe(0);
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
