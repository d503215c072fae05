import { expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/recall/request.js';
import { testWorkspace } from '../support/test-workspace.js';

const FILES = {
  'memory/2026-02-20.md': '# 2026-02-20\n\n- The loom arrived from Ghent.\n',
  'memory/2026-03-05.md': '# 2026-03-05\n\n- Every Thursday the weavers meet.\n- Dyed two skeins blue.\n',
  'memory/2026-03-14.md': '# 2026-03-14\n\n- Thursday is too early for Ines.\n- 星期四太早了。\n',
  'memory/topics/guild.md': '# Guild\n\nThe guild hall was painted on 12 January 2026.\n',
};

const ask = (...question: string[]) => testWorkspace(FILES).recall(...question);
const sources = ({ results }: RecallAnswer) => results.map(({ source }) => source);

const KITCHEN = {
  'memory/2026-03-08.md': '# 2026-03-08\n\nNils cooked lentil soup for everyone.\n',
  'memory/2026-03-12.md': '# 2026-03-12\n\nNils mended the bike.\nThe chain was rusty.\nNils met the dentist.\n',
  'memory/2026-03-16.md':
    '# 2026-03-16\n\nOver the weekend we hiked to the mill with Lotte.\nLotte will be in Bonn over the weekend.\n',
  'memory/topics/family.md': '# Family\n\n- Lotte: birthday on February 17\n- Mika was born on 17 February 1990.\n',
  'memory/2026-02-17.md': '# 2026-02-17\n\nOrdered new paint.\n',
};
const askKitchen = (question: string) =>
  testWorkspace(KITCHEN).recall(question, '--now', '2026-03-17T12:00:00Z', '--tz', 'UTC');

test('a word missing on the day is found on another day, ranked below and with a warning', async () => {
  const { results, warnings } = await askKitchen('what did Nils cook last Thursday?');
  expect(results[0]?.path).toBe('memory/2026-03-12.md');
  expect(results.at(-1)?.source).toBe('memory/2026-03-08.md#L3');
  expect(warnings).toEqual([expect.stringContaining('last Thursday')]);
  const whatever = await askKitchen('what did Nils do last Thursday?');
  expect(whatever.results.map(({ path }) => path)).not.toContain('memory/2026-03-08.md');
});

test('a line of Monday in the past tense answers a question about the weekend', async () => {
  const answer = await askKitchen('where did we hike on March 14, 2026?');
  expect(sources(answer)[0]).toBe('memory/2026-03-16.md#L3');
  expect(answer.warnings).toEqual([]);
});

test('a birthday is found on its day of any year', async () => {
  for (const question of ['who was born on February 17?', 'whose birthday is on February 17?']) {
    const found = sources(await askKitchen(question)).slice(0, 2);
    expect(
      found.every((source) => source.startsWith('memory/topics/family.md')),
      question,
    ).toBe(true);
  }
});

test.each(['what happened last Thursday?', 'last thursday', 'was war letzten Donnerstag?', 'jeudi dernier', '上周四'])(
  'a time without lines has no results, and the nearest days are named: %s',
  async (question) => {
    const answer = await ask(question, '--now', '2026-03-19T12:00:00Z');
    expect(answer.results).toEqual([]);
    expect(answer.warnings.join()).toMatch(
      /there are no lines from .*the nearest days with lines are 2026-03-05 and 2026-03-14/,
    );
  },
);

test('an option filters in the same way', async () => {
  const answer = await ask('weavers', '--since', '2026-03-01', '--until', '2026-03-03');
  expect(answer.results).toEqual([]);
  expect(answer.warnings.join()).toContain('the nearest days with lines are 2026-02-20 and 2026-03-05');
});

test('a time alone shows lines of that time only', async () => {
  expect(sources(await ask('notes from 2026-03-05'))).toEqual(['memory/2026-03-05.md#L3', 'memory/2026-03-05.md#L4']);
});

test.each(['last 20 days', 'this year', 'im März 2026', '2026年3月'])(
  'a time alone causes no warning about missing words: %s',
  async (time) => {
    expect((await ask(time, '--now', '2026-03-19T12:00:00Z')).warnings).toEqual([]);
  },
);

test('an undated line belongs to the time that it names', async () => {
  expect(sources(await ask('what happened in January 2026?'))).toEqual(['memory/topics/guild.md#L3']);
  expect(sources(await ask('2026-01-12'))).toEqual(['memory/topics/guild.md#L3']);
});

test('lines outside of the time come last, and only with a word that no line inside has', async () => {
  const answer = await ask('which loom for the blue skeins on March 5, 2026?');
  expect(sources(answer)[0]).toBe('memory/2026-03-05.md#L4');
  const outside = sources(answer).filter((source) => !source.startsWith('memory/2026-03-05'));
  expect(sources(answer).slice(-outside.length || 99)).toEqual(outside);
  expect(sources(await ask('who dyed two skeins on March 5, 2026?'))).not.toContain('memory/2026-02-20.md#L3');
});

test.each([
  'was ist letzten Donnerstag passiert?',
  'was gab es letzten Donnerstag?',
  "que s'est-il passé jeudi dernier ?",
  '¿qué pasó el jueves pasado?',
  'cosa è successo giovedì scorso?',
  '上周四发生了什么？',
])('a question for all events of a time works in other languages: %s', async (question) => {
  const { results, warnings } = await askKitchen(question);
  expect(new Set(results.map(({ path }) => path))).toEqual(new Set(['memory/2026-03-12.md']));
  expect(warnings).toEqual([]);
});

test.each([
  ['who likes Blue Monday?', 'Blue Monday'],
  ['what did Ida watch on Freaky Friday?', 'Freaky Friday'],
])('a weekday in a title is not a time: %s', async (question, title) => {
  const workspace = testWorkspace({
    'memory/2026-03-03.md': '# 2026-03-03\n\n- W @Ida: likes the song Blue Monday\n- W @Ida: watched Freaky Friday\n',
    'memory/2026-03-13.md': '# 2026-03-13\n\n- W @Ida: paid the rent\n',
    'memory/2026-03-16.md': '# 2026-03-16\n\n- W @Ida: bought stamps\n',
  });
  const answer = await workspace.recall(question, '--now', '2026-03-17T12:00:00Z', '--tz', 'UTC');
  expect(answer.window).toBeNull();
  expect(answer.results[0]?.content).toContain(title);
});

test.each([
  ['where was Dora in mid May?', 'is in Berlin until May 20'],
  ['Wo war Dora Mitte Mai?', 'ist bis 20. Mai in Berlin'],
  ['Dora五月中旬在哪里？', '5月20日之前在柏林'],
])('a line that names the days in question comes before a general state: %s', async (question, line) => {
  const workspace = testWorkspace({
    'memory/2026-05-03.md': `# 2026-05-03\n\n- W @Dora: wohnt mit ihrer Schwester in Bremen\n- W @Dora: 8月9日飞往罗马\n- W @Dora: ${line}\n`,
  });
  const at = ['--now', '2026-06-01T12:00:00Z', '--tz', 'UTC'];
  const { results } = await workspace.recall(question, ...at);
  expect(results[0]?.content).toContain(line);
});
