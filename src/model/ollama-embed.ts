import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Failure, systemCode } from '../base/failure.js';
import { err, ok, type Result } from '../base/result.js';
import type { EmbedServer } from './embed.js';

/** How long a request may take, in ms: loading a model, and then its inputs one by one. */
const PATIENCE = { load: 120_000, input: 2_000, tags: 5_000 };
const RETRY_AFTER_MS = 250;
const MOST_BYTES = 64 * 2 ** 20;

interface Reply {
  readonly status: number;
  readonly body: string;
}

/**
 * Embeddings of an Ollama server. Plain HTTP: an answer is one JSON document, and a question that waits for it has no
 * time to load a client library.
 */
export function ollamaEmbedServer(base: URL): EmbedServer {
  return {
    digest: async (model, signal) => {
      const reply = await request(base, 'GET', '/api/tags', undefined, PATIENCE.tags, signal);
      if (!reply.ok) return reply;
      const digest = findDigest(parse(reply.value.body), model);
      return digest === undefined ? err(notInstalled(model)) : ok(digest);
    },
    embed: async (model, inputs, signal) => {
      if (isCloud(model)) return err(cloud(model));
      // `truncate: false`: a text that is cut silently would be found by half of what it says.
      const body = JSON.stringify({ model, input: inputs, truncate: false, keep_alive: '15m' });
      const patience = PATIENCE.load + PATIENCE.input * inputs.length;
      const first = await embedOnce(base, model, body, patience, signal);
      if (first.ok || !first.error.again || signal?.aborted) return first.ok ? first : err(first.error.failure);
      await delay(RETRY_AFTER_MS, undefined, signal === undefined ? {} : { signal }).catch(() => {});
      const second = await embedOnce(base, model, body, patience, signal);
      return second.ok ? second : err(second.error.failure);
    },
  };
}

interface Refusal {
  readonly failure: Failure;
  /** The same request may well be answered. */
  readonly again: boolean;
}

async function embedOnce(
  base: URL,
  model: string,
  body: string,
  patience: number,
  signal: AbortSignal | undefined,
): Promise<Result<readonly (readonly number[])[], Refusal>> {
  const reply = await request(base, 'POST', '/api/embed', body, patience, signal);
  if (!reply.ok) return err({ failure: reply.error, again: reply.error.message.includes('broke off') });
  const { status } = reply.value;
  const answer = parse(reply.value.body);
  if (status !== 200) return err(refusal(model, status, errorText(answer) ?? `status ${status}`));
  const embeddings = field(answer, 'embeddings');
  if (!Array.isArray(embeddings))
    return err({ failure: { type: 'model_unavailable', message: 'the server sent no embeddings' }, again: true });
  return ok(embeddings);
}

function refusal(model: string, status: number, text: string): Refusal {
  if (status === 404) return { failure: notInstalled(model), again: false };
  if (status === 501 || /does not support embed/i.test(text))
    return {
      failure: {
        type: 'model_unavailable',
        message: `${model} is no embedding model`,
        hint: 'set "embedModel", for example to embeddinggemma',
      },
      again: false,
    };
  const message = `the embedding server says: ${text.slice(0, 300)}`;
  // A runner that died over an input is a 400 with "EOF"; the next request starts it again.
  if (status === 400 || /unexpectedly stopped|too large to process|NaN/i.test(text))
    return { failure: { type: 'refused', message }, again: /EOF|connection|unexpectedly stopped/i.test(text) };
  return { failure: { type: 'model_unavailable', message, hint: 'try again later' }, again: status >= 500 };
}

/** One request and its whole answer. Never throws: an aborted one is a failure too. */
async function request(
  base: URL,
  method: 'GET' | 'POST',
  path: string,
  body: string | undefined,
  patience: number,
  signal: AbortSignal | undefined,
): Promise<Result<Reply>> {
  const { request: send } = await (base.protocol === 'https:' ? import('node:https') : import('node:http'));
  const timeout = AbortSignal.timeout(patience);
  const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  try {
    return ok(
      await new Promise<Reply>((resolve, reject) => {
        const headers = body === undefined ? {} : { 'content-type': 'application/json' };
        const url = new URL(base.pathname.replace(/\/$/, '') + path, base);
        const sent = send(url, { method, headers, signal: either }, (response) => {
          readBody(response).then((text) => resolve({ status: response.statusCode ?? 0, body: text }), reject);
        });
        sent.on('error', reject);
        sent.end(body);
      }),
    );
  } catch (error) {
    if (signal?.aborted) return err({ type: 'interrupted', message: 'the embedding model was not waited for' });
    if (timeout.aborted)
      return err(away(base, `did not answer within ${patience / 1000} s`, 'see whether it is busy or stuck'));
    const code = systemCode(error);
    return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN'
      ? err(away(base, 'is not running', 'start it: ollama serve'))
      : err(away(base, `broke off (${code ?? 'no whole answer'})`, 'try again'));
  }
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function away(base: URL, what: string, hint: string): Failure {
  return { type: 'model_unavailable', message: `Ollama at ${base.host} ${what}`, hint };
}

function notInstalled(model: string): Failure {
  return { type: 'model_unavailable', message: `the model ${model} is not installed`, hint: `ollama pull ${model}` };
}

function isCloud(model: string): boolean {
  return /[:-]cloud$/.test(model);
}

function cloud(model: string): Failure {
  return {
    type: 'model_unavailable',
    message: `${model} runs in a cloud, and nothing leaves this machine`,
    hint: 'set "embedModel" to a local one, for example embeddinggemma',
  };
}

function findDigest(answer: unknown, model: string): string | undefined {
  const models = field(answer, 'models');
  if (!Array.isArray(models)) return undefined;
  const full = model.includes(':') ? model : `${model}:latest`;
  const found = models.find((entry) => field(entry, 'name') === full || field(entry, 'model') === full);
  const digest = field(found, 'digest');
  return typeof digest === 'string' && digest !== '' ? digest : undefined;
}

function errorText(answer: unknown): string | undefined {
  const text = field(answer, 'error');
  return typeof text === 'string' ? text : undefined;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
