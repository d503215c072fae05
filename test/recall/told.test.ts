import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';

const workspace = () =>
  testWorkspace({
    'memory/2025-10-04.md':
      '# 2025-10-04\n\n- Yesterday we met two sculptors in Boston.\n- The sculptors work in clay.\n',
    'memory/2025-10-20.md': '# 2025-10-20\n\n- Next week the sculptors come to Vienna.\n',
    'memory/2025-11-05.md':
      '# 2025-11-05\n\n- Last month the sculptors broke a kiln.\n- This year the sculptors were busy.\n',
    'memory/2025-11-20.md': '# 2025-11-20\n\n- 上个月雕塑家参观了窑炉。\n',
    'memory/2025-10-10.md': '# 2025-10-10\n\n- The sculptors sent a bill.\n',
  });

const sources = async (...question: string[]) => {
  const { results } = await workspace().recall(...question);
  return results.map(({ source }) => source);
};

test('a line is found by the day that it mentions relative to its own, if that day has no lines', async () => {
  expect(await sources('whom did we meet, which sculptors, on October 3, 2025?')).toEqual(['memory/2025-10-04.md#L3']);
});

test('a month finds later reports and earlier plans about it, but not vague ones', async () => {
  const found = await sources('what about the sculptors in October 2025?');
  expect(found).toContain('memory/2025-11-05.md#L3');
  expect(found).not.toContain('memory/2025-11-05.md#L4');
  expect(await sources('what about the sculptors from October 27 to November 2, 2025?')).toContain(
    'memory/2025-10-20.md#L3',
  );
});

test('a month in Chinese finds later reports', async () => {
  expect(await sources('2025年10月雕塑家参观了什么？')).toContain('memory/2025-11-20.md#L3');
});

test('days given as options, and a question of a day alone, find lines that mention them', async () => {
  const given = await sources('sculptors', '--since', '2025-10-03', '--until', '2025-10-03');
  expect(given).toEqual(['memory/2025-10-04.md#L3']);
  expect((await sources('what happened on October 3, 2025?'))[0]).toBe('memory/2025-10-04.md#L3');
});

test('a fact is found by the day that it mentions relative to its own', async () => {
  const logs = testWorkspace({
    'memory/2026-03-10.md': '## Retain\n- B @Peter: signed the lease last Friday\n- W @Anna: 上个月搬到柏林\n',
    'memory/2026-03-06.md': '- nothing happened here\n',
    'memory/2026-02-10.md': '- nothing happened there\n',
  });
  const lease = await logs.recall('lease', '--since', '2026-03-06', '--until', '2026-03-06');
  expect(lease.results[0]).toMatchObject({ source: 'memory/2026-03-10.md#L2', validFrom: '2026-03-06' });
  const moved = await logs.recall('2026年2月谁搬到柏林');
  expect(moved.results[0]?.source).toBe('memory/2026-03-10.md#L3');
});

test('a line about something that began in a month is found beside logs of that month', async () => {
  const { results } = await testWorkspace({
    'memory/topics/bridges.md': '# Bridges\n\n- The Orrin bridge is closed since May 2023.\n',
    'memory/2023-05-04.md': '# 2023-05-04\n\n- Walked over the bridge.\n- The shop was closed.\n',
  }).recall('which bridge closed in May 2023?');
  expect(results[0]?.content).toContain('Orrin');
});

test.each([
  ['2018/2018-july.md', 'what did I do in July 2018?'],
  ['July 2018.md', 'what happened in July 2018?'],
  ['2018-07.md', 'July 2018'],
  ['Q3 2018.md', 'what happened in the third quarter of 2018?'],
  ['2018.md', 'what happened in 2018?'],
  ['2018年7月.md', '2018年7月发生了什么？'],
])('the name of the page %s gives the time of its lines: %s', async (page, question) => {
  const workspace = testWorkspace({
    'memory.config.json5': "{ extraFolders: ['notes'] }",
    [`notes/${page}`]: '## Highlights\n\n- Moved the studio to the harbour\n',
    'notes/2019-july.md': '- Sold the kiln\n',
  });
  const { results } = await workspace.recall(question, '--now', '2026-01-01T00:00:00Z');
  expect(results.map(({ source }) => source)).toEqual([`notes/${page}#L3`]);
});
