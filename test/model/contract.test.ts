import { describe, expect, onTestFinished, test } from 'vitest';
import { serverUrl } from '../../src/model/ollama.js';
import { brokenClauses, CONTRACT, type Target } from '../support/ollama/contract.js';
import { FakeOllama } from '../support/ollama/server.js';
import { oneOllama } from '../support/ollama/start.js';

function targetOf({ url }: FakeOllama, chat = 'qwen3:4b-instruct'): Target {
  return { url, chat, embedding: 'embeddinggemma', tools: true };
}

describe.each(['qwen3:4b-instruct', 'native:1b'])('the double keeps the contract with %s', (chat) => {
  const server = oneOllama();
  test.each(CONTRACT)('$says', ({ check }) => check(targetOf(server, chat)));
});

describe('a real server', () => {
  // A real model takes seconds to load and answer, and there are seventeen clauses.
  test('keeps the contract when $OLLAMA_HOST has a chat and an embedding model', {
    timeout: 30 * 60_000,
  }, async (context) => {
    const target = await realTarget(process.env.OLLAMA_HOST);
    if (typeof target === 'string') return context.skip(target);
    expect(await brokenClauses(target)).toEqual([]);
  });

  test.each([true, false])(
    'is tested with models of the right capabilities, listed by the server (%s) or not',
    async (says) => {
      const server = await new FakeOllama({ listsCapabilities: says }).start();
      onTestFinished(() => server.stop());
      expect(await realTarget(server.url)).toEqual({
        url: server.url,
        chat: 'qwen3:4b-instruct',
        embedding: 'embeddinggemma:latest',
        tools: true,
      });
    },
  );
});

/** Returns the server of the environment with its smallest suitable models, or why there is none. */
async function realTarget(host: string | undefined): Promise<Target | string> {
  if (host === undefined || host === '') return 'OLLAMA_HOST is not set';
  const url = serverUrl(host).href.replace(/\/$/, '');
  const models: { readonly name: string; readonly can: readonly string[] }[] = [];
  try {
    const response = await fetch(`${url}/api/tags`, { signal: AbortSignal.timeout(2_000) });
    const listed = (await response.json()) as {
      readonly models: readonly { readonly name: string; readonly size: number }[];
    };
    for (const { name } of listed.models.toSorted((a, b) => a.size - b.size)) {
      // Only newer servers list capabilities.
      const shown = await fetch(`${url}/api/show`, { method: 'POST', body: JSON.stringify({ model: name }) });
      const { capabilities = [] } = (await shown.json()) as { readonly capabilities?: readonly string[] };
      models.push({ name, can: capabilities });
    }
  } catch {
    return `nothing answers at ${url}`;
  }
  const chat = models.find(({ can }) => can.includes('completion') && !can.includes('thinking'));
  const embedding = models.find(({ can }) => can.includes('embedding'));
  if (chat === undefined || embedding === undefined)
    return 'it lacks a chat model without thinking, or an embedding one';
  return { url, chat: chat.name, embedding: embedding.name, tools: chat.can.includes('tools') };
}
