import { appendFileSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { cases } from '../support/cases.js';
import { mcpSession } from '../support/mcp.js';
import { testWorkspace } from '../support/test-workspace.js';

const ROUNDS = cases(120, 40);

test('an answer includes every change saved before the question', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-12.md': '## Retain\n- W @Peter: lives in Vienna\n' });
  const mcp = await mcpSession(workspace);
  const holds = async (word: string) =>
    JSON.stringify((await mcp.call('recall', { query: word })).results).includes(word);
  const ways: readonly ((word: string, round: number) => void)[] = [
    (word) => appendFileSync(workspace.path('memory/2026-03-12.md'), `- W @Peter: ${word}\n`),
    (word, round) => workspace.write(`bank/topics/t${round}/page.md`, `# T\n\n${word}\n`),
    (word, round) => {
      writeFileSync(workspace.path('new.tmp'), `- W @Anna: ${word}\n`);
      renameSync(workspace.path('new.tmp'), workspace.path(`memory/2026-02-${String(10 + (round % 18))}.md`));
    },
    (word, round) => {
      mkdirSync(workspace.path(`memory/deep/${round}/er`), { recursive: true });
      writeFileSync(workspace.path(`memory/deep/${round}/er/note.md`), `${word}\n`);
    },
    (word) => {
      writeFileSync(workspace.path('memory/.2026-03-12.md.tmp'), `## Retain\n- W @Peter: ${word}\n`);
      renameSync(workspace.path('memory/.2026-03-12.md.tmp'), workspace.path('memory/2026-03-12.md'));
    },
    (word) => {
      for (let i = 0; i < 60; i++) workspace.write(`memory/many/${i}.md`, `${i} ${word}\n`);
    },
  ];
  for (let round = 0; round < ROUNDS; round++) {
    const word = `kw${round}x`;
    ways[round % ways.length]?.(word, round);
    expect(await holds(word), word).toBe(true);
    if (round % 3 === 0) expect(await holds(word), word).toBe(true);
  }
  const last = ROUNDS - (ROUNDS % ways.length) - 2;
  expect(await holds(`kw${last}x`)).toBe(true);
  rmSync(workspace.path('memory/2026-03-12.md'));
  expect(await holds(`kw${last}x`)).toBe(false);
});

test('a change of settings and of files that decide how a page is read takes effect at once', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-12.md': '- W @Peter: lives in Vienna\n' });
  const mcp = await mcpSession(workspace);
  const found = async (query: string) => JSON.stringify((await mcp.call('recall', { query })).results);
  expect(await found('Vienna')).toContain('Vienna');
  const done = 'sessions/main/history/archive_001/.done';
  workspace.write('sessions/main/history/archive_001/.overview.md', 'About the zeppelin.\n');
  workspace.write(done, '');
  expect(await found('zeppelin')).toContain('zeppelin');
  rmSync(workspace.path(done));
  expect(await found('zeppelin')).not.toContain('zeppelin');
  writeFileSync(workspace.path('MEMORY.md'), 'Likes marzipan.\n');
  expect(await found('marzipan')).toContain('marzipan');
  writeFileSync(workspace.path('memory.config.json5'), "{ ignore: ['memory/2026-03-12.md'] }\n");
  expect(await found('Vienna')).not.toContain('Vienna');
});

test('many calls leave no handle open', async () => {
  const mcp = await mcpSession(testWorkspace({ 'memory/2026-03-12.md': '- W @Peter: lives in Vienna\n' }));
  const open = () => readdirSync(`/proc/${mcp.pid}/fd`).length;
  const call = async (round: number) => {
    await mcp.call('recall', { query: `Vienna ${round}` });
    if (round % 10 === 0) await mcp.call('retain', { facts: [`W @Peter: counted to ${round}`] });
  };
  for (let round = 0; round < 30; round++) await call(round);
  const before = open();
  for (let round = 30; round < cases(1_000, 250); round++) await call(round);
  expect(open()).toBeLessThanOrEqual(before + 2);
});

test('concurrent calls are all answered', async () => {
  const mcp = await mcpSession(testWorkspace({ 'memory/2026-03-12.md': '- W @Peter: lives in Vienna\n' }));
  const calls = Array.from({ length: 40 }, (_, i) =>
    i % 4 === 0
      ? mcp.call('retain', { facts: [`W @Anna: number ${i}`] })
      : mcp.call('recall', { query: 'where does Peter live?' }),
  );
  for (const answer of await Promise.all(calls)) expect(answer).toBeTypeOf('object');
  const { results } = await mcp.call('recall', { query: 'Anna', k: 20 });
  expect(results).toHaveLength(10);
});

test('without notices of changes every answer checks the files, and one warning says so', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-12.md': '- W @Peter: lives in Vienna\n' });
  linkSync(workspace.path('memory/2026-03-12.md'), `${workspace.base}/elsewhere.md`);
  const mcp = await mcpSession(workspace);
  for (let round = 0; round < 5; round++) {
    appendFileSync(`${workspace.base}/elsewhere.md`, `- W @Peter: kw${round}x\n`);
    expect(JSON.stringify(await mcp.call('recall', { query: `kw${round}x` }))).toContain(`@Peter: kw${round}x`);
  }
  expect(mcp.stderr.match(/every answer checks every file/g)).toHaveLength(1);
});

test('a slow call reports its progress, and stops when it is cancelled', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const mcp = await mcpSession(testWorkspace(), {
    args: ['--tools', 'all'],
    env: { OLLAMA_HOST: `127.0.0.1:${port}` },
  });
  await mcp.call('session_add', { session: 'chat', messages: [{ role: 'user', content: 'use port 6380' }] });
  const ending = new AbortController();
  const said: (string | undefined)[] = [];
  const call = mcp.client.callTool(
    { name: 'session_commit', arguments: { session: 'chat', keepRecent: 0 } },
    undefined,
    {
      signal: ending.signal,
      onprogress: ({ message }) => {
        said.push(message);
        ending.abort();
      },
    },
  );
  await expect(call).rejects.toThrow();
  expect(said[0]).toMatch(/^working for \d+ s$/);
  expect(await mcp.call('session_status', { session: 'chat' })).toMatchObject({ archived_messages: 1 });
});
