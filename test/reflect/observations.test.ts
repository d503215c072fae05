import { expect, test } from 'vitest';
import { git, identity } from '../support/git.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { FileContents, TemporaryWorkspace } from '../support/workspace.js';

// The week from Monday, 2026-03-02, to Sunday, 2026-03-08.
const MONDAY = `# 2026-03-02

## Standup

- [x] harbor: rotated the keys
- [ ] harbor: write the runbook

## Decisions

- Keep harbor on one node.

Nothing else happened.

## Retain
- W @harbor: runs version 3.2
- B @Nora: I called her about the invoice
`;
const THURSDAY = `# 2026-03-05

- Error: harbor ran out of disk
- Error: the harbor queue was full
- Somebody was ill.

## Retain
- O(c=0.8) @Nora: prefers harbor to the old queue
`;
const WEEK = { 'memory/2026-03-02.md': MONDAY, 'memory/2026-03-05.md': THURSDAY };
const HARBOR =
  '@harbor: named in 7 entries on 2 days from 2026-03-02 to 2026-03-05: 2 “Error”, 1 done task, 1 open task, 1 under “Decisions”, 1 opinion';

/** `reflect` on the Monday after the week, or on another day. */
function reflect(workspace: TemporaryWorkspace, args: readonly string[] = ['--observe'], day = '2026-03-09') {
  return workspace.run(['reflect', '--max-calls', '0', '--json', ...args, '--now', `${day}T09:00:00Z`]);
}

async function observed(workspace: TemporaryWorkspace, args?: readonly string[], day?: string) {
  const { stdout } = await reflect(workspace, args, day);
  const report: { observed: readonly string[] } = JSON.parse(stdout);
  return report.observed;
}

async function afterObserving(files: FileContents = WEEK): Promise<TemporaryWorkspace> {
  const workspace = testWorkspace(files);
  await reflect(workspace);
  return workspace;
}

const log = (workspace: TemporaryWorkspace, day: string) => workspace.read(`memory/${day}.md`);
const marked = (text: string) => text.split('\n').filter((line) => line.includes('<!-- observed '));

test('a run that observes counts the entries of the last week in the newest log of that week, with its sources', async () => {
  const workspace = testWorkspace({ ...WEEK, 'memory/2026-03-10.md': '- W @harbor: was restarted\n' });
  expect(await observed(workspace)).toEqual([`${HARBOR} (memory/2026-03-05.md#L9)`]);
  const line = `- S ${HARBOR} (from [2026-03-02](2026-03-02.md), [2026-03-05](2026-03-05.md)) <!-- observed `;
  expect(log(workspace, '2026-03-05')).toMatch(/^(?:.*\n)*## Retain\n- O.*\n- S @harbor: .*\n$/);
  expect(marked(log(workspace, '2026-03-05'))).toEqual([expect.stringContaining(line)]);
  expect(log(workspace, '2026-03-02')).toBe(MONDAY);
  const { results } = await workspace.recall('harbor named in entries', '--kind', 'observation');
  expect(results).toMatchObject([
    { kind: 'observation', content: HARBOR, timestamp: '2026-03-05', entities: ['harbor'] },
  ]);
});

test('a run that does not observe writes none, and neither does a dry run, which shows it', async () => {
  const workspace = testWorkspace(WEEK);
  expect(await observed(workspace, [])).toEqual([]);
  expect((await reflect(workspace, ['--observe', '--dry-run'])).stdout).toContain('+- S @harbor: named in 7 entries');
  expect(log(workspace, '2026-03-05')).toBe(THURSDAY);
});

test('a week that has not ended is left alone until its Sunday', async () => {
  const workspace = testWorkspace(WEEK);
  expect(await observed(workspace, ['--observe'], '2026-03-07')).toEqual([]);
  expect(await observed(workspace, ['--observe', '--since', '2026-03-02'], '2026-03-07')).toEqual([]);
  expect(await observed(workspace, ['--observe'], '2026-03-08')).toHaveLength(1);
});

test('with a first day, each week from then on is observed', async () => {
  const workspace = testWorkspace(WEEK);
  expect(await observed(workspace, ['--observe'], '2026-04-20')).toEqual([]);
  expect(await observed(workspace, ['--observe', '--since', '2026-03-04'], '2026-04-20')).toHaveLength(1);
});

test('the same run again changes nothing', async () => {
  const workspace = await afterObserving();
  const before = workspace.pages();
  expect(await observed(workspace)).toEqual([]);
  expect(workspace.pages()).toEqual(before);
});

test('an observation of a week that has grown is replaced, and moves to the newest log', async () => {
  const workspace = await afterObserving();
  workspace.write('memory/2026-03-02.md', MONDAY.replace('Nothing', '- harbor was slow\n\nNothing'));
  expect(await observed(workspace)).toEqual([expect.stringMatching(/named in 8 entries .*2026-03-05\.md#L9\)$/)]);
  expect(marked(log(workspace, '2026-03-05'))).toHaveLength(1);
  workspace.write('memory/2026-03-06.md', '# 2026-03-06\n\nharbor is quiet.\n');
  expect(await observed(workspace)).toEqual([expect.stringMatching(/named in 9 entries .*2026-03-06\.md#L7\)$/)]);
  expect(log(workspace, '2026-03-05')).toBe(THURSDAY);
});

test.each([
  ['deleted', (text: string) => text.replace(/^- S .*\n/m, '')],
  ['edited', (text: string) => text.replace('7 entries', 'seven entries')],
  ['struck', (text: string) => text.replace(/^- (S .*\))/m, '- ~~$1~~')],
])('an observation that a person has %s stays as it is, although the week grows', async (_, change) => {
  const workspace = await afterObserving();
  workspace.write('memory/2026-03-05.md', change(log(workspace, '2026-03-05')));
  workspace.write('memory/2026-03-02.md', `${MONDAY}- W @harbor: is slow\n`);
  const before = log(workspace, '2026-03-05');
  expect(await observed(workspace)).toEqual([]);
  // Another undone run does not bring it back either.
  await workspace.run(['retain', 'W @Nora: is away', '--now', '2026-03-09T10:00:00Z']);
  await reflect(workspace, []);
  await workspace.run(['reflect', '--undo']);
  expect(await observed(workspace)).toEqual([]);
  expect(log(workspace, '2026-03-05')).toBe(before);
});

test('a forgotten observation does not come back', async () => {
  const workspace = await afterObserving();
  const { results } = await workspace.recall('harbor named in entries', '--kind', 'observation');
  await workspace.run(['forget', results[0]?.id ?? '']);
  expect(marked(log(workspace, '2026-03-05'))).toEqual([]);
  expect(await observed(workspace)).toEqual([]);
});

test('undo takes the observation back, and the next run may write it again', async () => {
  const workspace = await afterObserving();
  await workspace.run(['reflect', '--undo']);
  expect(log(workspace, '2026-03-05')).toBe(THURSDAY);
  expect(await observed(workspace)).toHaveLength(1);
});

test('an observation is no evidence, no source of another one, and stands on no page', async () => {
  const workspace = await afterObserving();
  const pages = workspace.pages().filter(({ path }) => path.startsWith('bank/'));
  expect(pages.map(({ path }) => path)).toContain('bank/entities/harbor.md');
  expect(pages.filter(({ text }) => text.includes('named in'))).toEqual([]);
  expect((await workspace.run(['entity', 'show', 'harbor'])).stdout).toContain('runs version 3.2');
  const { holds } = await workspace.json<{ holds: unknown }>(['entity', 'show', 'harbor']);
  expect(JSON.stringify(holds)).not.toContain('named in');
  const retained = await workspace.json<{ retained: readonly object[] }>([
    'retain',
    `S ${HARBOR.replace('7', '8')}`,
    '--now',
    '2026-03-09T10:00:00Z',
  ]);
  expect(retained.retained[0]).not.toHaveProperty('nearDuplicateOf');
});

test('recall puts an observation after what it counts, and finds it by its own words', async () => {
  const workspace = await afterObserving();
  const contents = async (question: string) => (await workspace.recall(question)).results.map(({ content }) => content);
  const decided = await contents('what was decided about harbor?');
  expect(decided).toContain('Keep harbor on one node.');
  expect(decided.at(-1)).toBe(HARBOR);
  expect((await contents('harbor'))[0]).not.toBe(HARBOR);
  expect((await contents('harbor named in 7 entries'))[0]).toBe(HARBOR);
});

test('an observation moves no other line of a log', async () => {
  const evening = `${THURSDAY}\n## Evening\n\n- W @Nora: is at home\n`;
  const workspace = await afterObserving({ ...WEEK, 'memory/2026-03-05.md': evening });
  const after = log(workspace, '2026-03-05');
  expect(after.slice(0, evening.length)).toBe(evening);
  expect(after.slice(evening.length)).toMatch(/^\n## Retain\n\n- S @harbor: .*\n$/);
});

test('of two observations that a merge has joined, one stays, and a struck one of another machine stays, too', async () => {
  const [one, other] = [
    await afterObserving(),
    await afterObserving({ ...WEEK, 'memory/2026-03-02.md': `${MONDAY}- harbor\n` }),
  ];
  const [line = ''] = marked(log(other, '2026-03-05'));
  one.write('memory/2026-03-05.md', `${log(one, '2026-03-05')}${line}\n`);
  expect(await observed(one)).toEqual([]);
  expect(marked(log(one, '2026-03-05'))).toEqual([expect.stringContaining('named in 7 entries')]);
  const struck = testWorkspace({ ...WEEK, 'memory/2026-03-05.md': `${THURSDAY}${line.replace(/S .*\)/, '~~$&~~')}\n` });
  expect(await observed(struck)).toEqual([]);
});

test('of two logs of a day, the one into which facts are retained gets the observation', async () => {
  const workspace = testWorkspace({ ...WEEK, 'journals/2026_03_05.md': '- harbor was seen\n' });
  expect(await observed(workspace)).toEqual([expect.stringMatching(/8 entries .*\(memory\/2026-03-05\.md#L9\)$/)]);
  expect(marked(log(workspace, '2026-03-05'))[0]).toContain('[2026-03-05](../journals/2026_03_05.md), [2026-03-05]');
});

test('a week has at most three, of whom most entries tell, on two days at least', async () => {
  const entries = (name: string, count: number) => Array.from({ length: count }, (_, i) => `- W @${name}: item ${i}\n`);
  const days = (one: readonly string[], other: readonly string[]) => ({
    'memory/2026-03-03.md': `# Tuesday\n\n${one.join('')}`,
    'memory/2026-03-04.md': `# Wednesday\n\n${other.join('')}`,
  });
  const names = ['Ada', 'Bob', 'Cleo', 'Dan'];
  const workspace = testWorkspace(
    days(
      [...names.flatMap((name, i) => entries(name, 3 + i)), ...entries('Eve', 9), ...entries('Fay', 3)],
      [...names.flatMap((name) => entries(name, 2)), ...entries('Fay', 1)],
    ),
  );
  const found = await observed(workspace);
  expect(found.map((line) => line.slice(0, line.indexOf(' on ')))).toEqual([
    '@Dan: named in 8 entries',
    '@Cleo: named in 7 entries',
    '@Bob: named in 6 entries',
  ]);
});

test('a paragraph and an inferred fact with its line are one entry, and what a machine wrote is none', async () => {
  const workspace = testWorkspace({
    'bank/entities/Peter.md': '---\naliases: [Pete, 彼得]\n---\n# Peter\n',
    'memory/2026-03-03.md':
      'Peter came by in the morning, and\nPeter brought the parts that Peter had ordered.\n\n- Pete, that is 彼得, said that the rig is old.\n\n## Retain\n- W @Peter: says that the rig is old (from L4, by rules)\n',
    'memory/2026-03-04.md':
      '09:10 Peter called\n09:40 Peter called again\n\n- cron: Peter has a birthday\n- Peter fixed the rig.\n- Petersen was here.\n- 彼得回来了\n',
  });
  expect(await observed(workspace)).toEqual([expect.stringMatching(/^@Peter: named in 6 entries on 2 days /)]);
});

test('the commit of the run has the log with the observation', async () => {
  const workspace = testWorkspace({ '.gitignore': '.memory/\n', ...WEEK });
  await git(workspace.root, 'init', '-q', '-b', 'main');
  await git(workspace.root, 'add', '.');
  await git(workspace.root, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'start');
  const args = ['reflect', '--observe', '--commit', '--max-calls', '0', '--now', '2026-03-09T09:00:00Z'];
  await workspace.run(args, { env: identity(workspace) });
  expect(await git(workspace.root, 'show', '--format=%B', 'HEAD')).toMatch(
    /Observed:\n- @harbor: named in 7 entries[\s\S]*\+- S @harbor: named in 7 entries/,
  );
});
