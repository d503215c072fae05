import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { formatPullProgress } from '../../src/cli/progress.js';
import type { Finding } from '../../src/upkeep/doctor.js';
import type { ModelsReport } from '../../src/upkeep/models.js';
import { BIN, childEnv } from '../support/cli.js';
import { cliHere } from '../support/cli-here.js';
import { type CommandStage, FILES, MODEL_COMMANDS, PULLABLE } from '../support/model-commands.js';
import type { FaultName } from '../support/ollama/faults.js';
import { INSTALLED } from '../support/ollama/model.js';
import { FakeOllama } from '../support/ollama/server.js';
import { ollamaHere } from '../support/ollama/start.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

interface Health {
  readonly ok: boolean;
  readonly checks: readonly Finding[];
  readonly pulled: readonly string[] | null;
}

const modelChecks = ({ checks }: Health) =>
  checks.filter(({ check }) => ['ollama', 'chat model', 'embeddings'].includes(check));

describe('doctor', () => {
  test('names the server and both models when all are there', async () => {
    const env = { OLLAMA_HOST: await ollamaHere() };
    const { ok, checks, pulled } = await testWorkspace(FILES).json<Health>(['doctor'], { env });
    expect([ok, pulled]).toEqual([true, null]);
    expect(modelChecks({ ok, checks, pulled })).toEqual([
      {
        check: 'ollama',
        state: 'ok',
        message: expect.stringMatching(/^0\.32\.9 at 127\.0\.0\.1:\d+ \(from \$OLLAMA_HOST\)$/),
      },
      {
        check: 'chat model',
        state: 'ok',
        message: 'qwen3:4b-instruct: verdicts free, facts free, memory free',
      },
      { check: 'embeddings', state: 'ok', message: 'embeddinggemma' },
    ]);
  });

  test('prints the command that installs what is missing, and --pull installs it', async () => {
    const env = { OLLAMA_HOST: await ollamaHere('tiny:1b', 'tiny-embed') };
    const workspace = testWorkspace({
      ...FILES,
      'memory.config.json5': '{ chatModel: "tiny:1b", embedModel: "tiny-embed" }',
    });
    const before = await workspace.json<Health>(['doctor'], { env });
    expect(before.ok).toBe(true);
    expect(modelChecks(before).slice(1)).toMatchObject([
      {
        state: 'warning',
        message: 'the model tiny:1b is not installed',
        hint: 'set "chatModel" to qwen3:4b-instruct, which is installed, or run: ollama pull tiny:1b',
      },
      {
        state: 'warning',
        message: 'the model tiny-embed is not installed',
        hint: 'set "embedModel" to embeddinggemma, which is installed, or run: ollama pull tiny-embed',
      },
    ]);
    const pull = await workspace.run(['doctor', '--pull', '--json'], { env });
    expect(pull).toMatchObject({ code: 0, stderr: 'note: downloaded tiny:1b\nnote: downloaded tiny-embed\n' });
    const after: Health = JSON.parse(pull.stdout);
    expect(after.pulled).toEqual(['tiny:1b', 'tiny-embed']);
    expect(modelChecks(after).map(({ state }) => state)).toEqual(['ok', 'ok', 'ok']);
    expect((await workspace.json<Health>(['doctor', '--pull'], { env })).pulled).toEqual([]);
  });

  test('--pull of an unknown model, or without a network, exits with 3 and a hint', async () => {
    const workspace = testWorkspace({ ...FILES, 'memory.config.json5': '{ chatModel: "no-such-model" }' });
    for (const host of [await ollamaHere('tiny:1b'), await ollamaHere()]) {
      const result = await workspace.run(['doctor', '--pull'], { env: { OLLAMA_HOST: host } });
      expect(result).toMatchObject({ code: 3, stdout: '' });
      expect(result.stderr).toMatch(
        /^error: no-such-model could not be downloaded: .*manifest.*\nhint: check the name/,
      );
    }
  });

  test('a configured server that is away is a warning; the default server that is away is none', async () => {
    const workspace = testWorkspace(FILES);
    const named = await workspace.json<Health>(['doctor'], { env: { OLLAMA_HOST: '127.0.0.1:9' } });
    expect(named.ok).toBe(true);
    expect(modelChecks(named)).toMatchObject([{ state: 'warning', hint: 'start it: ollama serve' }]);
    const { stdout, code } = await workspace.run(['doctor'], { env: { OLLAMA_HOST: ':::' } });
    expect([code, stdout]).toEqual([4, expect.stringContaining('":::" is not an address of an Ollama server')]);
  });

  test.each(['chatModel', 'embedModel'])('a cloud model as %s is refused', async (setting) => {
    const config = JSON.stringify({ [setting]: 'big:cloud' });
    const workspace = testWorkspace({ ...FILES, 'memory.config.json5': config });
    const env = { OLLAMA_HOST: await ollamaHere() };
    const { stdout } = await workspace.run(['doctor'], { env });
    expect(stdout).toContain('big:cloud runs in a cloud, but memories must not leave this machine');
    expect(await workspace.run(['doctor', '--pull'], { env })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('runs in a cloud'),
    });
  });
});

test('models list needs no workspace and creates none; models use needs one', async () => {
  const workspace = testWorkspace();
  const env = { ...workspace.env, OLLAMA_HOST: await ollamaHere() };
  const run = (...args: readonly string[]) => cliHere(['models', ...args], { env, cwd: workspace.base });
  expect((await run('list')).stdout).toMatch(/^ollama +embeddinggemma; can embedding; chosen$/m);
  expect((await run('test')).stdout).toMatch(/^model +embeddinggemma, 768 numbers a vector$/m);
  expect(await run('use', 'all-minilm')).toMatchObject({ code: 1, stderr: expect.stringContaining('memory init') });
  expect(await run('list', '-w', 'none')).toMatchObject({ code: 1, stderr: expect.stringContaining('no workspace') });
  expect(readdirSync(workspace.home)).toEqual(['cache']);
});

test('the download of a model shows a progress bar', () => {
  expect(formatPullProgress('tiny:1b', { status: 'pulling manifest', completed: 0, total: 0 })).toBe(
    'tiny:1b: pulling manifest',
  );
  const half = { status: 'pulling 0a1b', completed: 1_250_000_000, total: 2_500_000_000 };
  expect(formatPullProgress('tiny:1b', half)).toBe(`tiny:1b: ${'█'.repeat(12)}${'░'.repeat(12)} 50 % of 2.50 GB`);
});

describe('status --deep', () => {
  test('tries both models and reports what they can do and how fast they are', async () => {
    const env = { OLLAMA_HOST: await ollamaHere() };
    // Defaults depend on the memory of the machine.
    const workspace = testWorkspace({ ...FILES, 'memory.config.json5': '{ numCtx: 8192 }' });
    const { models } = await workspace.json<{ models: ModelsReport }>(['status', '--deep'], { env });
    expect(models).toEqual({
      host: env.OLLAMA_HOST.replace('http://', ''),
      hostFrom: '$OLLAMA_HOST',
      version: '0.32.9',
      problem: null,
      installed: expect.arrayContaining(['qwen3:4b-instruct', 'embeddinggemma:latest']),
      chat: {
        name: 'qwen3:4b-instruct',
        capabilities: ['completion', 'tools'],
        contextLength: 262_144,
        window: 8_192,
        loadMs: expect.any(Number),
        answerMs: expect.any(Number),
        problem: null,
        levels: { verdicts: 'free', facts: 'free', memory: 'free' },
      },
      embedding: {
        name: 'embeddinggemma',
        capabilities: ['embedding'],
        contextLength: 2_048,
        dimension: 768,
        embeddingMs: expect.any(Number),
        problem: null,
      },
    });
    const { stdout } = await workspace.run(['status', '--deep'], { env });
    expect(stdout).toMatch(/^chat {7}qwen3:4b-instruct; can completion, tools; .*window of 8192 tokens/m);
    expect(stdout).toMatch(/^embeddings embeddinggemma; .*dimension 768; one in \d+ ms/m);
  });

  test('reports what is wrong with its remedy, and everything else as well', async () => {
    const workspace = testWorkspace({ ...FILES, 'memory.config.json5': '{ chatModel: "not-there" }' });
    const there = await workspace.run(['status', '--deep'], { env: { OLLAMA_HOST: await ollamaHere() } });
    expect(there.code).toBe(0);
    expect(there.stdout).toMatch(
      /^chat {7}not-there\n +the model not-there is not installed\n +set "chatModel" to qwen3:4b-instruct, which is installed, or run: ollama pull not-there$/m,
    );
    expect(there.stdout).toMatch(/dimension 768/);
    const away = await workspace.run(['status', '--deep']);
    expect(away).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/is not running at 127.0.0.1:9\n +start it: ollama serve/),
    });
  });
});

describe('a default model that is missing while another of its kind is installed', () => {
  const MINILM = INSTALLED.filter(({ name }) => name.startsWith('all-minilm'));
  const THERE = INSTALLED.filter(({ name }) => name === 'plain:1b');
  const hint = 'set "embedModel" to all-minilm, which is installed, or run: ollama pull embeddinggemma';

  test.each([true, false])(
    'is named by doctor, status --deep and index --embed (in the list: %s)',
    async (listsCapabilities) => {
      const server = await new FakeOllama({ models: [...MINILM, ...THERE], listsCapabilities }).start();
      onTestFinished(() => server.stop());
      const env = { OLLAMA_HOST: server.url };
      const workspace = testWorkspace(FILES);
      const health = await workspace.json<Health>(['doctor'], { env });
      expect(modelChecks(health).slice(1)).toMatchObject([
        {
          state: 'warning',
          hint: 'set "chatModel" to plain:1b, which is installed, or run: ollama pull qwen3:4b-instruct',
        },
        { state: 'warning', hint },
      ]);
      const { stdout } = await workspace.run(['status', '--deep'], { env });
      expect(stdout).toContain(hint);
      const embedding = await workspace.run(['index', '--embed'], { env });
      expect(embedding).toMatchObject({ code: 3, stderr: expect.stringContaining(`hint: ${hint}\n`) });
      // The suggested setting fixes it.
      workspace.write('memory.config.json5', '{ embedModel: "all-minilm" }');
      expect(await workspace.run(['index', '--embed'], { env })).toMatchObject({ code: 0 });
    },
  );

  test('no substitute is suggested when none of its kind is installed', async () => {
    const server = await new FakeOllama({ models: THERE }).start();
    onTestFinished(() => server.stop());
    const result = await testWorkspace(FILES).run(['index', '--embed'], { env: { OLLAMA_HOST: server.url } });
    expect(result).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('hint: install it: ollama pull embeddinggemma\n'),
    });
  });
});

describe('Ctrl-C stops a model call at once and leaves nothing half-done:', () => {
  const CALLS: readonly (readonly [command: string, fault: FaultName, path: string, everywhere: boolean])[] = [
    ['session commit', 'hang-before-headers', '/api/chat', false],
    ['session commit', 'idle-mid-stream', '/api/chat', false],
    ['session compact', 'hang-after-headers', '/api/chat', false],
    ['session resume', 'idle-mid-stream', '/api/chat', false],
    ['flush run', 'hang-before-headers', '/api/chat', false],
    ['reflect', 'idle-mid-stream', '/api/chat', false],
    ['index --embed', 'hang-before-headers', '/api/embed', false],
    ['index --embed', 'idle-mid-stream', '/api/embed', false],
    ['recall', 'hang-before-headers', '/api/embed', false],
    ['recall --mode hybrid', 'hang-before-headers', '/api/tags', true],
    ['eval --mode hybrid', 'hang-before-headers', '/api/embed', false],
    ['status --deep', 'hang-before-headers', '/api/version', true],
    ['status --deep', 'hang-before-headers', '/api/chat', false],
    ['doctor', 'hang-before-headers', '/api/version', true],
    ['doctor --pull', 'idle-mid-stream', '/api/pull', false],
  ];

  test.each(CALLS)('%s, %s of %s', async (name, fault, path, everywhere) => {
    const command = MODEL_COMMANDS.find((candidate) => candidate.name === name);
    if (command === undefined) throw new Error(`no command ${name}`);
    const stage = await openStage();
    await stage.run(['index', '--embed']);
    // A long budget for the vector, so that Ctrl-C ends the answer.
    stage.workspace.write('memory.config.json5', JSON.stringify({ recallEmbedBudgetMs: 60_000 }));
    await command.prepare?.(stage);
    stage.server.received.length = 0;
    stage.server.faults.everywhere = everywhere;
    stage.server.faults.set(fault);
    const child = start(stage.workspace, command.args, stage.server.url);
    const request = () => stage.server.received.findLast((received) => received.path === path);
    await expect.poll(request).toBeDefined();
    await stage.server.hung();
    child.process.kill('SIGINT');
    expect(await child.ended).toBe(1);
    expect(child.stderr()).toMatch(/^(?:error|warning): .+\nhint: run .*again/m);
    await expect.poll(() => request()?.aborted).toBe(true);
    command.settled?.(stage);
    // The next command does the unfinished work.
    stage.server.faults.clear();
    const again = name.startsWith('session') ? ['session', 'resume', 'chat'] : command.args;
    const { code, stdout } = await stage.run([...again, '--json']);
    expect([code, stdout]).toEqual([0, expect.not.stringMatching(/"overview_by":"deterministic"|by words only/)]);
  });
});

async function openStage(): Promise<CommandStage> {
  const server = await new FakeOllama({ models: INSTALLED, registry: PULLABLE }).start();
  onTestFinished(() => server.stop());
  const workspace = testWorkspace(FILES);
  const run = (args: readonly string[]) => workspace.run(args, { env: { OLLAMA_HOST: server.url } });
  return { workspace, server, run };
}

function start(workspace: TemporaryWorkspace, args: readonly string[], host: string) {
  const child = spawn(process.execPath, [BIN, 'memory', '-w', workspace.root, ...args], {
    env: childEnv({ ...workspace.env, OLLAMA_HOST: host }),
    cwd: workspace.base,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { process: child, ended, stderr: () => errors };
}
