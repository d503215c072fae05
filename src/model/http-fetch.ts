import type { IncomingMessage } from 'node:http';
import { systemCode } from '../base/failure.js';
import { CallError, interrupted } from './call-error.js';
import { seconds } from './deadlines.js';
import { serverError } from './server-error.js';

/** How one call is watched. */
export interface Watch {
  readonly connectMs: number;
  readonly firstMs: number;
  readonly idleMs: number;
  readonly signal: AbortSignal;
  /** Whether the answer comes as lines. */
  readonly lines: boolean;
  /** The model that is asked, for hints. */
  readonly model?: string | undefined;
}

const MOST_BODY = 64 * 2 ** 20;
const MOST_ERROR = 64 * 2 ** 10;
const MOST_LINE = 4 * 2 ** 20;

/**
 * A `fetch` for the client library over Node's own HTTP, whose one time limit is ours: Node's `fetch` gives up after 300 s
 * without headers, which is how long a small machine may read a prompt. It hands on only what is whole and right: every
 * line of a stream is a JSON object without an error, every other answer is JSON. So the library, which would skip or
 * print what it does not understand, never meets it.
 * @throws CallError
 */
export function watchedFetch(watch: Watch): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const headers = Object.fromEntries(new Headers(init?.headers).entries());
    const body = typeof init?.body === 'string' ? init.body : undefined;
    const dog = new Watchdog(watch, url.host);
    try {
      const response = await send(url, { method: init?.method ?? 'GET', headers, body }, dog, watch);
      const status = response.statusCode ?? 0;
      if (status >= 400) throw serverError(status, await readText(response, dog, MOST_ERROR, true), watch.model);
      if (watch.lines) return streamed(response, dog, watch);
      const text = await readText(response, dog, MOST_BODY, false);
      checkedLine(text, watch.model);
      dog.end();
      return new Response(text, { status });
    } catch (error) {
      dog.end();
      throw dog.explain(error);
    }
  };
}

interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

async function send(url: URL, { method, headers, body }: Sent, dog: Watchdog, watch: Watch): Promise<IncomingMessage> {
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  return new Promise((resolve, reject) => {
    // A connection of its own: one that the server closes while it is idle would cost a second try.
    const sent = request(url, { method, headers, agent: false }, resolve);
    sent.on('error', reject);
    dog.guard((error) => sent.destroy(error));
    dog.wait(watch.connectMs, 'could not be reached');
    sent.on('socket', (socket) => {
      const connected = () => dog.wait(watch.firstMs, 'sent no answer');
      if (socket.connecting) socket.once('connect', connected);
      else connected();
    });
    sent.end(body);
  });
}

function streamed(response: IncomingMessage, dog: Watchdog, { model }: Watch): Response {
  async function* lines(): AsyncGenerator<Uint8Array> {
    try {
      for await (const line of wholeLines(dog.chunks(response))) {
        checkedLine(line, model);
        yield Buffer.from(`${line}\n`);
      }
    } catch (error) {
      throw dog.explain(error);
    } finally {
      dog.end();
    }
  }
  return new Response(lines(), { status: 200 });
}

/** The lines of a body without the empty ones; the last needs no line feed. Linear, also for one long line. */
async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      waiting.push(chunk.subarray(from, at));
      from = at + 1;
      const line = Buffer.concat(waiting).toString('utf8');
      waiting = [];
      size = 0;
      if (line.trim() !== '') yield line;
    }
    waiting.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > MOST_LINE) throw tooMuch();
  }
  const rest = Buffer.concat(waiting).toString('utf8');
  if (rest.trim() !== '') yield rest;
}

const LINE_FEED = 0x0a;

async function readText(response: IncomingMessage, dog: Watchdog, most: number, cut: boolean): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of dog.chunks(response)) {
    size += chunk.length;
    if (size > most) {
      if (cut) break;
      throw tooMuch();
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A line that is JSON, and an object without an error. */
function checkedLine(line: string, model: string | undefined): void {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw notOllama('it sent something that is no JSON', error);
  }
  if (typeof value !== 'object' || value === null) throw notOllama('it sent something that is no JSON object');
  if ('error' in value) throw serverError(200, line, model);
}

function tooMuch(): CallError {
  return notOllama('its answer does not end');
}

function notOllama(what: string, cause?: unknown): CallError {
  return new CallError('protocol', `what answers is not Ollama: ${what}`, 'check "ollamaHost" and $OLLAMA_HOST', {
    cause,
  });
}

/** Breaks a call off when it takes too long or is not wanted any more, and remembers why. */
class Watchdog {
  private timer: NodeJS.Timeout | undefined;
  private bite: (error: Error) => void = () => {};
  private why: CallError | undefined;
  private readonly onAbort = () => {
    const { reason } = this.watch.signal;
    this.breakOff(reason instanceof CallError ? reason : interrupted());
  };

  constructor(
    private readonly watch: Watch,
    private readonly host: string,
  ) {
    watch.signal.addEventListener('abort', this.onAbort, { once: true });
  }

  guard(bite: (error: Error) => void): void {
    this.bite = bite;
    if (this.watch.signal.aborted) this.onAbort();
  }

  /** From now on the next step may take so long. */
  wait(ms: number, failing: string): void {
    clearTimeout(this.timer);
    if (this.why !== undefined) return;
    const message = `Ollama at ${this.host} ${failing} within ${seconds(ms)}`;
    this.timer = setTimeout(() => {
      this.breakOff(new CallError('slow', message, 'see whether it is busy or stuck: ollama ps'));
    }, ms);
  }

  async *chunks(response: IncomingMessage): AsyncGenerator<Buffer> {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      this.wait(this.watch.idleMs, 'sent nothing more');
      yield chunk;
    }
    // A body that was cut is no error of its stream.
    if (!response.complete) throw new Error('the connection was closed');
  }

  /** The reason for which a call failed. */
  explain(error: unknown): CallError {
    if (this.why !== undefined) return this.why;
    if (error instanceof CallError) return error;
    const code = systemCode(error) ?? '';
    if (AWAY.has(code)) {
      return new CallError('away', `Ollama is not running at ${this.host}`, 'start it: ollama serve', { cause: error });
    }
    const message = `the connection to Ollama at ${this.host} broke off${code === '' ? '' : ` (${code})`}`;
    return new CallError('stopped', message, 'see the log of ollama serve', { cause: error });
  }

  end(): void {
    clearTimeout(this.timer);
    this.watch.signal.removeEventListener('abort', this.onAbort);
    this.bite(new Error('ended'));
    this.bite = () => {};
  }

  private breakOff(why: CallError): void {
    this.why ??= why;
    clearTimeout(this.timer);
    this.bite(this.why);
  }
}

const AWAY: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
]);
