import type { IncomingMessage } from 'node:http';
import { CallError } from '../call-error.js';
import { serverError } from './server-error.js';
import { type NamedModel, type Watch, Watchdog } from './watchdog.js';

/** What is sent. */
export interface Sent {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** A JSON object of a server, as it came and as it reads. */
export interface JsonAnswer {
  readonly text: string;
  readonly value: object;
}

const MOST_BODY = 64 * 2 ** 20;
const MOST_ERROR = 64 * 2 ** 10;
const MOST_LINE = 4 * 2 ** 20;

/**
 * One call of a model server over Node's own HTTP, whose one time limit is ours: Node's `fetch` gives up after 300 s
 * without headers, which is how long a small machine may read a prompt. Hands on only what is whole and right: one JSON
 * object that says nothing of an error.
 * @throws CallError
 */
export async function callForJson(url: URL, sent: Sent, watch: Watch): Promise<JsonAnswer> {
  const dog = new Watchdog(watch, url.host);
  try {
    const response = await answerTo(url, sent, watch, dog);
    return checked(await readText(response, dog, MOST_BODY, false), watch.asked);
  } catch (error) {
    throw dog.explain(error);
  } finally {
    dog.end();
  }
}

/**
 * The same for an answer in lines: done when the first of them may come. Whoever leaves them early ends the call.
 * @throws CallError also between the lines
 */
export async function callForLines(url: URL, sent: Sent, watch: Watch): Promise<AsyncGenerator<JsonAnswer>> {
  const dog = new Watchdog(watch, url.host);
  try {
    return checkedLines(await answerTo(url, sent, watch, dog), watch, dog);
  } catch (error) {
    dog.end();
    throw dog.explain(error);
  }
}

/**
 * Whether something listens there. Costs a connection more where it does; where nothing does, the client library and
 * what it needs are not loaded in vain.
 * @throws CallError
 */
export async function knock(url: URL, watch: Watch): Promise<void> {
  const dog = new Watchdog(watch, url.host);
  const { connect } = await import('node:net');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  try {
    await new Promise<void>((resolve, reject) => {
      const socket = connect(port, url.hostname.replace(/^\[|\]$/g, ''), resolve).on('error', reject);
      dog.guard((error) => socket.destroy(error));
      dog.wait(watch.connectMs, 'could not be reached');
    });
  } catch (error) {
    throw dog.explain(error);
  } finally {
    dog.end();
  }
}

async function answerTo(url: URL, sent: Sent, watch: Watch, dog: Watchdog): Promise<IncomingMessage> {
  const response = await send(url, sent, watch, dog);
  const status = response.statusCode ?? 0;
  if (status >= 400) throw serverError(status, await readText(response, dog, MOST_ERROR, true), watch.asked);
  return response;
}

async function send(url: URL, { method, headers = {}, body }: Sent, watch: Watch, dog: Watchdog) {
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  return new Promise<IncomingMessage>((resolve, reject) => {
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

async function* checkedLines(response: IncomingMessage, watch: Watch, dog: Watchdog): AsyncGenerator<JsonAnswer> {
  try {
    for await (const line of wholeLines(dog.chunks(response))) yield checked(line, watch.asked);
  } catch (error) {
    throw dog.explain(error);
  } finally {
    dog.end();
  }
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

/** A text that is JSON, and an object without an error. */
function checked(text: string, asked: NamedModel | undefined): JsonAnswer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw notOllama('garbled', 'it sent something that is no JSON', error);
  }
  if (typeof value !== 'object' || value === null) {
    throw notOllama('garbled', 'it sent something that is no JSON object');
  }
  if ('error' in value) throw serverError(200, text, asked);
  return { text, value };
}

function tooMuch(): CallError {
  return notOllama('protocol', 'its answer does not end');
}

function notOllama(problem: 'garbled' | 'protocol', what: string, cause?: unknown): CallError {
  const hint = 'check "ollamaHost" and $OLLAMA_HOST';
  return new CallError(problem, `what answers is not Ollama: ${what}`, hint, { cause });
}
