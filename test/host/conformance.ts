import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { childEnv } from '../support/cli.js';
import type { Check } from './connections.js';

const BIN = fileURLToPath(new URL('../../bin/openclaw-memory.js', import.meta.url));

/**
 * Scenarios of the suite that need only the protocol. All others call tools (`test_simple_text`, …), resources (`test://…`)
 * or prompts (`test_simple_prompt`, …) of the suite, or need features that we do not offer: sampling, forms, subscriptions.
 */
const SCENARIOS = [
  'server-initialize',
  'logging-set-level',
  'ping',
  'completion-complete',
  'tools-list',
  'resources-list',
  'prompts-list',
  'server-sse-multiple-streams',
] as const;

/** Scenarios for a server that listens on HTTP itself. */
const HTTP_SCENARIOS = [...SCENARIOS, 'dns-rebinding-protection'] as const;

/** Runs the official suite of the protocol over HTTP, and over a bridge to standard input and output. */
export async function checkConformance(
  suite: string,
  { node, base, check }: { readonly node: string; readonly base: string; readonly check: Check },
): Promise<void> {
  const home = join(base, 'conformance');
  mkdirSync(home);
  const env = Object.fromEntries(
    Object.entries(childEnv({ HOME: home })).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const run = (program: string, args: readonly string[]) =>
    new Promise<string>((done) => {
      execFile(program, [...args], { env, cwd: home, timeout: 120_000 }, (_, out, err) => done(`${out}${err}`));
    });
  await run(process.execPath, [BIN, 'init', join(home, 'w')]);
  const started = { command: process.execPath, args: [BIN, '-w', join(home, 'w'), 'mcp'], env };
  const test = async (name: string, url: string, scenarios: readonly string[]): Promise<void> => {
    for (const scenario of scenarios) {
      const args = [realpathSync(suite), 'server', '--url', url, '--scenario', scenario];
      const said = await run(join(node, 'node'), args);
      const [, passed, failed] = /Passed: (\d+)\/\d+, (\d+) failed/u.exec(said) ?? [];
      check(`conformance, ${name}: ${scenario}`, Number(passed) > 0 && failed === '0', said);
    }
  };
  const bridge = new McpBridge(started);
  const server = spawn(started.command, [...started.args, '--http'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await test('stdio', await bridge.listen(), SCENARIOS);
    const { value } = await createInterface({ input: server.stdout })[Symbol.asyncIterator]().next();
    await test('HTTP', String(value), HTTP_SCENARIOS);
  } finally {
    server.kill();
    await bridge.close();
  }
}

/** Serves a stdio server over HTTP: each client gets its own process. */
class McpBridge {
  private readonly sessions = new Map<string, StreamableHTTPServerTransport>();
  private readonly server: Server = createServer((request, response) => {
    void this.transportOf(request)
      .then((transport) => transport.handleRequest(request, response))
      .catch((error) => response.writeHead(500).end(String(error)));
  });

  constructor(private readonly started: { command: string; args: string[]; env: Record<string, string> }) {}

  /** @returns its address */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/mcp`;
  }

  async close(): Promise<void> {
    await Promise.all([...this.sessions.values()].map((session) => session.close()));
    this.server.closeAllConnections();
    this.server.close();
  }

  private async transportOf({ headers }: IncomingMessage): Promise<StreamableHTTPServerTransport> {
    const known = this.sessions.get(String(headers['mcp-session-id']));
    if (known !== undefined) return known;
    const there = new StdioClientTransport({ ...this.started, stderr: 'ignore' });
    const here = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void this.sessions.set(id, here),
    });
    here.onmessage = (message) => void there.send(message);
    there.onmessage = (message) => void here.send(message).catch(() => {});
    here.onclose = () => void there.close();
    await there.start();
    await here.start();
    return here;
  }
}
