import { describe, expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/query/request.js';
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
  const found = sources(await ask('notes from 2026-03-05'));
  expect(found.toSorted()).toEqual(['memory/2026-03-05.md#L3', 'memory/2026-03-05.md#L4']);
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

describe('a day, and the days around it', () => {
  const FILES = {
    'memory/2025-11-27.md': '# Thursday\n\nPeter left for Marrakech.\n\n## Retain\n- B @warelay: I fixed the crash.\n',
    'memory/2025-12-20.md': '# Saturday\n\nThe crash of 2025-11-27 has not come back.\n',
  };

  test('a date alone finds lines of that day first, then lines that mention it', async () => {
    const { results } = await testWorkspace(FILES).recall('2025-11-27');
    expect(results.slice(0, 3).map(({ content }) => content)).toEqual([
      '@warelay: I fixed the crash.',
      'Peter left for Marrakech.',
      'The crash of 2025-11-27 has not come back.',
    ]);
  });

  test('"around" finds three days on either side and lines that name one of them, and nothing else', async () => {
    const answer = await testWorkspace(FILES).recall('what happened around Nov 29?');
    expect(answer.window).toEqual({ since: '2025-11-26', until: '2025-12-02' });
    const paths = answer.results.map(({ path }) => path);
    expect(paths[0]).toBe('memory/2025-11-27.md');
    expect(new Set(paths)).toEqual(new Set(['memory/2025-11-27.md', 'memory/2025-12-20.md']));
  });
});

describe('what a time hides', () => {
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
    expect(warnings).toEqual([
      'no line from that time has a word of the question; other lines from that time are shown',
    ]);
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
});

describe('a day that a line mentions relative to its own', () => {
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
    expect(await sources('whom did we meet, which sculptors, on October 3, 2025?')).toEqual([
      'memory/2025-10-04.md#L3',
    ]);
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
});

describe('a day or month without a year, asked on Wednesday 2026-11-25', () => {
  const LETTERS = {
    'memory/2025-12-08.md': '# 2025-12-08\n\n- Choir sang at the market.\n',
    'memory/2026-06-03.md': '# 2026-06-03\n\n- Choir took a break.\n',
    'memory/2026-10-02.md':
      '# 2026-10-02\n\n- Dinner with Bo on 6 December.\n- The optician moved to Dec 9th.\n- Am 7. Dezember kommt der Ofensetzer.\n' +
      '- Le 8 décembre, le notaire passe.\n- El 10 de diciembre viene la fontanera.\n- 12月11日去体检。\n',
    'memory/2026-11-21.md': '# 2026-11-21\n\n- Planted tulips.\n',
    'memory/2026-11-23.md': '# 2026-11-23\n\n- Ballet rehearsal Saturday.\n- Swept the stairs.\n',
    'memory/2026-12-14.md': '# 2026-12-14\n\n- Choir rehearses the mass.\n',
  };
  const ask = (question: string) =>
    testWorkspace(LETTERS).recall(question, '--now', '2026-11-25T12:00:00Z', '--tz', 'UTC');

  test('without a tense the nearest on both sides are two windows, and nothing between them is inside', async () => {
    const { window, windows, results } = await ask('choir in December');
    expect(window).toEqual({ since: '2025-12-01', until: '2025-12-31' });
    expect(windows).toEqual([window, { since: '2026-12-01', until: '2026-12-31' }]);
    const paths = results.map(({ path }) => path);
    expect(new Set(paths.slice(0, 2))).toEqual(new Set(['memory/2025-12-08.md', 'memory/2026-12-14.md']));
    expect(paths).not.toContain('memory/2026-06-03.md');
  });

  test('the tense decides, and then there is one window', async () => {
    const ahead = await ask('what does the choir sing in December?');
    expect([ahead.window, ahead.windows]).toEqual([{ since: '2026-12-01', until: '2026-12-31' }, undefined]);
    expect(ahead.results[0]?.path).toBe('memory/2026-12-14.md');
    const past = await ask('where did the choir sing in December?');
    expect([past.window?.since, past.windows]).toEqual(['2025-12-01', undefined]);
    expect(past.results[0]?.path).toBe('memory/2025-12-08.md');
  });

  test.each([
    ['what is on 6 December?', 'Dinner with Bo on 6 December.'],
    ['what happens on 9 December?', 'The optician moved to Dec 9th.'],
    ['Was passiert am 7. Dezember?', 'Am 7. Dezember kommt der Ofensetzer.'],
    ['Que se passe-t-il le 8 décembre ?', 'Le 8 décembre, le notaire passe.'],
    ['¿Qué pasa el 10 de diciembre?', 'El 10 de diciembre viene la fontanera.'],
    ['12月11日有什么安排？', '12月11日去体检。'],
  ])('a date in a line is of the year that is nearest to the day of the line: %s', async (question, line) => {
    expect((await ask(question)).results[0]?.content).toBe(line);
  });

  test('a weekday in a line of the days before is the coming one', async () => {
    const { results } = await ask('what is on Saturday?');
    expect(results.map(({ content }) => content)).toEqual(['Ballet rehearsal Saturday.']);
  });
});

test.each(['what did we do yesterday?', 'yesterday', '昨天做了什么？'])(
  '%s brings one line of each section first',
  async (question) => {
    const log =
      '# 2026-03-14\n\n## Work\n\n- Mended the loom\n- Sold a rug\n\n## Home\n\n- Baked bread\n- Called Ines\n';
    const { results } = await testWorkspace({ 'memory/2026-03-14.md': log }).recall(question);
    expect(results.map(({ content }) => content)).toEqual([
      'Mended the loom',
      'Baked bread',
      'Sold a rug',
      'Called Ines',
    ]);
  },
);
