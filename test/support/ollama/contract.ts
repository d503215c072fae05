import assert from 'node:assert/strict';

/** A server to test against the contract: the double or a real one. */
export interface Target {
  readonly url: string;
  /** A chat model without thinking, and one for embeddings. */
  readonly chat: string;
  readonly embedding: string;
  readonly tools: boolean;
}

type Json = Readonly<Record<string, unknown>>;

/** One property of every Ollama server. Structure only: never texts of a model or times. */
interface Clause {
  readonly says: string;
  check(target: Target): Promise<void>;
}

const SMALL = 2_048;
const ASK = [{ role: 'user', content: 'Count from one to fifty in words.' }];

export const CONTRACT: readonly Clause[] = [
  {
    says: 'the version is text',
    check: async ({ url }) => assert.match(String((await json(url, '/api/version')).body.version), /^\d+\.\d+\.\d+/),
  },
  {
    says: 'every installed model has a tag, a digest and details',
    check: async ({ url }) => {
      const { models } = (await json(url, '/api/tags')).body;
      assert.ok(Array.isArray(models));
      for (const model of models) {
        assert.match(model.name, /:[^/]+$/);
        assert.match(model.digest, /^[0-9a-f]{64}$/);
        assert.equal(typeof model.details.family, 'string');
      }
    },
  },
  {
    says: 'show names capabilities, and the context length under its family',
    check: async ({ url, chat, embedding }) => {
      const one = (await post(url, '/api/show', { model: chat })).body;
      const info = record(one.model_info);
      assert.equal(typeof info[`${info['general.architecture']}.context_length`], 'number');
      assert.ok(strings(one.capabilities).includes('completion'));
      const other = strings((await post(url, '/api/show', { model: embedding })).body.capabilities);
      assert.ok(other.includes('embedding') && !other.includes('completion'));
    },
  },
  {
    says: 'a chat streams unless told not to: whole lines, the only last one done, with whole nanoseconds',
    check: async ({ url, chat }) => {
      const { status, type, text } = await raw(url, '/api/chat', {
        model: chat,
        messages: ASK,
        options: { num_predict: 20 },
      });
      assert.equal(status, 200);
      assert.match(type, /^application\/x-ndjson/);
      assert.ok(text.endsWith('\n'));
      const lines = text.trimEnd().split('\n').map(parse);
      assert.ok(lines.length > 1);
      assert.deepEqual(
        lines.map(({ done }) => done),
        lines.map((_, index) => index === lines.length - 1),
      );
      for (const line of lines) {
        assert.match(String(line.created_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
        assert.equal(record(line.message).role, 'assistant');
        assert.equal(typeof record(line.message).content, 'string');
      }
      checkLast(lines.at(-1) ?? {});
    },
  },
  {
    says: 'without streaming a chat is one JSON document of the same shape',
    check: async ({ url, chat }) => {
      const { status, type, body } = await post(url, '/api/chat', {
        model: chat,
        messages: ASK,
        stream: false,
        options: { num_predict: 20 },
      });
      assert.equal(status, 200);
      assert.match(type, /^application\/json/);
      assert.equal(body.done, true);
      checkLast(body);
    },
  },
  {
    says: 'an answer that is longer than num_predict ends with the reason length',
    check: async ({ url, chat }) => {
      const { body } = await post(url, '/api/chat', {
        model: chat,
        messages: ASK,
        stream: false,
        options: { num_predict: 3 },
      });
      assert.equal(body.done_reason, 'length');
    },
  },
  {
    says: 'a model that is not there is a 404 with a text',
    check: async ({ url }) => {
      for (const path of ['/api/chat', '/api/embed', '/api/show']) {
        const { status, body } = await post(url, path, { model: 'no-such-model', messages: ASK, input: 'x' });
        assert.equal(status, 404);
        assert.match(said(body), /no-such-model.*not found/);
      }
    },
  },
  {
    says: 'what a model can not do is a 400: chat of an embedding model, thinking of one that does not',
    check: async ({ url, chat, embedding }) => {
      const one = await post(url, '/api/chat', { model: embedding, messages: ASK });
      assert.equal(one.status, 400);
      assert.match(said(one.body), /does not support chat/);
      const other = await post(url, '/api/chat', { model: chat, messages: ASK, think: true });
      assert.equal(other.status, 400);
      assert.match(said(other.body), /does not support thinking/);
    },
  },
  {
    says: 'an option of the wrong type and a format that is none are a 500',
    check: async ({ url, chat }) => {
      const option = await post(url, '/api/chat', { model: chat, messages: ASK, options: { num_ctx: 'many' } });
      assert.equal(option.status, 500);
      assert.match(said(option.body), /must be of type integer/);
      const format = await post(url, '/api/chat', { model: chat, messages: ASK, format: 'xml' });
      assert.equal(format.status, 500);
      assert.match(said(format.body), /invalid format/);
    },
  },
  {
    says: 'a prompt that does not fit is a 400 when neither truncate nor shift is allowed',
    check: async ({ url, chat }) => {
      const messages = [{ role: 'user', content: 'one two three four '.repeat(2_000) }];
      const { status, body } = await post(url, '/api/chat', {
        model: chat,
        messages,
        truncate: false,
        shift: false,
        options: { num_ctx: SMALL },
      });
      assert.equal(status, 400);
      assert.notEqual(said(body), '');
    },
  },
  {
    says: 'the window that was asked for is the one that /api/ps shows',
    check: async ({ url, chat }) => {
      const loaded = await post(url, '/api/chat', { model: chat, messages: [], options: { num_ctx: SMALL } });
      assert.equal(loaded.body.done_reason, 'load');
      assert.equal((await running(url, chat))?.context_length, SMALL);
      const unloaded = await post(url, '/api/chat', { model: chat, messages: [], keep_alive: 0 });
      assert.equal(unloaded.body.done_reason, 'unload');
    },
  },
  {
    says: 'an answer in a format is JSON with the required keys, and tools beside it are dropped',
    check: async ({ url, chat, tools }) => {
      const format = {
        type: 'object',
        properties: { answer: { type: 'string', maxLength: 40 }, count: { type: 'integer' } },
        required: ['answer', 'count'],
        additionalProperties: false,
      };
      const { body } = await post(url, '/api/chat', {
        model: chat,
        messages: ASK,
        format,
        stream: false,
        ...(tools ? { tools: [TOOL] } : {}),
        options: { num_predict: 200 },
      });
      const message = record(body.message);
      assert.equal(message.tool_calls, undefined);
      assert.deepEqual(Object.keys(parse(String(message.content))).toSorted(), ['answer', 'count']);
    },
  },
  {
    says: 'embeddings come in order, one an input, of length 1 and equal for equal inputs',
    check: async ({ url, embedding }) => {
      const input = ['the first text', 'another one', 'the first text'];
      const { status, body } = await post(url, '/api/embed', { model: embedding, input });
      assert.equal(status, 200);
      const vectors = matrix(body.embeddings);
      assert.equal(vectors.length, input.length);
      for (const vector of vectors) {
        assert.equal(vector.length, vectors[0]?.length);
        assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-4);
      }
      assert.ok(cosine(vectors[0], vectors[2]) > 0.999);
      assert.ok(cosine(vectors[0], vectors[1]) < 0.999);
      assert.ok(Number.isInteger(body.prompt_eval_count));
    },
  },
  {
    says: 'fewer dimensions are cut and of length 1 again; nothing gives nothing',
    check: async ({ url, embedding }) => {
      const { body } = await post(url, '/api/embed', { model: embedding, input: ['a text'], dimensions: 32 });
      const [vector = []] = matrix(body.embeddings);
      assert.equal(vector.length, 32);
      assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-4);
      assert.deepEqual((await post(url, '/api/embed', { model: embedding, input: '' })).body.embeddings, []);
    },
  },
  {
    says: 'an input that is too long is a 400 when it may not be cut; a chat model has no embeddings',
    check: async ({ url, chat, embedding }) => {
      const input = ['one two three four '.repeat(8_000)];
      const long = await post(url, '/api/embed', { model: embedding, input, truncate: false });
      assert.equal(long.status, 400);
      assert.notEqual(said(long.body), '');
      const cut = await post(url, '/api/embed', { model: embedding, input });
      assert.equal(cut.status, 200);
      // Servers up to 0.24 make embeddings with any model.
      const { status } = await post(url, '/api/embed', { model: chat, input: ['x'] });
      assert.ok(status === 501 || status === 200, String(status));
    },
  },
  {
    says: 'a body that is missing or no JSON is a 400, an unknown path a 404 in plain text, a wrong method a 405',
    check: async ({ url }) => {
      assert.equal((await fetch(`${url}/api/chat`, { method: 'POST' })).status, 400);
      assert.equal((await fetch(`${url}/api/chat`, { method: 'POST', body: '{"mod' })).status, 400);
      const unknown = await fetch(`${url}/api/nothing`);
      assert.equal(unknown.status, 404);
      assert.match(unknown.headers.get('content-type') ?? '', /^text\/plain/);
      assert.equal((await fetch(`${url}/api/chat`)).status, 405);
    },
  },
  {
    says: 'a model that no registry has is an error line of a 200',
    check: async ({ url }) => {
      const { status, text } = await raw(url, '/api/pull', { model: 'no-such-model-at-all' });
      assert.equal(status, 200);
      const lines = text.trim().split('\n').map(parse);
      assert.equal(typeof lines[0]?.status, 'string');
      assert.notEqual(said(lines.at(-1) ?? {}), '');
    },
  },
  {
    says: 'who hangs up frees the model for the next',
    check: async ({ url, chat }) => {
      const gone = new AbortController();
      const body = JSON.stringify({ model: chat, messages: ASK });
      const response = await fetch(`${url}/api/chat`, { method: 'POST', body, signal: gone.signal });
      gone.abort();
      await response.text().catch(() => {});
      const next = await post(url, '/api/chat', {
        model: chat,
        messages: ASK,
        stream: false,
        options: { num_predict: 3 },
      });
      assert.equal(next.status, 200);
    },
  },
];

/** Returns the names of the clauses that a server breaks. */
export async function brokenClauses(target: Target): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const { says, check } of CONTRACT) {
    try {
      await check(target);
    } catch {
      broken.push(says);
    }
  }
  return broken;
}

const TOOL = {
  type: 'function',
  function: {
    name: 'memory_write',
    description: 'write a note',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
};

function checkLast(line: Json): void {
  assert.match(String(line.done_reason), /^(stop|length)$/);
  for (const name of ['total_duration', 'prompt_eval_count', 'eval_count']) {
    assert.ok(Number.isInteger(line[name]) && Number(line[name]) > 0, name);
  }
}

function said(body: Json): string {
  assert.equal(typeof body.error, 'string');
  return String(body.error);
}

async function running(url: string, model: string): Promise<Json | undefined> {
  const { models } = (await json(url, '/api/ps')).body;
  assert.ok(Array.isArray(models));
  return models.map(record).find(({ name }) => name === model || name === `${model}:latest`);
}

async function raw(url: string, path: string, body: Json): Promise<{ status: number; type: string; text: string }> {
  const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
}

async function post(url: string, path: string, body: Json): Promise<{ status: number; type: string; body: Json }> {
  const { status, type, text } = await raw(url, path, body);
  return { status, type, body: parse(text) };
}

async function json(url: string, path: string): Promise<{ body: Json }> {
  return { body: parse(await (await fetch(url + path)).text()) };
}

function parse(text: string): Json {
  return record(JSON.parse(text));
}

function record(value: unknown): Json {
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), 'an object');
  return value as Json;
}

function strings(value: unknown): readonly string[] {
  assert.ok(Array.isArray(value));
  return value.map(String);
}

function matrix(value: unknown): readonly (readonly number[])[] {
  assert.ok(Array.isArray(value));
  return value.map((row) => {
    assert.ok(Array.isArray(row));
    return row.map(Number);
  });
}

function cosine(one: readonly number[] = [], other: readonly number[] = []): number {
  return one.reduce((sum, number, index) => sum + number * (other[index] ?? 0), 0);
}
