import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { vectorOf } from './ollama/embed.js';
import { understood } from './understood.js';

/** The state of the server; a test may change it while it runs. */
interface ServerState {
  model: string;
  digest: string;
  dimension: number;
  /** Every request waits forever. */
  hangs: boolean;
  /** Inputs that the model refuses. */
  refuses: (input: string) => boolean;
  /** Inputs on which it hangs. */
  stallsOn: (input: string) => boolean;
  /** Words with the same meaning. */
  synonyms: Readonly<Record<string, string>>;
  /** Whether it knows the meaning of the text; unknown text is compared by characters. */
  knows: (text: string) => boolean;
  /** Called before an answer is sent. */
  beforeAnswer: () => Promise<void>;
}

/**
 * A server of one embedding model, limited to `/api/tags` and `/api/embed`. A vector is the sum of one vector for each word,
 * so texts with common words or synonyms are near. Records every input.
 */
export class EmbeddingServer {
  readonly inputs: string[] = [];
  requests = 0;
  readonly state: ServerState = {
    model: 'embeddinggemma:latest',
    digest: 'digest-1',
    dimension: 64,
    hangs: false,
    refuses: () => false,
    stallsOn: () => false,
    synonyms: {},
    knows: () => true,
    beforeAnswer: async () => {},
  };
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  embedding(input: string): readonly number[] {
    const text = this.state.knows(input) ? understood(input) : input;
    return vectorOf(text, this.state.dimension, this.state.synonyms);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests++;
    const body = await text(request);
    if (this.state.hangs) return;
    const { model, digest } = this.state;
    if (request.url === '/api/tags') return send(response, 200, { models: [{ name: model, model, digest }] });
    if (request.url === '/api/version') return send(response, 200, { version: '0.24.0' });
    const asked = JSON.parse(body) as { model: string; input: string[]; truncate: boolean };
    if (`${asked.model}:latest` !== model && asked.model !== model)
      return send(response, 404, { error: `model "${asked.model}" not found, try pulling it first` });
    if (request.url === '/api/show') return send(response, 200, { capabilities: ['embedding'], model_info: {} });
    this.inputs.push(...asked.input);
    if (asked.input.some(this.state.refuses))
      return send(response, 400, { error: 'the input length exceeds the context length' });
    if (asked.input.some(this.state.stallsOn)) return;
    await this.state.beforeAnswer();
    send(response, 200, { model, embeddings: asked.input.map((input) => this.embedding(input)) });
  }
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value));
}
