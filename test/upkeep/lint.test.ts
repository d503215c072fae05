import fc from 'fast-check';
import { expect, test } from 'vitest';
import { managedSha } from '../../src/markdown/blocks.js';
import { cases } from '../support/cases.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

interface Report {
  readonly problems: readonly { rule: string; path: string; line: number | null; message: string; fixable: boolean }[];
  readonly fixed: readonly { rule: string; line: number }[];
  readonly checked: number;
}

async function lint(
  workspace: TemporaryWorkspace,
  ...args: string[]
): Promise<{ code: number | null; report: Report }> {
  const { code, stdout } = await workspace.run(['lint', '--json', ...args]);
  return { code, report: JSON.parse(stdout) };
}

async function found(files: Record<string, string>, ...args: string[]): Promise<readonly string[]> {
  const { report } = await lint(testWorkspace(files), ...args);
  return report.problems.map(({ rule, path, line }) => `${rule} ${path}${line === null ? '' : `:${line}`}`);
}

const LOG = 'memory/2026-03-14.md';

test('a clean workspace has no findings and exit code 0', async () => {
  const { code, report } = await lint(testWorkspace({ [LOG]: '## Retain\n- W @Peter: likes tea\n' }));
  expect({ code, report }).toEqual({ code: 0, report: { problems: [], fixed: [], checked: 1 } });
});

test('dates with slashes are reported once a page if nothing shows the order of day and month', async () => {
  const page = (dates: readonly string[]) => found({ 'memory/topics/log.md': `# Log\n\n${dates.join('\n')}\n` });
  expect(await page(['Tea.', '- 3/4/2026 Paid the rent.', '- 3/4/2026 Bought tea.'])).toEqual([
    'undecided-date memory/topics/log.md:4',
  ]);
  expect(await page(['| When | What |', '|---|---|', '| 3/4/2026 | rent |'])).toEqual([
    'undecided-date memory/topics/log.md:5',
  ]);
  expect(await page(['- 3/4/2026 Paid the rent.', '- 28/4/2026 Bought tea.'])).toEqual([]);
  expect(await page(['- 3/4/2026 Paid the rent.', '- 4/3/2026 Bought tea.'])).toEqual([]);
  expect(await page(['Paid 3/4/2026 of it.', '- 1/2 cup of tea'])).toEqual([]);
});

test('each rule reports path and line', async () => {
  expect(await found({ [LOG]: 'Tea.\n- W@Peter: likes tea\n' })).toEqual([`malformed-bullet ${LOG}:2`]);
  expect(await found({ [LOG]: '- W a ^f-abcdefghjkmnp\n- W b ^f-abcdefghjkmnp\n' })).toEqual([`shared-id ${LOG}:2`]);
  expect(await found({ 'bank/world.md': '- W a ^f-abcdefghjkmnp\n' })).toEqual(['dangling-id bank/world.md:1']);
  expect(
    await found({
      'bank/opinions.md':
        '- O @A: b ^o-abcdefghjkmnp\n  - for: [memory/2026-01-01.md#L1](../memory/2026-01-01.md#L1)\n',
    }),
  ).toEqual(['dangling-evidence bank/opinions.md:2']);
  expect(
    await found({
      [LOG]: '## Retain\n- W @A: b\n',
      'bank/opinions.md': '- O @A: b ^o-abcdefghjkmnp\n  - for: b\n  - against: she said so at dinner\n',
    }),
  ).toEqual(['unmatched-evidence bank/opinions.md:3']);
  expect(
    await found({ 'bank/entities/A.md': '---\naliases: [X]\n---\n', 'bank/entities/B.md': '---\naliases: [x]\n---\n' }),
  ).toEqual(['alias-claimed-twice bank/entities/B.md:1']);
  expect(await found({ 'bank/entities/Peter.md': '# Peter\n', [LOG]: '- W @Petre: is here\n' })).toEqual([
    `unknown-entity ${LOG}:1`,
  ]);
  expect(await found({ [LOG]: '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n' })).toEqual([
    `merge-marker ${LOG}:1`,
    `merge-marker ${LOG}:5`,
  ]);
  expect(await found({ 'bank/entities/A.md': `<!-- memory:begin summary sha=${managedSha('a')} -->\na\n` })).toEqual([
    'managed-block bank/entities/A.md:1',
  ]);
  const page = '<!-- memory:begin summary sha=SHA -->\na\n<!-- memory:end summary -->\n';
  expect(await found({ 'bank/entities/A.md': page })).toEqual([
    'managed-block bank/entities/A.md:1',
    'managed-block bank/entities/A.md:3',
  ]);
  expect(await found({ 'memory/2026-03-14.sync-conflict-20260315-101010-ABC.md': 'a\n', [LOG]: 'a\n' })).toEqual([
    'conflict-copy memory/2026-03-14.sync-conflict-20260315-101010-ABC.md',
  ]);
  expect(await found({ 'bank/evidence.jsonl': '{"fact":"f","opinion":"o","direction":"none"}\nnonsense\n' })).toEqual([
    'bad-evidence bank/evidence.jsonl:2',
  ]);
  expect(await found({ 'MEMORY.md': 'a\n', 'memory.md': 'b\n' })).toEqual(['two-core-files memory.md']);
});

test('long lines are reported (complaint: very long lines)', async () => {
  expect(await found({ [LOG]: `a\n${'word '.repeat(500)}\n` })).toEqual([`long-line ${LOG}:2`]);
});

test('a log two days ahead and one of the wrong year are reported', async () => {
  expect(await found({ 'memory/2026-03-17.md': 'a\n' })).toEqual(['odd-date memory/2026-03-17.md']);
  const january = { 'memory/2026-01-04.md': 'a\n', 'memory/2026-01-06.md': 'a\n', 'memory/2025-01-05.md': 'a\n' };
  expect(await found(january)).toEqual(['odd-date memory/2025-01-05.md']);
});

test('a core file over its budget is an error (complaint: MEMORY.md is silently truncated)', async () => {
  expect(await found({ 'MEMORY.md': 'x'.repeat(1_999), 'memory.config.json5': '{coreBudgetChars: 1500}' })).toEqual([
    'core-budget MEMORY.md',
  ]);
});

test('--secrets reports secrets in files without printing them (complaint: no privacy audit)', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const workspace = testWorkspace({ [LOG]: `a\nthe token is ${token}\n` });
  expect((await lint(workspace)).report.problems).toEqual([]);
  const { stdout, code } = await workspace.run(['lint', '--secrets', '--json']);
  expect(code).toBe(4);
  expect(JSON.parse(stdout).problems).toMatchObject([{ rule: 'secret', path: LOG, line: 2 }]);
  expect(stdout).not.toContain(token);
});

test('--secrets searches sessions and proposals too', async () => {
  const secret = `glpat-${'a1B2'.repeat(5)}`;
  const log = 'sessions/chat/messages.jsonl';
  const proposals = 'bank/proposals/2026-03-14.md';
  const workspace = testWorkspace({
    [log]: `{"role":"user","content":"hello"}\n{"role":"user","content":"{\\"token\\": \\"${secret}\\"}"}\n`,
    [proposals]: `# Proposals\n\n- [ ] add: DB_PASSWORD=tr0ub4dor\n`,
  });
  const { stdout, code } = await workspace.run(['lint', '--secrets']);
  expect(code).toBe(4);
  expect(stdout).toContain(`${proposals}:3:`);
  expect(stdout).toContain(`${log}:2:`);
  expect(stdout).not.toContain(secret);
  expect(stdout).not.toContain('tr0ub4dor');
});

test('--fix repairs only obvious problems, byte for byte; a second run finds nothing', async () => {
  const before =
    'W@Peter is prose\r\n- W@Peter: likes tea\r\n- o(c=0.8) @Peter: b\r\n- O(c=1.7) @Peter: c\r\n  * W: d\r\n';
  const workspace = testWorkspace({ [LOG]: before });
  const diff = await workspace.run(['lint', '--fix', '--dry-run']);
  expect(diff.stdout).toContain('+- W @Peter: likes tea');
  expect(workspace.read(LOG)).toBe(before);
  const { code, report } = await lint(workspace, '--fix');
  expect(report.fixed.map(({ line }) => line)).toEqual([2, 3]);
  expect(code).toBe(4);
  expect(workspace.read(LOG)).toBe(before.replace('- W@Peter', '- W @Peter').replace('- o(c', '- O(c'));
  expect((await lint(workspace, '--fix')).report.fixed).toEqual([]);
});

test('evidence of a fact that moved within its file gets the new line', async () => {
  const workspace = testWorkspace({ [LOG]: '\n\n- W @A: b\n' });
  const { results } = await workspace.json<{ results: { id: string }[] }>(['recall', 'b']);
  const note = (line: number) =>
    `- O @A: c ^o-abcdefghjkmnp\n  - for: [${LOG}#L${line}](../${LOG}#L${line}) ${results[0]?.id}\n`;
  workspace.write('bank/opinions.md', note(9));
  await lint(workspace, '--fix');
  expect(workspace.read('bank/opinions.md')).toBe(note(3));
});

test('paths limit the report; an unknown path is wrong usage', async () => {
  const workspace = testWorkspace({ [LOG]: '- W@A: b\n', 'bank/world.md': '- W@A: b\n' });
  expect((await lint(workspace, 'bank')).report.problems).toMatchObject([{ path: 'bank/world.md' }]);
  expect(await workspace.run(['lint', 'nowhere'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nowhere'),
  });
});

test('lint accepts any page, and fixing twice equals fixing once', async () => {
  const piece = fc.constantFrom(
    '- W@A: b\n',
    '- w @A: b\n',
    '<!-- memory:begin x sha=000000000000 -->\n',
    '```\n',
    '- O (c=0.5) @A: b\n',
    '\u0000',
    '\ufeff',
    '> ',
    '\r\n',
    '---\n',
    '<<<<<<< x\n',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 20 }))), async (pieces) => {
      const workspace = testWorkspace({ [LOG]: pieces.join('') });
      const library = await workspace.open();
      const request = { paths: [], secrets: true, fix: true, dryRun: false };
      await library.lint(request);
      const once = workspace.read(LOG);
      const again = await library.lint(request);
      expect(again.fixed).toEqual([]);
      expect(workspace.read(LOG)).toBe(once);
    }),
    { numRuns: cases(60) },
  );
});

test('two unsettled values of one kind are reported with their days and the line that would settle them', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-01.md': '- W @Mia: piano lessons on Tuesdays at 16:30\n- W @Mia: the plumber came on Monday\n',
    'memory/2026-03-09.md': '- W @Mia: her teacher rearranged everyone, piano lessons now on Thursdays at 17:00\n',
    'memory/2026-03-10.md': '- W @Jo: Grafana listens on port 3000\n- W @Ann: likes tea\n',
  });
  const { code, report } = await lint(workspace);
  const [only, ...others] = report.problems;
  expect([code, others]).toEqual([0, []]);
  expect(only).toMatchObject({ rule: 'two-values', path: 'memory/2026-03-09.md', line: 1 });
  expect(only?.message).toContain('"piano lessons on Tuesdays at 16:30" from 2026-03-01 (memory/2026-03-01.md#L1)');
  const settle = /openclaw memory (settle f-\w+ f-\w+ replaces)/.exec(only?.message ?? '')?.[1] ?? '';
  expect((await workspace.run(settle.split(' '))).code).toBe(0);
  expect((await lint(workspace)).report.problems).toEqual([]);
});

test('a promoted fact that names its own subject does not count as another statement', async () => {
  const workspace = testWorkspace({ [LOG]: '## Retain\n- W @Peter: signs for @Peter and the mill (important)\n' });
  await workspace.run(['reflect', '--now', '2026-03-14T12:00:00Z']);
  expect(workspace.read('bank/world.md')).toContain('signs for @Peter and the mill');
  expect((await lint(workspace, '--now', '2026-03-14T12:00:00Z')).report.problems).toEqual([]);
});
