import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { BIN, childEnv, WITHOUT_RIGHTS } from '../support/cli.js';
import { EmbeddingServer } from '../support/embedding-server.js';
import { FakeOllama } from '../support/ollama/server.js';
import { testWorkspace } from '../support/test-workspace.js';
import { inLetters } from '../support/understood.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

interface Event {
  readonly event: string;
  readonly path?: string;
  readonly texts?: number;
}

/** Starts `watch --json` as a process and reads its events one by one. */
function watching(workspace: TemporaryWorkspace, env: NodeJS.ProcessEnv = {}, launcher: readonly string[] = []) {
  const [program = '', ...first] = [...launcher, process.execPath];
  const child = spawn(program, [...first, BIN, 'memory', '-w', workspace.root, 'watch', '--json'], {
    env: childEnv({ ...workspace.env, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Event> => JSON.parse((await lines.next()).value);
  const until = async (wanted: Event): Promise<void> => {
    for (let event = await next(); event.event !== wanted.event || event.path !== wanted.path; event = await next());
  };
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return (await once(child, 'exit'))[0];
  };
  return { next, until, stop, pid: child.pid, stderr: () => errors };
}

/** Writes a file in one step: a quick watcher would report a half-written one twice. */
function save(workspace: TemporaryWorkspace, path: string, text: string): void {
  workspace.write('../saved', text);
  renameSync(join(workspace.base, 'saved'), workspace.path(path));
}

test('each change is one event, after the index has it', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-01.md': 'tea\n' });
  const watch = watching(workspace);
  expect(await watch.next()).toMatchObject({ event: 'ready', files: 1 });
  save(workspace, 'memory/2026-03-02.md', 'coffee\n');
  expect(await watch.next()).toMatchObject({ event: 'added', path: 'memory/2026-03-02.md' });
  save(workspace, 'memory/2026-03-02.md', 'cocoa\n');
  expect(await watch.next()).toMatchObject({ event: 'changed', path: 'memory/2026-03-02.md' });
  expect(await workspace.json(['index'])).toMatchObject({ added: 0, changed: 0 });
  workspace.remove('memory/2026-03-02.md');
  await watch.until({ event: 'removed', path: 'memory/2026-03-02.md' });
  expect(await watch.stop('SIGTERM')).toBe(0);
});

test('vectors are made in the background if there are some, and events do not wait for them', async () => {
  const server = await new FakeOllama().start();
  onTestFinished(() => server.stop());
  const env = { OLLAMA_HOST: server.url };
  const workspace = testWorkspace({ 'memory/2026-03-01.md': 'Peter likes green tea.\n' });
  const without = watching(workspace, env);
  await without.next();
  workspace.write('memory/2026-03-02.md', 'Anna likes coffee.\n');
  await without.until({ event: 'added', path: 'memory/2026-03-02.md' });
  expect(await without.stop('SIGTERM')).toBe(0);
  expect(server.received).toEqual([]);

  await workspace.json(['index', '--embed'], { env });
  const watch = watching(workspace, env);
  await watch.next();
  workspace.write('memory/2026-03-03.md', 'Paul likes cocoa.\n');
  const seen = new Map<string, Event>();
  while (!seen.has('added') || !seen.has('embedded')) {
    const event = await watch.next();
    seen.set(event.event, event);
  }
  expect(seen.get('embedded')).toMatchObject({ texts: 1 });
  server.faults.set('hang-before-headers');
  workspace.write('memory/2026-03-04.md', 'Eva likes milk.\n');
  await watch.until({ event: 'added', path: 'memory/2026-03-04.md' });
  workspace.write('memory/2026-03-05.md', 'Max likes water.\n');
  await watch.until({ event: 'added', path: 'memory/2026-03-05.md' });
  expect(await watch.stop('SIGTERM')).toBe(0);
  server.faults.clear();
  expect(await workspace.json(['status'])).toMatchObject({ vectors: { current: 3, missing: 2 } });
});

test.runIf(process.platform === 'linux')('watch keeps the vectors of an unreadable page', async () => {
  const server = await new EmbeddingServer().start();
  onTestFinished(() => server.stop());
  const env = { OLLAMA_HOST: server.host };
  // More vectors of removed texts than are kept.
  const lines = Array.from({ length: 1_100 }, (_, i) => `- line ${inLetters(i)} about subject ${inLetters(i * 7)}\n`);
  const workspace = testWorkspace({ 'memory/topics/long.md': lines.join(''), 'memory/2026-03-14.md': 'a line\n' });
  await workspace.json(['index', '--embed'], { env });
  chmodSync(workspace.path('memory/topics/long.md'), 0);
  const watch = watching(workspace, env, WITHOUT_RIGHTS);
  await watch.next();
  workspace.write('memory/2026-03-15.md', 'another line\n');
  await watch.until({ event: 'embedded' });
  expect(await watch.stop('SIGTERM')).toBe(0);
  chmodSync(workspace.path('memory/topics/long.md'), 0o644);
  const { vectors } = await workspace.json<{ vectors: { embedded: number } }>(['index', '--embed'], { env });
  expect(vectors.embedded).toBe(0);
});

test('watch reports a server that is away once, and still reports every change', async () => {
  const server = await new FakeOllama().start();
  const env = { OLLAMA_HOST: server.url };
  const workspace = testWorkspace({ 'memory/2026-03-01.md': 'Peter drinks tea in the morning\n' });
  await workspace.run(['index', '--embed'], { env });
  await server.stop();
  const watch = watching(workspace, env);
  await watch.next();
  expect(await watch.next()).toMatchObject({ event: 'failed', message: expect.stringContaining('is not running') });
  // More than ten: Node warns about so many listeners.
  for (let day = 10; day < 22; day++) {
    const path = `memory/2026-03-${day}.md`;
    save(workspace, path, `Peter drinks juice on day ${day}\n`);
    expect(await watch.next()).toMatchObject({ event: 'added', path });
  }
  expect(await watch.stop('SIGINT')).toBe(0);
  expect(watch.stderr()).toBe('');
});

test('watch survives folders that vanish and return, and ends cleanly on Ctrl-C', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-01.md': 'tea\n', 'bank/world.md': 'a\n' });
  const watch = watching(workspace);
  await watch.next();
  rmSync(workspace.path('memory'), { recursive: true });
  await watch.until({ event: 'removed', path: 'memory/2026-03-01.md' });
  mkdirSync(workspace.path('memory'));
  workspace.write('memory/2026-03-05.md', 'milk\n');
  await watch.until({ event: 'added', path: 'memory/2026-03-05.md' });
  rmSync(workspace.path('.memory'), { recursive: true });
  await watch.until({ event: 'added', path: 'bank/world.md' });
  workspace.write('memory/2026-03-06.md', 'cocoa\n');
  await watch.until({ event: 'added', path: 'memory/2026-03-06.md' });
  expect(await watch.stop('SIGINT')).toBe(0);
});

test.runIf(process.platform === 'linux')(
  'the number of file descriptors does not grow with the files (complaint: watchers exhaust them)',
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
