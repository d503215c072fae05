import { describe, expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const LOGS = {
  'memory/2026-02-01.md':
    '## Retain\n- W @Ines: coaches the juniors on Mondays and plays the organ\n- W @Ines: rents a flat above the bakery\n- W @Otto: rides a grey mare\n',
  'memory/2026-03-02.md': '## Retain\n- W @Ines: got the keys to a cottage by the weir\n- O(c=0.8) @Ines: likes rain\n',
};

interface Held {
  readonly text: string;
  readonly id: string;
  readonly ending: string | null;
  readonly by?: string;
  readonly settledBy?: string;
  readonly over?: string;
}

type Holds = Readonly<Record<'now' | 'planned' | 'lately' | 'preferences' | 'before', readonly Held[]>>;

const holds = async (workspace: TemporaryWorkspace): Promise<Holds> =>
  (await workspace.json<{ readonly holds: Holds }>(['entity', 'show', 'Ines', '--all'])).holds;

async function idOf(workspace: TemporaryWorkspace, words: string): Promise<string> {
  const { results } = await workspace.json<{ readonly results: readonly { id: string; content: string }[] }>([
    'recall',
    words,
  ]);
  return results.find(({ content }) => content.includes(words))?.id ?? '';
}

async function ids(workspace: TemporaryWorkspace) {
  const [coach, flat, mare, cottage] = await Promise.all(
    ['coaches the juniors', 'flat above the bakery', 'grey mare', 'keys to a cottage'].map((words) =>
      idOf(workspace, words),
    ),
  );
  return { coach: coach ?? '', flat: flat ?? '', mare: mare ?? '', cottage: cottage ?? '' };
}

const evidence = (workspace: TemporaryWorkspace) =>
  workspace
    .read('bank/evidence.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe("a person's verdict on two statements", () => {
  test('removes the earlier one from the current facts, on the page and in recall, and names who decided', async () => {
    const workspace = testWorkspace(LOGS);
    const { flat, cottage } = await ids(workspace);
    await workspace.json(['reflect', '--max-calls', '0']);
    expect((await holds(workspace)).now.map(({ id }) => id)).toContain(flat);
    const settled = await workspace.json(['settle', flat.slice(0, 9), cottage, 'REPLACES']);
    expect(settled).toMatchObject({
      verdict: { fact: cottage, of: flat, relation: 'replaces', by: 'human', day: '2026-03-02' },
      earlier: { id: flat, day: '2026-02-01', source: 'memory/2026-02-01.md#L3' },
      later: { id: cottage },
      written: ['bank/evidence.jsonl'],
    });
    expect(Object.keys(evidence(workspace).at(-1))).toEqual(['fact', 'of', 'relation', 'by', 'day', 'at']);
    const { now, before } = await holds(workspace);
    expect(now.map(({ id }) => id)).not.toContain(flat);
    expect(before).toMatchObject([{ id: flat, ending: 'replaced', by: cottage, settledBy: 'human' }]);
    expect((await workspace.run(['entity', 'show', 'Ines', '--all'])).stdout).toContain('decided by human)');
    const { results } = await workspace.json<{ results: { id: string; superseded?: string }[] }>(['recall', '@Ines']);
    expect(results.find(({ id }) => id === flat)?.superseded).toBe(cottage);
    const { now: changed } = await workspace.json<{ now: unknown[] }>(['reflect', '--max-calls', '0']);
    expect(changed).toContainEqual(
      expect.objectContaining({ change: 'left', fact: flat, why: 'replaced', by: cottage, settledBy: 'human' }),
    );
    expect(workspace.read('bank/entities/Ines.md')).toMatch(/\*\*Before\*\*[\s\S]*rents a flat/);
    expect((await workspace.run(['lint'])).stdout).toMatch(/no problems/);
    expect((await workspace.json<{ warnings: string[] }>(['reflect', '--max-calls', '0'])).warnings).toEqual([]);
  });

  test('given again writes nothing; a different one replaces it from then on', async () => {
    const workspace = testWorkspace(LOGS);
    const { flat, cottage } = await ids(workspace);
    await workspace.json(['settle', flat, cottage, 'ends']);
    expect(await workspace.json(['settle', flat, cottage, 'ends'])).toMatchObject({ written: [] });
    expect((await holds(workspace)).before).toMatchObject([{ ending: 'ended' }]);
    await workspace.json(['settle', flat, cottage, 'both']);
    expect(evidence(workspace)).toHaveLength(2);
    const { now, before } = await holds(workspace);
    expect([now.map(({ id }) => id).includes(flat), before]).toEqual([true, []]);
  });

  test('that ends a part of a statement keeps the rest current', async () => {
    const workspace = testWorkspace(LOGS);
    const { coach, cottage } = await ids(workspace);
    await workspace.json(['settle', coach, cottage, 'partly', '--over', 'coaches the juniors on Mondays']);
    const of = (await holds(workspace)).now.find(({ id }) => id === coach);
    expect(of).toMatchObject({ over: 'coaches the juniors on Mondays', settledBy: 'human' });
    expect(of?.text).toMatch(/plays the organ/);
    expect(of?.text).not.toMatch(/Mondays/);
  });

  test('is forgotten together with the fact that it quotes', async () => {
    const workspace = testWorkspace(LOGS);
    const { coach, cottage } = await ids(workspace);
    await workspace.json(['settle', coach, cottage, 'partly', '--over', 'plays the organ']);
    expect(workspace.read('bank/evidence.jsonl')).toContain('organ');
    await workspace.json(['forget', coach]);
    expect(workspace.read('bank/evidence.jsonl')).not.toContain('organ');
    expect((await workspace.run(['lint'])).stdout).toMatch(/no problems/);
  });

  test('that two statements say the same shows one, and the earlier is still found', async () => {
    const workspace = testWorkspace(LOGS);
    const { flat, cottage } = await ids(workspace);
    await workspace.json(['settle', flat, cottage, 'same']);
    expect((await holds(workspace)).before).toMatchObject([{ id: flat, ending: 'repeated', settledBy: 'human' }]);
  });

  test('--dry-run shows the line and writes nothing; --commit commits it alone', async () => {
    const workspace = testWorkspace(LOGS);
    const { flat, cottage } = await ids(workspace);
    const { stdout } = await workspace.run(['settle', flat, cottage, 'ends', '--dry-run']);
    expect(stdout).toMatch(/^\+\{"fact":.*"relation":"ends".*\}$/m);
    expect(workspace.pages().some(({ path }) => path === 'bank/evidence.jsonl')).toBe(false);
  });

  test.each<[string, (id: Awaited<ReturnType<typeof ids>>) => readonly string[], RegExp]>([
    [
      'an unknown id',
      ({ flat }) => [flat, 'f-zzzzzzzzzzzzz', 'ends'],
      /^1 .*there is no fact with the id f-z.*entity show/s,
    ],
    ['one statement', ({ flat }) => [flat, flat, 'ends'], /^2 .*gave the same statement twice/s],
    ['two subjects', ({ mare, cottage }) => [mare, cottage, 'ends'], /^2 .*different subjects: @Otto and @Ines/s],
    [
      'the wrong order',
      ({ flat, cottage }) => [cottage, flat, 'ends'],
      /^2 .*the older statement must come first.*settle f-/s,
    ],
    ['an unknown relation', ({ flat, cottage }) => [flat, cottage, 'kills'], /^2 .*replaces, ends, partly/s],
    ['no words', ({ coach, cottage }) => [coach, cottage, 'partly'], /^2 .*with the words.*plays the organ/s],
    ['other words', ({ coach, cottage }) => [coach, cottage, 'partly', '--over', 'the harp'], /^2 .*not a part of/s],
    [
      'all of its words',
      ({ flat, cottage }) => [flat, cottage, 'partly', '--over', 'rents a flat above the bakery'],
      /^2 .*but not all/s,
    ],
    ['words for the whole', ({ flat, cottage }) => [flat, cottage, 'ends', '--over', 'flat'], /^2 .*only with partly/s],
  ])('%s is refused with a remedy, and nothing is written', async (_, args, expected) => {
    const workspace = testWorkspace(LOGS);
    const { code, stderr } = await workspace.run(['settle', ...args(await ids(workspace))]);
    expect(`${code} ${stderr}`).toMatch(expected);
    expect(workspace.pages().some(({ path }) => path === 'bank/evidence.jsonl')).toBe(false);
  });
});

test('settle accepts the places that recall cites', async () => {
  const workspace = testWorkspace(LOGS);
  const places = ['memory/2026-02-01.md#L3', 'memory/2026-03-02.md#L2'];
  const { stdout } = await workspace.run(['settle', ...places, 'replaces']);
  expect(stdout).toMatch(/rents a flat above the bakery.*\n {2}replaced by\n.*got the keys to a cottage/);
  expect((await holds(workspace)).before).toMatchObject([
    { text: 'rents a flat above the bakery', settledBy: 'human' },
  ]);
});

const TALK = {
  'memory/2026-03-02.md': '# 2026-03-02\n\n- Boiler service is booked with Huber\n- Tea was cold\n',
  'memory/2026-03-09.md': '# 2026-03-09\n\n- Kranzl comes for the boiler, Huber has flu\n- Bought a lamp\n',
  'memory/topics/house.md': '# House\n\n- Boiler key hangs in the kitchen\n- Boiler key hangs in the hall\n',
};
const BOOKED = 'memory/2026-03-02.md#L3';
const COMES = 'memory/2026-03-09.md#L3';

interface Found {
  readonly id: string;
  readonly source: string;
  readonly superseded?: string;
  readonly newer?: string;
  readonly over?: string;
}

interface LintLine {
  readonly rule: string;
  readonly path: string;
  readonly line: number;
  readonly message: string;
  readonly hint?: string;
}

async function found(workspace: TemporaryWorkspace, ...args: readonly string[]): Promise<readonly Found[]> {
  const query = ['recall', 'who does the boiler service, Huber or Kranzl?', ...args];
  return (await workspace.json<{ readonly results: readonly Found[] }>(query)).results;
}

const at = (results: readonly Found[], source: string): Found | undefined =>
  results.find((result) => result.source === source);

const lost = async (workspace: TemporaryWorkspace): Promise<readonly string[]> => {
  const { stdout } = await workspace.run(['lint', '--json']);
  const { problems }: { readonly problems: readonly LintLine[] } = JSON.parse(stdout);
  return problems
    .filter(({ rule }) => rule === 'lost-verdict')
    .map(({ path, line, message, hint }) => `${path}:${line} ${message}; ${hint}`);
};

describe("a person's verdict on lines of log text", () => {
  test('is saved with their ids and the hashes of their texts, and recall shows it', async () => {
    const workspace = testWorkspace(TALK);
    await workspace.run(['settle', BOOKED, COMES, 'replaces']);
    const results = await found(workspace);
    const [later, earlier] = [at(results, COMES), at(results, BOOKED)];
    const hash = expect.stringMatching(/^[0-9a-z]{13}$/);
    expect(evidence(workspace)).toMatchObject([
      {
        ...{ fact: later?.id, of: earlier?.id, relation: 'replaces', by: 'human', day: '2026-03-09' },
        lines: { fact: { path: 'memory/2026-03-09.md', text: hash }, of: { path: 'memory/2026-03-02.md', text: hash } },
      },
    ]);
    expect(later?.id).toMatch(/^l-/);
    expect(earlier).toMatchObject({ superseded: later?.id });
    expect(results.findIndex(({ source }) => source === COMES)).toBeLessThan(
      results.findIndex(({ source }) => source === BOOKED),
    );
    expect(at(await found(workspace, '--as-of', '2026-03-05'), BOOKED)).not.toHaveProperty('superseded');
    const block = await workspace.run([
      'context',
      'build',
      '--block-only',
      '--message',
      'Call the boiler service Huber',
    ]);
    expect(block.stdout).toContain(COMES);
    expect(block.stdout).not.toContain(BOOKED);
  });

  test('takes ids as well as places, can end a part, and can be taken back', async () => {
    const workspace = testWorkspace(TALK);
    const before = await found(workspace);
    const [booked = '', comes = ''] = [BOOKED, COMES].map((source) => at(before, source)?.id);
    await workspace.run(['settle', booked, comes, 'partly', '--over', 'with Huber']);
    expect(at(await found(workspace), BOOKED)).toMatchObject({ newer: comes, over: 'with Huber' });
    await workspace.run(['settle', booked, comes, 'both']);
    expect(at(await found(workspace), BOOKED)).toEqual(at(before, BOOKED));
  });

  test('a line without a day may replace one of its page, and a fact may replace a line', async () => {
    const workspace = testWorkspace({ ...TALK, 'memory/2026-03-12.md': '- W @Kranzl: serviced the boiler\n' });
    await workspace.run(['settle', 'memory/topics/house.md#L3', 'memory/topics/house.md#L4', 'replaces']);
    const fact = 'memory/2026-03-12.md#L1';
    await workspace.run(['settle', BOOKED, fact, 'ends']);
    const { results } = await workspace.json<{ readonly results: readonly Found[] }>(['recall', 'boiler key kitchen']);
    expect(at(results, 'memory/topics/house.md#L3')?.superseded).toMatch(/^l-/);
    const answer = await found(workspace);
    expect(at(answer, BOOKED)).toMatchObject({ superseded: at(answer, fact)?.id });
  });

  test('the wrong order is refused', async () => {
    const { code, stderr } = await testWorkspace(TALK).run(['settle', COMES, BOOKED, 'ends']);
    expect(`${code} ${stderr}`).toMatch(/^2 .*the older statement must come first/s);
  });

  test('an edit of a line ends the verdict, and lint names it', async () => {
    const workspace = testWorkspace(TALK);
    await workspace.run(['settle', BOOKED, COMES, 'replaces']);
    const { id } = at(await found(workspace), BOOKED) ?? { id: '' };
    workspace.write(
      'memory/2026-03-02.md',
      '# 2026-03-02\n\n\n- Tea was cold\n- Boiler service is booked with Huber\n',
    );
    expect(at(await found(workspace), 'memory/2026-03-02.md#L5')?.superseded).toMatch(/^l-/);
    expect((await workspace.run(['lint'])).stdout).not.toContain('lost-verdict');
    workspace.write('memory/2026-03-02.md', '# 2026-03-02\n\n- Boiler service is booked with Huber at ten\n');
    expect(at(await found(workspace), BOOKED)).not.toHaveProperty('superseded');
    const [problem, ...others] = await lost(workspace);
    expect(problem).toContain('bank/evidence.jsonl:1 the verdict "replaces"');
    expect(problem).toContain(`${id} of memory/2026-03-02.md was changed or removed`);
    expect(others).toEqual([]);
    workspace.remove('memory/2026-03-02.md');
    workspace.write('memory/topics/boiler.md', TALK['memory/2026-03-02.md']);
    expect(await lost(workspace)).toEqual([expect.stringContaining('new place memory/topics/boiler.md#L3')]);
  });

  test('no model is asked about log lines', async () => {
    const workspace = testWorkspace(TALK);
    await workspace.run(['settle', BOOKED, COMES, 'partly', '--over', 'with Huber']);
    const { stdout } = await workspace.run(['reflect', 'prompt']);
    expect(stdout).not.toMatch(/boiler/i);
  });
});
