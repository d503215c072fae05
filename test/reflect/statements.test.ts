import { describe, expect, test } from 'vitest';
import { type AskedPair, askedPairs } from '../support/asked-pairs.js';
import type { FakeOllama } from '../support/ollama/server.js';
import { testOllama } from '../support/ollama/start.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const LOGS = {
  'memory/2026-02-01.md':
    '## Retain\n- W @Ines: is out of work\n- W @Ines: coaches the juniors and plays the organ\n- W @Otto: rides a grey mare\n- B @Ines: I helped her with the tax form\n',
  'memory/2026-03-02.md': '## Retain\n- W @Ines: started at Harrow Logistics\n- W @Ines: got the keys to a cottage\n',
};
const NAMED = { 'memory.config.json5': '{ chatModel: "qwen3:4b-instruct" }' };
const BY = 'model:qwen3:4b-instruct';

type Says = (pair: AskedPair) => Readonly<Record<string, unknown>>;

/** A model that gives this answer to every pair of statements, and none about beliefs and entities. */
async function saying(says: Says): Promise<FakeOllama> {
  return (await testOllama()).answer((prompt) => {
    const beliefs = [...prompt.matchAll(/^pair (\d+)$/gm)].map(([, pair]) => ({ pair: Number(pair), verdict: 'none' }));
    const asked = askedPairs(prompt).map((pair) => ({ pair: pair.pair, ...says(pair) }));
    const verdicts = asked.length > 0 ? asked : beliefs;
    return verdicts.length > 0 ? { verdicts } : { sentences: [] };
  });
}

const both: Says = () => ({ relation: 'both' });
const job: Says = ({ earlier, later }) => ({
  relation: earlier.text === 'is out of work' && later.text.includes('Harrow') ? 'replaces' : 'both',
});

/** Every pair that the model was asked about, in its order. */
function asked(double: FakeOllama): readonly AskedPair[] {
  return double
    .bodies('/api/chat')
    .flatMap(({ messages }) =>
      (Array.isArray(messages) ? messages : []).flatMap(({ content }) => askedPairs(String(content))),
    );
}

const inWords = ({ subject, earlier, later }: AskedPair) => `${subject}: ${earlier.text} → ${later.text}`;

interface Change {
  readonly change: string;
  readonly line: string;
  readonly why: string;
  readonly settledBy?: string;
}

interface Report {
  readonly run: string;
  readonly written: readonly string[];
  readonly warnings: readonly string[];
  readonly now: readonly Change[];
  readonly settled: readonly { readonly text: string; readonly relation: string; readonly by: string }[];
}

async function reflect(workspace: TemporaryWorkspace, host: string, ...more: readonly string[]): Promise<Report> {
  const { code, stdout, stderr } = await workspace.run(['reflect', '--json', ...more], { env: { OLLAMA_HOST: host } });
  expect(`${code} ${stderr}`).toMatch(/^0 /);
  return JSON.parse(stdout);
}

interface Held {
  readonly text: string;
  readonly ending: string | null;
  readonly settledBy?: string;
  readonly over?: string;
}

async function holds(workspace: TemporaryWorkspace): Promise<Readonly<Record<'now' | 'before', readonly Held[]>>> {
  return (
    await workspace.json<{ holds: Record<'now' | 'before', readonly Held[]> }>(['entity', 'show', 'Ines', '--all'])
  ).holds;
}

const verdicts = (workspace: TemporaryWorkspace) =>
  workspace
    .read('bank/evidence.jsonl')
    .split('\n')
    .filter((line) => line.includes('"of"'))
    .map((line) => JSON.parse(line));

describe('a model judges what later statements do to earlier ones', () => {
  test('even if they share no word; the page names the judge and keeps the verdict without the model', async () => {
    const double = await saying(job);
    const workspace = testWorkspace({ ...LOGS, ...NAMED });
    const report = await reflect(workspace, double.url);
    expect(asked(double).map(inWords)).toEqual(
      expect.arrayContaining([
        '@Ines: is out of work → started at Harrow Logistics',
        '@Ines: coaches the juniors and plays the organ → got the keys to a cottage',
      ]),
    );
    // Actions of the agent replace nothing, and statements of different subjects are not compared.
    expect(asked(double).map(inWords).join('\n')).not.toMatch(/tax form|mare/);
    expect(asked(double)[0]).toMatchObject({ pair: 1, later: { day: '2026-03-02' } });
    expect(report.settled).toMatchObject([{ text: 'is out of work', relation: 'replaces', by: BY }]);
    const verdict = verdicts(workspace).find(({ relation }) => relation === 'replaces');
    expect(Object.keys(verdict)).toEqual(['fact', 'of', 'relation', 'by', 'digest', 'day', 'at']);
    expect(verdict).toMatchObject({ by: BY, day: '2026-03-02' });
    const { now, before } = await holds(workspace);
    expect(now.map(({ text }) => text)).not.toContain('is out of work');
    expect(before).toMatchObject([{ text: 'is out of work', ending: 'replaced', settledBy: BY }]);
    expect(workspace.read('bank/entities/Ines.md')).toMatch(/\*\*Before\*\*[\s\S]*is out of work/);
  });

  test('once: a second run asks nothing, and a new statement is compared with the current ones', async () => {
    const double = await saying(job);
    const workspace = testWorkspace({ ...LOGS, ...NAMED });
    await reflect(workspace, double.url);
    const calls = double.bodies('/api/chat').length;
    expect(await reflect(workspace, double.url)).toMatchObject({ written: [], settled: [] });
    expect(double.bodies('/api/chat')).toHaveLength(calls);
    workspace.write('memory/2026-03-10.md', '## Retain\n- W @Ines: has a cough\n');
    const before = asked(double).length;
    await reflect(workspace, double.url);
    const fresh = asked(double).slice(before);
    expect(fresh.every(({ later }) => later.text === 'has a cough')).toBe(true);
    expect(fresh.map(({ earlier }) => earlier.text).toSorted()).toEqual([
      'coaches the juniors and plays the organ',
      'got the keys to a cottage',
      'started at Harrow Logistics',
    ]);
  });

  test('even after a run by rules, and the report names the judge', async () => {
    const workspace = testWorkspace(LOGS);
    await workspace.json(['reflect', '--max-calls', '0']);
    workspace.write('memory.config.json5', NAMED['memory.config.json5']);
    const double = await saying(job);
    const { now } = await reflect(workspace, double.url);
    expect(now).toContainEqual(
      expect.objectContaining({ change: 'left', line: 'is out of work', why: 'replaced', settledBy: BY }),
    );
  });

  test('and records unaffected statements in one line, asked once, which a person may overrule', async () => {
    const many = Array.from({ length: 6 }, (_, index) => `- W @Ines: owns thing number${index}\n`).join('');
    const workspace = testWorkspace({
      'memory/2026-03-01.md': `## Retain\n${many}- O @Ines: is punctual\n- O @Ines: is kind\n`,
      ...NAMED,
    });
    const double = await saying(both);
    await reflect(workspace, double.url);
    const before = workspace.read('bank/evidence.jsonl');
    workspace.write('memory/2026-03-02.md', '## Retain\n- W @Ines: was in the lobby at 8:55\n');
    await reflect(workspace, double.url);
    const added = workspace.read('bank/evidence.jsonl').slice(before.length).trim().split('\n');
    const lines = added.map((line): Record<string, string> => JSON.parse(line));
    expect(lines).toMatchObject([{ opinion: expect.any(String) }, { relation: 'both', of: expect.any(String) }]);
    expect(lines.map(({ of, opinion }) => (of ?? opinion)?.split(' ').length)).toEqual([2, 6]);
    const calls = asked(double).length;
    await reflect(workspace, double.url, '--since', '2026-01-01');
    expect(asked(double)).toHaveLength(calls);
    const [older = ''] = lines[1]?.of?.split(' ') ?? [];
    await workspace.json(['settle', older, lines[1]?.fact ?? '', 'replaces']);
    expect((await holds(workspace)).before).toMatchObject([{ id: older, settledBy: 'human' }]);
    expect((await workspace.run(['lint'])).stdout).toMatch(/no problems/);
  });

  test('until --max-calls is reached; the next run continues', async () => {
    const many = Array.from({ length: 9 }, (_, index) => `- W @Ines: owns thing number${index}`).join('\n');
    const workspace = testWorkspace({ 'memory/2026-03-01.md': `## Retain\n${many}\n`, ...NAMED });
    const double = await saying(both);
    const calls = () =>
      double.bodies('/api/chat').filter(({ messages }) => Array.isArray(messages) && messages.length > 0);
    for (let run = 1; run <= 3; run++) {
      await reflect(workspace, double.url, '--max-calls', '1');
      expect(calls().length).toBeLessThanOrEqual(run);
    }
    await reflect(workspace, double.url);
    const names = asked(double).map(inWords);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toHaveLength(36);
    expect(asked(double).map(({ pair }) => pair)).toContain(20);
    expect(asked(double).every(({ pair }) => pair <= 20)).toBe(true);
  });

  test('or the calling agent’s model does, with a line of JSON for each pair', async () => {
    const workspace = testWorkspace(LOGS);
    const form = await workspace.json<{ user: string; pairs: number; schema: unknown }>(['reflect', 'prompt']);
    const pairs = askedPairs(form.user);
    expect(pairs).toHaveLength(form.pairs);
    expect(new Set(pairs.map(({ pair }) => pair)).size).toBe(form.pairs);
    const answer = { verdicts: pairs.map((pair) => ({ pair: pair.pair, ...job(pair) })) };
    const input = JSON.stringify(answer);
    // A statement added in between does not change the meaning of the numbers.
    workspace.write('memory/2026-03-11.md', '## Retain\n- W @Ines: has a cough\n');
    const { code } = await workspace.run(['reflect', 'apply', '--answer', '-'], { input });
    expect(code).toBe(0);
    expect((await holds(workspace)).before).toMatchObject([{ text: 'is out of work', settledBy: 'agent' }]);
    const next = await workspace.json<{ user: string }>(['reflect', 'prompt']);
    expect(askedPairs(next.user).every(({ later }) => later.text === 'has a cough')).toBe(true);
    const twice = await workspace.run(['reflect', 'apply', '--answer', '-'], { input });
    expect(`${twice.code} ${twice.stderr}`).toMatch(/^1 .*has no verdict/s);
  });
});

describe('undo of a run', () => {
  test('revokes its verdicts with new lines, asks about the pairs again, and a person overrules the model', async () => {
    const double = await saying(job);
    const workspace = testWorkspace({ ...LOGS, ...NAMED });
    const { run } = await reflect(workspace, double.url);
    const given = verdicts(workspace);
    await workspace.json(['reflect', '--undo', run]);
    const undone = verdicts(workspace).filter(({ relation }) => relation === 'undone');
    expect(verdicts(workspace)).toHaveLength(given.length + undone.length);
    expect(undone.map(({ of }) => of).sort()).toEqual(given.flatMap(({ of }) => of.split(' ')).sort());
    expect((await holds(workspace)).before).toEqual([]);
    await reflect(workspace, double.url);
    expect((await holds(workspace)).before).toMatchObject([{ text: 'is out of work' }]);
    const { of, fact } = verdicts(workspace).findLast(({ relation }) => relation === 'replaces');
    await workspace.json(['settle', of, fact, 'both']);
    expect((await holds(workspace)).before).toEqual([]);
    // Undo revokes the verdicts of the run and keeps later ones by a person.
    await workspace.json(['reflect', '--undo']);
    expect(verdicts(workspace).filter(({ by }) => by === 'human')).toMatchObject([{ relation: 'both' }]);
  });
});

describe('a model that invents verdicts', () => {
  test.each<[string, Says]>([
    ['everything is over', () => ({ relation: 'replaces' })],
    ['everything has ended', () => ({ relation: 'ends' })],
    ['all is the same', () => ({ relation: 'same' })],
    ['words that nobody wrote', () => ({ relation: 'partly', over: 'Mallory was here' })],
    ['the whole as a part', ({ earlier }) => ({ relation: 'partly', over: earlier.text })],
    ['no words', () => ({ relation: 'partly' })],
  ])('%s: at worst ends a line, which stays on the page with the judge’s name', async (_, says) => {
    const workspace = testWorkspace({ ...LOGS, ...NAMED });
    await reflect(workspace, (await saying(says)).url);
    expect(workspace.read('bank/evidence.jsonl')).not.toContain('Mallory');
    const { now, before } = await holds(workspace);
    const texts = [...now, ...before].map(({ text }) => text);
    for (const text of ['is out of work', 'coaches the juniors', 'Harrow Logistics', 'a cottage'])
      expect(texts.filter((one) => one.includes(text))).toHaveLength(1);
    for (const one of before) expect(one.settledBy).toBe(BY);
    for (const [path, log] of Object.entries(LOGS)) expect(workspace.read(path)).toBe(log);
    expect((await workspace.run(['lint'])).stdout).toMatch(/no problems/);
  });

  test('quotes of ended words match in any case and with quotation marks', async () => {
    const workspace = testWorkspace({ ...LOGS, ...NAMED });
    const double = await saying(({ earlier }) =>
      earlier.text.includes('organ') ? { relation: 'partly', over: '"Coaches the juniors"' } : { relation: 'both' },
    );
    await reflect(workspace, double.url);
    const of = (await holds(workspace)).now.find(({ text }) => text.includes('organ'));
    expect(of).toMatchObject({ over: 'coaches the juniors', settledBy: BY });
  });

  test('a senseless answer settles nothing, and the model is asked again later', async () => {
    const workspace = testWorkspace({ ...LOGS, ...NAMED });
    const double = await saying(() => ({ relation: 'destroys' }));
    const { warnings } = await reflect(workspace, double.url);
    expect(warnings.join()).toContain('these statements stay open');
    expect((await holds(workspace)).before).toEqual([]);
    await double.stop();
    await reflect(workspace, (await saying(job)).url);
    expect((await holds(workspace)).before).toMatchObject([{ text: 'is out of work' }]);
  });
});
