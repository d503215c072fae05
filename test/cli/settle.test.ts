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
    ['one statement', ({ flat }) => [flat, flat, 'ends'], /^2 .*gave the same fact twice/s],
    ['two subjects', ({ mare, cottage }) => [mare, cottage, 'ends'], /^2 .*different subjects: @Otto and @Ines/s],
    [
      'the wrong order',
      ({ flat, cottage }) => [cottage, flat, 'ends'],
      /^2 .*the older fact must come first.*settle f-/s,
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
