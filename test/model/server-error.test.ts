import { describe, expect, test } from 'vitest';
import { errorText, serverError } from '../../src/model/http-call.js';

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
