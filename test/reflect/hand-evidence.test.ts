import { expect, test } from 'vitest';
import { readOpinionsPage } from '../../src/memory/opinions-page.js';
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
