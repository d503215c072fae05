import type { IncomingMessage } from 'node:http';
import { systemErrorCode } from '../base/failure.js';
import { isRecord, parseJson, parseRecord, type UnknownFields } from '../base/json.js';
import { CallError, type CallProblem, formatSeconds, interruptedCallError } from './call.js';

const MOST_BODY = 64 * 2 ** 20;
const MOST_ERROR = 64 * 2 ** 10;
const MOST_LINE = 4 * 2 ** 20;

/**
 * Calls a model server with Node's HTTP client and our own time limits. Node's `fetch` is not used, because it gives up
 * after 300 s without headers, and a slow machine may read a prompt that long. Returns the JSON object of the response.
 * @param body of a POST request; without one, the request is a GET
 * @throws CallError also if the object reports an error
 */
export async function callForJson(url: URL, body: object | undefined, watch: CallLimits): Promise<UnknownFields> {
  const dog = new Watchdog(watch, url.host);
  try {
    const response = await answerTo(url, body, watch, dog);
    return checked(await readText(response, dog, MOST_BODY, false), watch.asked);
  } catch (error) {
    throw dog.explain(error);
  } finally {
    dog.end();
  }
}

/**
 * Like {@link callForJson}, for a response of JSON lines. Returns one line after another. If the caller leaves its loop
 * early, the call ends.
 * @throws CallError also after it has returned some lines
 */
export async function* callForLines(url: URL, body: object, watch: CallLimits): AsyncGenerator<UnknownFields> {
  const dog = new Watchdog(watch, url.host);
  try {
    const response = await answerTo(url, body, watch, dog);
    for await (const line of wholeLines(dog.chunks(response))) yield checked(line, watch.asked);
  } catch (error) {
    throw dog.explain(error);
  } finally {
    dog.end();
  }
}

async function answerTo(url: URL, body: object | undefined, watch: CallLimits, dog: Watchdog) {
  const response = await send(url, body, watch, dog);
  const status = response.statusCode ?? 0;
  if (status >= 400) throw serverError(status, await readText(response, dog, MOST_ERROR, true), watch.asked);
  return response;
}

async function send(url: URL, body: object | undefined, watch: CallLimits, dog: Watchdog) {
  const how = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' } };
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  return new Promise<IncomingMessage>((resolve, reject) => {
    // Use a new connection each time. The server may have closed an old one, which would cost a second try.
    const sent = request(url, { ...how, agent: false }, resolve);
    sent.on('error', reject);
    dog.guard((error) => sent.destroy(error));
    dog.wait(watch.connectMs, 'could not be reached');
    sent.on('socket', (socket) => {
      const connected = () => dog.wait(watch.firstMs, 'sent no answer');
      if (socket.connecting) socket.once('connect', connected);
      else connected();
    });
    sent.end(body && JSON.stringify(body));
  });
}

/**
 * Splits a response into lines, without empty ones. The last line needs no line feed. Takes linear time, even for one long
 * line.
 */
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

/** Parses a JSON object. Throws if it has a key `error`. */
function checked(text: string, asked: NamedModel | undefined): UnknownFields {
  const value = parseJson(text);
  if (!isRecord(value))
    throw notOllama('garbled', `it sent ${value === undefined ? 'no JSON' : 'JSON, but not an object'}`);
  if ('error' in value) throw serverError(200, text, asked);
  return value;
}

function tooMuch(): CallError {
  return notOllama('protocol', 'its answer does not end');
}

function notOllama(problem: 'garbled' | 'protocol', what: string): CallError {
  return new CallError(problem, `the server is not Ollama: ${what}`, 'check the setting "ollamaHost" and $OLLAMA_HOST');
}

const MOST_NESTING = 4;
const MOST_TEXT = 300;

/**
 * Turns the status and body of a server's error into a {@link CallError}. If the error came in the middle of a response, the
 * status is 200.
 * @param asked the model that the call named; the hint names it, too
 */
export function serverError(status: number, body: string, asked: NamedModel | undefined): CallError {
  const text = errorText(body);
  const problem = problemOf(status, text);
  const said = text === '' ? `status ${status}` : text;
  const clipped = said.length > MOST_TEXT ? `${said.slice(0, MOST_TEXT)}…` : said;
  const { model: name, setting } = asked ?? { model: 'NAME', setting: 'chatModel' };
  if (problem === 'protocol') return notOllama(problem, clipped);
  const refused = [`Ollama refused the question: ${clipped}`, 'see the log of ollama serve'] as const;
  const meant: Partial<Record<CallProblem, readonly [message: string, hint: string]>> = {
    missing: [`the model ${name} is not installed`, `install it: ollama pull ${name}`],
    busy: [`Ollama is busy: ${clipped}`, 'try again later'],
    stopped: [`the model stopped: ${clipped}`, 'check that this machine has enough memory for it'],
    broken_off: [`Ollama can't be reached: ${clipped}`, 'try again later'],
    too_long: [`the prompt is too long for ${name}: ${clipped}`, 'set "numCtx" higher'],
    unfit: [`${name} can't do this: ${clipped}`, `set "${setting}" to another model`],
  };
  return new CallError(problem, ...(meant[problem] ?? refused));
}

/**
 * The message in the body of an error: the value of its key `error`. This value may be JSON text that has a key `error`
 * again. Pure.
 */
export function errorText(body: string): string {
  let text = body.trim();
  for (let round = 0; round < MOST_NESTING; round++) {
    const inner = innerError(text);
    if (inner === undefined) break;
    text = inner;
  }
  if (!text.startsWith('<')) return text;
  // An HTML page from a proxy. Keep only its text.
  const said = text.replace(/<[^<>]*>/gu, ' ').replace(/\s+/gu, ' ');
  return said.trim();
}

function innerError(text: string): string | undefined {
  const { error, message, type } = parseRecord(text) ?? {};
  if (typeof error === 'string') return error;
  if (typeof error === 'object' && error !== null) return JSON.stringify(error);
  // Add the type of the error to the message. Only the type shows that a prompt was too long.
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

/** Time limits of one call in ms, and the signal that aborts it. */
export interface CallLimits {
  readonly connectMs: number;
  readonly firstMs: number;
  readonly idleMs: number;
  readonly signal: AbortSignal;
  /** The model that the call names. Hints in error messages name it, too. */
  readonly asked?: NamedModel | undefined;
}

/** A model, and the setting that contains its name. */
export interface NamedModel {
  readonly model: string;
  readonly setting: 'chatModel' | 'embedModel';
}

/** Aborts a call after a time limit, or when the caller's signal aborts. Remembers which of the two happened. */
class Watchdog {
  private timer: NodeJS.Timeout | undefined;
  private bite: (error: Error) => void = () => {};
  private why: CallError | undefined;
  private readonly onAbort = () => {
    const { reason } = this.watch.signal;
    this.breakOff(reason instanceof CallError ? reason : interruptedCallError());
  };

  constructor(
    private readonly watch: CallLimits,
    private readonly host: string,
  ) {
    watch.signal.addEventListener('abort', this.onAbort, { once: true });
  }

  guard(bite: (error: Error) => void): void {
    this.bite = bite;
    if (this.watch.signal.aborted) this.onAbort();
  }

  /**
   * Starts the time limit of the next step.
   * @param failing a part of the error message that says what took too long: "sent no answer"
   */
  wait(ms: number, failing: string): void {
    clearTimeout(this.timer);
    if (this.why !== undefined) return;
    const message = `Ollama at ${this.host} ${failing} within ${formatSeconds(ms)}`;
    this.timer = setTimeout(() => {
      this.breakOff(new CallError('slow', message, 'check if it is busy or stuck: ollama ps'));
    }, ms);
  }

  async *chunks(response: IncomingMessage): AsyncGenerator<Buffer> {
    for await (const chunk of response) {
      this.wait(this.watch.idleMs, 'sent nothing more');
      yield chunk;
    }
    // Node's stream reports no error if the body is incomplete.
    if (!response.complete) throw new Error('the connection was closed');
  }

  /** Explains why a call failed: our own reason for aborting it, or the error of the connection. */
  explain(error: unknown): CallError {
    if (this.why !== undefined) return this.why;
    if (error instanceof CallError) return error;
    const code = systemErrorCode(error) ?? '';
    if (AWAY.test(code))
      return new CallError('away', `Ollama is not running at ${this.host}`, 'start it: ollama serve', { cause: error });
    const message = `the connection to Ollama at ${this.host} was lost${code === '' ? '' : ` (${code})`}`;
    return new CallError('broken_off', message, 'see the log of ollama serve', { cause: error });
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

const AWAY = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/;
