import { afterAll, beforeAll, expect, test } from 'vitest';
import { deadlinesOf } from '../../src/model/call.js';
import { OllamaServer } from '../../src/model/ollama.js';
import { chooseContextWindow, contextWindowForMemory } from '../../src/model/open-chat.js';
import { DEFAULT_SETTINGS } from '../../src/workspace/settings.js';
import { FakeOllama } from '../support/ollama/server.js';

let server: FakeOllama;
beforeAll(async () => {
  server = await new FakeOllama().start();
});
afterAll(() => server.stop());

test('the default window is as large as memory allows, from 8,192 to 32,768', () => {
  const windows = [2, 8, 16, 24, 64].map((gigabytes) => contextWindowForMemory(gigabytes * 2 ** 30));
  expect(windows).toEqual([8_192, 8_192, 16_384, 32_768, 32_768]);
});

test('a window that is set is used; else that of the loaded model, to avoid a reload', async () => {
  const ollama = new OllamaServer(new URL(server.url), deadlinesOf(DEFAULT_SETTINGS));
  const name = 'qwen3:4b-instruct';
  expect(await chooseContextWindow(ollama, name, { set: 4_096, trained: 40_960 })).toBe(4_096);
  expect(await chooseContextWindow(ollama, name, { set: 65_536, trained: 40_960 })).toBe(40_960);
  await ollama.load(name, { num_ctx: 12_288 }, AbortSignal.timeout(10_000));
  expect(await chooseContextWindow(ollama, name, { set: null, trained: 40_960 })).toBe(12_288);
});
