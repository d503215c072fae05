import { mkdirSync, renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { IndexReport } from '../../src/index/run.js';
import type { ReflectReport } from '../../src/reflect/plan.js';
import type { OpinionWhy } from '../../src/reflect/why.js';
import type { LintReport } from '../../src/upkeep/lint.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const LOG = 'memory/2026-03-01.md';
const PLACEHOLDER = 'memory/.2026-03-01.md.icloud';
const FACTS = [
  '## Retain',
  '- W @Lena: lives in Graz since 2019',
  '- W @Lena: IMPORTANT: is allergic to nuts',
  '- O(c=0.8) @Lena: prefers tea',
  '- O(c=0.7) @Lena: prefers tea',
  '',
].join('\n');

/** Returns every file of the bank with its text. */
const bank = (workspace: TemporaryWorkspace): unknown =>
  workspace.pages().filter(({ path }) => path.startsWith('bank'));
const recall = (workspace: TemporaryWorkspace, question: string) => workspace.recall(question);
const reflect = (workspace: TemporaryWorkspace) => workspace.json<ReflectReport>(['reflect']);

async function reflected(files: Record<string, string>): Promise<TemporaryWorkspace> {
  const workspace = testWorkspace(files);
  await reflect(workspace);
  return workspace;
}

async function expectAway(workspace: TemporaryWorkspace, name: string): Promise<void> {
  const before = bank(workspace);
  const { written, warnings } = await reflect(workspace);
  expect(written).toEqual([]);
  expect(bank(workspace)).toEqual(before);
  expect(warnings.join()).toContain(name);
  const answer = await recall(workspace, 'where does Lena live?');
  expect(answer.results.length).toBeGreaterThan(0);
  expect(answer.results.filter(({ content }) => content.includes('Graz')).every((one) => one.sourceAway === true)).toBe(
    true,
  );
  expect(answer.warnings.join()).toContain('1 file is away');
  expect((await workspace.run(['recall', 'where does Lena live?'])).stdout).toContain('source away');
  expect((await workspace.run(['status'])).stdout).toContain(`${name} is away`);
  const { stdout } = await workspace.run(['index', '--verify']);
  expect(stdout).toContain('Away, and so not compared: 1 file');
  const { verify } = await workspace.json<IndexReport>(['index', '--verify']);
  expect(verify).toMatchObject({ away: [name], differences: [] });
}

test('a log replaced by the placeholder of a sync program changes nothing', async () => {
  const workspace = await reflected({ [LOG]: FACTS, 'memory/2026-03-02.md': '- W @Omar: has a van\n' });
  const before = bank(workspace);
  expect(workspace.read('bank/world.md')).toContain('allergic to nuts');
  renameSync(workspace.path(LOG), workspace.path(PLACEHOLDER));
  await expectAway(workspace, LOG);
  const { stdout } = await workspace.run(['lint']);
  expect(stdout).toContain('is away');
  expect(stdout).not.toContain('dangling');
  expect((await workspace.run(['entity', 'show', 'Lena'])).stdout).toMatch(/Graz.*, source away\]/);
  // New lines are processed, and generated lines of missing files stay.
  workspace.write('memory/2026-03-03.md', '- W @Lena: IMPORTANT: has a dog\n- O(c=0.9) @Omar: prefers coffee\n');
  const world = workspace.read('bank/world.md');
  await reflect(workspace);
  expect(workspace.read('bank/world.md')).toContain('has a dog');
  for (const line of world.split('\n').filter((one) => one.startsWith('- ')))
    expect(workspace.read('bank/world.md')).toContain(line);
  renameSync(workspace.path(PLACEHOLDER), workspace.path(LOG));
  await reflect(workspace);
  expect(workspace.read('bank/entities/Lena.md')).toContain('has a dog');
  expect(workspace.read('bank/entities/Lena.md')).toContain('lives in Graz');
  expect((await recall(workspace, 'where does Lena live?')).results.some(({ sourceAway }) => sourceAway)).toBe(false);
  expect(before).toBeDefined();
});

test('every command that lists beliefs or entities names the files that are away', async () => {
  const workspace = await reflected({ [LOG]: FACTS });
  renameSync(workspace.path(LOG), workspace.path(PLACEHOLDER));
  for (const command of [
    ['entity', 'list'],
    ['opinion', 'list'],
    ['opinion', 'show', 'tea'],
    ['opinion', 'why', 'tea'],
  ]) {
    expect((await workspace.run(command)).stderr, command.join(' ')).toContain('1 file is away');
    const { warnings } = await workspace.json<{ warnings: readonly string[] }>(command);
    expect(warnings.join(), command.join(' ')).toContain(LOG);
  }
  for (const command of [
    ['entity', 'show', 'Nobody'],
    ['opinion', 'why', 'coffee'],
  ])
    expect((await workspace.run(command)).stderr, command.join(' ')).toContain('1 file is away');
});

test('opinion why says that the source is away, and counts it', async () => {
  const workspace = await reflected({ [LOG]: FACTS, 'memory/2026-03-05.md': '- O(c=0.9) @Lena: prefers tea\n' });
  const before = await workspace.json<OpinionWhy>(['opinion', 'why', 'tea']);
  renameSync(workspace.path(LOG), workspace.path(PLACEHOLDER));
  const { stdout } = await workspace.run(['opinion', 'why', 'tea']);
  expect(stdout).toContain('(its source is away)');
  expect(stdout).not.toContain('no longer exists');
  const after = await workspace.json<OpinionWhy>(['opinion', 'why', 'tea']);
  expect(after).toMatchObject({ confidence: before.confidence, byEvidence: before.byEvidence, curve: before.curve });
  const away = after.steps.filter(({ sourceAway }) => sourceAway);
  expect(away.length).toBeGreaterThan(0);
  expect(away.every(({ source }) => source?.startsWith(`${LOG}#L`))).toBe(true);
  expect((await workspace.run(['view', '--out', '-'])).stdout).toContain('"isAway":true');
});

test('lint names a dangling id beside a file that is away', async () => {
  const other = 'memory/2026-03-02.md';
  const workspace = await reflected({ [LOG]: FACTS, [other]: '- W @Omar: IMPORTANT: is allergic to eggs\n' });
  renameSync(workspace.path(LOG), workspace.path(PLACEHOLDER));
  await workspace.run(['index']);
  workspace.remove(other);
  const { problems }: LintReport = JSON.parse((await workspace.run(['lint', '--json'])).stdout);
  const dangling = problems.filter(({ rule }) => rule === 'dangling-id').map(({ path, line }) => [path, line]);
  const lines = workspace.read('bank/world.md').split('\n');
  expect(dangling).toEqual([['bank/world.md', lines.findIndex((line) => line.includes('eggs')) + 1]]);
});

test('a placeholder of a sync program changes nothing even after the index was deleted', async () => {
  const workspace = await reflected({ [LOG]: FACTS });
  const before = bank(workspace);
  renameSync(workspace.path(LOG), workspace.path(PLACEHOLDER));
  workspace.remove('.memory');
  mkdirSync(workspace.path('.memory'));
  await reflect(workspace);
  expect(bank(workspace)).toEqual(before);
  const { results } = await recall(workspace, 'where does Lena live?');
  expect(results.find(({ content }) => content.includes('Graz'))?.sourceAway).toBe(true);
});

test.each([
  ['is missing', (workspace: TemporaryWorkspace) => workspace.remove('vault')],
  [
    'is empty',
    (workspace: TemporaryWorkspace) => {
      workspace.remove('vault');
      mkdirSync(workspace.path('vault'));
    },
  ],
])('a notes folder that %s changes nothing', async (_, takeAway) => {
  const workspace = await reflected({
    'memory.config.json5': "{extraFolders: ['vault']}",
    'vault/2026-03-01.md': FACTS,
  });
  takeAway(workspace);
  await expectAway(workspace, 'vault/2026-03-01.md');
  await workspace.json(['index', '--force']);
  await expectAway(workspace, 'vault/2026-03-01.md');
  workspace.write('vault/2026-03-01.md', FACTS);
  const before = bank(workspace);
  await reflect(workspace);
  expect(bank(workspace)).toEqual(before);
});

test('recall does not return a generated line whose source is gone or edited', async () => {
  const workspace = await reflected({ [LOG]: FACTS });
  workspace.write(LOG, FACTS.replace('Graz since 2019', 'Linz since 2019'));
  const edited = await recall(workspace, 'where does Lena live?');
  expect(JSON.stringify(edited.results)).not.toContain('Graz');
  expect(JSON.stringify(edited.results)).toContain('Linz');
  workspace.remove(LOG);
  const gone = await recall(workspace, 'is Lena allergic to nuts, and where does she live?');
  expect(JSON.stringify(gone.results)).not.toMatch(/Graz|nuts/);
  workspace.write('bank/world.md', `${workspace.read('bank/world.md')}\n- W @Lena: was born in Graz\n`);
  expect(JSON.stringify((await recall(workspace, 'where was Lena born?')).results)).toContain('born in Graz');
});
