import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.js';
import { BIN, childEnv, cli } from '../support/cli.js';
import { testWorkspace } from '../support/test-workspace.js';

const FILES = 1_300;

/** A log with facts, times, links and languages, each a little different. */
function log(i: number): string {
  return [
    `# ${dayOf(i)}`,
    '',
    `The tram of line ${i} was late, see [[Plan ${i % 7}]] #travel`,
    '',
    '## Retain',
    '',
    `- W @Peter: lives in house ${i} since ${dayOf(i)}`,
    `- O(c=0.6) @Mona: likes tea number ${i % 11}`,
    i % 3 === 0 ? `- B @Zoë: fuhr am 3. März ${2000 + (i % 20)} nach Köln, Gleis ${i}` : `- S 张三在上海吃了${i}个包子`,
    '',
  ].join('\n');
}

function dayOf(i: number): string {
  return new Date(Date.UTC(2020, 0, 1 + i)).toISOString().slice(0, 10);
}

test('several threads index many files exactly as one thread does', async () => {
  const logs = Array.from({ length: FILES }, (_, i) => [`memory/${dayOf(i)}.md`, log(i)] as const);
  const workspace = testWorkspace({
    ...Object.fromEntries(logs),
    'bank/entities/Peter.md': '---\naliases: [Pete]\n---\n\n# Peter\n\nA carpenter.\n',
  });
  workspace.write('memory/topics/binary.md', Buffer.from([0, 1, 2, 0, 0, 3]));
  workspace.write('memory/topics/latin.md', Buffer.from('caf\xe9 noir\n', 'latin1'));
  // A process of the built program starts threads; this process has none, and reads everything again.
  const { code, stdout } = await cli(['index', '--json', '-w', workspace.root]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ added: FILES + 3 });
  const verified = await workspace.run(['index', '--verify', '--json']);
  expect(JSON.parse(verified.stdout)).toMatchObject({ added: 0, changed: 0, verify: { differences: [] } });
});

test('every thread leaves out forgotten lines', async () => {
  const workspace = testWorkspace({ 'memory/2019-12-31.md': '- W @Peter: keeps a heliotrope\n' });
  const {
    results: [kept],
  } = await workspace.recall('heliotrope');
  expect((await workspace.run(['forget', kept?.id ?? ''])).code).toBe(0);
  for (let i = 0; i < FILES; i++) workspace.write(`memory/${dayOf(i)}.md`, '- W @Peter: keeps a heliotrope\n');
  expect((await cli(['index', '-w', workspace.root])).code).toBe(0);
  const { results } = await workspace.recall('heliotrope');
  expect(results).toEqual([]);
});

/** A workspace with so many lines that threads make their codes. @param files their number, with 32,000 lines together */
function longLogs(files: number) {
  const lines = (i: number) =>
    Array.from({ length: 32_000 / files }, (_, j) => `- The tram of line ${j} was late again, ${i} times.\n`);
  const logs = Array.from(
    { length: files },
    (_, i) => [`memory/${dayOf(i)}.md`, `# Trams\n\n${lines(i).join('')}`] as const,
  );
  return testWorkspace(Object.fromEntries(logs));
}

test('several threads make the same codes of vectors as one thread does', async () => {
  const workspace = longLogs(40);
  const codes = () => {
    const db = openDatabase(workspace.path('.memory/index.sqlite'), { readonly: true });
    const blocks = db.prepare('SELECT block, codes FROM meaning ORDER BY block').all();
    db.close();
    return blocks;
  };
  expect((await cli(['index', '-w', workspace.root])).code).toBe(0);
  // SQLite removes its log only if the threads have closed the index.
  expect(existsSync(workspace.path('.memory/index.sqlite-wal'))).toBe(false);
  const byThreads = codes();
  expect(byThreads.length).toBeGreaterThan(100);
  await workspace.run(['index', '--force']);
  expect(codes()).toEqual(byThreads);
});

/** Reports when another thread has read some files, or made their codes. A machine with one processor has such a thread too. */
const SAYS_SO = `
require('node:os').availableParallelism = () => 2;
const threads = require('node:worker_threads');
threads.Worker = class extends threads.Worker {
  constructor(...given) {
    super(...given);
    this.once('message', () => process.stderr.write('READS\\n'));
  }
};
`;

/** Starts the command line's index, and stops it when its threads have begun. `said`: its output on stderr up to now. */
function startInterrupted(workspace: ReturnType<typeof testWorkspace>, signal: 'SIGINT' | 'SIGTERM') {
  const preload = join(workspace.home, 'preload.cjs');
  writeFileSync(preload, SAYS_SO);
  const env = childEnv({ ...workspace.env, NODE_OPTIONS: `--require ${preload}` });
  const child = spawn(process.execPath, [BIN, 'memory', '-w', workspace.root, 'index'], { env });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    if (said === '') child.kill(signal);
    said += chunk.toString();
  });
  return { child, said: () => said };
}

test('Ctrl-C while threads make codes says so, and the words are whole', async () => {
  const workspace = longLogs(640);
  const { child, said } = startInterrupted(workspace, 'SIGINT');
  await once(child, 'close');
  // As below: the message may be missing on a very busy machine.
  expect(said().replaceAll('READS\n', '')).toMatch(/^(?:error: some lines have no codes [^\n]+\nhint: [^\n]+\n)?$/);
  const { code, stdout } = await workspace.run(['index', '--verify', '--json']);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { verify: { differences: [] } }]);
});

test.for(['SIGINT', 'SIGTERM'] as const)(
  '%s while threads read stops at once, and the next index continues',
  async (signal) => {
    const workspace = testWorkspace(
      Object.fromEntries(Array.from({ length: FILES }, (_, i) => [`memory/${dayOf(i)}.md`, log(i)])),
    );
    const { child, said } = startInterrupted(workspace, signal);
    expect(await once(child, 'close')).toEqual([1, null]);
    // On a very busy machine, cleaning up may take longer than an interrupted process is given; it is then ended without a
    // message.
    expect(said()).toMatch(/^READS\n(?:error: indexing was interrupted\nhint: [^\n]+\n)?$/);
    const { code, stdout } = await workspace.run(['index', '--verify', '--json']);
    expect(code).toBe(0);
    const { added, verify } = JSON.parse(stdout);
    expect(verify).toMatchObject({ files: FILES, differences: [] });
    expect(added).toBeGreaterThan(0);
    expect(added).toBeLessThan(said() === 'READS\n' ? FILES + 1 : FILES);
  },
);
