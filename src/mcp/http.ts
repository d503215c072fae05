import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isSameOrigin, isToken, listenOnLoopback, makeToken } from '../workspace/loopback.js';

interface HttpServer {
  /** Starts a server of the protocol for one client. */
  readonly connect: (transport: StreamableHTTPServerTransport) => Promise<unknown>;
  /** Reads the body of a request; undefined if it is not JSON. */
  readonly readBody: (body: Buffer) => unknown;
  /** 0 for any free port. */
  readonly port: number;
  /** Takes the address for clients. */
  readonly onReady: (address: string) => void;
  readonly ended: Promise<void>;
}

/** Maximum number of clients. The one that came first is closed for one more. */
const MOST_CLIENTS = 64;
/** Maximum size of a request, in bytes. */
const MOST_BYTES = 4 * 1024 * 1024;
const PARSE_ERROR = '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}';

/**
 * Serves the protocol over Streamable HTTP on this machine only, at an address with a random token. Requests for another
 * host, from another origin or without the token get no content.
 */
export async function serveHttp({ connect, readBody, port, onReady, ended }: HttpServer): Promise<void> {
  const token = makeToken();
  const clients = new Map<string, StreamableHTTPServerTransport>();
  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const [first] = clients.size < MOST_CLIENTS ? [] : clients.values();
    await first?.close();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void clients.set(id, transport),
    });
    await connect(transport);
    const { onclose } = transport;
    transport.onclose = () => {
      clients.delete(transport.sessionId ?? '');
      onclose?.();
    };
    return transport;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { 'mcp-session-id': id } = request.headers;
    const known = clients.get(String(id));
    const status = refusal(request, token) ?? (id === undefined || known !== undefined ? undefined : 404);
    if (status !== undefined) return void response.writeHead(status).end();
    const body = request.method === 'POST' ? await bodyOf(request) : undefined;
    if (body === 'too large') return void response.writeHead(413).end();
    const message = body && readBody(body);
    if (body !== undefined && message === undefined) return void response.writeHead(400).end(PARSE_ERROR);
    const transport = known ?? (await open());
    await transport.handleRequest(request, response, message);
    if (transport.sessionId === undefined) await transport.close();
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  try {
    onReady(`http://${await listenOnLoopback(server, port)}/${token}/mcp`);
    await ended;
  } finally {
    await Promise.all([...clients.values()].map((client) => client.close()));
    server.close();
    server.closeAllConnections();
  }
}

/** The status for a request that is not answered; undefined for one that is. */
function refusal(request: IncomingMessage, token: string): number | undefined {
  if (!isSameOrigin(request)) return 403;
  return isToken(request.url ?? '', `/${token}/mcp`) ? undefined : 404;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | 'too large'> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MOST_BYTES) return 'too large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
