import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, onTestFinished, test } from 'vitest';
import { BIN, childEnv } from '../support/cli.js';
import { mcpSession } from '../support/mcp.js';
import { testWorkspace } from '../support/test-workspace.js';
import { NOW, type TemporaryWorkspace } from '../support/workspace.js';

const FILES = { 'memory/2026-03-12.md': '## Retain\n- W @Peter: lives in Vienna\n' };

/** Starts `mcp --http` as a process. */
async function serving(workspace: TemporaryWorkspace, ...more: readonly string[]) {
  const args = ['memory', '-w', workspace.root, '--now', NOW, '--tz', 'UTC', 'mcp', '--http', ...more];
  const child = spawn(process.execPath, [BIN, ...args], {
    env: childEnv(workspace.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  return { address: new URL(String(value)), child };
}

async function connected(address: URL): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(address));
  onTestFinished(() => client.close());
  return client;
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};
const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/** Asks a server, also with headers that `fetch` does not allow. */
async function ask(
  { hostname: host, port, pathname }: URL,
  { path = pathname, method = 'POST', headers = {}, body = JSON.stringify(INITIALIZE) } = {},
) {
  const asked = httpRequest({ host, port, path, method, headers: { ...ACCEPT, ...headers } }).end(body);
  const [response] = await once(asked, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, session: String(response.headers['mcp-session-id']), text };
}

test('clients get the same over HTTP as over standard input, each in a session of its own', async () => {
  const workspace = testWorkspace(FILES);
  const { address } = await serving(workspace);
  const [one, other] = await Promise.all([connected(address), connected(address)]);
  const { client: local } = await mcpSession(workspace);
  const listed = await local.listTools();
  expect(await one.listTools()).toEqual(listed);
  expect((await other.listPrompts()).prompts).toHaveLength(2);
  await one.callTool({ name: 'note', arguments: { text: 'The heliotrope is in flower.' } });
  const asked = { name: 'recall', arguments: { query: 'heliotrope', k: 1 } };
  expect((await other.callTool(asked)).structuredContent).toMatchObject({
    results: [{ source: 'memory/2026-03-15.md#L3' }],
  });
  const failed = await other.callTool({ name: 'get', arguments: { path: '../secret.md' } });
  expect(failed).toMatchObject({ isError: true });
  const steps: number[] = [];
  await one.callTool(asked, undefined, { onprogress: ({ progress }) => void steps.push(progress) });
  await one.close();
  expect((await other.listTools()).tools).toHaveLength(listed.tools.length);
});

test('no other host, origin or path gets an answer', async () => {
  const { address } = await serving(testWorkspace(FILES));
  expect(address.hostname).toBe('127.0.0.1');
  expect(address.pathname).toMatch(/^\/[\w-]{32}\/mcp$/);
  for (const headers of [
    { host: 'memory.example' },
    { host: `memory.example:${address.port}` },
    { origin: 'null' },
    { origin: 'https://memory.example' },
  ])
    expect(await ask(address, { headers })).toMatchObject({ status: 403, text: '' });
  for (const path of ['/', '/mcp', `/${'x'.repeat(32)}/mcp`, `${address.pathname}/`, address.pathname.slice(0, -4)])
    expect(await ask(address, { path }), path).toMatchObject({ status: 404, text: '' });
  expect(await ask(address, { headers: { origin: address.origin } })).toMatchObject({ status: 200 });
});

test('a request without a session, with an old one or without JSON is refused; null counts as not given', async () => {
  const { address } = await serving(testWorkspace(FILES));
  const { session } = await ask(address);
  const headers = { 'mcp-session-id': session };
  const message = (given: object) => ({ headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...given }) });
  const listed = await ask(address, message({ method: 'tools/list', params: null }));
  expect([listed.status, listed.text]).toEqual([200, expect.stringContaining('"recall"')]);
  expect(await ask(address, { ...message({ method: 'tools/list' }), headers: {} })).toMatchObject({ status: 400 });
  expect(await ask(address, { headers, body: 'no JSON' })).toMatchObject({ status: 400 });
  expect(await ask(address, { headers, method: 'DELETE', body: '' })).toMatchObject({ status: 200 });
  expect(await ask(address, message({ method: 'tools/list' }))).toMatchObject({ status: 404 });
});

test('the server writes nothing with --read-only, ends at a signal, and names a port that is taken', async () => {
  const workspace = testWorkspace(FILES);
  const { address, child } = await serving(workspace, '--read-only');
  const client = await connected(address);
  await expect(client.callTool({ name: 'note', arguments: { text: 'x' } })).rejects.toThrow(/--read-only/);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toBeDefined();
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const port = String(Object(taken.address()).port);
  expect(await workspace.start(['mcp', '--http', '--port', port])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`port ${port} is not free`),
  });
  expect(await workspace.run(['mcp', '--port', '8080'])).toMatchObject({ code: 2 });
});
