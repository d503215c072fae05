import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';

const FILES = {
  'memory/2025-11-03.md': '# 2025-11-03\n\n## Retain\n- W @backup: goes to the NAS in the hallway every night\n',
  'memory/2025-11-27.md':
    '# 2025-11-27\n\n- The rack was dusted.\n\n## Retain\n- W @rent: fixed until 2031\n- B @backup: I restored a file for Ben\n',
  'memory/2025-12-05.md':
    '# 2025-12-05\n\n- Nothing is released after Friday noon, so that nobody works on Saturday.\n',
};

const ask = async (...question: string[]) =>
  testWorkspace(FILES).recall(...question, '--now', '2025-12-10', '--tz', 'UTC');

test('a weekday in a rule hides no line, even if something else happened on it', async () => {
  const { results, warnings } = await ask('why is nothing released after noon on Thursday Nov 27?');
  expect(results.at(-1)?.source).toBe('memory/2025-12-05.md#L3');
  expect(warnings[0]).toMatch(/lines from other times than ".*Nov 27"/);
});

test('a statement before a time may still be valid in it; a later one is not', async () => {
  const { results } = await ask('where did the nightly backup go on Nov 27, to which NAS in the hallway?');
  expect(results.at(-1)?.source).toBe('memory/2025-11-03.md#L4');
  expect(results.map(({ path }) => path)).not.toContain('memory/2025-12-05.md');
});

test('a question for a state also finds earlier lines, even if lines of the time have its words', async () => {
  const { results, warnings } = await ask('where was the backup in late November?');
  expect(results.map(({ source }) => source)).toContain('memory/2025-11-03.md#L4');
  expect(warnings).toEqual([]);
});

test('a question for events finds only lines of the time, even if others have its words', async () => {
  const { results } = await ask('what was released on Nov 27?');
  expect(results.every(({ path }) => path === 'memory/2025-11-27.md')).toBe(true);
});

test('a time stays a filter when its own lines answer the question', async () => {
  const { results, warnings } = await ask('which backup did I restore on Nov 27?');
  expect(warnings).toEqual([]);
  expect(results.every(({ path }) => path === 'memory/2025-11-27.md')).toBe(true);
});

test('days given as options always filter', async () => {
  const { results } = await ask(
    'why is nothing released after noon?',
    '--since',
    '2025-11-27',
    '--until',
    '2025-11-27',
  );
  expect(results.every(({ path }) => path === 'memory/2025-11-27.md')).toBe(true);
  const { warnings } = await ask('the hallway', '--since', '2025-11-27');
  expect(warnings).toEqual(['no line from that time has a word of the question; other lines from that time are shown']);
});

test('the day of --as-of replaces a time in the question', async () => {
  const { results } = await ask('where did the backup go in October, to which NAS?', '--as-of', '2025-11-20');
  expect(results[0]?.source).toBe('memory/2025-11-03.md#L4');
});

test.each(['昨天做了什么？', '昨天我们做了什么？'])(
  'question words are not searched on other days: %s',
  async (question) => {
    const workspace = testWorkspace({
      'memory/2025-11-26.md': '- 修好了水泵\n- 给林海打电话\n',
      'memory/topics/notes.md': '# 笔记\n\n- 我们先问是什么，再问为什么，最后问做了什么\n',
    });
    const answer = await workspace.recall(question, '--now', '2025-11-27T08:00:00Z');
    expect(answer.results.map(({ path }) => path)).toEqual(['memory/2025-11-26.md', 'memory/2025-11-26.md']);
    expect(answer).toMatchObject({ answers: 'all', warnings: [] });
  },
);
