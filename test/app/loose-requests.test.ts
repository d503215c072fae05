import { describe, expect, test } from 'vitest';
import { openWorkspace, type Workspace } from '../../src/app/workspace.js';
import { testWorkspace } from '../support/test-workspace.js';

/** A value as a caller without types passes it. */
const untyped = (value: unknown): never => JSON.parse(JSON.stringify(value)) as never;

async function open(): Promise<Workspace> {
  const { root } = testWorkspace({ 'memory/2026-03-01.md': '- W @Peter: likes tea\n- W @Peter: rows\n' });
  return openWorkspace({ workspace: root, now: '2026-03-10T12:00:00Z', timezone: 'UTC', env: { HOME: root } });
}

const message = { role: 'user', parts: [{ type: 'text', text: 'hello' }], timestamp: null } as const;
const sessions = async (memory: Workspace) => {
  const found = await memory.sessions();
  await found.add('chat', { messages: [message, { ...message, source_id: 'b' }] });
  return found;
};

/** Each method with values that mean "not given", and numbers in quotes. */
const CALLS: Readonly<Record<string, (memory: Workspace) => Promise<unknown>>> = {
  recall: (memory) => memory.recall(untyped({ query: 'tea', k: '1', since: '', entities: [''], kinds: null })),
  recallBatch: async (memory) => {
    for await (const { results } of memory.recallBatch([untyped({ query: 'tea', k: '1', since: null })], untyped(null)))
      expect(results).toHaveLength(1);
  },
  eval: (memory) => memory.eval([{ query: 'tea', expect: ['memory/2026-03-01.md#L1'] }], untyped({ mode: null })),
  lint: (memory) => memory.lint(untyped({ paths: [''], fix: null })),
  view: (memory) => memory.view(untyped({ out: '-', since: 'null', entity: null })),
  index: (memory) => memory.index(untyped({ force: null })),
  'options that are null': (memory) => memory.index(untyped(null)),
  'session add': async (memory) =>
    (await sessions(memory)).add('chat', untyped({ messages: [message], history: null })),
  'session context': async (memory) => (await sessions(memory)).context('chat', untyped('8000')),
  'session brief': async (memory) =>
    (await sessions(memory)).brief('chat', untyped({ budget: '500', compacted: null })),
  'session commit': async (memory) =>
    expect(
      await (await sessions(memory)).commit('chat', untyped({ keepRecent: '1', defer: true, threshold: null })),
    ).toMatchObject({
      archived: 1,
    }),
  'flush check': async (memory) =>
    (await sessions(memory)).flushCheck('chat', untyped({ tokens: '7000', contextWindow: '8192' })),
  'flush run': async (memory) => (await sessions(memory)).flush('chat', undefined, untyped({ maxWait: null })),
  'reflect run': async (memory) => (await memory.reflection()).run(untyped({ maxCalls: '0', since: '' })),
  'reflect prompt': async (memory) => (await memory.reflection()).prompt(untyped({ maxTokens: '16000', part: null })),
  'retain --infer': async (memory) => (await memory.extraction()).infer(untyped({ byRules: true, since: null })),
};

describe('a method of the library reads null as not given and a number in quotes as a number', () => {
  test.each(Object.entries(CALLS))('%s', async (_, call) => {
    await call(await open());
  });

  test('entity limits its facts by a number in quotes', async () => {
    const peter = await (await open()).entity('Peter', untyped({ facts: '1' }));
    expect(peter?.facts).toHaveLength(1);
  });

  test('a text for a number, and a blank required text, are refused', async () => {
    const memory = await open();
    await expect((await sessions(memory)).commit('chat', untyped({ keepRecent: 'two' }))).rejects.toThrow('keepRecent');
    await expect(memory.entity(untyped(null))).rejects.toThrow('name');
  });
});
