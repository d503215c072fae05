import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, statfsSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { RecallAnswer } from '../../src/query/request.js';
import { WITHOUT_RIGHTS } from '../support/cli.js';
import { EmbeddingServer } from '../support/embedding-server.js';
import { FailingDisk } from '../support/failing-disk/failing-disk.js';
import { testWorkspace } from '../support/test-workspace.js';
import { inLetters } from '../support/understood.js';
import { NOW, type TemporaryWorkspace } from '../support/workspace.js';

const LOG = `memory/${NOW.slice(0, 10)}.md`;
const PAGE = '# today\n\n- W @Peter: likes heliotrope\n';

/** Puts the workspace on its own file system of this size. Needs the right to mount. */
function onOwnDisk(workspace: TemporaryWorkspace, size: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', workspace.root]);
  onTestFinished(() => void execFileSync('umount', ['-l', workspace.root]));
  mkdirSync(workspace.path('memory'));
  workspace.write(LOG, PAGE);
}

function mayMount(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

test.runIf(mayMount())('retain on a full disk reports so and leaves the log unchanged', async () => {
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
  'a read-only workspace answers from an index in the cache folder, and refuses to retain',
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

test.runIf(process.platform === 'linux')('the next question reads a log that could not be opened once', async () => {
  const disk = new FailingDisk();
  onTestFinished(() => disk.dispose());
  const fault = { error: 'EMFILE', lasting: false } as const;
  const counted = testWorkspace({ [LOG]: PAGE });
  await counted.start(['recall', 'heliotrope'], { env: disk.env(counted.root, { ...fault, at: 0 }) });
  const opened = disk.calls().flatMap((call, index) => (call.includes(`open ${LOG}`) ? [index + 1] : []));
  expect(opened).not.toEqual([]);
  for (const at of opened) {
    const workspace = testWorkspace({ [LOG]: PAGE });
    // The file's time stays old, so only a new attempt shows that the file is readable again.
    utimesSync(workspace.path(LOG), 1_000, 1_000);
    const run = await workspace.start(['recall', 'heliotrope'], { env: disk.env(workspace.root, { ...fault, at }) });
    expect(run.stderr).toContain(`${LOG} can't be read (EMFILE)`);
    const { results } = await workspace.recall('heliotrope');
    expect(results.map(({ source }) => source)).toEqual([`${LOG}#L3`]);
    expect((await workspace.run(['index', '--verify'])).code).toBe(0);
  }
});

test.runIf(process.platform === 'linux')(
  'an unreadable page is named and blocks decisions, unless a setting ignores it',
  async () => {
    const workspace = testWorkspace({ [LOG]: PAGE, 'memory/2026-03-14.md': '- W @Peter: hates heliotrope\n' });
    await workspace.json(['index']);
    chmodSync(workspace.path('memory/2026-03-14.md'), 0);
    const options = { launcher: WITHOUT_RIGHTS };
    for (const args of [['reflect'], ['forget', '--query', 'likes heliotrope']]) {
      const run = await workspace.start(args, options);
      expect(run).toMatchObject({ code: 1, stdout: '' });
      expect(run.stderr).toMatch(
        /^error: memory\/2026-03-14\.md can't be read \(EACCES\)[^\n]*\nhint: [^\n]*"ignore"/m,
      );
    }
    expect(workspace.read(LOG)).toBe(PAGE);
    expect(existsSync(workspace.path('bank'))).toBe(false);
    // Recall still answers, and names what it could not read.
    const answer = await workspace.startJson<RecallAnswer>(['recall', 'heliotrope'], options);
    expect(answer.results.map(({ source }) => source)).toEqual([`${LOG}#L3`]);
    expect(answer.warnings).toEqual([expect.stringContaining('EACCES')]);
    workspace.write('memory.config.json5', "{ ignore: ['memory/2026-03-14.md'] }");
    expect((await workspace.start(['reflect'], options)).code).toBe(0);
    expect(workspace.read('bank/entities/Peter.md')).toContain('likes heliotrope');
  },
);

test.runIf(process.platform === 'linux').each(['memory/topics/long.md', 'memory/topics'])(
  'vectors of %s are kept while it is unreadable, and deleted with the page',
  async (path) => {
    const server = await new EmbeddingServer().start();
    onTestFinished(() => server.stop());
    // More vectors of removed texts than are kept.
    const lines = Array.from({ length: 1_100 }, (_, i) => `- line ${inLetters(i)} about subject ${inLetters(i * 7)}\n`);
    const workspace = testWorkspace({ 'memory/topics/long.md': lines.join(''), 'memory/2026-03-14.md': '- a line\n' });
    const options = { env: { OLLAMA_HOST: server.host } };
    const embedded = async () => {
      const { vectors } = await workspace.json<{ vectors: { embedded: number } }>(['index', '--embed'], options);
      return vectors.embedded;
    };
    expect(await embedded()).toBe(1_101);
    chmodSync(workspace.path(path), 0);
    const without = await workspace.start(['index', '--embed'], { ...options, launcher: WITHOUT_RIGHTS });
    expect(without.code).toBe(0);
    expect(without.stderr).toContain(`${path} can't be read (EACCES)`);
    chmodSync(workspace.path(path), 0o755);
    expect(await embedded()).toBe(0);
    workspace.remove('memory/topics/long.md');
    expect(await embedded()).toBe(0);
    workspace.write('memory/topics/long.md', lines.join(''));
    expect(await embedded()).toBe(1_100);
  },
);
