import { describe, expect, test } from 'vitest';
import { addDays } from '../../src/language/time/calendar.js';
import { VerdictStore } from '../../src/memory/evidence.js';
import { repairMergedOpinions } from '../../src/memory/opinions-merge.js';
import { readOpinionsPage } from '../../src/memory/opinions-page.js';
import type { OpinionView } from '../../src/query/opinion-view.js';
import type { ReflectReport } from '../../src/reflect/plan.js';
import type { OpinionWhy } from '../../src/reflect/why.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const LOG = '## Retain\n- W @Peter: sent back the long summary\n- W @Peter: lives in Graz\n';
const PAGE = `# Opinions

- O(c=0.91) @Peter: Prefers concise replies. ^o-aaaaaaaaaaaaa
  - prior: 0.70 (2026-01-02)
  - updated: 2026-02-01
  - for: [memory/2026-01-10.md#L2](../memory/2026-01-10.md#L2)
  - for: [memory/2025-12-24.md#L9](../memory/2025-12-24.md#L9) f-zzzzzzzzzzzzz
  - against: he once asked for the whole report
  - a note of mine
`;

function withPage(more: Readonly<Record<string, string>> = {}): TemporaryWorkspace {
  return testWorkspace({ 'memory/2026-01-10.md': LOG, 'bank/opinions.md': PAGE, ...more });
}

const reflect = (workspace: TemporaryWorkspace, day = '2026-03-15') =>
  workspace.run(['reflect', '--now', `${day}T12:00:00Z`, '--tz', 'UTC', '--max-calls', '0']);
const page = (workspace: TemporaryWorkspace) => workspace.read('bank/opinions.md');
const [first] = [(workspace: TemporaryWorkspace) => readOpinionsPage(page(workspace))[0]];

test('a belief written by a person is accepted unchanged; a citation by place only gets the fact’s id', async () => {
  const workspace = withPage();
  await reflect(workspace);
  const id = /for: \[memory\/2026-01-10.*? (f-\w{13})\n/.exec(page(workspace))?.[1] ?? '';
  expect(page(workspace)).toBe(PAGE.replace('2026-01-10.md#L2)\n', `2026-01-10.md#L2) ${id}\n`));
  await reflect(workspace, '2026-03-16');
  expect(first(workspace)?.confidence).toBe(0.91);
});

test('later facts change its confidence; prior and lines stay, and the steps of why add up', async () => {
  const workspace = withPage({ 'memory/2026-02-10.md': '- W @Peter: prefers concise replies\n' });
  await reflect(workspace);
  const expected = 0.91 + 0.08 * 0.09;
  expect(first(workspace)).toMatchObject({
    confidence: 0.92,
    updated: '2026-03-15',
    prior: { confidence: 0.7, day: '2026-01-02' },
  });
  for (const line of PAGE.split('\n').slice(5)) expect(page(workspace)).toContain(line);
  const why = await workspace.json<{ confidence: number; prior: unknown }>(['opinion', 'why', 'concise']);
  expect(why).toMatchObject({
    prior: { confidence: 0.91, day: '2026-02-01' },
    confidence: expect.closeTo(expected, 5),
  });
  const before = page(workspace);
  workspace.remove('.memory');
  await reflect(workspace, '2026-03-20');
  expect(page(workspace)).toBe(before);
  workspace.write('memory/2026-03-20.md', '- W @Peter: prefers concise replies\n');
  await reflect(workspace, '2026-03-21');
  expect(first(workspace)?.mark?.confidence).toBeCloseTo(expected + 0.08 * (1 - expected), 5);
});

test('a confidence changed by a person becomes the prior of that day; the lines stay', async () => {
  const workspace = withPage({ 'memory/2026-02-10.md': '- W @Anna: sings\n' });
  await reflect(workspace);
  workspace.write('bank/opinions.md', page(workspace).replace('c=0.91', 'c=0.50'));
  workspace.write('memory/2026-02-20.md', '- W @Peter: prefers concise replies\n');
  await reflect(workspace, '2026-03-16');
  expect(first(workspace)).toMatchObject({ confidence: 0.5, prior: { confidence: 0.5, day: '2026-03-16' } });
  expect(page(workspace)).toContain('against: he once asked for the whole report');
  expect(page(workspace)).toContain('f-zzzzzzzzzzzzz');
});

test('a deleted evidence line withdraws its fact, even from a belief that a person wrote', async () => {
  const workspace = withPage();
  await reflect(workspace);
  workspace.write('bank/opinions.md', page(workspace).replace(/.*2026-01-10.*\n/, ''));
  await reflect(workspace, '2026-03-16');
  expect(page(workspace)).not.toContain('2026-01-10');
  expect(workspace.read('bank/evidence.jsonl')).toContain('"direction":"none","by":"human"');
});

test('an evidence line is matched by the text of a fact', async () => {
  const workspace = withPage({
    'bank/opinions.md': PAGE.replace('he once asked for the whole report', 'sent back the long summary').replace(
      /.*2026-01-10.*\n/,
      '',
    ),
  });
  await reflect(workspace);
  expect(page(workspace)).toMatch(/against: sent back the long summary f-\w{13}$/m);
});

test('rewording a cited fact keeps it as evidence', async () => {
  const workspace = testWorkspace({
    'memory/2026-01-05.md': '- O(c=0.8) @Peter: prefers concise replies\n',
    'memory/2026-01-10.md': '- W @Peter: asked for concise replis on WhatsApp\n',
  });
  await reflect(workspace);
  const { confidence } = first(workspace) ?? {};
  workspace.write('memory/2026-01-10.md', '- W @Peter: asked for concise replies on WhatsApp\n');
  await reflect(workspace, '2026-03-16');
  expect(first(workspace)).toMatchObject({ confidence, evidence: [{}, { source: 'memory/2026-01-10.md#L1' }] });
});

test('a run without a change of confidence changes no byte of a page', async () => {
  const workspace = testWorkspace({ 'bank/opinions.md': PAGE.replace(/ {2}- for:.*\n/g, '') });
  const before = page(workspace);
  await reflect(workspace);
  expect(page(workspace)).toBe(before);
});

const BOILER = `# Opinions

- O(c=0.60) @Boiler: is reliable in frost ^o-aaaaaaaaaaaaa
  - prior: 0.60 (2026-02-05)
  - updated: 2026-02-05
  - for: [memory/2026-02-10.md#L2](../memory/2026-02-10.md#L2)
  - for: [memory/2026-02-11.md#L9](../memory/2026-02-11.md#L9)
  - for: the chimney sweep said so (memory/2026-02-10.md#L3)
  - for: [memory/2026-02-10.md#L4](../memory/2026-02-10.md#L4) and so did I
`;

test('a cited place counts if its fact is about the same subject; lint reports citations without such a fact', async () => {
  const log =
    '## Retain\n- O @Lena: drinks oat milk\n- B @Boiler: ran all night at minus ten\n- W @Boiler: had no fault all week\n';
  const workspace = testWorkspace({ 'memory/2026-02-10.md': log, 'bank/opinions.md': BOILER });
  await reflect(workspace);
  const [lena, nowhere, sweep, mine] = page(workspace).split('\n').slice(5);
  expect([lena, nowhere]).toEqual(BOILER.split('\n').slice(5, 7));
  expect(sweep).toMatch(/^ {2}- for: the chimney sweep said so \(memory\/2026-02-10\.md#L3\) f-\w{13}$/);
  expect(mine).toMatch(/ f-\w{13} and so did I$/);
  expect(first(workspace)?.mark?.confidence).toBeCloseTo(0.6 + 0.08 * 0.4, 5);
  const why = await workspace.json<{ byEvidence: number }>(['opinion', 'why', 'frost']);
  expect(why.byEvidence).toBeCloseTo(0.632, 5);
  const { stdout } = await workspace.run(['lint']);
  expect(stdout).toMatch(/opinions\.md:6: info: no fact about the same subject says/);
  expect(stdout).not.toMatch(/opinions\.md:[789]: info/);
  workspace.write('memory/2026-02-10.md', '## Retain\n- O @Lena: drinks oat milk\n');
  await reflect(workspace, '2026-03-16');
  for (const line of [lena, nowhere, sweep, mine]) expect(page(workspace)).toContain(`${line}\n`);
  expect(first(workspace)?.confidence).toBe(0.6);
});

describe('the list of evidence', () => {
  const PAGE = 'bank/opinions.md';
  const EVIDENCE = 'bank/evidence.jsonl';
  const FIRST = '2026-01-01';
  const DAYS = 60;

  /** An opinion and a daily fact that supports it; every seventh contradicts it. */
  function logs(days: number, from = 0): Readonly<Record<string, string>> {
    const files: Record<string, string> = {};
    for (let i = from; i < days; i++) {
      const said = i % 7 === 6 ? 'W @Peter: does not like coffee' : 'W @Peter: drinks coffee every morning';
      files[`memory/${addDays(FIRST, i)}.md`] = `- ${i === 0 ? 'O(c=0.5) @Peter: likes coffee' : said}\n`;
    }
    return files;
  }

  async function reflected(files: Readonly<Record<string, string>>): Promise<TemporaryWorkspace> {
    const workspace = testWorkspace(files);
    await workspace.json<ReflectReport>(['reflect']);
    return workspace;
  }

  const linesOf = (page: string): readonly string[] => page.match(/^ {2}- (?:for|against): .*$/gm) ?? [];
  const codeOf = (line: string): string => /f-[0-9a-z]{13}/.exec(line)?.[0] ?? '';

  test('a belief lists its 20 newest pieces of evidence and counts the others; its confidence uses all', async () => {
    const workspace = await reflected(logs(DAYS));
    const page = workspace.read(PAGE);
    const lines = linesOf(page);
    expect(lines).toHaveLength(20);
    expect(lines[0]).toContain(`memory/${addDays(FIRST, DAYS - 20)}.md`);
    expect(lines.at(-1)).toContain(`memory/${addDays(FIRST, DAYS - 1)}.md`);
    expect(page).toMatch(/^ {2}- and 40 more: `opinion why`$/m);
    const [belief] = readOpinionsPage(page);
    expect(new VerdictStore(workspace.read(EVIDENCE)).about(belief?.id ?? '')).toHaveLength(DAYS);
    const why = await workspace.json<OpinionWhy>(['opinion', 'why', 'coffee']);
    expect(why.steps).toHaveLength(DAYS);
    expect(why.byEvidence).toBeCloseTo(belief?.confidence ?? Number.NaN, 2);
    expect(why.confidence).toBe(why.byEvidence);
  });

  test('opinion show and recall report how much evidence is not listed, and lint accepts the page', async () => {
    const workspace = await reflected(logs(DAYS));
    const shown = await workspace.json<OpinionView>(['opinion', 'show', 'coffee']);
    expect(shown.evidence.for.length + shown.evidence.against.length).toBe(20);
    expect(shown.evidence.more).toBe(40);
    expect((await workspace.run(['opinion', 'show', 'coffee'])).stdout).toMatch(
      /^more {8}40: openclaw memory opinion why /m,
    );
    expect((await workspace.run(['opinion', 'list'])).stdout).toMatch(/\(\+\d+ -\d+, 40 more\)/);
    const { results } = await workspace.recall('Does Peter like coffee?');
    const found = results.find(({ kind }) => kind === 'opinion');
    expect(found?.evidence?.more).toBe(40);
    const against = Math.floor(DAYS / 7);
    expect(found?.evidenceCount).toEqual({ for: DAYS - against, against });
    const text = `${DAYS - against} for, ${against} against`;
    expect((await workspace.run(['recall', 'Does Peter like coffee?'])).stdout).toContain(text);
    // The line and log behind the belief are not results beside it.
    expect(results.filter(({ kind }) => kind === 'opinion')).toHaveLength(1);
    expect(results.some(({ content }) => content.includes('more: `opinion why`'))).toBe(false);
    expect((await workspace.run(['lint'])).stdout).not.toContain(PAGE);
  });

  test('a belief as of an earlier day uses evidence that is not listed', async () => {
    const then = addDays(FIRST, 30);
    const [all, early] = [await reflected(logs(DAYS)), await reflected(logs(31))];
    const asked = await all.recall('Does Peter like coffee?', '--as-of', then);
    const [belief] = readOpinionsPage(early.read(PAGE));
    const found = asked.results.find(({ kind }) => kind === 'opinion');
    expect(found?.confidence).toBe(belief?.confidence);
    expect(found?.evidenceCount).toEqual({ for: 27, against: 4 });
  });

  test('evidence that was deleted since is not counted', async () => {
    const workspace = await reflected(logs(DAYS));
    workspace.remove(`memory/${addDays(FIRST, 2)}.md`);
    await workspace.json<ReflectReport>(['reflect']);
    const { results } = await workspace.recall('Does Peter like coffee?');
    const against = Math.floor(DAYS / 7);
    const found = results.find(({ kind }) => kind === 'opinion');
    expect(found?.evidenceCount).toEqual({ for: DAYS - 1 - against, against });
  });

  test('a run without new facts changes nothing; a new fact shifts the list by one', async () => {
    const workspace = await reflected(logs(DAYS));
    const before = workspace.read(PAGE);
    expect((await workspace.json<ReflectReport>(['reflect'])).written).toEqual([]);
    for (const [path, text] of Object.entries(logs(DAYS + 1, DAYS))) workspace.write(path, text);
    const report = await workspace.json<ReflectReport>(['reflect']);
    expect(report.opinions[0]?.evidence.map(({ source }) => source)).toEqual([`memory/${addDays(FIRST, DAYS)}.md#L1`]);
    expect(linesOf(workspace.read(PAGE)).slice(0, -1)).toEqual(linesOf(before).slice(1));
    expect(workspace.read(PAGE)).toContain('  - and 41 more: `opinion why`\n');
  });

  test('a page that lists all evidence is shortened and keeps its confidence', async () => {
    const workspace = await reflected(logs(DAYS));
    const [cut, why] = [workspace.read(PAGE), await workspace.json<OpinionWhy>(['opinion', 'why', 'coffee'])];
    // The page as earlier versions wrote it.
    const all = why.steps.map(
      ({ direction, source, fact, weight }) =>
        `  - ${direction === 'supports' ? 'for' : 'against'}: [${source}](../${source}) ${fact}${weight === 1 ? '' : ` c=${weight}`}\n`,
    );
    const codes = why.steps.map(({ fact }) => fact.slice(-3)).sort();
    const whole = cut
      .replace(/^ {2}- (?:for|against|and).*\n/gm, '')
      .replace(/(<!-- [\d.]+) \S+ -->\n/, (_, start) => `${start} ${codes.join('')} -->\n${all.join('')}`);
    expect(linesOf(whole)).toHaveLength(DAYS);
    workspace.write(PAGE, whole);
    await workspace.json<ReflectReport>(['reflect']);
    expect(workspace.read(PAGE)).toBe(cut);
  });

  test('lines of a person among the evidence stay, and deleted evidence no longer counts', async () => {
    const workspace = await reflected(logs(DAYS));
    const mine = '  - for: he told me so himself, twice  \n  - my own note: he has two machines\n';
    const lines = linesOf(workspace.read(PAGE));
    const gone = codeOf(lines[3] ?? '');
    workspace.write(
      PAGE,
      workspace.read(PAGE).replace(`${lines[3]}\n`, '').replace(`${lines[9]}\n`, `${mine}${lines[9]}\n`),
    );
    await workspace.json<ReflectReport>(['reflect']);
    const page = workspace.read(PAGE);
    expect(page).toContain(mine);
    expect(linesOf(page).filter((line) => line.includes(' f-'))).toHaveLength(20);
    expect(page).toContain('  - and 39 more: `opinion why`\n');
    const [belief] = readOpinionsPage(page);
    const verdicts = new VerdictStore(workspace.read(EVIDENCE)).about(belief?.id ?? '');
    expect(verdicts.filter(({ by }) => by === 'human').map(({ fact, direction }) => [fact, direction])).toEqual([
      [gone, 'none'],
    ]);
  });

  test('a merge of two versions of the counting line leaves one', () => {
    const head = '# Opinions\n\n- O(c=0.60) @Peter: likes tea ^o-1111111111111\n  - prior: 0.50 (2026-01-01)\n';
    const more = (count: number): string => `  - and ${count} more: \`opinion why\`\n`;
    const merged = repairMergedOpinions(`${head}<<<<<<< ours\n${more(40)}=======\n${more(41)}>>>>>>> theirs\n`);
    expect(merged.isUnsettled).toBe(false);
    expect(merged.text.match(/more: `opinion why`/g)).toHaveLength(1);
    expect(merged.merged).toEqual(new Set(['o-1111111111111']));
  });
});
