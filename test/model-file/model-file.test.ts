import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openWorkspace } from '../../src/app/index.js';
import type { RecallAnswer } from '../../src/query/request.js';
import type { ModelList, ModelTrial } from '../../src/upkeep/models.js';
import { cases } from '../support/cases.js';
import { BIN, childEnv } from '../support/cli.js';
import { mcpSession } from '../support/mcp.js';
import { brokenFiles, meet } from '../support/model-file/broken.js';
import { EngineDouble, modelIn, writeEngine } from '../support/model-file/engine-double.js';
import { EMBEDS, gguf } from '../support/model-file/gguf.js';
import { Random } from '../support/random.js';
import { ROOT } from '../support/readme.js';
import { testWorkspace } from '../support/test-workspace.js';
import { inLetters } from '../support/understood.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const LOG = 'memory/2026-03-12.md';
const FILES = {
  [LOG]: [
    '## Retain',
    '- W @Peter: bought an automobile from a dealer in Graz',
    '- W @Anna: resides near the river',
    ...Array.from({ length: 40 }, (_, i) => `- filler line ${inLetters(i)} about topic ${inLetters(i * 7)}`),
  ].join('\n'),
};
const SYNONYMS = { automobile: 'car', vehicle: 'car', purchased: 'bought' };
/** Shares no word with the line about the automobile. */
const QUESTION = 'purchased vehicle';
const PATIENT = { recallEmbedBudgetMs: 60_000 };

interface Warned {
  readonly warnings: readonly string[];
}

function stage(files: Readonly<Record<string, string>> = FILES) {
  const workspace = testWorkspace(files);
  return { workspace, double: new EngineDouble(workspace, SYNONYMS), file: modelIn(workspace) };
}

/** Returns a stage whose vectors are made. */
async function embedded(settings: Readonly<Record<string, unknown>> = PATIENT, files = FILES, modelWaitMs?: number) {
  const made = stage({ ...files, 'memory.config.json5': JSON.stringify(settings) });
  made.workspace.modelWaitMs = modelWaitMs;
  await made.workspace.json(['models', 'use', made.file]);
  await made.workspace.json(['index', '--embed']);
  return made;
}

const sources = ({ results }: RecallAnswer) => results.map(({ source }) => source);
const recall = (workspace: TemporaryWorkspace, question = QUESTION) => workspace.recall(question);
const running = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a model in a file', () => {
  test('answers like a model on a server, under the name of the file', async () => {
    const { workspace, double, file } = stage();
    const used = await workspace.json<{ embedModel: string }>(['models', 'use', file]);
    expect(used.embedModel).toBe('file:~/models/some model.gguf');
    expect(workspace.read('memory.config.json5')).toBe('{\n  embedModel: "file:~/models/some model.gguf",\n}\n');
    const { vectors } = await workspace.json<{ vectors: object }>(['index', '--embed']);
    expect(vectors).toMatchObject({ model: 'some model.gguf', dimension: 64, embedded: 42, refused: 0 });
    workspace.write('memory.config.json5', JSON.stringify({ embedModel: `file:${file}`, ...PATIENT }));
    const answer = await recall(workspace);
    expect([answer.mode, sources(answer)[0], answer.warnings]).toEqual(['hybrid', `${LOG}#L2`, []]);
    const { stdout } = await workspace.run(['status', '--deep']);
    expect(stdout).toMatch(/^vectors {4}42 by some model\.gguf$/m);
    expect(stdout).toMatch(/^embeddings some model\.gguf; can embedding; made for 512 tokens; dimension 64; one in/m);
    // A single question uses one core.
    expect(double.texts.filter((text) => text.endsWith(QUESTION))).toEqual([`1 ${QUESTION}`]);
  });

  test('stays loaded for the next question of a process, and ends with it', async () => {
    const { workspace, double } = await embedded();
    const before = double.pids.length;
    const mcp = await mcpSession(workspace);
    for (let i = 0; i < 3; i++)
      expect((await mcp.call('recall', { query: QUESTION })).results).toContainEqual(
        expect.objectContaining({ source: `${LOG}#L2` }),
      );
    const [pid = 0, ...others] = double.pids.slice(before);
    expect([others, running(pid)]).toEqual([[], true]);
    process.kill(mcp.pid, 'SIGKILL');
    await expect.poll(() => running(pid)).toBe(false);
  });

  test('costs at most the vectors of one answer when its process is killed at any moment', async () => {
    const { workspace, double } = await embedded();
    const mcp = await mcpSession(workspace);
    const random = new Random(37);
    for (let round = 0; round < cases(40, 8); round++) {
      const asked = mcp.call('recall', { query: QUESTION });
      for (let turn = Math.floor(random.next() * 30); turn > 0; turn--) await new Promise(setImmediate);
      const pid = double.pids.at(-1);
      if (pid !== undefined && running(pid)) process.kill(pid, 'SIGKILL');
      expect(await asked).toHaveProperty('results');
    }
    expect(await mcp.call('recall', { query: QUESTION })).toMatchObject({ mode: 'hybrid', warnings: [] });
  });

  test('finds a text on which it crashes or hangs by words, and all others by meaning', async () => {
    const lines = [
      '- W @Peter: dies here, whatever comes behind these words',
      '- W @Anna: no number comes of a line as long as this one',
      FILES[LOG],
    ];
    const { workspace } = await embedded(PATIENT, { [LOG]: lines.join('\n') }, 10_000);
    const { vectors } = await workspace.json<{ vectors: object }>(['status']);
    expect(vectors).toMatchObject({ current: 42, refused: 2, missing: 0 });
    expect(sources(await recall(workspace, 'dies here'))[0]).toBe(`${LOG}#L1`);
    expect(sources(await recall(workspace))[0]).toBe(`${LOG}#L4`);
  });

  test('delays an answer by no more than the budget, with a warning', async () => {
    const { workspace } = await embedded({ recallEmbedBudgetMs: 300 });
    const answer = await recall(workspace, 'what stalls here, near the river?');
    expect(answer).toMatchObject({
      mode: 'lexical',
      warnings: [expect.stringMatching(/did not answer within 300 ms/)],
    });
    expect(sources(answer)[0]).toBe(`${LOG}#L3`);
  });

  test('delays a batch only once while it loads, and answers it by meaning afterwards', async () => {
    const { workspace, double } = await embedded({ recallEmbedBudgetMs: 300 });
    const loaded = double.pids.at(-1) ?? 0;
    process.kill(loaded, 'SIGKILL');
    await expect.poll(() => running(loaded)).toBe(false);
    double.hold(true);
    const memory = await openWorkspace({ workspace: workspace.root, env: workspace.env });
    const questions = new PassThrough({ objectMode: true });
    const ask = () => questions.write({ query: QUESTION });
    ask();
    const answers: RecallAnswer[] = [];
    for await (const answer of memory.recallBatch(questions)) {
      answers.push(answer);
      if (answers.length === 2) double.hold(false);
      if (answer.mode === 'hybrid' || answers.length === 5_000) questions.end();
      else ask();
    }
    expect(answers.slice(0, 2).map(({ mode }) => mode)).toEqual(['lexical', 'lexical']);
    expect(answers[1]?.warnings).toEqual([expect.stringContaining('did not answer within 300 ms')]);
    expect([answers.at(-1)?.mode, answers.at(-1)?.warnings]).toEqual(['hybrid', []]);
  });

  test('does not keep a process from ending, nor outlives it', async () => {
    const { workspace, double } = await embedded();
    const before = double.pids.length;
    expect(await workspace.startJson<RecallAnswer>(['recall', QUESTION])).toMatchObject({ mode: 'hybrid' });
    const [pid = 0] = double.pids.slice(before);
    await expect.poll(() => running(pid)).toBe(false);
  });
});

test('Ctrl-C stops index --embed at once, and the next run continues', async () => {
  const { workspace, double, file } = stage({ [LOG]: `- W @Anna: stalls here, over a text\n${FILES[LOG]}` });
  await workspace.json(['models', 'use', file]);
  const words = [BIN, 'memory', '-w', workspace.root, 'index', '--embed'];
  const child = spawn(process.execPath, words, { env: childEnv(workspace.env), stdio: 'ignore', detached: true });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await expect.poll(() => double.texts.some((text) => text.includes('stalls here'))).toBe(true);
  // Like a terminal: to the whole process group.
  process.kill(-(child.pid ?? 0), 'SIGINT');
  expect(await ended).toBe(1);
  await expect.poll(() => running(double.pids.at(-1) ?? 0)).toBe(false);
  workspace.write(LOG, FILES[LOG]);
  const { vectors } = await workspace.json<{ vectors: { embedded: number } }>(['index', '--embed']);
  expect(vectors).toMatchObject({ missing: 0 });
  expect(vectors.embedded).toBeLessThanOrEqual(42);
});

test('the engine process ends after its idle time', async () => {
  const { workspace, double, file } = stage();
  const addon = join(double.bins, 'llama-addon');
  const task = JSON.stringify({ addon, file, tokens: 256, threads: 1, idleMs: 50 });
  const child = spawn(process.execPath, [join(ROOT, 'bin/engine.js'), task], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    cwd: workspace.home,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
});

describe('a file that the settings name', () => {
  const named = (file: string) => ({ ...FILES, 'memory.config.json5': JSON.stringify({ embedModel: `file:${file}` }) });

  test('is not opened before a person allows it', async () => {
    const { workspace, double, file } = stage();
    workspace.write('memory.config.json5', named(file)['memory.config.json5']);
    for (const args of [
      ['index', '--embed'],
      ['models', 'test'],
    ]) {
      const result = await workspace.run(args);
      expect(result.code).toBe(3);
      expect(result.stderr).toContain(`error: you have not allowed ${file} to be opened\n`);
      expect(result.stderr).toContain(`hint: if you trust this file: openclaw memory models use "${file}"\n`);
    }
    expect(double.pids).toEqual([]);
  });

  test('stays allowed when touched, and no other file in its place is', async () => {
    const { workspace, double, file } = await embedded();
    utimesSync(file, 1, 1);
    expect((await recall(workspace)).mode).toBe('hybrid');
    renameSync(file, `${file}.old`);
    expect((await recall(workspace)).warnings).toEqual([expect.stringContaining('does not exist')]);
    // A link counts as the file that it leads to, and that file is not allowed under its new name.
    symlinkSync(`${file}.old`, file);
    expect((await recall(workspace)).warnings).toEqual([expect.stringContaining('you have not allowed')]);
    rmSync(file);
    const other = gguf({ ...EMBEDS, 'general.name': 'None Model' });
    writeFileSync(file, other);
    const answer = await recall(workspace);
    expect(answer).toMatchObject({
      mode: 'lexical',
      warnings: [expect.stringContaining('has changed since you allowed it')],
    });
    await workspace.json(['models', 'use', file]);
    expect((await recall(workspace)).warnings).toEqual([expect.stringContaining('another version of some model.gguf')]);
    // Only one model is in memory at a time.
    const alive = () => double.pids.filter(running);
    await expect.poll(alive).toEqual(double.pids.slice(-1));
  });

  test.each(['models/some.gguf', '//server/share/some.gguf', '\\\\server\\share\\some.gguf'])(
    '%s is refused as not a path on this machine',
    async (path) => {
      const { workspace } = stage(named(path));
      const { code, stderr } = await workspace.run(['index', '--embed']);
      expect([code, stderr]).toEqual([3, expect.stringContaining(`file:${path} is not a full path`)]);
    },
  );
});

describe('the engine', () => {
  test('is reported as missing by every command, with the command that installs it', async () => {
    const workspace = testWorkspace(FILES);
    const file = modelIn(workspace);
    const used = await workspace.json<Warned>(['models', 'use', file]);
    const line = 'install it: openclaw memory models engine --install';
    expect(used.warnings).toEqual([`the engine for model files is not installed (${line})`]);
    for (const args of [
      ['index', '--embed'],
      ['models', 'test'],
      ['models', 'engine'],
    ])
      expect(await workspace.run(args)).toMatchObject({ code: 3, stderr: expect.stringContaining(`hint: ${line}\n`) });
    const { stdout } = await workspace.run(['doctor']);
    expect(stdout).toMatch(/ok +embeddings +some model\.gguf, a file of 1 MB\n/);
    expect(stdout).toMatch(
      /warning +engine +the engine for model files is not installed\n +install it: openclaw memory models/,
    );
  });

  test('causes an answer by words with a warning after its removal', async () => {
    const { workspace, double } = await embedded();
    rmSync(join(double.bins, 'llama-addon.js'));
    const pid = double.pids.at(-1) ?? 0;
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => running(pid)).toBe(false);
    const broken = await recall(workspace, 'who resides near the river?');
    expect(broken).toMatchObject({
      mode: 'lexical',
      warnings: [expect.stringContaining('the engine does not run here')],
    });
    rmSync(join(workspace.home, '.local'), { recursive: true });
    const answer = await recall(workspace, 'who resides near the river?');
    expect(sources(answer)[0]).toBe(`${LOG}#L3`);
    expect(answer.warnings).toEqual([expect.stringContaining('install it: openclaw memory models engine --install')]);
  });

  test('is loaded from one folder and in one version, never from the workspace or the current folder', async () => {
    const { workspace, file } = { workspace: testWorkspace(FILES), file: '' };
    for (const folder of [workspace.root, workspace.base]) writeEngine(folder);
    expect((await workspace.run(['models', 'engine'])).code).toBe(3);
    writeEngine(join(workspace.base, 'old'), { version: '3.0.0' });
    const old = await workspace.run(['models', 'engine', '--install', '--from', 'old']);
    expect([old.code, old.stderr]).toEqual([
      1,
      expect.stringMatching(/^error: npm installed version 3\.0\.0, but [\d.]+ is needed/),
    ]);
    const none = await workspace.run(['models', 'engine', '--install', '--from', 'nowhere']);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('does not contain @node-llama-cpp/') });
    expect((await workspace.run(['models', 'engine'])).code).toBe(3);
    const installed = await workspace.json<{ folder: string }>(['models', 'engine', '--install', '--from', '.']);
    expect(installed.folder.startsWith(join(workspace.home, '.local/share/openclaw-memory/engine'))).toBe(true);
    expect(await workspace.json(['models', 'engine'])).toEqual(installed);
    expect(file).toBe('');
  });

  test('is installed by npm in one version, without scripts', async () => {
    const workspace = testWorkspace(FILES);
    const bin = join(workspace.base, 'bin');
    mkdirSync(bin);
    const npm = (lines: string) => writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env.PATH}` };
    npm('echo "npm error code ENOTFOUND" >&2; echo "npm error network: no way out" >&2; exit 1');
    expect(await workspace.run(['models', 'engine', '--install'], { env })).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/could not download @node-llama-cpp\/\S+: network: no way out\nhint: .*--from DIR/),
    });
    writeEngine(join(workspace.base, 'fetched'));
    npm(`echo "$@" > "${workspace.base}/asked"; cp -r "${workspace.base}/fetched/node_modules" .`);
    expect(await workspace.run(['models', 'engine', '--install'], { env })).toMatchObject({ code: 0 });
    const asked = await workspace.run(['models', 'engine']);
    expect(asked.code).toBe(0);
    expect(readFileSync(join(workspace.base, 'asked'), 'utf8')).toMatch(
      /^install --ignore-scripts --omit=optional .* --prefix \. @node-llama-cpp\/[\w-]+@3\.22\.1\n$/,
    );
  });
});

describe('models', () => {
  test('list shows installed models and their languages, and loads none', async () => {
    const { workspace, double, file } = await embedded();
    const before = double.pids.length;
    const list = await workspace.json<ModelList>(['models', 'list']);
    expect(list.models).toMatchObject([{ name: `file:${file}`, from: 'file', isSet: true, problem: null }]);
    expect(list.models[0]?.languages).toContainEqual({ name: 'English', share: 1 });
    expect(list).toMatchObject({ server: { type: 'model_unavailable' }, engine: { version: '3.22.1', problem: null } });
    rmSync(file);
    const { stdout } = await workspace.run(['models', 'list']);
    expect(stdout).toMatch(/^file {7}file:.*some model\.gguf; .*knows English, .*\n +.* does not exist\n/);
    expect(double.pids).toHaveLength(before);
  });

  test('test shows what a model knows and costs', async () => {
    const { workspace } = await embedded();
    const trial = await workspace.json<ModelTrial>(['models', 'test']);
    expect(trial).toMatchObject({ name: 'some model.gguf', dimension: 64, firstMs: expect.any(Number) });
    expect(trial.languages).toContainEqual({ name: 'Chinese', share: 1 });
    const { stdout } = await workspace.run(['models', 'test']);
    expect(stdout).toMatch(/^question {3}\d+ ms each\nlines {6}[\d.]+ s for 1,000\nlanguages {2}knows English, /m);
  });

  test.each([
    ['{}', '{\n  "embedModel": "other",}'],
    ['{ embedModel: "a" }', '{ embedModel: "other" }'],
    [
      "{\n  // embedModel: 'never',\n  'embedModel': 'a', // why\n}",
      "{\n  // embedModel: 'never',\n  'embedModel': \"other\", // why\n}",
    ],
    ['// {\n{ ignore: ["embedModel: null"] }', '// {\n{\n  "embedModel": "other", ignore: ["embedModel: null"] }'],
    ['{"embedModel":null,"numCtx":4096}', '{"embedModel":"other","numCtx":4096}'],
  ])('use changes only the model in the settings %j', async (before, after) => {
    const workspace = testWorkspace({ ...FILES, 'memory.config.json5': before });
    const shown = await workspace.json<{ diff: string }>(['models', 'use', 'other', '--dry-run']);
    expect([shown.diff, workspace.read('memory.config.json5')]).toEqual([expect.stringContaining('+'), before]);
    const { warnings } = await workspace.json<Warned>(['models', 'use', 'other']);
    expect([workspace.read('memory.config.json5'), warnings]).toEqual([
      after,
      [expect.stringContaining('is not running')],
    ]);
  });
});

test.each(brokenFiles(cases(60, 34), new Random(37)))(
  '$name is reported as what it is, and words answer',
  async (broken) => {
    const workspace = testWorkspace({ 'memory/2026-03-12.md': '## Retain\n- W @Anna: resides near the river\n' });
    new EngineDouble(workspace);
    expect(await meet(workspace, broken)).toBe('');
  },
);
