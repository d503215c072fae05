import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { understood } from '../understood.js';
import { chat } from './chat.js';
import { embed, vectorOf } from './embed.js';
import { FaultSwitches } from './faults.js';
import { type FakeModel, fullName, INSTALLED, listed, shown } from './model.js';
import { pull } from './pull.js';
import type { Replier, Reply } from './reply.js';
import { record } from './reply.js';
import { BUSY, Scheduler } from './runner.js';
import type { Stage } from './stage.js';
import { LineWriter, sendError, sendJson } from './wire.js';

export interface FakeOllamaOptions {
  /** Whether `/api/tags` lists capabilities, as servers newer than 0.24 do; default yes. */
  readonly listsCapabilities?: boolean;
  readonly models?: readonly FakeModel[];
  /** Models that can be pulled; undefined if the registry can't be reached. */
  readonly registry?: readonly FakeModel[];
  /** Requests that may wait for a model. */
  readonly maxQueue?: number;
  /** Maximum size of an HTTP chunk; by default small, so that chunks break in bad places. */
  readonly chunkBytes?: number;
  readonly loadMs?: number;
  /** Delay of the first piece under `slow-first-token`. */
  readonly slowMs?: number;
  readonly version?: string;
  /** Words with the same meaning for the embedding models. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** If true, `num_ctx` of a request is ignored, as a server with a limit of its own does. */
  readonly ignoresContextSize?: boolean;
}

/** A request as it came in. */
interface Received {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether the client disconnected before the answer was complete. */
  aborted: boolean;
}

/**
 * An Ollama server without a model: to a client it behaves like a real one. The README of this folder gives the source of
 * each behaviour.
 */
export class FakeOllama {
  readonly faults = new FaultSwitches();
  readonly received: Received[] = [];
  /** The next answers of the chat model; it computes an answer if there are none. */
  readonly replies: (Reply | Replier)[] = [];
  readonly models = new Map<string, FakeModel>();
  private replier: Replier | undefined;
  readonly scheduler: Scheduler;
  private readonly server: Server;
  private readonly waiting = new Set<AbortSignal>();

  constructor(private readonly options: FakeOllamaOptions = {}) {
    for (const model of options.models ?? INSTALLED) this.models.set(model.name, model);
    this.scheduler = new Scheduler({ maxQueue: options.maxQueue ?? 512, loadMs: options.loadMs ?? 0 });
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  async start(port = 0, host = '127.0.0.1'): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, resolve);
    });
    return this;
  }

  /** `http://127.0.0.1:PORT`, good as `OLLAMA_HOST`. */
  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** From now on the model gives this answer to each prompt, as JSON, unless a test gave it others. */
  answer(says: (prompt: string) => unknown): this {
    return this.replyBy((messages) => {
      const prompt = messages.map(({ content }) => content).join('\n');
      return { content: JSON.stringify(says(prompt)) };
    });
  }

  /** From now on the model answers as this function says, unless a test gave it other answers. */
  replyBy(replier: Replier | undefined): this {
    this.replier = replier;
    return this;
  }

  /** Resolves when a request hangs because of a fault: its client has received everything it will get. */
  async hung(): Promise<void> {
    while (this.waiting.size === 0) await delay(5);
  }

  private async hangs(gone: AbortSignal): Promise<void> {
    this.waiting.add(gone);
    await goneFrom(gone);
    this.waiting.delete(gone);
  }

  /** Bodies of the requests to a path, in order. */
  bodies(path: string): readonly Readonly<Record<string, unknown>>[] {
    return this.received.filter((request) => request.path === path).map(({ body }) => body);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    const body = await text(request).catch(() => '');
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const parsed = parseBody(body);
    const received: Received = { method: request.method ?? '', path: pathname, body: parsed ?? {}, aborted: false };
    this.received.push(received);
    response.on('close', () => {
      received.aborted = !response.writableFinished;
      gone.abort();
    });
    if (request.method === 'POST' && parsed === undefined) {
      const message = body === '' ? 'missing request body' : 'invalid character in the request body';
      return sendError(response, { status: 400, message });
    }
    if (!(await this.faultBefore(pathname, response, gone.signal))) await this.route(received, response, gone.signal);
  }

  private async route({ method, path, body }: Received, response: ServerResponse, gone: AbortSignal): Promise<void> {
    const stage = this.stage(response, gone);
    const more = this.faults.strikes('extra-fields') ? { x_extra: { nested: [1] } } : {};
    switch (`${method} ${path}`) {
      case 'GET /':
        return void response.writeHead(200, { 'content-type': 'text/plain' }).end('Ollama is running');
      case 'GET /api/version':
        return sendJson(response, 200, { version: this.version(), ...more });
      case 'GET /api/tags':
        return sendJson(response, 200, {
          models: [...this.models.values()].map((model) => ({
            ...listed(model, this.options.listsCapabilities),
            ...more,
          })),
        });
      case 'GET /api/ps':
        return sendJson(response, 200, { models: this.scheduler.running(), ...more });
      case 'POST /api/show':
        return this.show(body, response);
      case 'POST /api/chat':
        return chat(this.options.ignoresContextSize ? withoutContextSize(body) : body, stage, response);
      case 'POST /api/embed':
        return embed(body, stage, response);
      case 'POST /api/pull':
        return pull(this.inRegistry(body), body.stream !== false, stage, response, (model) =>
          this.models.set(model.name, model),
        );
      default: {
        const known = ROUTES.has(path);
        const said = known ? '405 method not allowed' : '404 page not found';
        return void response.writeHead(known ? 405 : 404, { 'content-type': 'text/plain' }).end(said);
      }
    }
  }

  private show(body: Readonly<Record<string, unknown>>, response: ServerResponse): void {
    const name = String(body.model ?? body.name ?? '');
    const model = this.models.get(fullName(name));
    if (model === undefined) sendError(response, { status: 404, message: `model '${name}' not found` });
    else sendJson(response, 200, shown(model));
  }

  private version(): string {
    return this.faults.strikes('version-zero') ? '0.0.0' : (this.options.version ?? '0.32.9');
  }

  private inRegistry(body: Readonly<Record<string, unknown>>): FakeModel | string {
    const name = fullName(String(body.model ?? body.name ?? ''));
    const { registry } = this.options;
    if (registry === undefined)
      return 'pull model manifest: Get "https://registry.ollama.ai/v2/": dial tcp: lookup registry.ollama.ai: no such host';
    return registry.find((model) => model.name === name) ?? 'pull model manifest: file does not exist';
  }

  /**
   * Faults before any computation. By default they hit only requests with a model, not the version and the list of models.
   */
  private async faultBefore(path: string, response: ServerResponse, gone: AbortSignal): Promise<boolean> {
    const { faults } = this;
    if (!faults.everywhere && !WORK.has(path)) return false;
    if (faults.strikes('slow-first-token')) await delay(this.options.slowMs ?? 50);
    if (faults.strikes('reset-before-headers')) response.socket?.resetAndDestroy();
    else if (faults.strikes('hang-before-headers')) await this.hangs(gone);
    else if (faults.strikes('busy')) sendError(response, BUSY);
    else if (faults.strikes('runner-stopped')) sendError(response, { status: 500, message: RUNNER_STOPPED });
    else if (faults.strikes('nested-400')) sendError(response, { status: 400, message: NESTED });
    else if (faults.strikes('html-502'))
      response.writeHead(502, { 'content-type': 'text/html' }).end('<html><h1>502 Bad Gateway</h1></html>');
    else if (faults.strikes('broken-error-json'))
      response.writeHead(500, { 'content-type': 'application/json' }).end('{"error": "cut o');
    else if (faults.strikes('not-json'))
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>welcome</p>\n');
    else return false;
    return true;
  }

  private stage(response: ServerResponse, gone: AbortSignal): Stage {
    const { options, faults } = this;
    return {
      faults,
      scheduler: this.scheduler,
      gone,
      find: (name) => this.models.get(fullName(name)),
      nextReply: ({ messages, format }) => {
        const next = this.replies.shift() ?? this.replier;
        return typeof next === 'function' ? next(messages, format) : next;
      },
      vector: (input, dimension) => vectorOf(understood(input), dimension, options.synonyms),
      writer: (seed) => new LineWriter(response, seed, faults.strikes('dribble') ? 1 : options.chunkBytes),
      lastLine: (line) => ({ ...line, ...(faults.strikes('extra-fields') ? { x_extra: 1 } : {}) }),
      hang: async (writer) => {
        await writer?.flush(0);
        response.flushHeaders();
        await this.hangs(gone);
      },
      reset: () => void response.socket?.resetAndDestroy(),
    };
  }
}

const WORK: ReadonlySet<string> = new Set(['/api/chat', '/api/embed', '/api/pull']);
const ROUTES: ReadonlySet<string> = new Set([
  ...WORK,
  '/',
  '/api/version',
  '/api/tags',
  '/api/ps',
  '/api/show',
  '/api/pull',
]);
const RUNNER_STOPPED =
  'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details';
const NESTED = JSON.stringify({
  error: { code: 400, message: 'failed to parse grammar', type: 'invalid_request_error' },
});

function parseBody(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return record(JSON.parse(body));
  } catch {
    return undefined;
  }
}

function goneFrom(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function withoutContextSize(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { num_ctx: _, ...options } = record(body.options) ?? {};
  return { ...body, options };
}
