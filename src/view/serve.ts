import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { toFailure } from '../base/failure.js';
import { asServedPage } from './page.js';

interface ServedPage {
  readonly makePage: () => Promise<string>;
  /** Calls `onChange` after each change of the workspace, until `signal` aborts. */
  readonly watch: (onChange: () => void) => Promise<void>;
  /** Takes the address of the page. */
  readonly onReady: (address: string) => void;
}

const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Serves the page on this machine only, at an address with a random token, until `watch` ends. An open page loads itself
 * again after a change. Requests for another host, from another origin or without the token get no content.
 */
export async function servePage({ makePage, watch, onReady }: ServedPage): Promise<void> {
  const token = randomBytes(24).toString('base64url');
  const open = new Set<ServerResponse>();
  let changes = 0;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const status = refusal(request, token);
    if (status !== undefined) response.writeHead(status, HEADERS).end();
    else if (request.url === `/${token}/`) void sendPage(makePage, response);
    else {
      response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/event-stream' }).write(event(changes));
      open.add(response);
      response.once('close', () => open.delete(response));
    }
  };
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    onReady(`http://${hostOf(server.address())}/${token}/`);
    await watch(() => {
      changes++;
      for (const response of open) response.write(event(changes));
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function event(changes: number): string {
  return `data: ${changes}\n\n`;
}

function hostOf(address: { readonly port?: number } | string | null): string {
  return `127.0.0.1:${typeof address === 'string' ? '' : address?.port}`;
}

/** The status for a request that is not answered; undefined for one that is. */
function refusal({ method, headers, url = '', socket }: IncomingMessage, token: string): number | undefined {
  const host = hostOf({ port: socket.localPort ?? 0 });
  // The host of an attacker may lead to this machine, and a page of the web may ask this server.
  if (headers.host !== host || (headers.origin ?? `http://${host}`) !== `http://${host}`) return 403;
  if (method !== 'GET') return 405;
  // Browsers ask for an icon. An answer without one keeps their console empty.
  if (url === '/favicon.ico') return 204;
  const [, given = '', rest] = url.split('/');
  const isAllowed = given.length === token.length && timingSafeEqual(Buffer.from(given), Buffer.from(token));
  return isAllowed && (rest === '' || rest === 'changes') ? undefined : 404;
}

async function sendPage(makePage: ServedPage['makePage'], response: ServerResponse): Promise<void> {
  try {
    const html = asServedPage(await makePage());
    response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/html; charset=utf-8' }).end(html);
  } catch (error) {
    response.writeHead(500, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' }).end(toFailure(error).message);
  }
}
