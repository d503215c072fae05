import { spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/query/request.js';
import { BIN, childEnv } from '../support/cli.js';
import { EmbeddingServer } from '../support/embedding-server.js';
import type { FaultName } from '../support/ollama/faults.js';
import { oneOllama } from '../support/ollama/start.js';
import { testWorkspace } from '../support/test-workspace.js';
import { inLetters } from '../support/understood.js';
import { TemporaryWorkspace } from '../support/workspace.js';

const FILES = {
  'memory/2026-03-12.md': [
    '## Retain',
    '- W @Peter: bought an automobile from a dealer in Graz',
    '- W @Anna: resides near the river',
    '- B @warelay: the relay crashed with ECONNREFUSED',
    ...Array.from(
      { length: 40 },
      (_, i) => `- filler line ${inLetters(i)} about topic ${inLetters(i * 7)} and nothing of interest`,
    ),
  ].join('\n'),
  'memory/2026-02-01.md': '## Retain\n- W @Paul: sold his lorry to a neighbour of the mill in the other village\n',
};
/** Shares no word with the line about the automobile. */
const QUESTION = 'purchased vehicle';

let server: EmbeddingServer;
let workspace: TemporaryWorkspace;

beforeAll(async () => {
  server = await new EmbeddingServer().start();
});
afterAll(() => server.stop());
beforeEach(() => {
  Object.assign(server.state, {
    model: 'embeddinggemma:latest',
    digest: 'digest-1',
    dimension: 256,
    hangs: false,
    refuses: () => false,
    stallsOn: () => false,
    knows: () => true,
    beforeAnswer: async () => {},
    synonyms: { automobile: 'car', vehicle: 'car', lorry: 'car', purchased: 'bought' },
  });
  server.inputs.length = 0;
  workspace = new TemporaryWorkspace(FILES);
});
afterEach(() => workspace.dispose());

const env = () => ({ OLLAMA_HOST: server.host });
const recall = (...args: string[]) => workspace.json<RecallAnswer>(['recall', ...args], { env: env() });
const embed = () => workspace.json<{ vectors: Record<string, number> }>(['index', '--embed'], { env: env() });
const sources = ({ results }: RecallAnswer) => results.map(({ source }) => source);

describe('recall by meaning', () => {
  test('finds a line that shares no word with the question, and reports hybrid mode', async () => {
    expect(sources(await recall(QUESTION, '--mode', 'lexical'))).toEqual([]);
    await embed();
    const answer = await recall(QUESTION);
    expect(answer).toMatchObject({ mode: 'hybrid', warnings: [] });
    expect(sources(answer)[0]).toBe('memory/2026-03-12.md#L2');
    expect(await recall(QUESTION, '--mode', 'lexical')).toMatchObject({ mode: 'lexical', results: [] });
  });

  test.each([1, 3])('finds the right one of %i facts, and nothing when none is right', async (facts) => {
    const all = [
      '- W @Peter: bought an automobile from a dealer',
      '- W @Anna: resides near the river',
      '- W @Ben: swims',
    ];
    // This model puts no common prefix before its texts.
    server.state.model = 'all-minilm:latest';
    const few = new TemporaryWorkspace({
      'memory.config.json5': '{ embedModel: "all-minilm" }',
      'memory/2026-03-12.md': `## Retain\n${all.slice(0, facts).join('\n')}\n`,
    });
    try {
      await few.run(['index', '--embed'], { env: env() });
      const asked = async (query: string) => sources(await few.json<RecallAnswer>(['recall', query], { env: env() }));
      expect(await asked(QUESTION)).toEqual(['memory/2026-03-12.md#L2']);
      expect(await asked('whose trombone is broken?')).toEqual([]);
    } finally {
      few.dispose();
    }
  });

  test('the block before a message has the experience and the memory that match its meaning in other words', async () => {
    workspace.write('memory.config.json5', '{ agentExperience: { enabled: true } }');
    workspace.write(
      'bank/experiences/dealers.md',
      '## Situation\n- When an automobile is bought from a dealer.\n\n## Approach\n- Look under the bonnet first.\n',
    );
    const build = async () => {
      const said = ['context', 'build', '--message', 'purchased vehicle', '--trigger', 'skill_load'];
      return workspace.json<{ sections: { experiences: unknown[]; longTerm: { source: string }[] } }>(said, {
        env: env(),
      });
    };
    expect(await build()).toMatchObject({ sections: { experiences: [], longTerm: [] } });
    await embed();
    server.inputs.length = 0;
    const { sections } = await build();
    expect(sections.experiences).toMatchObject([{ name: 'dealers' }]);
    expect(sections.longTerm[0]?.source).toBe('memory/2026-03-12.md#L2');
    expect(server.inputs.filter((input) => input.includes(QUESTION))).toHaveLength(1);
  });

  test('obeys the filters', async () => {
    await embed();
    const only = async (...args: string[]) => sources(await recall(QUESTION, ...args));
    for (const filter of [
      ['--until', '2026-02-28'],
      ['--entity', 'Paul'],
      ['--as-of', '2026-02-20'],
    ]) {
      const found = await only(...filter);
      expect(found[0]).toBe('memory/2026-02-01.md#L2');
      expect(found.filter((source) => source.startsWith('memory/2026-03'))).toEqual([]);
    }
    expect(await only('--kind', 'experience')).not.toContain('memory/2026-03-12.md#L2');
  });

  test('cites the current line, even when the file changed after its vectors were made', async () => {
    await embed();
    workspace.write('memory/2026-03-12.md', `An inserted line.\n\n${FILES['memory/2026-03-12.md']}`);
    expect(sources(await recall(QUESTION))[0]).toBe('memory/2026-03-12.md#L4');
    workspace.remove('memory/2026-03-12.md');
    expect(sources(await recall(QUESTION))).toEqual(['memory/2026-02-01.md#L2']);
  });

  test('never loses an exact hit', async () => {
    const lines = Array.from({ length: 10 }, (_, i) => `- seen ZX-${i % 2 === 0 ? '81' : '81'} at place ${i}`);
    workspace.write('memory/2026-03-01.md', lines.join('\n'));
    await embed();
    const answer = await recall('seen ZX-81', '--k', '10');
    expect(answer.mode).toBe('hybrid');
    expect(new Set(sources(answer))).toEqual(new Set(lines.map((_, i) => `memory/2026-03-01.md#L${i + 1}`)));
  });

  test('a line without a vector counts like the average word hit', async () => {
    server.state.synonyms = { tablets: 'pill', medicine: 'pill', capsules: 'pill', swallow: 'pill', dusk: 'pill' };
    workspace.write('memory/2026-03-11.md', '- W @Greta: medicine and capsules\n');
    await embed();
    workspace.write('memory/2026-03-13.md', '- W @Greta: tablets, for the knee that she hurt\n');
    const answer = await recall('which tablets does Greta swallow at dusk?');
    expect(answer.mode).toBe('hybrid');
    expect(sources(answer)[0]).toBe('memory/2026-03-13.md#L1');
  });

  test('a name or a code alone is searched by words only, and an unknown word has no neighbours', async () => {
    const words = (line: number) => Array.from({ length: 6 }, (_, i) => `w${inLetters(line * 6 + i)}`).join(' ');
    const lines = Array.from({ length: 80 }, (_, line) => `- W @Peter: ${words(line)}`);
    workspace.write('memory/2026-03-12.md', `## Retain\n${lines.join('\n')}\n`);
    await embed();
    for (const query of ['who is Peter?', '@Peter', '0x8007000E']) expect((await recall(query)).mode).toBe('lexical');
    expect((await recall('quokka')).results).toEqual([]);
    for (const query of ['zeppelin saxophone', 'who is Thaddeus?']) expect((await recall(query)).answers).toBe('none');
  });

  test('--batch requests many vectors at once and answers in order', async () => {
    await embed();
    server.inputs.length = 0;
    const before = server.requests;
    const lines = [`{"id":1,"query":"${QUESTION}"}`, 'nonsense', '{"id":3,"query":"who resides near the river"}'];
    const result = await workspace.run(['recall', '--batch', '--mode', 'hybrid'], {
      env: env(),
      input: lines.join('\n'),
    });
    const answers = result.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map(({ id, mode, ok }) => [id, mode ?? ok])).toEqual([
      [1, 'hybrid'],
      [null, false],
      [3, 'hybrid'],
    ]);
    expect(server.inputs).toHaveLength(2);
    // One request for the vectors, one for the digest.
    expect(server.requests - before).toBe(2);
  });
});

describe('a model that does not know a language', () => {
  const CHINESE = ['搬家公司周五来取钢琴', '王伟把备份移到了新机器', '晚饭吃了面条和青菜']
    .map((line) => `- ${line}`)
    .join('\n');

  test('stores no vectors of such lines, and answers such questions by words with a warning', async () => {
    workspace.write('memory/2026-03-09.md', CHINESE);
    server.state.knows = (text) => !/[\u4e00-\u9fff]/.test(text);
    expect((await embed()).vectors).toMatchObject({ embedded: 44, missing: 0 });
    expect(server.inputs.filter((input) => input.includes('王伟'))).toEqual([]);
    const answer = await recall('备份移到哪里了');
    expect(answer).toMatchObject({ mode: 'lexical', warnings: [expect.stringContaining('does not know Chinese')] });
    expect(sources(answer)[0]).toBe('memory/2026-03-09.md#L2');
    expect(await recall(QUESTION)).toMatchObject({ mode: 'hybrid', warnings: [] });
    expect(await workspace.json(['status'])).toMatchObject({ vectors: { current: 44, missing: 0 } });
    const doctor = await workspace.run(['doctor', '--json'], { env: env() });
    expect(doctor.stdout).toContain('embeddinggemma does not know Chinese, so 3 texts are searched by words only');
  });

  test('stores vectors of the languages that it knows', async () => {
    workspace.write('memory/2026-03-09.md', CHINESE);
    expect((await embed()).vectors).toMatchObject({ embedded: 47, missing: 0 });
    expect(await recall('备份移到哪里了')).toMatchObject({ mode: 'hybrid', warnings: [] });
  });
});

test('a turn of a conversation is embedded with the lines before it, and facts come first', async () => {
  workspace.write(
    'memory/2026-03-10.md',
    '## 09:00 chat\n\n- Anna: how often do you swim?\n- Ben: three times a week!\n- Anna: in which pool?\n- Ben: the old one\n',
  );
  await embed();
  const texts = server.inputs.filter((input) => input.startsWith('title: '));
  expect(texts.join('\n\n')).toContain('| text: Anna: how often do you swim?\nBen: three times a week!');
  const lastFact = texts.findLastIndex((text) => /automobile|resides|lorry/.test(text) && !text.includes('filler'));
  expect(lastFact).toBeLessThan(texts.findIndex((text) => text.includes('filler')));
});

describe('without a working server', () => {
  test('recall answers by words, says so, and exits with 0', async () => {
    await embed();
    for (const mode of ['auto', 'hybrid']) {
      const result = await workspace.run(['recall', 'automobile', '--mode', mode, '--json'], {
        env: { OLLAMA_HOST: '127.0.0.1:1' },
      });
      expect(result.code).toBe(0);
      expect(result.stderr).toContain('is not running');
      const answer: RecallAnswer = JSON.parse(result.stdout);
      expect(answer.mode).toBe('lexical');
      expect(answer.warnings).toEqual([expect.stringContaining('searched by words only')]);
      expect(sources(answer)).toEqual(['memory/2026-03-12.md#L2']);
    }
  });

  test('a hanging server costs no more than the budget', async () => {
    await embed();
    workspace.write('memory.config.json5', '{ "recallEmbedBudgetMs": 700 }');
    const words = await recall('automobile', '--mode', 'lexical');
    server.state.hangs = true;
    const waited = await recall('automobile', '--mode', 'auto');
    expect(waited).toMatchObject({ mode: 'lexical', warnings: [expect.stringContaining('within 700 ms')] });
    expect(waited.results).toEqual(words.results);
  });

  test('index --embed indexes and exits with 3 and a hint; recall still answers by words', async () => {
    const result = await workspace.run(['index', '--embed'], { env: { OLLAMA_HOST: '127.0.0.1:1' } });
    expect(result.code).toBe(3);
    expect(result.stderr).toContain('hint: start it: ollama serve');
    expect(sources(await recall('automobile'))).toEqual(['memory/2026-03-12.md#L2']);
  });

  test('a missing model is named with the command that installs it', async () => {
    server.state.model = 'other:latest';
    const result = await workspace.run(['index', '--embed'], { env: env() });
    expect(result.code).toBe(3);
    expect(result.stderr).toContain(
      'hint: set "embedModel" to other, which is installed, or run: ollama pull embeddinggemma',
    );
  });

  test('--mode hybrid without vectors of the chosen model prints how to create them', async () => {
    workspace.write('memory.config.json5', '{ "embedModel": "embeddinggemma" }');
    const answer = await recall('automobile', '--mode', 'hybrid');
    expect(answer.mode).toBe('lexical');
    expect(answer.warnings).toEqual([expect.stringContaining('openclaw memory index --embed')]);
    expect(server.inputs).toEqual([]);
  });
});

describe('vectors', () => {
  test('survive a rebuild of the index, and only a changed line is embedded again', async () => {
    const first = await embed();
    expect(first.vectors).toMatchObject({ embedded: 44, refused: 0, missing: 0, dimension: 256 });
    await workspace.run(['index', '--force'], { env: env() });
    expect((await embed()).vectors).toMatchObject({ embedded: 0, missing: 0 });
    workspace.write('memory/2026-02-01.md', '## Retain\n- W @Paul: sold his bicycle to a neighbour\n');
    server.inputs.length = 0;
    expect((await embed()).vectors).toMatchObject({ embedded: 1, missing: 0 });
    expect(server.inputs.filter((input) => input.includes('bicycle'))).toHaveLength(1);
  });

  test('a text that the model refuses is recorded and does not stop the others', async () => {
    server.state.refuses = (input) => input.includes('line d ');
    expect((await embed()).vectors).toMatchObject({ embedded: 43, refused: 1, missing: 0 });
    server.inputs.length = 0;
    expect((await embed()).vectors).toMatchObject({ embedded: 0, refused: 0, missing: 0 });
    expect(server.inputs.filter((input) => input.includes('line d '))).toEqual([]);
    const status = await workspace.json<{ vectors: unknown }>(['status']);
    expect(status.vectors).toEqual({ model: 'embeddinggemma', current: 43, refused: 1, missing: 0, other: 0 });
  });

  test('a text on which the model hangs does not hold up the others', async () => {
    workspace.modelWaitMs = 400;
    server.state.stallsOn = (input) => input.includes('line d ');
    expect((await embed()).vectors).toMatchObject({ embedded: 43, refused: 1, missing: 0 });
    server.state.hangs = true;
    const hung = await workspace.run(['index', '--embed', '--force'], { env: env() });
    expect(hung.code).toBe(3);
    expect((await workspace.json<{ vectors: unknown }>(['status'])).vectors).toMatchObject({ current: 43, missing: 0 });
  });

  test('of a replaced model are unused: status counts them, and new vectors replace them', async () => {
    await embed();
    server.state.digest = 'digest-2';
    const answer = await recall(QUESTION);
    expect(answer).toMatchObject({ mode: 'lexical', warnings: [expect.stringContaining('another version')] });
    workspace.write('memory.config.json5', '{ "embedModel": "nomic-embed-text" }');
    const before = await workspace.json<{ vectors: unknown }>(['status']);
    expect(before.vectors).toMatchObject({ model: 'nomic-embed-text', current: 0, missing: 44, other: 44 });
    server.state.model = 'nomic-embed-text:latest';
    await embed();
    const after = await workspace.json<{ vectors: unknown }>(['status']);
    expect(after.vectors).toMatchObject({ model: 'nomic-embed-text', current: 44, missing: 0, other: 0 });
    const db = new Database(workspace.path('.memory/vectors.sqlite'), { readonly: true });
    for (const table of ['known', 'probe'])
      expect(db.prepare(`SELECT count(DISTINCT model) FROM ${table}`).pluck().get(), table).toBe(1);
    db.close();
    expect(await recall(QUESTION)).toMatchObject({ mode: 'hybrid', warnings: [] });
  });

  test('that are damaged do not prevent an answer, and are made again', async () => {
    await embed();
    const path = workspace.path('.memory/vectors.sqlite');
    renameSync(path, `${path}.kept`);
    workspace.write('.memory/vectors.sqlite', 'not a database, but as long as the header of one has to be, and longer');
    const answer = await recall('automobile', '--mode', 'hybrid');
    expect(sources(answer)).toEqual(['memory/2026-03-12.md#L2']);
    expect(answer.warnings).toEqual([expect.stringContaining('corrupt')]);
    expect((await embed()).vectors).toMatchObject({ embedded: 44 });
  });

  test('of another program version are named in every answer, and are made again', async () => {
    await embed();
    const db = new Database(workspace.path('.memory/vectors.sqlite'));
    db.pragma('user_version = 1');
    db.close();
    const answer = await recall('automobile');
    expect(answer).toMatchObject({ mode: 'lexical', warnings: [expect.stringContaining('index --embed')] });
    expect((await embed()).vectors).toMatchObject({ embedded: 44 });
    expect(await recall('automobile')).toMatchObject({ mode: 'hybrid', warnings: [] });
  });

  test('that are damaged do not disturb other commands', async () => {
    await embed();
    const path = workspace.path('.memory/vectors.sqlite');
    const whole = readFileSync(path);
    const build = ['context', 'build', '--message', 'Where did Peter leave the automobile?'];
    for (const command of [['status'], ['reflect'], ['index'], ['doctor'], build])
      for (const from of [100, 4_096, 16_384]) {
        writeFileSync(path, Buffer.from(whole).fill(0xa5, from));
        const run = await workspace.run(command, { env: env() });
        expect(run.stderr, command.join(' ')).not.toContain('error:');
      }
  });

  test.each([4_096, 16_384])('that are damaged from byte %i on are set aside, and words answer', async (from) => {
    await embed();
    const path = workspace.path('.memory/vectors.sqlite');
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xa5, from));
    const answer = await recall('automobile', '--mode', 'hybrid');
    expect(sources(answer)).toEqual(['memory/2026-03-12.md#L2']);
    expect(answer.warnings.join()).toMatch(/vectors.*(?:damaged|corrupt)/);
    expect(existsSync(`${path}.unusable`)).toBe(true);
    expect((await embed()).vectors).toMatchObject({ embedded: 44, missing: 0 });
  });

  test('index --embed never blocks a writer', async () => {
    let release = (): void => {};
    const reached = new Promise<void>((resolve) => {
      server.state.beforeAnswer = () => {
        resolve();
        return new Promise((go) => {
          release = go;
        });
      };
    });
    const embedding = embed();
    await reached;
    const retained = await workspace.run(['retain', 'W @Peter: wrote while vectors were made']);
    const second = await workspace.run(['index', '--embed'], { env: env() });
    server.state.beforeAnswer = async () => {};
    release();
    expect(retained.code).toBe(0);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain('another process is making vectors');
    expect((await embedding).vectors).toMatchObject({ missing: 0 });
  });
});

describe('faults of the embedding model', () => {
  const LINES = 40;
  const LOG = Array.from({ length: LINES }, (_, i) => `- line ${inLetters(i)} about subject ${inLetters(i * 7)}`).join(
    '\n',
  );

  interface Embedded {
    readonly vectors: { readonly embedded: number; readonly refused: number; readonly missing: number };
  }

  const server = oneOllama();
  let workspace: TemporaryWorkspace;

  beforeEach(() => {
    workspace = testWorkspace({ 'memory/2026-03-14.md': LOG });
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
});
