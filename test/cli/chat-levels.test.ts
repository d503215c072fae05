import { spawn } from 'node:child_process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answerChatTest, type ScriptedQuality } from '../support/chat-answers.js';
import { BIN, childEnv } from '../support/cli.js';
import { oneOllama } from '../support/ollama/start.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const server = oneOllama();
const NAMED = { 'memory.config.json5': '{ chatModel: "qwen3:4b-instruct" }' };
const LOGS = {
  'memory/2026-03-01.md': '## Retain\n- O(c=0.8) @Peter: Prefers tea in the morning.\n- W @Peter: lives in Graz\n',
  'memory/2026-03-05.md':
    '## Retain\n- W @Peter: drinks coffee in the morning and no tea any more\n- W @Peter: moved to Linz\n',
};

interface Tested {
  readonly chat: {
    readonly levels: Readonly<Record<string, string | null>>;
    readonly isWhole: boolean;
    readonly results: unknown;
  };
}

function untested(files = {}): TemporaryWorkspace {
  const workspace = testWorkspace({ ...LOGS, ...NAMED, ...files });
  workspace.chatLevel = undefined;
  return workspace;
}

const env = () => ({ OLLAMA_HOST: server.url });

/** From now on the model answers with this quality. */
function answerWith(quality: ScriptedQuality): void {
  for (let at = 0; at < 200; at++) server.replies.push((messages) => answerChatTest(messages, quality));
}

const chats = () => server.bodies('/api/chat').filter(({ messages }) => Array.isArray(messages) && messages.length > 0);

describe('a chat model is tested before it is used', () => {
  const FREE = { verdicts: 'free', facts: 'free', memory: 'free' };
  const SOME = { verdicts: 'extractive', facts: 'extractive', memory: 'extractive' };
  const NONE = { verdicts: 'unused', facts: 'unused', memory: 'unused' };

  test.each<[string, ScriptedQuality, Record<string, string>]>([
    ['with all answers right does every task', { share: 1 }, FREE],
    ['with 90 % right writes, but its verdicts are bounded', { share: 0.9 }, { ...FREE, verdicts: 'extractive' }],
    ['with 75 % right only chooses', { share: 0.75 }, SOME],
    ['with a third right does nothing', { share: 1 / 3 }, NONE],
    [
      'that ends a statement which still holds judges nothing',
      { share: 1, falseEnd: true },
      { ...FREE, verdicts: 'unused' },
    ],
    ['that invents only chooses what it writes', { share: 1, invents: true }, { ...SOME, verdicts: 'free' }],
  ])('one %s', async (_, quality, levels) => {
    const workspace = untested();
    answerWith(quality);
    const { chat } = await workspace.json<Tested>(['models', 'test'], { env: env() });
    expect(chat).toMatchObject({ levels, isWhole: true });
  });

  test('one that was not tested, or failed, is not asked: the rules do the work and say why', async () => {
    const workspace = untested();
    const before = await workspace.run(['reflect', '--max-minutes', '0'], { env: env() });
    expect(before.stderr).toContain('qwen3:4b-instruct is not used, because it has not been tested');
    expect(chats()).toEqual([]);
    answerWith({ share: 1 / 3 });
    await workspace.json(['models', 'test'], { env: env() });
    server.received.length = 0;
    workspace.write('memory/2026-03-06.md', '## Retain\n- W @Peter: drinks green tea at work\n');
    const after = await workspace.run(['reflect'], { env: env() });
    expect(after.stderr).toContain('qwen3:4b-instruct is not used, because it failed its test');
    expect(chats()).toEqual([]);
    const { stdout } = await workspace.run(['models', 'list'], { env: env() });
    expect(stdout).toMatch(/^chat +qwen3:4b-instruct: verdicts not used, facts not used, memory not used$/mu);
  });

  test('once for a digest: a second test asks nothing, --again asks all', async () => {
    const workspace = untested();
    answerWith({ share: 1 });
    await workspace.json(['models', 'test'], { env: env() });
    const count = chats().length;
    await workspace.json(['models', 'test'], { env: env() });
    expect(chats()).toHaveLength(count);
    await workspace.json(['models', 'test', '--again'], { env: env() });
    expect(chats()).toHaveLength(2 * count);
  });

  test('a test that is killed goes on where it ended', async () => {
    const workspace = untested();
    answerWith({ share: 1 });
    const all = 24;
    server.replies.length = 10;
    server.replies.push(() => {
      server.faults.set('hang-before-headers');
      return {};
    });
    const { args, options } = workspace.command(['models', 'test']);
    const child = spawn(process.execPath, [BIN, 'memory', ...args], {
      ...options,
      env: childEnv({ ...options.env, ...env() }),
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    await server.hung();
    child.kill('SIGKILL');
    await ended;
    server.faults.clear();
    server.received.length = 0;
    answerWith({ share: 1 });
    const { chat } = await workspace.json<Tested>(['models', 'test'], { env: env() });
    expect(chat).toMatchObject({ levels: FREE, isWhole: true });
    expect(chats().length).toBeLessThan(all - 7);
  });

  test('reflect tests it in the time that is left, and asks it in the next run', async () => {
    const workspace = untested();
    answerWith({ share: 1 });
    const { stderr } = await workspace.run(['reflect'], { env: env() });
    expect(stderr).toContain(
      'note: qwen3:4b-instruct was tested for the next run: verdicts free, facts free, memory free',
    );
    server.replies.length = 0;
    server.received.length = 0;
    server.answer(() => ({ verdicts: [{ pair: 1, verdict: 'none' }] }));
    workspace.write('memory/2026-03-06.md', '## Retain\n- W @Peter: drinks green tea at work\n');
    await workspace.run(['reflect'], { env: env() });
    expect(chats()).not.toEqual([]);
  });

  test('models use sets a chat model and tests it', async () => {
    const workspace = untested({ 'memory.config.json5': '{}' });
    answerWith({ share: 1 });
    const { stdout } = await workspace.run(['models', 'use', 'native:1b'], { env: env() });
    expect(stdout).toMatch(/^The chat model is native:1b\.\nchat +native:1b; tested\n {2}verdicts +free$/mu);
    expect(workspace.read('memory.config.json5')).toContain('"chatModel": "native:1b"');
  });

  test('models use --chat sets it without a server, with a warning', async () => {
    const workspace = untested({ 'memory.config.json5': '{}' });
    const { stdout, stderr } = await workspace.run(['models', 'use', 'tiny:1b', '--chat']);
    expect([stdout, stderr]).toEqual([
      'The chat model is tiny:1b.\n',
      expect.stringMatching(/^warning: it was not tested: Ollama is not running/mu),
    ]);
    expect(workspace.read('memory.config.json5')).toContain('"chatModel": "tiny:1b"');
  });

  test('the setting chatLevel decides instead of the test', async () => {
    const workspace = untested({ 'memory.config.json5': '{ chatModel: "qwen3:4b-instruct", chatLevel: "unused" }' });
    const { stdout } = await workspace.run(['doctor'], { env: env() });
    expect(stdout).toContain('qwen3:4b-instruct: verdicts not used, facts not used, memory not used');
    expect(chats()).toEqual([]);
  });

  test('a model without a chat template gets a warning, and is used if it passes', async () => {
    const model = server.models.get('qwen3:4b-instruct');
    if (model === undefined) throw new Error('the fake server has no such model');
    server.models.set(model.name, { ...model, isBase: true });
    onTestFinished(() => void server.models.set(model.name, model));
    answerWith({ share: 1 });
    const { stdout } = await untested().run(['doctor'], { env: env() });
    expect(stdout).toMatch(/warning +chat model +qwen3:4b-instruct: verdicts free, .*; it has no chat template$/mu);
  });

  test('a language that was not tested gets one level less than English', async () => {
    const { makeLevelFor } = await import('../../src/model/levels.js');
    const free = { level: 'free', figures: '' } as const;
    const levelFor = makeLevelFor({ english: { facts: free }, german: { facts: { level: 'unused', figures: '' } } });
    expect(levelFor('facts', 'The port is open now and we keep it.')).toBe('free');
    expect(levelFor('facts', 'Wir haben gestern beschlossen, dass der Hafen offen bleibt.')).toBe('unused');
    expect(levelFor('facts', 'Мы вчера решили, что порт останется открытым.')).toBe('extractive');
    expect(levelFor('verdicts', 'The port is open now and we keep it.')).toBe('unused');
  });
});
