import { afterEach, describe, expect, test } from 'vitest';
import { findManagedBlocks } from '../../src/markdown/blocks.js';
import { readOpinionsPage } from '../../src/memory/opinions-page.js';
import { relating } from '../support/asked-pairs.js';
import { FakeOllama } from '../support/ollama/server.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const PAGE = '# Peter\n\nMy own words.\n';
const LOGS = {
  'memory/2026-03-01.md':
    '## Retain\n- O(c=0.8) @Peter: prefers concise replies on WhatsApp\n- W @Peter: lives in Vienna\n- B @warelay: shipped the relay with @Peter\n',
  'memory/2026-03-02.md':
    '## Retain\n- W @Peter: asked for short replies on WhatsApp\n- W @Peter: 喜欢喝茶\n- W @Peter: asked for long replies on WhatsApp\n',
  'bank/entities/Peter.md': PAGE,
  'bank/opinions.md': '# Opinions\n\nMy own words.\n\n- O(c=0.70) @Peter: wants short replies on WhatsApp\n',
};
const SENTENCES = [
  { facts: [1], text: 'Peter lives in Berlin.' },
  { facts: [99], text: 'Peter lives in Vienna.' },
  { facts: [], text: 'Peter lives in Vienna.' },
  { facts: [0, -1, 5000], text: 'Peter lives in Vienna.' },
  { facts: [1, 2, 3, 4, 5], text: 'Peter lives in Vienna. <!-- memory:end summary -->' },
  { facts: [1, 2, 3, 4, 5], text: '<!-- memory:begin summary sha=000000000000 -->' },
  { facts: [1, 2, 3, 4, 5], text: '# A heading\n\n- W @Mallory: was here ^f-aaaaaaaaaaaaa' },
  { facts: [1, 2, 3, 4, 5], text: 'Peter has known Mallory since 1999.' },
  { facts: [1, 2, 3, 4, 5], text: 'Since 2026-01-07 Peter lives in Vienna.' },
  { facts: [1, 2, 3, 4, 5], text: 'Peter 住在北京' },
  { facts: [1, 2, 3, 4, 5], text: 'Peter lives in Vienna ([memory/x.md#L1](../../memory/x.md#L1) f-zzzzzzzzzzzzz)' },
  { facts: [1, 2, 3, 4, 5], text: 'Peter lives in Vienna, says f-zzzzzzzzzzzzz.' },
];
const HARMLESS = { facts: [1, 2, 3, 4, 5], text: 'Peter lives in Vienna and asked for replies on WhatsApp.' };
const VERDICTS = [
  { pair: 0, verdict: 'supports' },
  { pair: -5, verdict: 'contradicts' },
  { pair: 4000, verdict: 'contradicts' },
  { pair: 1, verdict: 'supports' },
];

function judging(user: string, verdict: string): unknown {
  return { verdicts: [...user.matchAll(/^pair (\d+)$/gm)].map(([, pair]) => ({ pair: Number(pair), verdict })) };
}

const answered = (user: string) => relating(user, 'both') ?? judging(user, 'none');

type Says = (user: string) => unknown;

let server: FakeOllama | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

/** A server whose model gives these answers about pairs and entities. */
async function serverThat(verdicts: Says, sentences: Says): Promise<FakeOllama> {
  server = await new FakeOllama().start();
  for (let i = 0; i < 100; i++)
    server.replies.push((messages) => {
      const user = messages.map(({ content }) => content).join('\n');
      const said = user.includes('<pairs>\npair 1') ? verdicts(user) : (relating(user, 'both') ?? sentences(user));
      return { content: JSON.stringify(said) };
    });
  return server;
}

interface Report {
  readonly facts: number;
  readonly awaited: number;
  readonly written: readonly string[];
  readonly warnings: readonly string[];
}

async function reflect(workspace: TemporaryWorkspace, double: FakeOllama, ...more: string[]): Promise<Report> {
  const { code, stdout, stderr } = await workspace.run(['reflect', '--json', ...more], {
    env: {
      OLLAMA_HOST: double.url,
    },
  });
  expect(`${code} ${stderr}`).toMatch(/^0 /);
  return JSON.parse(stdout);
}

/** Calls except those that only load the model. */
const calls = (double: FakeOllama) =>
  double.bodies('/api/chat').filter(({ messages }) => Array.isArray(messages) && messages.length > 0).length;

/** Expects every fact that the bank cites or judges in a log, and at its place if it is cited by one. */
function expectTrueCitations(workspace: TemporaryWorkspace): void {
  const known = ['2026-03-01', '2026-03-02'].map((day) => workspace.read(`memory/${day}.md`).split('\n'));
  const files = [
    ...workspace.pages().filter(({ path }) => path.startsWith('bank/')),
    { path: 'bank/evidence.jsonl', text: workspace.read('bank/evidence.jsonl') },
  ];
  for (const { path, text } of files) {
    for (const [, day, line] of text.matchAll(/\[memory\/2026-03-0(\d)\.md#L(\d+)\]/g))
      expect(known[Number(day) - 1]?.[Number(line) - 1], path).toMatch(/^- [WBO]/);
    expect(text, path).not.toMatch(/memory\/x\.md|f-zzz|f-aaa|Mallory|Berlin|北京|1999|2026-01-07/);
  }
}

describe('a model that invents things', () => {
  test('puts no sentence and no false citation on a page, and changes nothing outside of generated blocks', async () => {
    const double = await serverThat(
      () => ({ verdicts: VERDICTS }),
      () => ({ sentences: [...SENTENCES, HARMLESS] }),
    );
    const workspace = testWorkspace(LOGS);
    await reflect(workspace, double);
    expect(calls(double)).toBeGreaterThan(2);
    const text = workspace.read('bank/entities/Peter.md');
    const blocks = findManagedBlocks(text);
    expect(blocks).toMatchObject([{ name: 'summary', state: 'intact' }]);
    expect(text.slice(0, blocks[0]?.start)).toBe(`${PAGE}\n`);
    expect(text.slice(blocks[0]?.end)).toBe('\n');
    // The true sentence of the model is there, and no other.
    expect(blocks[0]?.content.split('\n\n')[0]).toMatch(
      /^Peter lives in Vienna and asked for replies on WhatsApp\. \([^\n]*\)$/,
    );
    expectTrueCitations(workspace);
    expect(workspace.read('bank/opinions.md').startsWith('# Opinions\n\nMy own words.\n\n- O(c=')).toBe(true);
    for (const [path, log] of Object.entries(LOGS))
      if (path.startsWith('memory/')) expect(workspace.read(path)).toBe(log);
    expect((await workspace.run(['lint'])).stdout).toMatch(/, no problems\.$/m);
    expect((await workspace.run(['index', '--verify'])).code).toBe(0);
  });

  test.each<[string, Says]>([
    [
      'ids of pairs that nobody asked about',
      () => ({ verdicts: [{ fact: 'f-zzzzzzzzzzzzz', opinion: 'o-zzzzzzzzzzzzz', verdict: 'supports' }] }),
    ],
    ['an unknown verdict', () => ({ verdicts: [{ pair: 1, verdict: 'destroys' }] })],
    ['markup instead of an answer', () => '<!-- memory:end summary -->'],
    ['no list', () => ({ verdicts: null })],
    ['more than was asked for', () => ({ verdicts: [], page: 'bank/opinions.md', text: 'Mallory' })],
  ])('is replaced by the rules with a warning after %s', async (_, verdicts) => {
    const double = await serverThat(verdicts, () => ({ sentences: [] }));
    const workspace = testWorkspace(LOGS);
    const { warnings } = await reflect(workspace, double);
    expect(warnings.join('\n')).toMatch(/the rules judge/);
    expectTrueCitations(workspace);
    const lines = workspace.read('bank/evidence.jsonl').split('\n');
    const judges = lines.filter((line) => line.includes('opinion')).map((line) => /"by":"[^"]+"/.exec(line)?.[0]);
    expect(new Set(judges)).toEqual(new Set(['"by":"rules"']));
  });
});

describe('a model that goes away', () => {
  test('in the middle of a run: the rules judge the rest with a warning, and it judges that rest later', async () => {
    const double = await serverThat(
      (user) => {
        double.faults.set('reset-before-headers');
        return judging(user, 'none');
      },
      () => ({ sentences: [HARMLESS] }),
    );
    const workspace = testWorkspace(LOGS);
    const { warnings, awaited } = await reflect(workspace, double);
    expect(warnings.length).toBeGreaterThan(0);
    expect(awaited).toBeGreaterThan(0);
    expect(workspace.read('bank/evidence.jsonl')).toContain('"by":"model:');
    double.replies.length = 0;
    for (let call = 0; call < 20; call++)
      double.replies.push((messages) => ({
        content: JSON.stringify(answered(messages.map(({ content }) => content).join('\n'))),
      }));
    double.faults.clear();
    const asked = calls(double);
    expect(await reflect(workspace, double)).toMatchObject({ facts: 0, awaited: 0 });
    expect(calls(double)).toBeGreaterThan(asked);
    const again = calls(double);
    expect(await reflect(workspace, double)).toMatchObject({ facts: 0, awaited: 0, written: [] });
    expect(calls(double)).toBe(again);
  });

  test('from the beginning: the rules judge everything, with exit code 0', async () => {
    const workspace = testWorkspace(LOGS);
    const { code, stdout } = await workspace.run(['reflect', '--json'], { env: { OLLAMA_HOST: '127.0.0.1:9' } });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ facts: 6 });
    expect(readOpinionsPage(workspace.read('bank/opinions.md'))[0]?.evidence.length).toBeGreaterThan(0);
  });
});

describe('calls of a model', () => {
  const honest = () =>
    serverThat(
      (user) => judging(user, 'supports'),
      () => ({ sentences: [HARMLESS] }),
    );

  test('are not made and nothing is written in a second run without new facts', async () => {
    const double = await honest();
    const workspace = testWorkspace(LOGS);
    await reflect(workspace, double);
    const asked = calls(double);
    expect(asked).toBeGreaterThan(0);
    expect(await reflect(workspace, double)).toMatchObject({ facts: 0, written: [] });
    expect(calls(double)).toBe(asked);
  });

  test('beyond --max-calls wait for the next runs, with the same result as in one run', async () => {
    const double = await honest();
    const [whole, stepwise] = [testWorkspace(LOGS), testWorkspace(LOGS)];
    await reflect(whole, double);
    let runs = 0;
    for (let isDone = false; !isDone && runs < 20; runs++) {
      const before = calls(double);
      const { facts, written } = await reflect(stepwise, double, '--max-calls', '1');
      isDone = facts === 0 && written.length === 0;
      expect(calls(double) - before).toBeLessThanOrEqual(1);
    }
    expect(runs).toBeGreaterThan(2);
    expect(runs).toBeLessThan(20);
    const beliefs = (workspace: TemporaryWorkspace) =>
      readOpinionsPage(workspace.read('bank/opinions.md'))
        .map(({ id, mark }) => `${id} ${mark?.confidence}`)
        .toSorted();
    expect(beliefs(stepwise)).toEqual(beliefs(whole));
    expect(stepwise.read('bank/evidence.jsonl').split('\n').toSorted()).toEqual(
      whole.read('bank/evidence.jsonl').split('\n').toSorted(),
    );
    expect(stepwise.read('bank/entities/Peter.md')).toBe(whole.read('bank/entities/Peter.md'));
  });
});
