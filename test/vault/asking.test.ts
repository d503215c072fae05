import { expect, test } from 'vitest';
import { factId } from '../../src/memory/fact.js';
import type { GetAnswer } from '../../src/query/get.js';
import type { RecallAnswer } from '../../src/query/request.js';
import { testWorkspace } from '../support/test-workspace.js';

const FILES = {
  'memory.config.json5': "{ extraFolders: ['.'] }",
  'memory/2026-03-10.md': '- W @Ivo: broke the tall ladder\n- the ladder is lent to [[Ladder Club]] #tools\n',
  'Ladder Club.md': '---\ntags: [clubs]\n---\n# Rules\nMembers bring their ladder on Mondays.\nNo paint on it.\n',
  'Projects/Roof.md': 'The ladder must reach the roof, see [the club](../Ladder%20Club.md).\n',
};

test('recall --path and --tag narrow the results, in every spelling', async () => {
  const workspace = testWorkspace(FILES);
  const paths = async (...flags: string[]) => {
    const { results } = await workspace.recall('ladder', ...flags);
    return results.map(({ path }) => path).sort();
  };
  expect(await paths('--path', 'Projects/**')).toEqual(['Projects/Roof.md']);
  expect(await paths('--path', 'Roof.md', '--path', 'memory')).toEqual([
    'Projects/Roof.md',
    'memory/2026-03-10.md',
    'memory/2026-03-10.md',
  ]);
  expect(await paths('--tag', 'tools')).toEqual(['memory/2026-03-10.md']);
  expect(new Set(await paths('--tag', '#Clubs'))).toEqual(new Set(['Ladder Club.md']));
  expect(await paths('--tag', 'none')).toEqual([]);
});

test('search accepts the flags of other tools and answers like recall', async () => {
  const workspace = testWorkspace(FILES);
  const recall = await workspace.recall('tall ladder', '--k', '2');
  const search = await workspace.json<RecallAnswer>([
    'search',
    'ignored',
    '--query',
    'tall ladder',
    '--max-results',
    '2',
  ]);
  expect(search).toEqual(recall);
  const high = await workspace.json<RecallAnswer>(['search', 'tall ladder', '--min-score', '0.999']);
  expect(high.results.every(({ score }) => score >= 0.999)).toBe(true);
  expect((await workspace.run(['search', 'x', '--min-score', '7'])).code).toBe(2);
});

test('get shows a fact, lines and a page, and the links to the page', async () => {
  const workspace = testWorkspace(FILES);
  const get = (...args: string[]) => workspace.json<GetAnswer>(['get', ...args]);
  const [fact] = (await workspace.recall('broke the tall ladder')).results;
  const byId = await get(fact?.id.slice(0, 8) ?? '', '-C', '1');
  expect(byId.item).toMatchObject({
    id: fact?.id,
    content: '@Ivo: broke the tall ladder',
    source: 'memory/2026-03-10.md#L1',
  });
  expect(byId.after).toEqual([{ line: 2, text: '- the ladder is lent to [[Ladder Club]] #tools' }]);
  expect((await get('memory/2026-03-10.md#L1')).item).toEqual(byId.item);
  expect((await get('Ladder Club.md#L5-L6')).item).toMatchObject({
    content: 'Members bring their ladder on Mondays.\nNo paint on it.',
    source: 'Ladder Club.md#L5-L6',
  });
  expect((await get('Ladder Club.md#L5-L99')).item).toMatchObject({ endLine: 6, source: 'Ladder Club.md#L5-L6' });
  const page = await get('./Ladder Club.md');
  expect(page.item).toMatchObject({ startLine: 1, endLine: 6, source: 'Ladder Club.md' });
  expect(page.linkedFrom.map(({ source }) => source).sort()).toEqual([
    'Projects/Roof.md#L1',
    'memory/2026-03-10.md#L2',
  ]);
});

test.each(['f-0000000', 'l-0000000000000', '/etc/hosts', '../x.md', 'memory.config.json5', 'memory/2026-03-10.md#L99'])(
  'get %s is refused as not read',
  async (target) => {
    const { code, stdout } = await testWorkspace(FILES).run(['get', target, '--json']);
    expect([code, JSON.parse(stdout).error.type]).toEqual([1, 'not_found']);
  },
);

/** Returns two facts of one day whose ids share the first six characters. */
function alike(): readonly [string, string] {
  const seen = new Map<string, string>();
  for (let n = 0; ; n++) {
    const text = `paid bill ${n}`;
    const beginning = factId({ kind: 'W', entities: [], text, day: '2026-03-11' }).slice(0, 8);
    const other = seen.get(beginning);
    if (other !== undefined) return [other, text];
    seen.set(beginning, text);
  }
}

test('text output shows the shortest unique ids, and commands accept them', async () => {
  const [one, other] = alike();
  const workspace = testWorkspace({
    'memory/2026-03-11.md': `- W ${one}\n- W ${other}\n- W @Ivo: plays the oboe\n- a line of the log\n`,
  });
  const idsIn = async (question: string) =>
    (await workspace.run(['recall', question, '--explain'])).stdout.match(/\b[fol]-\w+/g) ?? [];
  const [first = '', second = ''] = await idsIn('paid bill');
  expect(first).not.toBe(second);
  expect(Math.min(first.length, second.length)).toBeGreaterThan('f-'.length + 6);
  expect((await idsIn('oboe'))[0]).toHaveLength('f-'.length + 6);
  const [line = ''] = await idsIn('a line of the log');
  expect((await workspace.json<GetAnswer>(['get', line])).item.content).toBe('a line of the log');
  const { code, stderr } = await workspace.run(['forget', first.slice(0, 8)]);
  expect(code).toBe(2);
  for (const id of [first, second]) expect(stderr).toContain(id);
  expect((await workspace.run(['forget', first])).code).toBe(0);
});

test('an empty answer says what was searched, and a budget that is too small is reported', async () => {
  const workspace = testWorkspace(FILES);
  expect((await workspace.run(['recall', 'zeppelin'])).stdout).toMatch(/^Nothing found in 3 files\.\n/);
  const small = await workspace.run(['recall', 'ladder', '--budget', '1']);
  expect(small.stdout).not.toContain('Nothing found');
  expect(small.stdout).toContain('The budget is too small');
  const near = await workspace.recall('laddder');
  expect(near.warnings).toEqual(['no line has "laddder"; searched instead for "ladder"']);
});

const BIKES = {
  'memory/2026-03-11.md':
    '- W @Ivo: rides a red bicycle\n- W @Ivo: sold the blue bicycle\n- the bicycle shop closes at six\n',
};

test('forget --query that matches several facts lists the first without a terminal, and forgets nothing', async () => {
  const workspace = testWorkspace(BIKES);
  const { code, stdout, stderr } = await workspace.run(['forget', '--query', 'the bicycle of Ivo']);
  expect([code, stdout.match(/^[fl]-[0-9a-z]{6} {2}.*bicycle.*\[memory\/2026-03-11\.md#L\d\]$/gm)]).toEqual([
    1,
    expect.objectContaining({ length: 3 }),
  ]);
  expect(stderr).toContain('nothing was forgotten');
  expect(workspace.read('memory/2026-03-11.md')).toBe(BIKES['memory/2026-03-11.md']);
  const json = await workspace.run(['forget', '--query', 'the bicycle of Ivo', '--json']);
  const { ok, error, candidates } = JSON.parse(json.stdout);
  expect([json.code, ok, error.type, candidates.length]).toEqual([1, false, 'not_found', 3]);
  expect(candidates[0].id).toMatch(/^[fol]-[0-9a-z]{13}$/);
  expect((await workspace.run(['forget', stdout.slice(0, 8)])).code).toBe(0);
});

test.each([
  ['2\n', 0],
  ['\n', 1],
  ['9\n', 1],
  ['no\n', 1],
  ['', 1],
])('at a terminal forget --query asks which one: %j exits with %i', async (typed, exit) => {
  const workspace = testWorkspace(BIKES);
  const { code, stderr } = await workspace.run(['forget', '--query', 'bicycle'], { typed: typed });
  expect(code).toBe(exit);
  const [, second = ''] = /^2 {2}(.*?) {2}\[/m.exec(stderr) ?? [];
  const left = workspace.read('memory/2026-03-11.md');
  expect(left.includes(second)).toBe(exit === 1);
  expect(left.match(/bicycle/g)).toHaveLength(exit === 1 ? 3 : 2);
});

test('every text output prints short ids, and every command accepts short and full ones', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-12.md': '- O(c=0.8) @Ivo: prefers trains\n',
    'memory/2026-03-13.md': '- B @Ivo: went by train\n',
  });
  const retained = (await workspace.run(['retain', 'W @Ivo: owns a canoe'])).stdout;
  expect(retained).toMatch(/^f-[0-9a-z]{6} {2}/);
  const again = (await workspace.run(['retain', 'W @Ivo: owns a canoe'])).stdout;
  expect(again).toContain(`saved as ${retained.slice(0, 8)}\n`);
  await workspace.run(['reflect']);
  const short = / {2}(o-[0-9a-z]{6}) {2}/.exec((await workspace.run(['opinion', 'list'])).stdout)?.[1] ?? '';
  const { opinions } = await workspace.json<{ opinions: readonly { id: string }[] }>(['opinion', 'list']);
  const whole = opinions[0]?.id ?? '';
  expect(whole.startsWith(short)).toBe(true);
  for (const verb of ['show', 'why']) {
    const { code, stdout } = await workspace.run(['opinion', verb, short]);
    expect([code, stdout]).toEqual([0, (await workspace.run(['opinion', verb, whole])).stdout]);
    expect(stdout).not.toMatch(/[fo]-[0-9a-z]{13}/);
  }
  await workspace.run(['forget', retained.slice(0, 8)]);
  const undone = await workspace.run(['forget', '--undo', retained.slice(0, 8)]);
  expect([undone.code, undone.stdout]).toEqual([0, expect.stringContaining(`Restored: ${retained.slice(0, 8)}\n`)]);
});
