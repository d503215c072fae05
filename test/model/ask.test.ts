import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import type { Result } from '../../src/base/failure.js';
import { deadlinesOf } from '../../src/model/call.js';
import { errorText, serverError } from '../../src/model/http-call.js';
import type { AnswerFailure, Question, ToolModel } from '../../src/model/model.js';
import { OllamaServer, serverUrl } from '../../src/model/ollama.js';
import { chooseContextWindow, contextWindowForMemory, openChatModel } from '../../src/model/open-chat.js';
import type { FaultName } from '../support/ollama/faults.js';
import { FakeOllama } from '../support/ollama/server.js';
import { oneOllama } from '../support/ollama/start.js';

const LONG_MS = 120_000;
const FREE = { digest: '', levelFor: () => 'free' as const };
const PATIENT = {
  connectMs: LONG_MS,
  firstMs: LONG_MS,
  idleMs: LONG_MS,
  totalMs: LONG_MS,
  infoMs: LONG_MS,
  retryAfterMs: 10,
};
/** Deadlines for a server that is silent. */
const BRIEF = { ...PATIENT, firstMs: 300, idleMs: 300 };
const CHAT = 'qwen3:4b-instruct';

const server = oneOllama();
const printed = [vi.spyOn(console, 'log'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'error')];

afterEach(() => {
  // Text of a server is never printed unchanged.
  for (const spy of printed) expect(spy).not.toHaveBeenCalled();
});

async function open(name = CHAT, numCtx = 8_192, deadlines = PATIENT): Promise<ToolModel> {
  const opened = await openChatModel(new OllamaServer(new URL(server.url), deadlines), name, { ...FREE, numCtx });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

const SCHEMA = z.strictObject({ answer: z.string(), count: z.int().min(0) });
type Answer = z.infer<typeof SCHEMA>;

function question(user = 'how many?', more: Partial<Question<Answer>> = {}): Question<Answer> {
  return { name: 'count', prompt: { system: 'You count.', user }, schema: SCHEMA, ...more };
}

async function ask(asked = question(), signal?: AbortSignal): Promise<Result<Answer, AnswerFailure>> {
  return (await open()).ask(asked, signal);
}

const GOOD = { content: '{"answer":"two","count":2}' };
const asked = () => server.bodies('/api/chat').filter(({ messages }) => Array.isArray(messages) && messages.length > 0);

describe('a request', () => {
  test('streams, forbids truncation and thinking, and keeps the model loaded with one set of options', async () => {
    const model = await open();
    await model.ask(question());
    const { loads } = server.scheduler;
    await model.ask(question('and now?', { maxTokens: 50 }));
    for (const body of server.bodies('/api/chat')) {
      expect(body).toMatchObject({ model: CHAT, stream: true, truncate: false, shift: false, think: false });
      expect(body).toMatchObject({ keep_alive: '15m', options: { num_ctx: 8_192, temperature: 0 } });
    }
    expect(asked().map(({ options }) => options)).toMatchObject([{ num_predict: 2_048 }, { num_predict: 50 }]);
    expect(server.scheduler.loads).toBe(loads);
  });

  test('has a format or tools, never both', async () => {
    const model = await open();
    await model.ask(question());
    await model.act(TURN);
    const [first, second] = asked();
    expect(first).toMatchObject({ format: { type: 'object', additionalProperties: false } });
    expect(first).not.toHaveProperty('tools');
    expect(second).toMatchObject({ tools: [{ type: 'function', function: { name: 'memory_write' } }] });
    expect(second).not.toHaveProperty('format');
  });

  test('is refused before the model reads it when the prompt does not fit', async () => {
    const answer = await ask(question('word '.repeat(9_000)));
    expect(answer).toMatchObject({ ok: false, error: { type: 'refused', hint: expect.stringContaining('numCtx') } });
    expect(asked()).toEqual([]);
  });

  test('uses the trained window of the model, up to the limit of the server', async () => {
    expect((await open('plain:1b', 32_768)).window).toBe(4_096);
    const stingy = await new FakeOllama({ ignoresContextSize: true }).start();
    onTestFinished(() => stingy.stop());
    const opened = await openChatModel(new OllamaServer(new URL(stingy.url), PATIENT), CHAT, {
      ...FREE,
      numCtx: 8_192,
    });
    if (!opened.ok) throw new Error(opened.error.message);
    const answer = await opened.value.ask(question('word '.repeat(3_500)));
    expect(answer).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('do not fit into the context window of qwen3:4b-instruct (4096)') },
    });
  });
});

describe('an answer arrives although', () => {
  const ONCE: readonly FaultName[] = [
    'reset-before-headers',
    'reset-mid-line',
    'reset-before-done',
    'end-without-done',
    'error-line',
    'malformed-line',
    'not-json',
    'runner-stopped',
    'busy',
    'html-502',
    'wrong-schema',
    'think-only',
    'empty-content',
  ];
  test.each(ONCE)('%s happens once', async (fault) => {
    server.faults.set(fault, 1);
    expect(await ask()).toMatchObject({ ok: true });
  });

  const EVERY_TIME: readonly FaultName[] = [
    'prose',
    'fence',
    'broken-json',
    'think-leak',
    'slow-first-token',
    'dribble',
    'extra-fields',
    'version-zero',
    'no-prompt-count',
  ];
  test.each(EVERY_TIME)('%s happens every time', async (fault) => {
    server.faults.set(fault);
    server.replies.push(GOOD);
    expect(await ask()).toEqual({ ok: true, value: { answer: 'two', count: 2 } });
    expect(asked()).toHaveLength(1);
  });

  test('the model never sends JSON, if a recovery function reads its text', async () => {
    server.replies.push({ content: 'count: 3' }, { content: 'still 3' });
    const recover = (text: string) => ({ answer: text, count: 3 });
    expect(await ask(question('?', { recover }))).toEqual({ ok: true, value: { answer: 'still 3', count: 3 } });
  });
});

test('the key that tells the branches of an answer apart has one name in prompt, grammar, answer and recovery', async () => {
  const step = (op: string) => z.strictObject({ op: z.literal(op), count: z.int() });
  const schema = z.strictObject({ step: z.discriminatedUnion('op', [step('add'), step('drop')]) });
  const prompt = { system: 'Example: {"step": {"op": "add", "count": 3}}', user: 'My note says "op".' };
  const recovered: string[] = [];
  const recover = (text: string) => {
    recovered.push(text);
    return undefined;
  };
  const sent = '{"step": {"_op": "drop", "count": 4}}';
  server.replies.push({ content: `${sent.slice(0, -1)}, "more": 1}` }, { content: 'no' }, { content: sent });
  await (await open()).ask({ name: 'step', prompt, schema, recover });
  expect(recovered).toEqual(['no', '{"step": {"op": "drop", "count": 4}, "more": 1}']);
  const answer = await (await open()).ask({ name: 'step', prompt, schema, recover });
  expect(answer).toEqual({ ok: true, value: { step: { op: 'drop', count: 4 } } });
  const { messages, format } = asked()[0] ?? {};
  expect(messages).toMatchObject([
    { content: 'Example: {"step": {"_op": "add", "count": 3}}' },
    { content: prompt.user },
  ]);
  expect(JSON.stringify(format)).toContain('{"_op":{"enum":["add"]}');
});

describe('an answer fails with a reason under', () => {
  const UNAVAILABLE: readonly (readonly [FaultName, RegExp])[] = [
    ['reset-before-headers', /was lost|ended too early/],
    ['hang-before-headers', /sent no answer within 0.3 s/],
    ['hang-after-headers', /within 0.3 s/],
    ['idle-mid-stream', /sent nothing more within 0.3 s/],
    ['reset-mid-line', /was lost|ended too early/],
    ['reset-before-done', /was lost|ended too early/],
    ['end-without-done', /was lost|ended too early/],
    ['error-line', /the model stopped: .*unexpected EOF/],
    ['malformed-line', /no JSON/],
    ['not-json', /the server is not Ollama/],
    ['runner-stopped', /the model stopped/],
    ['busy', /Ollama is busy: server busy/],
    ['html-502', /can't be reached: 502 Bad Gateway/],
    ['broken-error-json', /cut o/],
    ['nested-400', /: failed to parse grammar/],
    ['model-vanishes', /is not installed/],
    ['huge-line', /does not end/],
  ];
  test.each(UNAVAILABLE)('%s', async (fault, message) => {
    const model = await open(CHAT, 8_192, /hang|idle/.test(fault) ? BRIEF : PATIENT);
    server.faults.set(fault);
    const answer = await model.ask(question());
    expect(answer).toMatchObject({
      ok: false,
      error: { type: 'model_unavailable', message: expect.stringMatching(message), hint: expect.stringMatching(/./) },
    });
    // A temporary failure is retried once, any other not at all.
    const tries = server.bodies('/api/chat').length;
    expect(tries).toBeLessThanOrEqual(3);
  });

  test.each<FaultName>(['cut-by-length', 'whitespace-flood'])('%s, without a request to correct it', async (fault) => {
    server.faults.set(fault);
    const answer = await ask();
    expect(answer).toMatchObject({ ok: false, error: { message: expect.stringContaining('is cut off') } });
    expect(asked()).toHaveLength(1);
  });

  test('an endless repetition, which is cut long before the answer is full', async () => {
    server.replies.push({ content: `{"answer":"${'the port is the port is '.repeat(9_000)}` });
    const answer = await ask();
    expect(answer).toMatchObject({ ok: false, error: { message: expect.stringContaining('is cut off') } });
    const { raw = '' } = answer.ok ? {} : answer.error;
    expect(raw.length).toBeLessThan(1_000);
    expect(asked()).toHaveLength(1);
  });

  test.each<FaultName>(['wrong-schema', 'think-only', 'empty-content'])(
    '%s, after one request to correct it',
    async (fault) => {
      server.faults.set(fault);
      const answer = await ask();
      expect(answer).toMatchObject({ ok: false, error: { type: 'invalid_answer', raw: expect.any(String) } });
      expect(asked()).toHaveLength(2);
      const { messages } = asked()[1] ?? {};
      expect(messages).toMatchObject([
        {},
        {},
        { role: 'assistant' },
        { content: expect.stringContaining("can't be used") },
      ]);
    },
  );

  test('silent-truncation, when the server has cut the prompt', async () => {
    server.faults.set('silent-truncation');
    const answer = await ask(question('word '.repeat(4_500)));
    expect(answer).toMatchObject({
      ok: false,
      error: { type: 'refused', message: expect.stringContaining('shortened the prompt') },
    });
  });

  test('an answer that trickles in past the total deadline', async () => {
    const slow = new OllamaServer(new URL(server.url), { ...PATIENT, totalMs: 250 });
    const opened = await openChatModel(slow, CHAT, { ...FREE, numCtx: 8_192 });
    server.faults.set('dribble');
    const words = Array.from({ length: 2_000 }, (_, index) => `word ${index}`);
    server.replies.push({ content: `{"answer":"${words.join(' ')}","count":1}` });
    const answer = await (opened.ok ? opened.value.ask(question()) : opened);
    expect(answer).toMatchObject({ ok: false, error: { message: 'the model did not finish within 0.25 s' } });
  });
});

describe('an unusable model', () => {
  const opened = (name: string) =>
    openChatModel(new OllamaServer(new URL(server.url), PATIENT), name, { ...FREE, numCtx: 8_192 });

  test('is named with the command that installs it, when it is missing', async () => {
    expect(await opened('not-there:1b')).toMatchObject({
      ok: false,
      error: { type: 'model_unavailable', hint: 'install it: ollama pull not-there:1b' },
    });
  });

  test.each(['gpt-oss:120b-cloud', 'qwen3-coder:cloud'])('%s is refused without a request', async (name) => {
    expect(await opened(name)).toMatchObject({ ok: false, error: { message: expect.stringContaining('cloud') } });
    expect(server.received).toEqual([]);
  });

  test('is named with the setting, when it is for embeddings', async () => {
    expect(await opened('embeddinggemma')).toMatchObject({
      ok: false,
      error: { hint: expect.stringContaining('chatModel') },
    });
  });

  test('has the hint to start the server when the server is not running', async () => {
    const nobody = new OllamaServer(new URL('http://127.0.0.1:9'), PATIENT);
    const away = await openChatModel(nobody, CHAT, { ...FREE, numCtx: 8_192 });
    expect(away).toMatchObject({ ok: false, error: { hint: 'start it: ollama serve' } });
  });
});

test.each<FaultName>(['hang-before-headers', 'hang-after-headers', 'idle-mid-stream'])(
  'a signal stops a call at once under %s, and closes the request',
  async (fault) => {
    const model = await open();
    await model.ask(question());
    server.faults.set(fault);
    const before = server.received.length;
    const stop = new AbortController();
    const answer = model.ask(question(), stop.signal);
    await expect.poll(() => server.received.length).toBeGreaterThan(before);
    stop.abort();
    // A call that waited for its deadline would report a missing answer.
    expect(await answer).toMatchObject({ ok: false, error: { type: 'interrupted' } });
    await expect.poll(() => server.received.at(-1)?.aborted).toBe(true);
  },
);

const WRITE = z.strictObject({ text: z.string() });
const TURN = {
  prompt: { system: 'Save what matters.', user: 'I moved to Graz.' },
  tools: [{ name: 'memory_write', description: 'write a note', schema: WRITE }],
};
const CALL = { name: 'memory_write', arguments: { text: 'moved to Graz' } };
const CALLED = { tool: 'memory_write', arguments: { text: 'moved to Graz' } };
const AS_FORM = { content: JSON.stringify({ calls: [CALLED] }) };

describe('a turn with tools', () => {
  test.each(['qwen3:4b-instruct', 'native:1b'])('of %s returns its checked calls', async (name) => {
    server.replies.push({ content: 'Noted.', calls: [CALL] });
    expect(await (await open(name)).act(TURN)).toEqual({ ok: true, value: { calls: [CALLED], text: 'Noted.' } });
  });

  test('may call no tool', async () => {
    server.replies.push({ content: 'Nothing to save.' });
    expect(await (await open()).act(TURN)).toEqual({ ok: true, value: { calls: [], text: 'Nothing to save.' } });
  });

  test.each<FaultName>(['call-in-content', 'two-calls'])('%s: the call is found once', async (fault) => {
    server.faults.set(fault);
    server.replies.push({ content: '', calls: [CALL] });
    expect(await (await open()).act(TURN)).toEqual({ ok: true, value: { calls: [CALLED], text: '' } });
  });

  test('think-leak: thoughts are not part of the text', async () => {
    server.faults.set('think-leak');
    server.replies.push({ content: 'Nothing to save.' });
    expect(await (await open()).act(TURN)).toEqual({ ok: true, value: { calls: [], text: 'Nothing to save.' } });
  });

  test.each<FaultName>(['unknown-tool', 'tool-parse-500', 'cut-by-length'])(
    '%s: the calls are unreadable, so the model answers in a JSON form',
    async (fault) => {
      server.faults.set(fault, 1);
      // A call that fails to parse ends without a reply.
      if (fault !== 'tool-parse-500') server.replies.push({ content: 'a long story', calls: [CALL] });
      server.replies.push(AS_FORM);
      expect(await (await open()).act(TURN)).toEqual({ ok: true, value: { calls: [CALLED], text: '' } });
      expect(asked().at(-1)).toHaveProperty('format');
    },
  );

  test('wrong-argument-types: an obvious value is converted', async () => {
    server.faults.set('wrong-argument-types', 1);
    server.replies.push({ content: '', calls: [CALL] });
    const { value } = { value: undefined, ...(await (await open()).act(TURN)) };
    expect(value).toMatchObject({ calls: [{ tool: CALLED.tool, arguments: { text: '42' } }] });
    expect(asked()).toHaveLength(1);
  });

  test('of a model without tools uses the JSON form at once', async () => {
    server.replies.push(AS_FORM);
    expect(await (await open('plain:1b')).act(TURN)).toEqual({ ok: true, value: { calls: [CALLED], text: '' } });
    expect(asked()).toHaveLength(1);
    expect(asked()[0]).not.toHaveProperty('tools');
  });
});

test.each([
  [undefined, 'http://127.0.0.1:11434/'],
  ['', 'http://127.0.0.1:11434/'],
  [' "example" ', 'http://example:11434/'],
  ['example:1234', 'http://example:1234/'],
  [':1234', 'http://127.0.0.1:1234/'],
  ['0.0.0.0', 'http://127.0.0.1:11434/'],
  ['0.0.0.0:80', 'http://127.0.0.1/'],
  ['::1', 'http://[::1]:11434/'],
  ['[::]:1234', 'http://[::1]:1234/'],
  ['https://example', 'https://example/'],
  ['http://example/ollama', 'http://example/ollama'],
])('OLLAMA_HOST %j means %s', (host, url) => {
  expect(serverUrl(host).href).toBe(url);
});

test('an invalid address is an error of the settings', () => {
  expect(() => serverUrl('http://:::')).toThrow(/not an address/);
});

describe('the window', () => {
  const server = oneOllama();

  test('the default window is as large as memory allows, from 8,192 to 32,768', () => {
    const windows = [2, 8, 16, 24, 64].map((gigabytes) => contextWindowForMemory(gigabytes * 2 ** 30));
    expect(windows).toEqual([8_192, 8_192, 16_384, 32_768, 32_768]);
  });

  test('a window that is set is used; else that of the loaded model, to avoid a reload', async () => {
    const ollama = new OllamaServer(new URL(server.url), deadlinesOf());
    const name = 'qwen3:4b-instruct';
    expect(await chooseContextWindow(ollama, name, { set: 4_096, trained: 40_960 })).toBe(4_096);
    expect(await chooseContextWindow(ollama, name, { set: 65_536, trained: 40_960 })).toBe(40_960);
    await ollama.load(name, { num_ctx: 12_288 }, AbortSignal.timeout(10_000));
    expect(await chooseContextWindow(ollama, name, { set: null, trained: 40_960 })).toBe(12_288);
  });
});

const said = (text: string) => JSON.stringify({ error: text });
const overflow = { code: 400, message: 'the request exceeds', type: 'exceed_context_size_error', n_ctx: 4_096 };

describe('an error of the server', () => {
  test.each<[number, string, string, boolean]>([
    [404, said("model 'x' not found"), 'missing', false],
    [404, said('model "x" not found, try pulling it first'), 'missing', false],
    [404, '404 page not found', 'protocol', false],
    [403, '', 'protocol', false],
    [405, '405 method not allowed', 'protocol', false],
    [503, said('server busy, please try again.  maximum pending requests exceeded'), 'busy', true],
    [502, '<html><h1>502 Bad Gateway</h1></html>', 'broken_off', true],
    [500, said('model runner has unexpectedly stopped, this may be due to'), 'stopped', true],
    [500, said('llama-server process has terminated: exit status 1'), 'stopped', true],
    [400, said('do embedding request: Post "http://127.0.0.1:1/v1/embeddings": EOF'), 'stopped', true],
    [200, said('an error was encountered while running the model: unexpected EOF'), 'stopped', true],
    [400, said(JSON.stringify({ error: overflow })), 'too_long', false],
    [400, said('the input length exceeds the context length'), 'too_long', false],
    [400, said('"x" does not support chat'), 'unfit', false],
    [400, said('registry.ollama.ai/library/x:latest does not support tools'), 'unfit', false],
    [501, said('This server does not support embeddings. Start it with `--embeddings`'), 'unfit', false],
    [500, said('failed to parse JSON: unexpected end of JSON input'), 'tool_call', false],
    [500, said('The model produced output that does not match the expected peg-native format'), 'tool_call', false],
    [400, said('embedding contains NaN or Inf values'), 'rejected', false],
    [500, '{"error": "cut o', 'rejected', false],
    [418, '', 'rejected', false],
  ])('with status %i and body %s means %s', (status, body, problem, again) => {
    const error = serverError(status, body, { model: 'x', setting: 'chatModel' });
    expect([error.problem, error.again]).toEqual([problem, again]);
    expect(error.failure).toMatchObject({ message: expect.stringMatching(/./), hint: expect.stringMatching(/./) });
  });

  test('names the requested model and the setting behind it', () => {
    const missing = serverError(404, said("model 'x:1b' not found"), { model: 'x:1b', setting: 'chatModel' });
    expect(missing.failure.hint).toBe('install it: ollama pull x:1b');
    const unfit = serverError(501, said('no embeddings'), { model: 'x:1b', setting: 'embedModel' });
    expect(unfit.failure.hint).toContain('"embedModel"');
  });

  test('is cut to a message that fits on a screen', () => {
    expect(serverError(500, said('x'.repeat(50_000)), undefined).message.length).toBeLessThan(400);
  });
});

test('nested JSON is unwrapped to its text, and HTML to the text between its tags', () => {
  expect(errorText(said(JSON.stringify({ error: overflow })))).toBe('the request exceeds (exceed_context_size_error)');
  expect(errorText(said('plain'))).toBe('plain');
  expect(errorText('<h1>502</h1>\n<p>Bad Gateway</p>')).toBe('502 Bad Gateway');
  expect(errorText('{"error": "cut o')).toBe('{"error": "cut o');
});
