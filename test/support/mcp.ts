import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { onTestFinished } from 'vitest';
import { BIN, childEnv } from './cli.js';
import { NOW, type TemporaryWorkspace } from './workspace.js';

interface ServerOptions {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** A server of the real program for a workspace, with the protocol's own client. */
class McpSession {
  readonly client = new Client({ name: 'test', version: '1' });
  private readonly transport: StdioClientTransport;
  private readonly errors: Buffer[] = [];

  constructor(workspace: TemporaryWorkspace, { args = [], env = {} }: ServerOptions = {}) {
    const command = [BIN, 'memory', '-w', workspace.root, '--now', NOW, '--tz', 'UTC', 'mcp', ...args];
    const all = Object.entries(childEnv({ ...workspace.env, ...env }));
    this.transport = new StdioClientTransport({
      command: process.execPath,
      args: command,
      env: Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
      cwd: workspace.base,
      stderr: 'pipe',
    });
    this.transport.stderr?.on('data', (chunk: Buffer) => this.errors.push(chunk));
  }

  /** Connects and reads the tools, so that the client checks every answer against its schema. */
  async open(): Promise<this> {
    await this.client.connect(this.transport);
    await this.client.listTools();
    return this;
  }

  get pid(): number {
    return this.transport.pid ?? 0;
  }

  get stderr(): string {
    return Buffer.concat(this.errors).toString('utf8');
  }

  /** Returns the structured answer of a tool that must succeed. */
  async call(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<Readonly<Record<string, unknown>>> {
    const result = await this.client.callTool({ name, arguments: { ...args } });
    if (result.isError) throw new Error(JSON.stringify(result.content));
    return Object.fromEntries(Object.entries(result.structuredContent ?? {}));
  }

  /** Returns the message of a tool that must fail. */
  async failure(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const result = await this.client.callTool({ name, arguments: { ...args } });
    if (!result.isError) throw new Error(`${name} did not fail`);
    const [first] = Array.isArray(result.content) ? result.content : [];
    return String(first?.text);
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

export async function mcpSession(workspace: TemporaryWorkspace, options?: ServerOptions): Promise<McpSession> {
  const session = new McpSession(workspace, options);
  onTestFinished(() => session.close());
  return session.open();
}
