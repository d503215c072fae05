import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serverUrl } from '../../src/model/ollama/host.js';
import { brokenClauses, CONTRACT, type Target } from '../support/ollama/contract.js';
import { MUTATIONS } from '../support/ollama/mutate.js';
import { FakeOllama, type FakeOllamaOptions } from '../support/ollama/server.js';

function targetOf({ url }: FakeOllama, chat = 'qwen3:4b-instruct'): Target {
  return { url, chat, embedding: 'embeddinggemma', tools: true };
}

describe.each(['qwen3:4b-instruct', 'native:1b'])('the double keeps the contract with %s', (chat) => {
  let server: FakeOllama;
  beforeAll(async () => {
    server = await new FakeOllama().start();
  });
  afterAll(() => server.stop());
  test.each(CONTRACT)('$says', ({ check }) => check(targetOf(server, chat)));
});

describe('the contract notices a server that breaks it', () => {
  test.each(MUTATIONS)('%s', async (mutation) => {
    const options: FakeOllamaOptions = { mutation };
    const server = await new FakeOllama(options).start();
    try {
      expect(await brokenClauses(targetOf(server))).not.toEqual([]);
    } finally {
      await server.stop();
    }
  });
});

describe('a real server keeps the contract', () => {
  test('when $OLLAMA_HOST answers and has a chat and an embedding model', async (context) => {
    const target = await realTarget();
    if (typeof target === 'string') return context.skip(target);
    expect(await brokenClauses(target)).toEqual([]);
  });
});

/** The server of the environment with the smallest models that will do, or why there is none. */
async function realTarget(): Promise<Target | string> {
  const host = process.env.OLLAMA_HOST;
  if (host === undefined || host === '') return 'OLLAMA_HOST is not set';
  const url = serverUrl(host).href.replace(/\/$/, '');
  try {
    const response = await fetch(`${url}/api/tags`, { signal: AbortSignal.timeout(2_000) });
    const { models } = (await response.json()) as { models: { name: string; size: number; capabilities?: string[] }[] };
    const bySize = models.toSorted((a, b) => a.size - b.size);
    const chat = bySize.find(({ capabilities: can = [] }) => can.includes('completion') && !can.includes('thinking'));
    const embedding = bySize.find(({ capabilities: can = [] }) => can.includes('embedding'));
    if (chat === undefined || embedding === undefined)
      return 'it lacks a chat model without thinking, or an embedding one';
    return { url, chat: chat.name, embedding: embedding.name, tools: chat.capabilities?.includes('tools') === true };
  } catch {
    return `nothing answers at ${url}`;
  }
}
