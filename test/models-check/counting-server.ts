import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { parseRecord } from '../../src/base/json.js';
import type { Asked } from './run.js';
import { countAsked } from './scripted.js';

/** A server on this machine that passes requests on to another one, and counts the questions to a chat model. */
export class CountingServer {
  private readonly server: Server;
  private asked: Asked = { calls: 0, characters: 0 };

  constructor(target: string) {
    this.server = createServer(async (incoming, outgoing) => {
      const body = await buffer(incoming);
      if (incoming.url === '/api/chat') this.count(body.toString('utf8'));
      const headers = { ...incoming.headers, host: new URL(target).host };
      const passed = request(new URL(incoming.url ?? '/', target), { method: incoming.method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
        answer.on('error', () => outgoing.destroy());
      });
      passed.on('error', () => outgoing.destroy());
      outgoing.on('close', () => passed.destroy());
      passed.end(body);
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  get total(): Asked {
    return this.asked;
  }

  private count(body: string): void {
    const { calls, characters } = countAsked([parseRecord(body) ?? {}]);
    this.asked = { calls: this.asked.calls + calls, characters: this.asked.characters + characters };
  }
}
