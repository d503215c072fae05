import { expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/recall/request.js';
import { testWorkspace } from '../support/test-workspace.js';

const FILES = {
  'memory/2025-11-03.md': '# 2025-11-03\n\n## Retain\n- W @backup: goes to the NAS in the hallway every night\n',
  'memory/2025-11-27.md':
    '# 2025-11-27\n\n- The rack was dusted.\n\n## Retain\n- W @rent: fixed until 2031\n- B @backup: I restored a file for Ben\n',
  'memory/2025-12-05.md':
    '# 2025-12-05\n\n- Nothing is released after Friday noon, so that nobody works on Saturday.\n',
};

const ask = async (...question: string[]) =>
  testWorkspace(FILES).json<RecallAnswer>(['recall', ...question, '--now', '2025-12-10', '--tz', 'UTC']);

test('a weekday that a rule speaks of hides no line, though something else held on it', async () => {
  const { results, warnings } = await ask('why is nothing released after noon on Thursday Nov 27?');
  expect(results.at(-1)?.source).toBe('memory/2025-12-05.md#L3');
  expect(warnings[0]).toMatch(/other times fit the question better than ".*Nov 27"/);
});

test('what was said before a time may still have held in it; what came later did not', async () => {
  const { results } = await ask('where did the nightly backup go on Nov 27, to which NAS in the hallway?');
  expect(results.at(-1)?.source).toBe('memory/2025-11-03.md#L4');
  expect(results.map(({ path }) => path)).not.toContain('memory/2025-12-05.md');
});

test('what was so in a time is also what was said before it, even when lines of the time have the words', async () => {
  const { results, warnings } = await ask('where was the backup in late November?');
  expect(results.map(({ source }) => source)).toContain('memory/2025-11-03.md#L4');
  expect(warnings).toEqual([]);
});

test('what happened in a time is what its lines say, though others have the words of the question', async () => {
  const { results } = await ask('what was released on Nov 27?');
  expect(results.every(({ path }) => path === 'memory/2025-11-27.md')).toBe(true);
});

test('a time holds when its own lines answer the question', async () => {
  const { results, warnings } = await ask('which backup did I restore on Nov 27?');
  expect(warnings).toEqual([]);
  expect(results.every(({ path }) => path === 'memory/2025-11-27.md')).toBe(true);
});

test('days that were given as options always hold', async () => {
  const { results } = await ask(
    'why is nothing released after noon?',
    '--since',
    '2025-11-27',
    '--until',
    '2025-11-27',
  );
  expect(results.every(({ path }) => path === 'memory/2025-11-27.md')).toBe(true);
  const { warnings } = await ask('the hallway', '--since', '2025-11-27');
  expect(warnings).toEqual(['nothing of that time has a word of the question; what else is from then is shown']);
});

test('the day of --as-of takes the place of a time in the question', async () => {
  const { results } = await ask('where did the backup go in October, to which NAS?', '--as-of', '2025-11-20');
  expect(results[0]?.source).toBe('memory/2025-11-03.md#L4');
});

test.each(['昨天做了什么？', '昨天我们做了什么？'])(
  'words that only ask are looked for on no other day: %s',
  async (question) => {
    const workspace = testWorkspace({
      'memory/2025-11-26.md': '- 修好了水泵\n- 给林海打电话\n',
      'memory/topics/notes.md': '# 笔记\n\n- 我们先问是什么，再问为什么，最后问做了什么\n',
    });
    const answer = await workspace.json<RecallAnswer>(['recall', question, '--now', '2025-11-27T08:00:00Z']);
    expect(answer.results.map(({ path }) => path)).toEqual(['memory/2025-11-26.md', 'memory/2025-11-26.md']);
    expect(answer).toMatchObject({ answers: 'all', warnings: [] });
  },
);
