import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

/** Serves a stdio server over HTTP: each client gets its own process. */
export class McpBridge {
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
