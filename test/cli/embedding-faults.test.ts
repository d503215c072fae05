import { spawn } from 'node:child_process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/recall/request.js';
import { BIN, childEnv } from '../support/cli.js';
import type { FaultName } from '../support/ollama/faults.js';
import { FakeOllama } from '../support/ollama/server.js';
import { inLetters } from '../support/understood.js';
import { TemporaryWorkspace } from '../support/workspace.js';

const LINES = 40;
const LOG = Array.from({ length: LINES }, (_, i) => `- line ${inLetters(i)} about subject ${inLetters(i * 7)}`).join(
  '\n',
);

interface Embedded {
  readonly vectors: { readonly embedded: number; readonly refused: number; readonly missing: number };
}

let server: FakeOllama;
let workspace: TemporaryWorkspace;

beforeAll(async () => {
  server = await new FakeOllama().start();
});
afterAll(() => server.stop());
beforeEach(() => {
  workspace = new TemporaryWorkspace({ 'memory/2026-03-14.md': LOG });
});
afterEach(() => {
  server.faults.clear();
  workspace.dispose();
});

const env = () => ({ OLLAMA_HOST: server.url });
const embed = () => workspace.json<Embedded>(['index', '--embed'], { env: env() });

/** Faults that occur once and can be overcome: by a second request, or by leaving out the bad input. */
const PASSING: readonly FaultName[] = [
  'reset-before-headers',
  'not-json',
  'runner-stopped',
  'busy',
  'html-502',
  'broken-error-json',
  'embed-eof-400',
  'embed-nan-400',
  'embed-short-count',
  'embed-zero-vector',
  'embed-null-element',
  'extra-fields',
  'dribble',
];
/** Permanent faults, which can only be reported. */
const LASTING: readonly FaultName[] = [
  'reset-before-headers',
  'not-json',
  'runner-stopped',
  'busy',
  'html-502',
  'broken-error-json',
  'model-vanishes',
  'embed-501',
  'embed-eof-400',
  'embed-nan-400',
  'embed-short-count',
  'embed-zero-vector',
  'embed-null-element',
];

describe('index --embed', () => {
  test.each(PASSING)('recovers from %s', async (fault) => {
    // In the middle of the work the model is known.
    await workspace.run(['index']);
    server.faults.set(fault, 1);
    const { vectors } = await embed();
    expect(vectors).toMatchObject({ embedded: LINES, refused: 0, missing: 0 });
  });

  test.each(LASTING)('reports %s with a hint and stores nothing wrong', async (fault) => {
    server.faults.set(fault);
    const result = await workspace.run(['index', '--embed', '--json'], { env: env() });
    expect(result.code).toBe(3);
    expect(JSON.parse(result.stdout)).toMatchObject({ ok: false, error: { type: 'model_unavailable' } });
    expect(result.stderr).toMatch(/^hint: ./m);
    server.faults.clear();
    expect((await embed()).vectors).toMatchObject({ embedded: LINES, refused: 0, missing: 0 });
  });

  test('stops at once on Ctrl-C, and the next run continues', async () => {
    await workspace.run(['index']);
    const tags = server.received.length;
    server.faults.set('hang-before-headers');
    const argv = [BIN, 'memory', '-w', workspace.root, 'index', '--embed'];
    const child = spawn(process.execPath, argv, { env: childEnv({ ...workspace.env, ...env() }), stdio: 'ignore' });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    await expect.poll(() => server.received.length).toBeGreaterThan(tags);
    child.kill('SIGINT');
    // A run that waited for its deadline would exit with 3.
    expect(await ended).toBe(1);
    server.faults.clear();
    expect((await embed()).vectors).toMatchObject({ embedded: LINES, missing: 0 });
  });
});

describe('recall', () => {
  test.each<FaultName>([...LASTING, 'hang-before-headers', 'embed-wrong-dimension'])(
    'answers by words under %s',
    async (fault) => {
      await embed();
      workspace.write('memory.config.json5', '{ "recallEmbedBudgetMs": 400 }');
      server.faults.set(fault);
      for (const mode of ['auto', 'hybrid']) {
        const result = await workspace.run(['recall', `subject ${inLetters(49)}`, '--mode', mode, '--json'], {
          env: env(),
        });
        expect(result.code).toBe(0);
        const answer: RecallAnswer = JSON.parse(result.stdout);
        expect(answer.mode).toBe('lexical');
        expect(answer.warnings).toEqual([expect.stringContaining('searched by words only')]);
        expect(answer.results[0]?.source).toBe('memory/2026-03-14.md#L8');
      }
    },
  );
});

test('a cloud model is refused without a request', async () => {
  workspace.write('memory.config.json5', '{ "embedModel": "qwen3-embedding:8b-cloud" }');
  const result = await workspace.run(['index', '--embed'], { env: env() });
  expect(result.code).toBe(3);
  expect(result.stderr).toContain('memories must not leave this machine');
});
