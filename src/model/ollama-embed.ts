import { type Failure, toFailure } from '../base/failure.js';
import { err, ok, type Result } from '../base/result.js';
import { CallError } from './call-error.js';
import { type Deadlines, timeLimit } from './deadlines.js';
import type { EmbedServer } from './embed.js';
import { callForJson, type Sent } from './http-call.js';
import { refuseCloud, withTag } from './names.js';
import { withOneRetry } from './retry.js';

/** Loading an embedding model, and then its inputs one by one, takes no longer than this, in ms. */
const PATIENCE = { load: 120_000, input: 2_000 };

/**
 * Embeddings of an Ollama server, without its client library: a question that waits for its vector has no time to load
 * one. Below that it is the same call.
 */
export function ollamaEmbedServer(base: URL, deadlines: Deadlines): EmbedServer {
  const ask = async (model: string, path: string, body: object | undefined, firstMs: number, signal?: AbortSignal) => {
    const limit = timeLimit(deadlines.totalMs, signal);
    const url = new URL(base.pathname.replace(/\/$/, '') + path, base);
    const asked = { model, setting: 'embedModel' } as const;
    const { connectMs, idleMs, retryAfterMs } = deadlines;
    const watch = { connectMs, firstMs, idleMs, signal: limit.signal, asked };
    try {
      refuseCloud(model);
      const answer = await withOneRetry(() => callForJson(url, request(body), watch), retryAfterMs, limit.signal);
      return ok(answer.value);
    } catch (error) {
      return err(failureOf(error));
    } finally {
      limit.clear();
    }
  };
  return {
    digest: async (model, signal) => {
      const answer = await ask(model, '/api/tags', undefined, deadlines.infoMs, signal);
      if (!answer.ok) return answer;
      const digest = findDigest(answer.value, model);
      return digest === undefined ? err(notInstalled(model)) : ok(digest);
    },
    embed: async (model, input, signal) => {
      // `truncate: false`: a text that is cut silently would be found by half of what it says.
      const body = { model, input, truncate: false, keep_alive: '15m' };
      const patience = Math.min(deadlines.firstMs, PATIENCE.load + PATIENCE.input * input.length);
      const answer = await ask(model, '/api/embed', body, patience, signal);
      return answer.ok ? embeddingsOf(answer.value, base) : answer;
    },
  };
}

function request(body: object | undefined): Sent {
  if (body === undefined) return { method: 'GET' };
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** What the server says of a text that it does not take, or falls over, is that text's own fault until others fail too. */
const OF_THE_INPUT: ReadonlySet<string> = new Set(['too_long', 'rejected', 'stopped']);

function failureOf(error: unknown): Failure {
  if (!(error instanceof CallError)) return toFailure(error);
  return OF_THE_INPUT.has(error.problem) ? { type: 'refused', message: error.message } : error.failure;
}

function notInstalled(model: string): Failure {
  return { type: 'model_unavailable', message: `the model ${model} is not installed`, hint: `ollama pull ${model}` };
}

function embeddingsOf(answer: object, { host }: URL): Result<readonly (readonly number[])[]> {
  if ('embeddings' in answer && Array.isArray(answer.embeddings)) return ok(answer.embeddings);
  const message = `Ollama at ${host} sent no embeddings`;
  return err({ type: 'model_unavailable', message, hint: 'see the log of ollama serve' });
}

function findDigest(answer: object, model: string): string | undefined {
  const models: readonly unknown[] = 'models' in answer && Array.isArray(answer.models) ? answer.models : [];
  const full = withTag(model);
  const found = models.find((entry) => field(entry, 'name') === full || field(entry, 'model') === full);
  const digest = field(found, 'digest');
  return typeof digest === 'string' && digest !== '' ? digest : undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}
