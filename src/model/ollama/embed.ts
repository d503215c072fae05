import type { Failure } from '../../base/failure.js';
import { err, ok, type Result } from '../../base/result.js';
import { CallError, ofInputs, withOneRetry } from '../call-error.js';
import { type Deadlines, patienceOf, timeLimit } from '../deadlines.js';
import type { EmbedServer } from '../embed.js';
import { refuseCloud, withTag } from './host.js';
import { callForJson, type Sent } from './http-call.js';

/**
 * Embeddings of an Ollama server, without its client library: a question that waits for its vector has no time to load
 * one. Below that it is the same call.
 */
export function ollamaEmbedServer(base: URL, deadlines: Deadlines): EmbedServer {
  return {
    digest: async (model, signal) => {
      const answer = await ask({ base, deadlines, model, path: '/api/tags', firstMs: deadlines.infoMs }, signal);
      if (!answer.ok) return err(answer.error.failure);
      const digest = findDigest(answer.value, model);
      return digest === undefined ? err(notInstalled(model)) : ok(digest);
    },
    embed: async (model, input, signal) => {
      // `truncate: false`: a text that is cut silently would be found by half of what it says.
      const body = { model, input, truncate: false, keep_alive: '15m' };
      const firstMs = patienceOf(deadlines, input.length);
      const answer = await ask({ base, deadlines, model, path: '/api/embed', body, firstMs }, signal);
      return answer.ok ? embeddingsOf(answer.value, base) : err(ofInputs(answer.error));
    },
  };
}

interface Request {
  readonly base: URL;
  readonly deadlines: Deadlines;
  readonly model: string;
  readonly path: string;
  /** Of a POST. */
  readonly body?: object;
  readonly firstMs: number;
}

async function ask(
  { base, deadlines, model, path, body, firstMs }: Request,
  signal: AbortSignal | undefined,
): Promise<Result<object, CallError>> {
  const { connectMs, idleMs, totalMs, retryAfterMs } = deadlines;
  const url = new URL(base.pathname.replace(/\/$/, '') + path, base);
  const limit = timeLimit(totalMs, signal);
  const asked = { model, setting: 'embedModel' } as const;
  const watch = { connectMs, firstMs, idleMs, signal: limit.signal, asked };
  try {
    refuseCloud(model);
    return ok((await withOneRetry(() => callForJson(url, sent(body), watch), retryAfterMs, limit.signal)).value);
  } catch (error) {
    if (error instanceof CallError) return err(error);
    throw error;
  } finally {
    limit.clear();
  }
}

function sent(body: object | undefined): Sent {
  if (body === undefined) return { method: 'GET' };
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
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
