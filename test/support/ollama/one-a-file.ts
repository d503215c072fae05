import { afterAll, beforeAll, beforeEach } from 'vitest';
import { FakeOllama } from './server.js';

/** Runs the double for the tests of one file; each test begins without replies and requests. */
export function oneOllama(): FakeOllama {
  const server = new FakeOllama();
  beforeAll(async () => {
    await server.start();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    server.replies.length = 0;
    server.received.length = 0;
  });
  return server;
}
