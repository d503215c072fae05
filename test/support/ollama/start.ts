import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { childEnv } from '../cli.js';
import { INSTALLED, pullable } from './model.js';
import { FakeOllama, type FakeOllamaOptions } from './server.js';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

/**
 * Runs the double as a process until the end of the running test.
 * @returns its address, usable as `OLLAMA_HOST`
 */
export async function spawnOllama(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...args], { env: childEnv() });
  onTestFinished(() => void child.kill());
  return hostOf(child);
}

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

function hostOf({ stdout, stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (stdout === null) return;
    let errors = '';
    stderr?.on('data', (chunk: Buffer) => (errors += chunk));
    createInterface({ input: stdout })
      .on('line', (line) => line.startsWith('OLLAMA_HOST=') && resolve(line.slice('OLLAMA_HOST='.length)))
      .on('close', () => reject(new Error(`the double ended: ${errors}`)));
  });
}

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
