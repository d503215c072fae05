import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';

const FILES = {
  'bank/opinions.md':
    '# Opinions\n\n- O(c=0.83) @Peter: Prefers tea. ^o-7k3m2q9x1a4bc\n  - prior: 0.70 (2025-10-02)\n  - updated: 2025-12-03\n  - for: [memory/2026-03-01.md#L1](../memory/2026-03-01.md#L1) f-a1b2c3d4e5f6g\n\n## Retired\n\n- O(c=0.2) @Peter: Prefers milk. ^o-7k3m2q9x1a4bd\n',
  'memory/2026-03-01.md': '- O(c=0.9) @Peter: prefers tea\n- O(c=0.95) @Anna: likes chess\n',
  'bank/entities/Peter.md': '---\nname: Peter\naliases: [Pete]\ntype: person\n---\n',
  'memory/2026-02-01.md': '- W @Pete: is here\n- W @Vienna: is big\n',
};

test('opinion list shows those of the bank first, each once, and marks the others', async () => {
  const { stdout } = await testWorkspace(FILES).run(['opinion', 'list']);
  expect(stdout.trimEnd().split('\n')).toEqual([
    '0.83  o-7k3m2q9x1a4bc  @Peter: Prefers tea. (+1 -0)',
    expect.stringMatching(/^0\.95 {2}f-.* @Anna: likes chess \[log\]$/),
    '0.20  o-7k3m2q9x1a4bd  @Peter: Prefers milk. [retired]',
  ]);
});

test('opinion list filters by entity, alias and confidence', async () => {
  const workspace = testWorkspace(FILES);
  const contents = async (...args: string[]) =>
    (await workspace.json<{ opinions: { content: string }[] }>(['opinion', 'list', ...args])).opinions.map(
      ({ content }) => content,
    );
  expect(await contents('--entity', 'Pete')).toEqual(['@Peter: Prefers tea.', '@Peter: Prefers milk.']);
  // The log says 0.9 for tea, the page 0.83: the page's line is the belief.
  expect(await contents('--min-confidence', '0.9')).toEqual(['@Anna: likes chess']);
  expect(await workspace.run(['opinion', 'list', '--min-confidence', '2'])).toMatchObject({ code: 2 });
});

test('opinion show finds one by id or by its text, with prior and evidence', async () => {
  const workspace = testWorkspace(FILES);
  const byId = await workspace.json(['opinion', 'show', 'o-7k3m2q9x1a4bc']);
  expect(byId).toMatchObject({
    confidence: 0.83,
    prior: { confidence: 0.7, day: '2025-10-02' },
    updated: '2025-12-03',
    place: 'bank',
  });
  expect(await workspace.json(['opinion', 'show', 'prefers TEA'])).toEqual(byId);
  expect(await workspace.run(['opinion', 'show', 'prefers'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('o-7k3m2q9x1a4bd'),
  });
  expect(await workspace.run(['opinion', 'show', 'o-0000000000000'])).toMatchObject({ code: 1 });
});

test('the index reads notes of an opinion and the heading of retired ones as reflect does', async () => {
  const link = (fact: string) => `[memory/2026-03-01.md#L1](../memory/2026-03-01.md#L1) ${fact}`;
  const notes = `  - Prior: 0.70 (2025-10-02)\n  - For: ${link('f-a1b2c3d4e5f6g')} c=0.9, ${link('f-a1b2c3d4e5f6h')}\n  - prior: 0.10 (2025-10-03)\n`;
  const workspace = testWorkspace({
    'bank/opinions.md': `# Opinions\n\n## 已退役\n\n- O(c=0.2) @Peter: Prefers milk. ^o-7k3m2q9x1a4bd\n${notes}`,
  });
  const source = 'memory/2026-03-01.md#L1';
  expect(await workspace.json(['opinion', 'show', 'prefers milk'])).toMatchObject({
    place: 'retired',
    prior: { confidence: 0.7, day: '2025-10-02' },
    evidence: {
      for: [
        { source, fact: 'f-a1b2c3d4e5f6g', weight: 0.9 },
        { source, fact: 'f-a1b2c3d4e5f6h' },
      ],
    },
  });
});

test('entity list counts mentions under any name; entity show has a timeline and names its entity', async () => {
  const workspace = testWorkspace(FILES);
  const { entities } = await workspace.json<{ entities: unknown[] }>(['entity', 'list']);
  expect(entities[0]).toEqual({
    name: 'Peter',
    slug: 'peter',
    type: 'person',
    page: 'bank/entities/Peter.md',
    mentions: 4,
    by: 'entity',
    lines: 0,
  });
  expect(await workspace.json(['entity', 'list', '--type', 'person'])).toMatchObject({ entities: [{ slug: 'peter' }] });
  expect(await workspace.json(['entity', 'show', 'Pete'])).toMatchObject({
    timeline: [
      { month: '2026-02', facts: 1 },
      { month: '2026-03', facts: 1 },
    ],
  });
  expect(await workspace.run(['entity', 'show', 'Petre'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('did you mean Peter?'),
  });
});

test('a neighbouring line of a generated page is shown as the fact behind it, with its day', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-02.md': '- W @Ofen: Backofen heizt nicht\n',
    'memory/2026-03-03.md': '- W @Ofen: Techniker kommt am Dienstag\n',
    'memory/2026-03-04.md': '- W @Haus: die Treppe knarrt\n',
  });
  const at = ['--now', '2026-03-09T12:00:00Z', '--tz', 'UTC'];
  await workspace.json(['reflect', ...at]);
  const { results } = await workspace.recall('Ist der Backofen in Ordnung?', ...at);
  expect(results.map(({ source, timestamp }) => [source, timestamp])).toEqual([
    ['memory/2026-03-02.md#L1', '2026-03-02'],
    ['memory/2026-03-03.md#L1', '2026-03-03'],
  ]);
});
