import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { toFailure } from '../base/failure.js';
import { isSameOrigin, isToken, listenOnLoopback, makeToken } from '../workspace/loopback.js';
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
  const token = makeToken();
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
  const server = createServer(answer);
  try {
    onReady(`http://${await listenOnLoopback(server)}/${token}/`);
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

/** The status for a request that is not answered; undefined for one that is. */
function refusal(request: IncomingMessage, token: string): number | undefined {
  const { method, url = '' } = request;
  if (!isSameOrigin(request)) return 403;
  if (method !== 'GET') return 405;
  // Browsers ask for an icon. An answer without one keeps their console empty.
  if (url === '/favicon.ico') return 204;
  const [, given = '', rest] = url.split('/');
  return isToken(given, token) && (rest === '' || rest === 'changes') ? undefined : 404;
}

async function sendPage(makePage: ServedPage['makePage'], response: ServerResponse): Promise<void> {
  try {
    const html = asServedPage(await makePage());
    response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/html; charset=utf-8' }).end(html);
  } catch (error) {
    response.writeHead(500, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' }).end(toFailure(error).message);
  }
}
