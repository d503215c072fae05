import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '../../src/language/time/calendar.js';
import { cases } from '../support/cases.js';
import { testWorkspace } from '../support/test-workspace.js';
import { type FileContents, TemporaryWorkspace } from '../support/workspace.js';

/** Facts by day, one a line. */
function logs(days: Readonly<Record<string, string>>): FileContents {
  return Object.fromEntries(
    Object.entries(days).map(([day, facts]) => [
      `memory/${day}.md`,
      `## Retain\n\n${facts
        .trim()
        .split('\n')
        .map((fact) => `- ${fact.trim()}\n`)
        .join('')}`,
    ]),
  );
}

/** The top lines of a section's threads, without citations. */
function section(page: string, title: string): readonly string[] {
  return linesOf(page, title).filter((line) => !line.startsWith('  - '));
}

/** The lines below a newer one in that section. */
function beneath(page: string, title: string): readonly string[] {
  return linesOf(page, title).flatMap((line) => (line.startsWith('  - ') ? line.slice(4) : []));
}

function linesOf(page: string, title: string): readonly string[] {
  const [, body = ''] = page.split(`**${title}**\n\n`);
  return (body.split(/\n\n|\n<!--/)[0] ?? '')
    .split('\n')
    .map((line) => line.replace(/^- /, '').replace(/ \(\[[^\]]*\]\([^)]*\)(?: [fo]-\w+)?\)/g, ''));
}

async function reflectAt(workspace: TemporaryWorkspace, day: string) {
  const { stdout, stderr } = await workspace.run(['reflect', '--json', '--now', `${day}T12:00:00Z`, '--tz', 'UTC']);
  return { report: JSON.parse(stdout), stderr };
}

async function pageAt(facts: Readonly<Record<string, string>>, day: string, name = 'Peter') {
  const workspace = testWorkspace(logs(facts));
  await reflectAt(workspace, day);
  return workspace.read(`bank/entities/${name}.md`);
}

describe('current facts', () => {
  test.each([
    ['the dentist is Dr. Baum', 'has a new dentist, Dr. Sand'],
    ['has a desk on the third floor', 'got a desk on the ninth floor'],
    ['leads the help desk', 'bought a desk in Ghent'],
    ['die Leiter steht neben der Tür', 'hat die Leiter verkauft'],
    ['在邮局上班', '不在邮局了'],
  ])(
    'the newest statement about a topic is listed with the earlier one below it: %s, then %s',
    async (before, since) => {
      const page = await pageAt(
        { '2025-11-03': `W @Peter: ${before}`, '2025-12-01': `W @Peter: ${since}` },
        '2026-01-15',
      );
      expect(section(page, 'Now')).toEqual([since]);
      expect(beneath(page, 'Now')).toEqual([`earlier, 2025-11-03: ${before}`]);
    },
  );

  test.each([
    ['has a flat in Delft', 'got a flat tyre in Ghent'],
    ['is on the Meadow project', 'now plays in the Glacier band'],
    ['die Leiter steht neben der Tür', 'jetzt hängt die Lampe neben dem Fenster'],
  ])('an earlier statement without a verdict does not count as ended: %s, then %s', async (before, since) => {
    const page = await pageAt(
      { '2025-11-03': `W @Peter: ${before}`, '2025-12-01': `W @Peter: ${since}` },
      '2026-01-15',
    );
    expect([...section(page, 'Now'), ...beneath(page, 'Now')].join('\n')).toContain(before);
    expect(page).not.toContain('**Before**');
  });

  test('a stay that has ended is listed under Before with its dates', async () => {
    const page = await pageAt(
      {
        '2025-11-27': 'W @Peter: In Marrakech (Nov 27–Dec 1, 2025) for a birthday.\nW @Peter: lives in Graz',
      },
      '2026-01-15',
    );
    expect(section(page, 'Now')).toEqual(['lives in Graz']);
    expect(section(page, 'Before')).toEqual([
      '2025-11-27 – 2025-12-01: In Marrakech (Nov 27–Dec 1, 2025) for a birthday.',
    ]);
  });

  test.each([
    ['In bed with a fever since December 2, 2025.', '2025-12-10', 'Now'],
    ['is in a foul mood this week', '2025-12-05', 'Now'],
    ['is in a foul mood this week', '2026-01-05', 'Lately'],
    ['used to live in Rome', '2026-01-05', 'Before'],
    ['is allergic to penicillin', '2026-06-15', 'Now'],
    ['fears early flights', '2026-06-15', 'Now'],
  ])('stated on 2025-12-02: %s; on %s it is listed under %s', async (text, day, title) => {
    const page = await pageAt({ '2025-12-02': `W @Peter: ${text}` }, day);
    expect(section(page, title)[0]).toContain(text.slice(8));
  });

  test('a value that its successor names is listed under Before with both days; the newest value once', async () => {
    const facts = { '2025-10-01': 'W @Peter: lives in Graz', '2025-12-01': 'W @Peter: moved from Graz to Linz' };
    const page = await pageAt(facts, '2026-01-15');
    expect(section(page, 'Now')).toEqual(['moved from Graz to Linz']);
    expect(section(page, 'Before')).toEqual(['2025-10-01 – 2025-12-01: lives in Graz']);
  });

  test('a statement about the past ends nothing', async () => {
    const facts = {
      '2025-10-01': 'W @Peter: lives in Graz',
      '2025-12-01': 'W @Peter: lived in Graz-Umgebung as a child',
    };
    expect(section(await pageAt(facts, '2026-01-15'), 'Now')).toEqual(['lives in Graz']);
  });

  test('a plan is listed last with its date, and removed on the day after', async () => {
    const facts = { '2026-01-09': 'W @Peter: Demo for the hospital on January 20, 2026\nW @Peter: lives in Graz' };
    expect(section(await pageAt(facts, '2026-01-15'), 'Now')).toEqual([
      'lives in Graz',
      'planned: Demo for the hospital on January 20, 2026',
    ]);
    expect(section(await pageAt(facts, '2026-01-20'), 'Now')).toHaveLength(2);
    expect(section(await pageAt(facts, '2026-01-21'), 'Now')).toEqual(['lives in Graz']);
  });

  test('a later beginning is a plan, then current', async () => {
    const facts = { '2026-01-09': 'W @Pier: the jetty is closed from 2026-02-01' };
    expect(section(await pageAt(facts, '2026-01-15', 'Pier'), 'Now')).toEqual([
      'planned: the jetty is closed from 2026-02-01',
    ]);
    expect(section(await pageAt(facts, '2026-02-01', 'Pier'), 'Now')).toEqual(['the jetty is closed from 2026-02-01']);
  });

  test('an idea is listed below the plan that it became', async () => {
    const facts = {
      '2026-01-05': 'W @Peter: Considering Tokyo and Kanazawa in March 2026; nothing booked yet.',
      '2026-01-09': 'W @Peter: Trip to Tokyo and Kanazawa fixed for March 7–21, 2026',
    };
    const page = await pageAt(facts, '2026-01-12');
    expect(section(page, 'Now')).toContain('planned: Trip to Tokyo and Kanazawa fixed for March 7–21, 2026');
    expect(beneath(page, 'Now').join()).toContain('Considering Tokyo and Kanazawa in March 2026');
  });

  test('recent events and the agent’s actions are listed under Lately, newest first', async () => {
    const facts = {
      '2026-01-09':
        'W @Peter: ran 5 km on January 8, 2026\nW @Peter: met Marta in Lisbon on January 2, 2026\nW @Relay: was updated to 7.2',
      '2026-01-10': 'B @Peter: I booked the flights',
    };
    const workspace = testWorkspace(logs(facts));
    await reflectAt(workspace, '2026-01-15');
    const page = workspace.read('bank/entities/Peter.md');
    expect(page).not.toContain('**Now**');
    expect(section(page, 'Lately').map((line) => line.slice(0, 14))).toEqual([
      '2026-01-10: I ',
      '2026-01-08: ra',
      '2026-01-02: me',
    ]);
    expect(section(workspace.read('bank/entities/Relay.md'), 'Now')).toEqual(['was updated to 7.2']);
  });
});

describe('clauses of a fact', () => {
  test('stay in one whole sentence; those that are over are struck', async () => {
    const facts = {
      '2025-10-01': 'W @Bob: has a dog and lives in Linz; plays the cello',
      '2025-12-01': 'W @Bob: moved from Linz to Graz',
    };
    expect(section(await pageAt(facts, '2025-11-01', 'Bob'), 'Now')).toEqual([
      'has a dog and lives in Linz; plays the cello',
    ]);
    const page = await pageAt(facts, '2026-01-15', 'Bob');
    expect(section(page, 'Now')).toEqual([
      'moved from Linz to Graz',
      'has a dog and ~~lives in Linz~~; plays the cello',
    ]);
    expect(page).not.toContain('**Before**');
  });

  test('are not separated when one refers to another', async () => {
    const facts = { '2026-01-09': 'W @Peter: met Dr. Seixas in Lisbon; she wants a demo' };
    expect(section(await pageAt(facts, '2026-01-15'), 'Now')).toEqual(['met Dr. Seixas in Lisbon; she wants a demo']);
  });
});

describe('subjects', () => {
  test('a line names another subject, omits the page’s entity as subject, and keeps names in the sentence', async () => {
    const facts = {
      '2026-01-09':
        'W @张三: On parental leave from January 3 to January 30, 2026; @李雷 and I watch the machines.\nB @李雷 and I answered the questions.\nW @李雷: drives a van',
    };
    const page = await pageAt(facts, '2026-01-15', '李雷');
    expect(section(page, 'Now')).toEqual([
      'drives a van',
      '张三: On parental leave from January 3 to January 30, 2026; @李雷 and I watch the machines.',
    ]);
    expect(section(page, 'Lately')).toEqual(['2026-01-09: 李雷 and I answered the questions.']);
  });

  test('an entity gets a page if a fact is about it, or if two facts mention it', async () => {
    const workspace = testWorkspace(
      logs({
        '2026-01-09': 'W @Peter: met @Ada\nS @Bob: has a dog and lives in Linz',
        '2026-01-10': 'W @Peter: called @Eve\nW @Peter: thanked @Eve',
      }),
    );
    await reflectAt(workspace, '2026-01-15');
    expect(
      workspace
        .pages()
        .filter(({ path }) => path.startsWith('bank/entities/'))
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['bank/entities/Bob.md', 'bank/entities/Eve.md', 'bank/entities/Peter.md']);
    expect(section(workspace.read('bank/entities/Bob.md'), 'Now')).toEqual(['has a dog and lives in Linz']);
  });

  test('a question is labelled as one', async () => {
    expect(section(await pageAt({ '2026-01-09': 'W @Peter: does he still take sugar?' }, '2026-01-15'), 'Now')).toEqual(
      ['question: does he still take sugar?'],
    );
  });

  test('a line repeated by a job is neither newer than another value nor listed beside it', async () => {
    const day = (n: number) => `2026-01-0${n}`;
    const facts: Record<string, string> = Object.fromEntries(
      [1, 2, 3, 4, 5].map((n) => [day(n), 'S @Peter: lives in Graz']),
    );
    facts['2026-01-03'] += '\nW @Peter: lives in Linz';
    expect(section(await pageAt(facts, '2026-01-15'), 'Now')).toEqual(['lives in Linz']);
  });
});

test('the lower of two values of one day comes first, and other facts do not contradict each other', async () => {
  const facts = {
    '2026-01-09':
      'W @Peter: lives in Graz\nW @Peter: lives in Linz\nW @Peter: climbs stairs\nW @Peter: has a torn meniscus',
  };
  const page = await pageAt(facts, '2026-01-15');
  expect(section(page, 'Now')).toEqual(['has a torn meniscus', 'climbs stairs', 'lives in Linz']);
  expect(beneath(page, 'Now')).toEqual(['earlier, 2026-01-09: lives in Graz']);
});

test('text of entity show has earlier statements below current ones, and preferences, like the page', async () => {
  const workspace = testWorkspace(
    logs({
      '2026-01-02': 'W @Peter: lives in Graz',
      '2026-01-09': 'W @Peter: lives in Linz\nO @Peter: likes green tea',
    }),
  );
  const { stdout } = await workspace.run(['entity', 'show', 'Peter']);
  expect(stdout.split('facts (')[0]).toBe(`Peter
mentioned: 2026-01-02 to 2026-01-09
now:
  lives in Linz  [memory/2026-01-09.md#L3]
    earlier, 2026-01-02: lives in Graz  [memory/2026-01-02.md#L3]
preferences:
  2026-01-09: likes green tea (c=0.70)  [memory/2026-01-09.md#L4]
`);
});

test('only opinions become beliefs, and a preference is shown with its confidence, from 0.50 on', async () => {
  const workspace = testWorkspace(
    logs({
      '2026-01-02':
        'O(c=0.4) @Peter: likes plum jam\nO(c=0.8) @Peter: prefers the night train\nW @Peter: prefers the early bus\nB @Peter: prefers that I call first',
      '2026-01-05': 'W @Peter: prefers the early bus\nB @Peter: prefers that I call first',
    }),
  );
  const shown = async () => {
    const { holds } = await workspace.json<{ holds: { preferences: readonly unknown[] } }>(['entity', 'show', 'Peter']);
    return holds.preferences;
  };
  const preference = { text: 'prefers the night train', confidence: 0.8 };
  expect(await shown()).toMatchObject([preference]);
  await workspace.json(['reflect', '--max-calls', '0']);
  expect(await shown()).toMatchObject([preference]);
  const page = workspace.read('bank/entities/Peter.md');
  expect(section(page, 'Preferences')).toEqual([expect.stringMatching(/^prefers the night train \(c=0\.80; \[op/)]);
  const { results } = await workspace.json<{ results: readonly unknown[] }>(['recall', 'plum jam']);
  expect(results[0]).toMatchObject({ content: '@Peter: likes plum jam', confidence: 0.4 });
  const { opinions } = await workspace.json<{ opinions: readonly { content: string }[] }>(['opinion', 'list']);
  expect(opinions.map(({ content }) => content)).toEqual(['@Peter: prefers the night train', '@Peter: likes plum jam']);
});

test('entity show lists the newest of many facts and their number; --all lists all', async () => {
  const days = Array.from({ length: 30 }, (_, i) => addDays('2026-01-01', i));
  const told = days.map((day, i) => [day, `W @Peter: owns relic${i}\nW @Peter: ${i + 10} open tickets`] as const);
  const workspace = testWorkspace(logs(Object.fromEntries(told)));
  const ask = (...more: readonly string[]) =>
    workspace.run(['entity', 'show', 'Peter', '--now', '2026-02-01T12:00:00Z', ...more]);
  const shown = (await ask()).stdout;
  expect(shown).toContain('now (20 of 31):');
  expect(shown).toContain('facts (20 of 60):');
  expect(shown.match(/owns relic\d+ {2}/g)?.[0]).toBe('owns relic29  ');
  expect(shown.match(/(?<!: )\d+ open tickets {2}\[.*|earlier, .*|and \d+ more/g)?.slice(0, 5)).toEqual([
    '39 open tickets  [memory/2026-01-30.md#L4]',
    ...[28, 27, 26].map((i) => `earlier, ${days[i]}: ${i + 10} open tickets  [memory/${days[i]}.md#L4]`),
    'and 26 more',
  ]);
  const whole = (await ask('--all')).stdout;
  expect(whole).toContain('now:');
  expect(whole.match(/owns relic\d+ {2}\[/g)).toHaveLength(60);
  expect(whole.match(/earlier, /g)).toHaveLength(29);
});

test('daily readings of a number are one thread with the newest current, in any language', async () => {
  const days = Array.from({ length: 20 }, (_, i) => addDays('2026-01-01', i));
  const told = days.map((day, i) => {
    const facts = [
      `weighs ${82 + (i % 9) / 10} kg`,
      `${12 + i} open tickets`,
      `Kontostand ${900 + i} €`,
      `血压${110 + i}毫克`,
      `velocity is ${40 + i} points`,
      `noch ${i} Fehler offen`,
      `还剩${i}个缺陷`,
    ];
    return [day, [...facts, `task ${i} is open`].map((fact) => `W @Peter: ${fact}`).join('\n')] as const;
  });
  const page = await pageAt(Object.fromEntries(told), '2026-02-01');
  const now = section(page, 'Now').map((line) => line.replace(/ \(.*/, ''));
  expect(now.filter((line) => !/^task|older/.test(line))).toEqual([
    '还剩19个缺陷',
    'noch 19 Fehler offen',
    'velocity is 59 points',
    '血压129毫克',
    'Kontostand 919 €',
    '31 open tickets',
    'weighs 82.1 kg',
  ]);
  // A task's number is part of its name.
  expect(now.filter((line) => line.startsWith('task')).length).toBeGreaterThan(3);
});

test('a value that alternates between words is one thread with each word once, even a short word', async () => {
  const days = Array.from({ length: 20 }, (_, i) => addDays('2026-01-01', i));
  const told = days.map((day, i) => {
    const facts = [`status is ${['green', 'yellow', 'red'][i % 3]}`, `der Build ist ${i % 4 === 1 ? 'rot' : 'grün'}`];
    return [day, [...facts, `drew chart${i}`].map((fact) => `W @Peter: ${fact}`).join('\n')] as const;
  });
  const page = await pageAt(Object.fromEntries(told), '2026-02-01');
  const lines = [...page.matchAll(/^ *- (?:earlier, \S+ )?((?:status|der Build) [^(]*) \(/gm)].map(([, line]) => line);
  expect(lines).toEqual([
    'der Build ist grün',
    'der Build ist rot',
    'status is yellow',
    'status is green',
    'status is red',
  ]);
});

test.each([
  ['Abgabe ist am 20.3.2026', 'Abgabe vom 20.3.2026 auf den 3.4.2026 verschoben'],
  ['截止日期是2026年3月20日', '截止日期从2026年3月20日推迟到2026年4月3日'],
  ['la remise est le 20 mars 2026', 'remise reportée du 20 mars 2026 au 3 avril 2026'],
  ['is on crutches', 'returned the crutches to the hospital'],
  ['das Tor ist auf', 'das Tor ist zu'],
  ['the heating is on', 'the heating is off'],
  ['sees the dentist on 2026-03-20', 'sees the dentist on 2026-06-20'],
])('two statements that differ in content do not count as repeated: %s, then %s', async (...said) => {
  const [earlier, later] = said;
  const workspace = testWorkspace(logs({ '2026-01-12': `W @Peter: ${earlier}`, '2026-03-02': `W @Peter: ${later}` }));
  const { stdout } = await workspace.run(['entity', 'show', 'Peter', '--all', '--now', '2026-03-05T12:00:00Z']);
  const [holds = ''] = stdout.split('by month:');
  for (const text of said) expect(holds).toContain(text);
});

test('a fact written by a person on the page, or listed higher up, is not repeated', async () => {
  const workspace = testWorkspace({
    ...logs({ '2026-01-09': 'W @Peter: lives in Graz with Nora\nW @Peter: drives a van\nO @Peter: likes tea' }),
    'bank/world.md': '# World\n\n- W @Peter: drives a van. ([memory/2026-01-09.md#L4](../memory/2026-01-09.md#L4))\n',
    'bank/entities/Peter.md': '# Peter\n\nFounder. He lives in Graz with Nora and a dog.\n',
  });
  await reflectAt(workspace, '2026-01-15');
  const page = workspace.read('bank/entities/Peter.md');
  expect(section(page, 'Now')).toEqual(['drives a van']);
  expect(page.match(/drives a van/g)).toHaveLength(1);
});

test('a section keeps to its budget and says how to see the rest', async () => {
  const cities = ['Rome', 'Bonn', 'Bern', 'Oslo', 'Riga', 'Kyiv', 'Lyon', 'Pisa', 'Cork', 'Gent'];
  const places = cities.map((city) => `B @Peter: met Ada in ${city}`).join('\n');
  const workspace = testWorkspace(logs({ '2026-01-09': places }));
  await reflectAt(workspace, '2026-01-15');
  const lines = section(workspace.read('bank/entities/Peter.md'), 'Lately');
  expect(lines).toHaveLength(9);
  expect(lines[8]).toBe('and 2 older: `openclaw memory entity show Peter --all`');
  const { stdout } = await workspace.run(['entity', 'show', 'Peter', '--all', '--now', '2026-01-15T12:00:00Z']);
  for (const city of cities) expect(stdout).toContain(`2026-01-09: met Ada in ${city}`);
  expect(stdout).not.toContain('older');
});

test('entity show lists current facts and plans itself, and shows what a person wrote on the page', async () => {
  const workspace = testWorkspace({
    ...logs({
      '2026-01-10':
        'W @Peter: lives in Graz\nW @Peter: in Oslo from February 2 to 5, 2026\nW @Peter: broke a cup of @Mia',
    }),
    'bank/entities/Peter.md': '# Peter\n\nA potter.\n',
  });
  await reflectAt(workspace, '2026-01-15');
  expect(workspace.read('bank/entities/Peter.md')).toContain('**See also**\n\n@Mia');
  const { stdout } = await workspace.run(['entity', 'show', 'Peter', '--now', '2026-01-16T12:00:00Z']);
  const [shown = ''] = stdout.split('facts (');
  expect(shown.split('\n').slice(3)).toEqual([
    '  A potter.  [bank/entities/Peter.md#L3]',
    'now:',
    '  broke a cup of @Mia  [memory/2026-01-10.md#L5]',
    '  lives in Graz  [memory/2026-01-10.md#L3]',
    'planned:',
    '  2026-02-02 – 2026-02-05: in Oslo from February 2 to 5, 2026  [memory/2026-01-10.md#L4]',
    '',
  ]);
});

test('a past plan is listed under Lately with the day of its statement, and the report says that its date ended it', async () => {
  const workspace = testWorkspace(logs({ '2026-01-10': 'W @Peter: will run the marathon on January 18, 2026' }));
  await reflectAt(workspace, '2026-01-10');
  const { report } = await reflectAt(workspace, '2026-01-20');
  expect(report.now).toMatchObject([{ change: 'left', why: 'ended', settledBy: 'date' }]);
  const line = '2026-01-10: will run the marathon on January 18, 2026';
  expect(section(workspace.read('bank/entities/Peter.md'), 'Lately')).toEqual([line]);
  const { stdout } = await workspace.run(['entity', 'show', 'Peter', '--all', '--now', '2026-01-20T12:00:00Z']);
  expect(stdout).toContain(`lately:\n  ${line}`);
});

describe('pages are made', () => {
  const STAY = logs({ '2026-01-10': 'W @Peter: in Oslo until January 20, 2026\nW @Peter: lives in Graz' });

  test('again when a validity ends, not only for a new fact; twice on one day changes no byte', async () => {
    const workspace = testWorkspace(STAY);
    await reflectAt(workspace, '2026-01-15');
    expect(section(workspace.read('bank/entities/Peter.md'), 'Now')).toHaveLength(2);
    expect((await reflectAt(workspace, '2026-01-16')).report.written).toEqual([]);
    const { report } = await reflectAt(workspace, '2026-01-21');
    expect(section(workspace.read('bank/entities/Peter.md'), 'Now')).toEqual(['lives in Graz']);
    expect(report.now).toMatchObject([{ change: 'left', line: 'in Oslo until January 20, 2026', why: 'ended' }]);
    expect((await reflectAt(workspace, '2026-01-21')).report.written).toEqual([]);
  });

  test('for an earlier day only on the screen, without facts of later days', async () => {
    const workspace = testWorkspace({ ...STAY, ...logs({ '2026-03-01': 'W @Peter: moved from Graz to Linz' }) });
    await reflectAt(workspace, '2026-01-12');
    const before = workspace.read('bank/entities/Peter.md');
    expect(before).not.toContain('Linz');
    workspace.write('memory/2026-01-11.md', '- W @Peter: has a cat\n');
    const { report, stderr } = await reflectAt(workspace, '2026-01-11');
    expect(report.warnings.join()).toContain('2026-01-12');
    expect(report).toMatchObject({ isOfThePast: true, diff: expect.stringContaining('+- has a cat') });
    expect(stderr).toContain('2026-01-12');
    expect(workspace.read('bank/entities/Peter.md')).toBe(before);
    await reflectAt(workspace, '2026-03-02');
    expect(section(workspace.read('bank/entities/Peter.md'), 'Now')).toEqual(['moved from Graz to Linz', 'has a cat']);
  });
});

describe('corrections of a page by a reader', () => {
  const FACTS = logs({ '2026-01-10': 'W @Peter: lives in Graz\nW @Peter: has a cat\nW @Peter: drives a van' });
  const page = (workspace: TemporaryWorkspace) => workspace.read('bank/entities/Peter.md');

  test.each([
    ['deleting', () => ''],
    ['striking', (line: string) => line.replace(/^- (.*)$/m, '- ~~$1~~')],
  ])('%s a line hides that fact on that page, with one notice; the block stays generated', async (_, edit) => {
    const workspace = testWorkspace(FACTS);
    await reflectAt(workspace, '2026-01-15');
    workspace.write('bank/entities/Peter.md', page(workspace).replace(/^- has a cat.*\n/m, edit));
    workspace.write('memory/2026-01-15.md', '- W @Peter: plays chess\n');
    const { report } = await reflectAt(workspace, '2026-01-16');
    expect(report.conflicts).toEqual([]);
    expect(report.now).toContainEqual(expect.objectContaining({ change: 'entered', line: 'plays chess' }));
    expect(JSON.stringify(report.now)).not.toContain('Hidden by');
    expect(section(page(workspace), 'Now')).toEqual(['plays chess', 'drives a van', 'lives in Graz']);
    expect(page(workspace).match(/Hidden by a reader: f-[0-9a-z]{13}$/gm)).toHaveLength(1);
    workspace.write('memory/2026-01-16.md', '- W @Peter: sings\n');
    await reflectAt(workspace, '2026-01-17');
    expect(page(workspace)).not.toContain('has a cat');
    expect((await reflectAt(workspace, '2026-01-17')).report.written).toEqual([]);
  });

  test('count without new facts and in any section', async () => {
    const workspace = testWorkspace({
      ...FACTS,
      ...logs({ '2026-01-11': 'B @Peter: visited the fair\nO @Peter: likes rye bread' }),
    });
    await reflectAt(workspace, '2026-01-15');
    const edited = page(workspace)
      .replace(/^- (has a cat.*)$/m, '- ~~$1~~')
      .replace(/^- .*(?:visited the fair|likes rye).*\n/gm, '')
      .replaceAll('\n', '\r\n');
    workspace.write('bank/entities/Peter.md', edited);
    const { report } = await reflectAt(workspace, '2026-01-15');
    expect(report.conflicts).toEqual([]);
    expect(report.now).toEqual([expect.objectContaining({ change: 'left', line: 'has a cat', why: 'hidden' })]);
    expect(page(workspace)).not.toMatch(/has a cat|visited|rye/);
    expect(page(workspace)).toMatch(/Hidden by a reader: .*o-[0-9a-z]{13}/);
    expect((await reflectAt(workspace, '2026-01-15')).report.written).toEqual([]);
  });

  test('beside a line of which a part is struck hide only what the person deleted or struck', async () => {
    const files = logs({
      '2026-01-10': 'W @Peter: lives in Linz; keeps bees\nW @Peter: has a cat\nW @Peter: rides a van',
      '2026-01-12': 'W @Peter: moved from Linz to Graz',
    });
    const workspace = testWorkspace(files);
    await reflectAt(workspace, '2026-01-15');
    const both = '~~lives in Linz~~; keeps bees';
    expect(section(page(workspace), 'Now')).toEqual(['moved from Linz to Graz', 'rides a van', 'has a cat', both]);
    const edited = page(workspace)
      .replace(/^- has a cat.*\n/m, '')
      .replace(/^- (rides a van.*)$/m, '- ~~$1~~');
    workspace.write('bank/entities/Peter.md', edited);
    const { report } = await reflectAt(workspace, '2026-01-15');
    expect(report.conflicts).toEqual([]);
    expect(section(page(workspace), 'Now')).toEqual(['moved from Linz to Graz', both]);
    workspace.write('bank/entities/Peter.md', page(workspace).replace(/^- ~~lives in Linz.*\n/m, ''));
    await reflectAt(workspace, '2026-01-15');
    expect(section(page(workspace), 'Now')).toEqual(['moved from Linz to Graz']);
  });

  test('of any other kind make the block theirs', async () => {
    const workspace = testWorkspace(FACTS);
    await reflectAt(workspace, '2026-01-15');
    const edited = page(workspace).replace('has a cat', 'has two cats');
    workspace.write('bank/entities/Peter.md', edited);
    workspace.write('memory/2026-01-15.md', '- W @Peter: plays chess\n');
    expect((await reflectAt(workspace, '2026-01-16')).report.conflicts).toHaveLength(1);
    expect(page(workspace)).toBe(edited);
  });
});

test('a page with over 1,000 facts uses the newest and those of the bank, and says that there are more', async () => {
  const said = (day: number) =>
    Array.from({ length: 400 }, (_, at) => `W @Peter: item ${day}x${at} is done`).join('\n');
  const workspace = testWorkspace(
    logs({
      '2026-01-01': 'W @Peter: is the accountant of the mill (important)\nW @Peter: keeps a grey parrot',
      '2026-01-02': said(2),
      '2026-01-03': said(3),
      '2026-01-04': said(4),
    }),
  );
  await reflectAt(workspace, '2026-01-01');
  await reflectAt(workspace, '2026-01-05');
  const page = workspace.read('bank/entities/Peter.md');
  expect(page).toMatch(/^is the accountant of the mill/m);
  expect(page).toMatch(/^- and more than \d+ older: `openclaw memory entity show Peter --all`$/m);
  const { stdout } = await workspace.run(['entity', 'show', 'Peter', '--all', '--json']);
  expect(JSON.stringify(JSON.parse(stdout).holds)).toContain('keeps a grey parrot');
});

test('a page that only mentions another entity follows the facts about that entity', async () => {
  const workspace = testWorkspace(
    logs({
      '2026-05-01': 'W @Max: plays tennis with @Anna on Tuesdays\nW @Anna: sings in a choir\nW @Anna: has a cat',
    }),
  );
  await reflectAt(workspace, '2026-05-01');
  expect(section(workspace.read('bank/entities/Anna.md'), 'Now')).toContain('Max: plays tennis with @Anna on Tuesdays');
  workspace.write('memory/2026-05-09.md', '## Retain\n\n- W @Max: no longer plays tennis on Tuesdays\n');
  await reflectAt(workspace, '2026-05-09');
  const now = section(workspace.read('bank/entities/Anna.md'), 'Now');
  expect([now.includes('sings in a choir'), now.some((line) => line.includes('tennis'))]).toEqual([true, false]);
});

const FIRST_DAY = '2026-04-01';

/** Statements for a day: stays, illness, plans, values that replace each other, several things at once. */
const SAID: readonly ((day: (later: number) => string) => string)[] = [
  () => 'W @Tove: lives in Bergen',
  () => 'W @Tove: lives in Narvik',
  (day) => `W @Tove: is in Rome from ${day(0)} to ${day(2)}`,
  () => 'W @Tove: is ill with a cold',
  () => 'S @Tove: is well again',
  (day) => `W @Tove: flies to Malta on ${day(2)}`,
  () => 'W @Tove: works as a nurse; has a red bike',
  () => 'W @Tove: no longer has a red bike',
  () => 'W @小溪: 住在苏州',
  () => 'W @小溪: 住在杭州',
  () => 'W @小溪: 养了一只猫；会弹琴',
  (day) => `W @小溪: ${day(1)}去上海出差`,
  () => 'W @Bäckerei: öffnet um 6 Uhr',
  () => 'W @Bäckerei: öffnet um 7 Uhr',
  (day) => `W @Bäckerei: ist vom ${day(1)} bis ${day(3)} geschlossen`,
  () => 'B @Bäckerei: ordered the cake',
];
const CITATION = / \(\[[^\]]+\]\([^)]+\) f-[0-9a-z]{13}\)/g;

/** The lines under Now of every page, each with the page's path before it. */
function linesUnderNow(workspace: TemporaryWorkspace): ReadonlySet<string> {
  const names = ['Tove', '小溪', 'Bäckerei'].map((name) => `bank/entities/${name}.md`);
  return new Set(
    names.flatMap((path) => {
      const text = existsSync(join(workspace.root, path)) ? workspace.read(path) : '';
      const body = /\*\*Now\*\*\n\n([\s\S]*?)\n(?:\n|<!--)/.exec(text)?.[1] ?? '';
      const lines = body.split('\n').filter((line) => line.startsWith('- ') && line.search(CITATION) >= 0);
      return lines.map((line) => `${path} ${line.slice(2).replace(CITATION, '')}`);
    }),
  );
}

test('the lines that a run reports as entered and left are exactly the changes under Now', async () => {
  const day = fc.uniqueArray(fc.nat({ max: SAID.length - 1 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(fc.array(day, { minLength: 6, maxLength: 6 }), async (days) => {
      const workspace = new TemporaryWorkspace();
      try {
        let before = linesUnderNow(workspace);
        for (const [i, said] of days.entries()) {
          const today = addDays(FIRST_DAY, i);
          const facts = said.map((which) => `- ${SAID[which]?.((later) => addDays(today, later))}\n`);
          workspace.write(`memory/${today}.md`, `## Retain\n\n${facts.join('')}`);
          const now = `${addDays(today, 1)}T05:00:00Z`;
          const { stdout } = await workspace.run(['reflect', '--json', '--now', now, '--tz', 'UTC']);
          const changes: readonly { path: string; line: string; change: string }[] = JSON.parse(stdout).now;
          const named = (change: string) =>
            changes.flatMap((each) => (each.change === change ? `${each.path} ${each.line}` : [])).sort();
          const after = linesUnderNow(workspace);
          const [was, is] = [before, after].map(
            (lines) => new Set([...lines].map((line) => line.replaceAll('~~', ''))),
          );
          const struck = [...after].filter((line) => !before.has(line) && was?.has(line.replaceAll('~~', '')));
          const parts = struck.map((line) => line.replace(/ .*~~(.*)~~.*/, ' $1'));
          expect(named('entered')).toEqual([...(is ?? [])].filter((line) => !was?.has(line)).sort());
          expect(named('left')).toEqual(
            [...(was ?? [])]
              .filter((line) => !is?.has(line))
              .concat(parts)
              .sort(),
          );
          before = after;
        }
      } finally {
        workspace.dispose();
      }
    }),
    { numRuns: cases(8, 4) },
  );
});
