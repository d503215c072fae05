import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { fail, systemErrorCode } from '../base/failure.js';

/** A secret part of an address, so that only a reader of the address can use it. */
export function makeToken(): string {
  return randomBytes(24).toString('base64url');
}

export function isToken(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * Whether a request is meant for this server, and does not come from a page of another origin. The host name of an attacker
 * may lead to this machine, and a page of the web may ask this server.
 */
export function isSameOrigin({ headers, socket }: IncomingMessage): boolean {
  const host = loopbackHost(socket.localPort);
  return headers.host === host && (headers.origin ?? `http://${host}`) === `http://${host}`;
}

/**
 * Opens a server for this machine only.
 * @param port 0 for any free port
 * @returns its host with the port: `127.0.0.1:49152`
 * @throws MemoryError `usage` if the port is not free
 */
export async function listenOnLoopback(server: Server, port = 0): Promise<string> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = systemErrorCode(error);
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    fail('usage', `port ${port} is not free`, 'use another port, or leave it out for any free one');
  }
  const address = server.address();
  return loopbackHost(typeof address === 'string' ? undefined : address?.port);
}

function loopbackHost(port: number | undefined): string {
  return `127.0.0.1:${port}`;
}
