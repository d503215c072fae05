import { describe, expect, test } from 'vitest';
import { findManagedBlocks } from '../../src/markdown/blocks.js';
import { readOpinionsPage } from '../../src/memory/opinions-page.js';
import { relating } from '../support/asked-pairs.js';
import type { FakeOllama } from '../support/ollama/server.js';
import { testOllama } from '../support/ollama/start.js';
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

/** A server whose model gives these answers about pairs and entities. */
async function serverThat(verdicts: Says, sentences: Says = () => ({ sentences: [] })): Promise<FakeOllama> {
  return (await testOllama()).answer((user) =>
    user.includes('<pairs>\npair 1') ? verdicts(user) : (relating(user, 'both') ?? sentences(user)),
  );
}

interface Report {
  readonly facts: number;
  readonly awaited: number;
  readonly written: readonly string[];
  readonly warnings: readonly string[];
}

async function reflect(workspace: TemporaryWorkspace, host: string | FakeOllama, ...more: string[]): Promise<Report> {
  const env = { OLLAMA_HOST: typeof host === 'string' ? host : host.url };
  const { code, stdout, stderr } = await workspace.run(['reflect', '--json', ...more], { env });
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

  test('has each of its sentences counted that the facts do not carry, and listed by --verbose', async () => {
    const invented = { facts: [1], text: 'Peter hates every kind of tea in Berlin' };
    const double = await serverThat(answered, () => ({ sentences: [invented, HARMLESS] }));
    const workspace = testWorkspace(LOGS);
    const { stdout, stderr } = await workspace.run(['reflect', '--json', '--verbose'], {
      env: { OLLAMA_HOST: double.url },
    });
    const { refused, warnings } = JSON.parse(stdout);
    expect(refused[0]).toEqual({ line: invented.text, reason: expect.any(String) });
    expect(warnings.at(-1)).toContain(`${refused.length} line`);
    expect(stderr.match(/^left out: ".*": .+$/gm)).toHaveLength(refused.length);
    expect(stderr).toContain('left out: "Peter hates every kind of tea in Berlin": ');
    const { refused: none } = JSON.parse((await workspace.run(['reflect', '--json'])).stdout);
    expect(none).toBeUndefined();
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
    const double = await serverThat(verdicts);
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
    double.answer(answered);
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

describe('a model whose time is over', () => {
  test('in the middle of an answer: the rules judge the rest at once, and it judges that rest later', async () => {
    const double = await serverThat((user) => {
      double.faults.set('hang-before-headers');
      return judging(user, 'none');
    });
    const workspace = testWorkspace(LOGS);
    const { facts, awaited, warnings } = await reflect(workspace, double, '--max-minutes', '0.03');
    expect({ facts, warnings }).toEqual({ facts: 6, warnings: [] });
    expect(awaited).toBeGreaterThan(0);
    const evidence = workspace.read('bank/evidence.jsonl');
    expect(evidence).toContain('"by":"model:');
    expect(evidence).toContain('"by":"rules"');
    double.answer(answered);
    double.faults.clear();
    expect(await reflect(workspace, double)).toMatchObject({ facts: 0, awaited: 0 });
  });

  test('at the beginning: it is not asked, and the pages are those of the rules', async () => {
    const double = await serverThat((user) => judging(user, 'contradicts'));
    const [ruled, short] = [testWorkspace(LOGS), testWorkspace(LOGS)];
    await reflect(ruled, double, '--max-calls', '0');
    await reflect(short, double, '--max-minutes', '0');
    expect(calls(double)).toBe(0);
    expect(short.read('bank/opinions.md')).toBe(ruled.read('bank/opinions.md'));
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

describe('outages', () => {
  const LOGS = {
    'memory/2026-03-01.md': '## Retain\n- O(c=0.8) @Mara: prefers concise replies on WhatsApp\n',
    'memory/2026-03-02.md': '## Retain\n- W @Mara: asked for short replies on WhatsApp\n- W @Mara: bought a canoe\n',
  };
  const NAMED = { 'memory.config.json5': '{ chatModel: "qwen3:4b-instruct" }' };
  /** Nothing listens on this port. */
  const AWAY = 'http://127.0.0.1:9';

  /** A server whose model gives every pair this verdict. */
  const judge = (verdict: string) => serverThat((user) => judging(user, verdict));

  const judges = (workspace: TemporaryWorkspace) =>
    workspace
      .read('bank/evidence.jsonl')
      .trim()
      .split('\n')
      .map((line) => `${JSON.parse(line).direction} ${JSON.parse(line).by}`);

  const confidence = (workspace: TemporaryWorkspace) =>
    readOpinionsPage(workspace.read('bank/opinions.md')).find(({ bullet }) => bullet.text.includes('concise'))
      ?.confidence;

  describe('a model that was away', () => {
    test('later judges what the rules have judged, and overrules them', async () => {
      const workspace = testWorkspace({ ...LOGS, ...NAMED });
      const away = await reflect(workspace, AWAY);
      expect(away).toMatchObject({
        facts: 3,
        awaited: 2,
        warnings: [expect.stringContaining('a model can judge them later')],
      });
      expect(confidence(workspace)).toBe(0.82);
      const before = judges(workspace);
      expect(await reflect(workspace, AWAY)).toMatchObject({ facts: 0, awaited: 2, written: [] });
      expect(judges(workspace)).toEqual(before);

      const double = await judge('contradicts');
      expect(await reflect(workspace, double)).toMatchObject({ facts: 0, awaited: 0, warnings: [] });
      expect(judges(workspace).filter((one) => one === 'contradicts model:qwen3:4b-instruct')).toHaveLength(2);
      expect(confidence(workspace)).toBe(0.7);
      const asked = double.bodies('/api/chat').length;
      expect(await reflect(workspace, double)).toMatchObject({ awaited: 0, written: [] });
      expect(double.bodies('/api/chat')).toHaveLength(asked);
    });

    test("does not overrule a person's verdict", async () => {
      const workspace = testWorkspace({ ...LOGS, ...NAMED });
      await reflect(workspace, AWAY);
      const page = workspace.read('bank/opinions.md');
      workspace.write('bank/opinions.md', page.replace(/.*for: \[memory\/2026-03-02.*\n/, ''));
      await reflect(workspace, AWAY);
      const double = await judge('supports');
      await reflect(workspace, double);
      const [opinion] = readOpinionsPage(workspace.read('bank/opinions.md'));
      expect(opinion?.evidence.map(({ source }) => source)).not.toContain('memory/2026-03-02.md#L2');
    });

    test('is awaited if it has judged here before, even if no setting names it', async () => {
      const workspace = testWorkspace({ 'memory/2026-03-01.md': LOGS['memory/2026-03-01.md'] });
      await reflect(workspace, AWAY);
      workspace.write('memory/2026-03-03.md', '## Retain\n- W @Mara: wants short replies on WhatsApp\n');
      await reflect(workspace, await judge('supports'));
      workspace.write('memory/2026-03-04.md', '## Retain\n- W @Mara: asked again for short replies on WhatsApp\n');
      expect(await reflect(workspace, AWAY)).toMatchObject({ awaited: 1, warnings: [expect.any(String)] });
    });

    test('is not awaited if no setting names one', async () => {
      const workspace = testWorkspace(LOGS);
      expect(await reflect(workspace, AWAY)).toMatchObject({ awaited: 0, warnings: [] });
    });

    test('is not awaited with --max-calls 0', async () => {
      const workspace = testWorkspace({ ...LOGS, ...NAMED });
      expect(await reflect(workspace, AWAY, '--max-calls', '0')).toMatchObject({ awaited: 0, warnings: [] });
    });

    test('is still awaited after an empty list of verdicts', async () => {
      const workspace = testWorkspace({ ...LOGS, ...NAMED });
      await reflect(workspace, AWAY);
      const server = (await testOllama()).answer(() => ({ verdicts: [] }));
      const { awaited, warnings } = await reflect(workspace, server);
      expect(awaited).toBeGreaterThan(0);
      expect(warnings.join()).toContain('not usable');
      const double = await judge('contradicts');
      expect(await reflect(workspace, double)).toMatchObject({ awaited: 0 });
      expect(judges(workspace)).toContain('contradicts model:qwen3:4b-instruct');
    });

    test('is awaited for the rest when it goes away during a run', async () => {
      const workspace = testWorkspace({ ...LOGS, ...NAMED });
      const server = await testOllama();
      server.faults.set('reset-before-headers');
      const { awaited, warnings } = await reflect(workspace, server);
      expect({ awaited, warned: warnings.length > 0 }).toEqual({ awaited: 2, warned: true });
    });
  });

  describe('--rejudge', () => {
    test('makes the model judge everything that only the rules have judged', async () => {
      const workspace = testWorkspace(LOGS);
      await reflect(workspace, AWAY);
      const double = await judge('none');
      // Statements without a verdict are asked about in any case.
      expect(await reflect(workspace, double)).toMatchObject({ written: ['bank/evidence.jsonl'] });
      await reflect(workspace, double, '--rejudge');
      expect(confidence(workspace)).toBe(0.8);
      expect(judges(workspace)).toContain('none model:qwen3:4b-instruct');
    });

    test('leaves open what it has no time for', async () => {
      const logs = Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [
          `memory/2026-02-${String(index + 1).padStart(2, '0')}.md`,
          `## Retain\n- W @Mara: asked for short reply ${index} on WhatsApp\n`,
        ]),
      );
      const workspace = testWorkspace({ 'memory/2026-01-31.md': LOGS['memory/2026-03-01.md'], ...logs });
      await reflect(workspace, AWAY);
      const double = await judge('contradicts');
      const first = await reflect(workspace, double, '--rejudge', '--max-calls', '1');
      expect(first.awaited).toBeGreaterThan(0);
      expect(first.awaited).toBeLessThan(20);
      expect(await reflect(workspace, double)).toMatchObject({ awaited: 0 });
      expect(judges(workspace).filter((one) => one.startsWith('contradicts model:'))).toHaveLength(20);
    });

    test('says so without a model, and changes nothing', async () => {
      const workspace = testWorkspace(LOGS);
      const { code, stderr } = await workspace.run(['reflect', '--rejudge'], { env: { OLLAMA_HOST: AWAY } });
      expect(`${code} ${stderr}`).toMatch(/^[1-9] .*127\.0\.0\.1:9/s);
      expect(workspace.pages().some(({ path }) => path === 'bank/opinions.md')).toBe(false);
    });
  });
});

test('a model that gives no usable answer is asked twice for each task, and the rules do the rest', async () => {
  const double = await serverThat(
    () => 'no',
    () => 'no',
  );
  const people = Array.from({ length: 12 }, (_, index) => `Person${index}`);
  const facts = people.flatMap((name) => [`- W @${name}: lives in Graz`, `- W @${name}: plays the tuba`]);
  const workspace = testWorkspace({ 'memory/2026-03-01.md': `## Retain\n${facts.join('\n')}\n` });
  const { warnings, written } = await reflect(workspace, double);
  // Each question is put once more, with what is wrong with its answer.
  expect(calls(double)).toBeLessThan(7);
  expect(warnings).toHaveLength(2);
  expect(written.filter((path) => path.startsWith('bank/entities/'))).toHaveLength(people.length);
});
