import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { INSTALLED, pullable } from './model.js';
import { FakeOllama, type FakeOllamaOptions } from './server.js';

/** Runs the double in this process until the end of the running test. */
export async function testOllama(options?: FakeOllamaOptions): Promise<FakeOllama> {
  const server = await new FakeOllama(options).start();
  onTestFinished(() => server.stop());
  return server;
}

/** The same, for its address, with these models to pull. */
export async function ollamaHere(...registry: readonly string[]): Promise<string> {
  const pulled = registry.length === 0 ? {} : { registry: registry.map(pullable) };
  return (await testOllama({ models: INSTALLED, ...pulled })).url;
}

/** Runs the double for the tests of one file; each test begins without faults, replies and requests. */
export function oneOllama(): FakeOllama {
  const server = new FakeOllama();
  beforeAll(async () => {
    await server.start();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    server.faults.clear();
    server.replies.length = 0;
    server.received.length = 0;
  });
  return server;
}
