import { describe, expect, test } from 'vitest';
import { readOpinionsPage } from '../../src/memory/opinions-page.js';
import { type AskedPair, askedPairs } from '../support/asked-pairs.js';
import { INSTALLED } from '../support/ollama/model.js';
import type { FakeOllama } from '../support/ollama/server.js';
import { testOllama } from '../support/ollama/start.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const LOGS = {
  'memory/2026-03-01.md':
    '## Retain\n- O(c=0.8) @Mara: prefers concise replies on WhatsApp\n- W @Mara: lives in Graz\n- W @Mara: is out of work\n',
  'memory/2026-03-02.md':
    '## Retain\n- W @Mara: asked for short replies on WhatsApp\n- W @Mara: bought a canoe\n- W @Mara: started at Harrow Logistics\n',
};
const [FIRST, SECOND] = ['qwen3:4b-instruct', 'llama3.2:3b'] as const;

interface Says {
  readonly verdict: string;
  readonly relation: (earlier: string, later: string) => string;
}

/** A model that holds everything to be against every belief, and every statement to be over. */
const BAD: Says = { verdict: 'contradicts', relation: () => 'replaces' };
const GOOD: Says = {
  verdict: 'none',
  relation: (earlier, later) => (earlier.includes('work') && later.includes('Harrow') ? 'replaces' : 'both'),
};

/** A server with two models that give these answers. */
async function server(said: Says): Promise<FakeOllama> {
  const [own] = INSTALLED;
  const models = [...INSTALLED, ...(own === undefined ? [] : [{ ...own, name: SECOND }])];
  return (await testOllama({ models })).answer((prompt) => answerOf(prompt, said));
}

function answerOf(prompt: string, { verdict, relation }: Says): unknown {
  const pairs = askedPairs(prompt).map(({ pair, earlier, later }) => {
    return { pair, relation: relation(earlier.text, later.text) };
  });
  const beliefs = [...prompt.matchAll(/^pair (\d+)$/gm)].map(([, pair]) => ({ pair: Number(pair), verdict }));
  const verdicts = pairs.length > 0 ? pairs : beliefs;
  return verdicts.length > 0 ? { verdicts } : { sentences: [] };
}

const use = (workspace: TemporaryWorkspace, model: string) =>
  workspace.write('memory.config.json5', `{ chatModel: "${model}" }`);

async function reflect(workspace: TemporaryWorkspace, { url }: FakeOllama, ...more: string[]) {
  const { code, stdout, stderr } = await workspace.run(['reflect', '--json', ...more], { env: { OLLAMA_HOST: url } });
  expect(`${code} ${stderr}`).toMatch(/^0 /);
  const report: { readonly run: string; readonly written: readonly string[] } = JSON.parse(stdout);
  return report;
}

const lines = (workspace: TemporaryWorkspace): readonly Record<string, string>[] =>
  workspace
    .read('bank/evidence.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** What a server was asked about, as pairs of texts, from its nth request on. */
function asked(double: FakeOllama, from = 0): readonly string[] {
  return double
    .bodies('/api/chat')
    .slice(from)
    .flatMap(({ messages }) => (Array.isArray(messages) ? messages : []))
    .flatMap(({ content }) => [
      ...askedPairs(String(content)).map(({ earlier, later }: AskedPair) => `${earlier.text} → ${later.text}`),
      ...[...String(content).matchAll(/^opinion[^:]*: (.*)\nfact of [^:]*: (.*)$/gm)].map(([, o, f]) => `${o} ← ${f}`),
    ])
    .toSorted();
}

async function shown(workspace: TemporaryWorkspace) {
  const { holds } = await workspace.json<{ holds: { before: readonly { text: string }[] } }>([
    'entity',
    'show',
    'Mara',
    '--all',
  ]);
  const opinions = readOpinionsPage(workspace.read('bank/opinions.md'));
  return {
    ended: holds.before.map(({ text }) => text).toSorted(),
    confidence: opinions.find(({ bullet }) => bullet.text.includes('concise'))?.confidence,
    page: workspace.read('bank/entities/Mara.md'),
  };
}

/** A workspace in which the first model has judged badly. */
async function judgedBadly() {
  const double = await server(BAD);
  const workspace = testWorkspace(LOGS);
  use(workspace, FIRST);
  await reflect(workspace, double);
  return { workspace, double };
}

const RULED = { ended: [], confidence: 0.82 };

describe('--rejudge after a change of the model', () => {
  test.each<[string, readonly string[]]>([
    ['asks again what the other model judged', ['--rejudge']],
    ['asks again what a named model judged', ['--rejudge', '--by', `model:${FIRST}`]],
  ])('%s, once, and the later verdict counts', async (_, options) => {
    const { workspace, double } = await judgedBadly();
    expect((await shown(workspace)).ended).not.toEqual([]);
    const judged = asked(double);
    const before = double.bodies('/api/chat').length;
    use(workspace, SECOND);
    double.answer((prompt) => answerOf(prompt, GOOD));
    await reflect(workspace, double, ...options);
    const again = asked(double, before);
    expect(again).toEqual(judged);
    expect(await shown(workspace)).toMatchObject({ ended: ['is out of work'], confidence: 0.8 });
    const last = double.bodies('/api/chat').length;
    await reflect(workspace, double, '--rejudge');
    expect(asked(double, last)).toEqual([]);
  });

  test('asks again what the model judged before its digest changed', async () => {
    const { workspace, double } = await judgedBadly();
    const judged = asked(double);
    const before = double.bodies('/api/chat').length;
    await reflect(workspace, double, '--rejudge');
    expect(asked(double, before)).toEqual([]);
    const evidence = workspace.read('bank/evidence.jsonl');
    workspace.write('bank/evidence.jsonl', evidence.replaceAll(/"digest":"[0-9a-f]{12}"/g, '"digest":"0123456789ab"'));
    await reflect(workspace, double, '--rejudge');
    expect(asked(double, before)).toEqual(judged);
  });

  test('with an unknown judge is refused, and names the judges that there are', async () => {
    const { workspace } = await judgedBadly();
    for (const flags of [['--rejudge'], ['--undo']]) {
      const { code, stderr } = await workspace.run(['reflect', ...flags, '--by', 'model:other']);
      expect(`${code} ${stderr}`).toMatch(new RegExp(`^1 .*no verdict by model:other.*judges: model:${FIRST}\n$`, 's'));
    }
    expect((await workspace.run(['reflect', '--by', `model:${FIRST}`])).code).toBe(2);
  });
});

describe('--undo --by', () => {
  test('revokes all verdicts of a model with new lines; the pages are as by the rules', async () => {
    const ruled = testWorkspace(LOGS);
    await ruled.json(['reflect', '--max-calls', '0']);
    const { workspace } = await judgedBadly();
    const before = workspace.read('bank/evidence.jsonl');
    const preview = await workspace.run(['reflect', '--undo', '--by', FIRST, '--dry-run']);
    expect(preview.stdout).toContain('"undone"');
    expect(workspace.read('bank/evidence.jsonl')).toBe(before);
    await workspace.json(['reflect', '--undo', '--by', `model:${FIRST}`]);
    expect(workspace.read('bank/evidence.jsonl').startsWith(before)).toBe(true);
    expect(await shown(workspace)).toMatchObject(RULED);
    expect((await shown(workspace)).page).toBe(ruled.read('bank/entities/Mara.md'));
    expect((await workspace.run(['lint'])).stdout).toMatch(/no problems/);
    // A merge with a clone that has the verdicts brings no verdict back.
    const merged = [...workspace.read('bank/evidence.jsonl').split('\n').slice(0, -1), ...before.split('\n')].join(
      '\n',
    );
    workspace.write('bank/evidence.jsonl', merged);
    await workspace.json(['reflect', '--max-calls', '0']);
    expect(await shown(workspace)).toMatchObject(RULED);
  });

  test('lets a model judge again, and can be undone itself', async () => {
    const { workspace, double } = await judgedBadly();
    const bad = await shown(workspace);
    await workspace.json(['reflect', '--undo', '--by', `model:${FIRST}`]);
    await workspace.json(['reflect', '--undo']);
    expect(await shown(workspace)).toEqual(bad);
    await workspace.json(['reflect', '--max-calls', '0']);
    expect(await shown(workspace)).toEqual(bad);
    await workspace.json(['reflect', '--undo', '--by', `model:${FIRST}`]);
    expect(await shown(workspace)).toMatchObject(RULED);
    use(workspace, SECOND);
    double.answer((prompt) => answerOf(prompt, GOOD));
    await reflect(workspace, double);
    expect((await shown(workspace)).ended).toEqual(['is out of work']);
    expect(lines(workspace).at(-1)).toMatchObject({ by: `model:${SECOND}` });
  });
});
