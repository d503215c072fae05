import type { IncomingMessage } from 'node:http';
import { parseRecord } from '../../base/json.js';
import { CallError, type CallProblem } from '../call-error.js';
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
async function callForLines(url: URL, sent: Sent, watch: Watch): Promise<AsyncGenerator<JsonAnswer>> {
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

/**
 * A `fetch` for the client library over our own calls. The library skips or prints what it does not understand; it only
 * gets what is whole and right.
 * @param lines whether the answer comes as lines
 * @throws CallError
 */
export function watchedFetch(watch: Watch, lines: boolean): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const sent: Sent = {
      method: init?.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init?.headers).entries()),
      body: typeof init?.body === 'string' ? init.body : undefined,
    };
    if (!lines) return new Response((await callForJson(url, sent, watch)).text);
    return new Response(encoded(await callForLines(url, sent, watch)));
  };
}

async function* encoded(lines: AsyncGenerator<{ readonly text: string }>): AsyncGenerator<Uint8Array> {
  for await (const { text } of lines) yield Buffer.from(`${text}\n`);
}

const MOST_NESTING = 4;
const MOST_TEXT = 300;

/**
 * What an error of the server means, from its status and body. An error in the middle of a stream has the status 200.
 * @param asked what was asked, for the hint
 */
export function serverError(status: number, body: string, asked: NamedModel | undefined): CallError {
  const text = errorText(body);
  const problem = problemOf(status, text);
  const said = text === '' ? `status ${status}` : text;
  const clipped = said.length > MOST_TEXT ? `${said.slice(0, MOST_TEXT)}…` : said;
  const { model: name, setting } = asked ?? { model: 'NAME', setting: 'chatModel' };
  switch (problem) {
    case 'missing':
      return new CallError(problem, `the model ${name} is not installed`, `ollama pull ${name}`);
    case 'busy':
      return new CallError(problem, `Ollama is busy: ${clipped}`, 'try again later');
    case 'stopped':
      return new CallError(problem, `the model stopped: ${clipped}`, 'see whether there is memory enough for it');
    case 'broken_off':
      return new CallError(problem, `Ollama can't be reached: ${clipped}`, 'try again later');
    case 'too_long':
      return new CallError(problem, `the prompt is too long for ${name}: ${clipped}`, 'set "numCtx" higher');
    case 'unfit':
      return new CallError(problem, `${name} can't do this: ${clipped}`, `set "${setting}" to another model`);
    case 'protocol':
      return new CallError(problem, `what answers is not Ollama: ${clipped}`, 'check "ollamaHost" and $OLLAMA_HOST');
    default:
      return new CallError(problem, `Ollama refused the question: ${clipped}`, 'see the log of ollama serve');
  }
}

/** The text of an error body: its `error`, out of as many layers of JSON as it is wrapped in. Pure. */
export function errorText(body: string): string {
  let text = body.trim();
  for (let round = 0; round < MOST_NESTING; round++) {
    const inner = innerError(text);
    if (inner === undefined) break;
    text = inner;
  }
  // HTML of a proxy: what it says between its tags.
  return text.startsWith('<')
    ? text
        .replace(/<[^<>]*>/gu, ' ')
        .replace(/\s+/gu, ' ')
        .trim()
    : text;
}

function innerError(text: string): string | undefined {
  const { error, message, type } = parseRecord(text) ?? {};
  if (typeof error === 'string') return error;
  if (typeof error === 'object' && error !== null) return JSON.stringify(error);
  // The type is what says that a prompt was too long.
  return typeof message === 'string' ? `${message}${typeof type === 'string' ? ` (${type})` : ''}` : undefined;
}

const TEXTS: readonly (readonly [RegExp, CallProblem])[] = [
  [/exceed_context_size|context length|available context size/iu, 'too_long'],
  [/does not support|invalid think value/iu, 'unfit'],
  [/failed to parse JSON|invalid tool call arguments|does not match the expected .* format/iu, 'tool_call'],
  [/unexpectedly stopped|EOF|forcibly closed|connection re(?:set|fused)|process has terminated/u, 'stopped'],
];

function problemOf(status: number, text: string): CallProblem {
  if (status === 503 || status === 429) return 'busy';
  if (status === 502 || status === 504) return 'broken_off';
  if (status === 501) return 'unfit';
  if (status === 404) return /model/u.test(text) ? 'missing' : 'protocol';
  if (status === 403 || status === 405) return 'protocol';
  if (/model ['"].*['"] not found/u.test(text)) return 'missing';
  return TEXTS.find(([pattern]) => pattern.test(text))?.[1] ?? 'rejected';
}
