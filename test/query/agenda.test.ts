import { describe, expect, test } from 'vitest';
import type { AgendaAnswer } from '../../src/query/agenda.js';
import { testWorkspace } from '../support/test-workspace.js';

/** A week of plain notes in two languages, read on Sunday, 29 November 2026. */
const WEEK = {
  'MEMORY.md': "# Core\n\n- Lena's birthday: 3 December 1990\n- Bo was born on 20 March 1985.\n",
  'memory/2026-11-23.md': `# Monday

Slow start, the heating is broken.
Dentist appointment on 2 December at 8:15, Dr. Hofer.
Dinner with Bo on 6 December, he picks the place.

- [ ] Send the invoice to Ida 📅 2026-11-27
- [ ] Review the contract draft by Friday
- [ ] Renew the parking permit

We decided to ship Larkspur without the export.
`,
  'memory/2026-11-24.md': `# Dienstag

Am Samstag war ich mit Lena am Markt.
Elternabend am 1. Dezember um 19 Uhr.
Zoe kommt nächste Woche zu Besuch.

- TODO Winterreifen wechseln
  SCHEDULED: <2026-12-04 Fri>
- TODO @Lena: Pass verlängern due:: 2026-12-15
- DONE Paket abholen
`,
  'memory/2026-11-25.md': `# Wednesday

Choir concert on 5 December, Lena sings.
The dentist was moved to 9 December.
The offsite in Hallstatt is from 11 to 13 December.
- [x] Send the invoice to Ida 📅 2026-11-27
- [ ] Call the landlord (@Bo) 📅 2026-12-01
- [-] Buy a second monitor
`,
  'memory/2026-11-27.md': `# Freitag

The choir concert is cancelled, the conductor is ill.
Bo rief an: statt am 6. Dezember essen wir am 8. Dezember.
Shall we go skiing on 12 December?
`,
  'memory/2026-11-28.md': `# Saturday

Tomorrow: brunch at Clara's.
In spring we want to paint the kitchen.
- [ ] Renew the parking permit
`,
  'memory/topics/house.md': `# House

- [ ] Have the chimney swept [due:: 2026-11-20] [owner:: Lena]
- [ ] ~~Ask for offers~~

| When | What |
| --- | --- |
| 2026-12-10 | Chimney sweep comes |
| 2026-03-10 | Boiler service |
`,
};

const TODAY = ['--now', '2026-11-29T12:00:00Z', '--tz', 'Europe/Vienna'];

function openWeek() {
  const workspace = testWorkspace(WEEK);
  const run = (...args: readonly string[]) => workspace.run([...args, ...TODAY]);
  const agenda = async (...args: readonly string[]): Promise<AgendaAnswer> =>
    JSON.parse((await run('agenda', ...args, '--json')).stdout);
  return { workspace, run, agenda };
}

describe('the agenda of a week of plain notes', () => {
  test('has what lies ahead, the next first, each with its place', async () => {
    const { since, until, dates } = await openWeek().agenda();
    expect([since, until]).toEqual(['2026-11-29', '2026-12-26']);
    expect(dates.map(({ from, to, source }) => `${from} ${to === from ? '' : to} ${source}`)).toEqual([
      '2026-11-29  memory/2026-11-28.md#L3',
      '2026-11-30 2026-12-06 memory/2026-11-24.md#L5',
      '2026-12-01  memory/2026-11-24.md#L4',
      '2026-12-01  memory/2026-11-25.md#L7',
      '2026-12-03  MEMORY.md#L3',
      '2026-12-04  memory/2026-11-24.md#L7-L8',
      '2026-12-08  memory/2026-11-27.md#L4',
      '2026-12-09  memory/2026-11-25.md#L4',
      '2026-12-10  memory/topics/house.md#L8',
      '2026-12-11 2026-12-13 memory/2026-11-25.md#L5',
      '2026-12-15  memory/2026-11-24.md#L9',
    ]);
    expect(dates.filter(({ type }) => type === 'yearly').map(({ content }) => content)).toEqual([
      "Lena's birthday: 3 December 1990",
    ]);
  });

  test('leaves out what was moved or cancelled, and says by which line', async () => {
    const { replaced } = await openWeek().agenda();
    expect(replaced.map(({ source, by }) => [source, by]).sort()).toEqual([
      ['memory/2026-11-23.md#L4', 'memory/2026-11-25.md#L4'],
      ['memory/2026-11-23.md#L5', 'memory/2026-11-27.md#L4'],
      ['memory/2026-11-25.md#L3', 'memory/2026-11-27.md#L3'],
    ]);
  });

  test('has every open task once, overdue ones first, with owner and day', async () => {
    const { tasks } = await openWeek().agenda();
    expect(
      tasks.map(({ content, owner, due, scheduled, isOverdue }) => [content, owner, due ?? scheduled, isOverdue]),
    ).toEqual([
      ['Have the chimney swept', 'Lena', '2026-11-20', true],
      ['Review the contract draft by Friday', null, '2026-11-27', true],
      ['Call the landlord (@Bo)', 'Bo', '2026-12-01', false],
      ['Winterreifen wechseln', null, '2026-12-04', false],
      ['@Lena: Pass verlängern', 'Lena', '2026-12-15', false],
      ['Renew the parking permit', null, null, false],
    ]);
  });

  test.each([
    ['next week', '2026-11-30', '2026-12-06'],
    ['nächste Woche', '2026-11-30', '2026-12-06'],
    ['2026-12', '2026-12-01', '2026-12-31'],
    ['Friday', '2026-12-04', '2026-12-04'],
    ['December', '2026-12-01', '2026-12-31'],
    ['2w', '2026-11-29', '2026-12-13'],
  ])('of %j has only its days', async (when, since, until) => {
    const answer = await openWeek().agenda(when);
    expect(answer).toMatchObject({ since, until });
    for (const { from, to } of answer.dates) expect((from ?? '') <= until && (to ?? '') >= since).toBe(true);
    for (const { due, scheduled } of answer.tasks)
      expect(due ?? scheduled).toSatisfy((day) => day >= since && day <= until);
  });

  test('refuses words that are no time', async () => {
    const { code, stderr } = await openWeek().run('agenda', 'banana');
    expect(code).toBe(2);
    expect(stderr).toContain('"banana" is not a date');
  });

  test('is text that says days and marks what is overdue', async () => {
    const { stdout } = await openWeek().run('agenda');
    expect(stdout).toContain('Ahead, Sun 2026-11-29 to Sat 2026-12-26:');
    expect(stdout).toContain("Thu 2026-12-03           Lena's birthday: 3 December 1990  [MEMORY.md#L3]");
    expect(stdout).toContain('overdue 2026-11-20  Have the chimney swept (Lena)  [memory/topics/house.md#L3]');
    expect(stdout).toContain('3 dates cancelled or moved: ');
  });
});

test('each sentence of a paragraph announces by its own verb and is shown alone; a task of today is due today', async () => {
  const workspace = testWorkspace({
    'memory/2026-11-28.md': `# Saturday

We met Bo yesterday. On Friday Ida cooks for us. The tickets cost 12 euros. Then the dentist. On 10 December at 9:30.

Papa hat gestern angerufen. Am Donnerstag kommt der Elektriker. Lena hat am 8. Dezember Geburtstag.

- [ ] Call the bank today
`,
  });
  const { stdout } = await workspace.run(['agenda', '--json', ...TODAY]);
  const { dates, tasks }: AgendaAnswer = JSON.parse(stdout);
  expect(dates.map(({ from, source, content }) => `${from} ${source} ${content}`)).toEqual([
    '2026-12-03 memory/2026-11-28.md#L5 Am Donnerstag kommt der Elektriker.',
    '2026-12-04 memory/2026-11-28.md#L3 On Friday Ida cooks for us.',
    '2026-12-08 memory/2026-11-28.md#L5 Lena hat am 8. Dezember Geburtstag.',
    '2026-12-10 memory/2026-11-28.md#L3 Then the dentist. On 10 December at 9:30.',
  ]);
  const { results } = await workspace.recall("What's coming up?", ...TODAY);
  expect(results.map(({ content }) => content)).toEqual([
    'Am Donnerstag kommt der Elektriker. … Lena hat am 8. Dezember Geburtstag.',
    'On Friday Ida cooks for us. … Then the dentist. On 10 December at 9:30.',
  ]);
  expect(tasks).toMatchObject([{ content: 'Call the bank today', due: '2026-11-28', isOverdue: true }]);
});

test('a typed fact that was replaced or forgotten lies not ahead, and a copy of one is there once', async () => {
  const workspace = testWorkspace({
    'memory/2026-11-20.md':
      '## Retain\n- W @Bo: moves to Trieste on 2 December 2026\n- W @Ida: flies to Oslo on 3 December 2026\n',
    'memory/2026-11-22.md': '## Retain\n- W @Zoe: visits on 4 December 2026\n',
    'bank/world.md': '# World\n\n- W @Zoe: visits on 4 December 2026\n',
  });
  const ahead = async () => {
    const { stdout } = await workspace.run(['agenda', '--json', ...TODAY]);
    const { dates }: AgendaAnswer = JSON.parse(stdout);
    return dates.map(({ content }) => content);
  };
  expect(await ahead()).toEqual([
    '@Bo: moves to Trieste on 2 December 2026',
    '@Ida: flies to Oslo on 3 December 2026',
    '@Zoe: visits on 4 December 2026',
  ]);
  const idOf = async (question: string) =>
    (await workspace.recall(question, '--k', '1', ...TODAY)).results[0]?.id ?? '';
  const ida = await idOf('where does Ida fly?');
  const does = async (...args: readonly string[]) => expect((await workspace.run([...args, ...TODAY])).code).toBe(0);
  await does('forget', await idOf('where does Bo move?'));
  await does('retain', 'W @Ida: stays at home');
  await does('settle', ida, await idOf('where does Ida stay?'), 'ends');
  expect(await ahead()).toEqual(['@Zoe: visits on 4 December 2026']);
});

describe('recall', () => {
  async function answer(question: string) {
    const { stdout } = await openWeek().run('recall', question, '--json');
    const { results } = JSON.parse(stdout) as { results: readonly { source: string }[] };
    return results.map(({ source }) => source);
  }

  test('answers what lies ahead by the agenda', async () => {
    expect((await answer("What's coming up?")).slice(0, 2)).toEqual([
      'memory/2026-11-28.md#L3',
      'memory/2026-11-24.md#L5',
    ]);
    expect((await answer('was steht nächste Woche an?')).slice(0, 2)).toEqual([
      'memory/2026-11-24.md#L5',
      'memory/2026-11-24.md#L4',
    ]);
    expect(await answer('what do I have on Saturday the 12th?')).toEqual(['memory/2026-11-25.md#L5']);
    expect(await answer('what is overdue?')).toEqual(['memory/topics/house.md#L3', 'memory/2026-11-23.md#L8']);
  });

  test.each(['what are my open todos?', 'What do I have to do?', 'welche Aufgaben sind offen?'])(
    'answers %j by the open tasks',
    async (question) => {
      expect((await answer(question)).slice(0, 2)).toEqual(['memory/topics/house.md#L3', 'memory/2026-11-23.md#L8']);
    },
  );

  test.each([
    ['which tasks are about the landlord?', 'memory/2026-11-25.md#L7'],
    ['when is the offsite planned?', 'memory/2026-11-25.md#L5'],
  ])('answers %j by its topic', async (question, source) => {
    expect((await answer(question))[0]).toBe(source);
  });
});

describe('a plan that was changed', () => {
  const CHANGED = {
    'memory/2026-11-23.md': `# Monday

Dentist appointment on Wednesday 2 December at 4:15 with Dr. Weiss.
Chimney sweep booked for 9 December.
Zahnarzt am Donnerstag, 10. Dezember um 8:00.
- [ ] Bo to book the ferry to Olbia by Friday
- [ ] Ring the insurance
`,
    'memory/2026-11-26.md': `# Thursday

Dr. Weiss is away next week, so the dentist appointment is now Tuesday 8 December.
The chimney sweep cannot make it, he has cancelled and will ring in January.
Zahnarzt jetzt doch erst am Freitag, 11. Dezember.
New shoes: ordered them in 43, delivery on Tuesday.
- [x] Ferry to Olbia is booked, 19 December
`,
  };
  const workspace = () => testWorkspace(CHANGED);

  test.each([
    ['when is the dentist appointment?', 'memory/2026-11-26.md#L3', 'memory/2026-11-23.md#L3'],
    ['is the chimney sweep still coming on the 9th?', 'memory/2026-11-26.md#L4', 'memory/2026-11-23.md#L4'],
    ['wann ist der Zahnarzt?', 'memory/2026-11-26.md#L5', 'memory/2026-11-23.md#L5'],
  ])('stands behind its change: %j', async (question, later, earlier) => {
    const sources = (await workspace().recall(question, ...TODAY)).results.map(({ source }) => source);
    expect(sources[0]).toBe(later);
    expect(sources).toContain(earlier);
  });

  test('is not in the agenda; what a past verb stands beside is, and a task that may be done comes last', async () => {
    const { dates, tasks } = await workspace().json<AgendaAnswer>(['agenda', ...TODAY]);
    expect(dates.filter(({ type }) => type === 'date').map(({ from, source }) => `${from} ${source}`)).toEqual([
      '2026-12-01 memory/2026-11-26.md#L6',
      '2026-12-08 memory/2026-11-26.md#L3',
      '2026-12-10 memory/2026-11-23.md#L5',
      '2026-12-11 memory/2026-11-26.md#L5',
    ]);
    expect(tasks.map(({ content, maybeDone }) => [content, maybeDone])).toEqual([
      ['Ring the insurance', undefined],
      ['Bo to book the ferry to Olbia by Friday', 'memory/2026-11-26.md#L7'],
    ]);
  });
});

test.each([
  ['Réunion avec Luc le 3 décembre.', "La réunion avec Luc n'est pas annulée."],
  ['Dîner chez Léa le 5 décembre.', 'Si le dîner chez Léa est annulé, on ira au cinéma.'],
  ['Reunión con Ana el 3 de diciembre.', 'La reunión con Ana no está cancelada.'],
  ['12月3日和小明开会。', '和小明的会议没有取消。'],
  ['12月9日钢琴演出。', '如果钢琴演出取消，我们去公园。'],
])('a plan stays if a later line denies its end, or only asks what then: %j', async (plan, later) => {
  const workspace = testWorkspace({
    'memory/2026-11-23.md': `# Monday\n\n${plan}\n`,
    'memory/2026-11-26.md': `# Thursday\n\n${later}\n`,
  });
  const { dates, replaced } = await workspace.json<AgendaAnswer>(['agenda', ...TODAY]);
  expect([dates.map(({ content }) => content), replaced]).toEqual([[plan], []]);
});

test.each([
  ['Konzert am 5. Dezember.', 'Das Konzert fällt aus.'],
  ['Flight to Oslo on 12 December.', 'My flight to Oslo falls through.'],
])('a plan ends when its verb stands at the end of the line: %j', async (plan, later) => {
  const workspace = testWorkspace({
    'memory/2026-11-23.md': `# Monday\n\n${plan}\n`,
    'memory/2026-11-26.md': `# Thursday\n\n${later}\n`,
  });
  const { dates, replaced } = await workspace.json<AgendaAnswer>(['agenda', ...TODAY]);
  expect([dates, replaced.map(({ content }) => content)]).toEqual([[], [plan]]);
});

describe('recent', () => {
  test('tells day by day what was written, decided and changed, the newest first', async () => {
    const { stdout } = await openWeek().run('recent', '--json');
    const { days } = JSON.parse(stdout);
    expect(days.map(({ day }: { day: string }) => day)).toEqual([
      '2026-11-28',
      '2026-11-27',
      '2026-11-25',
      '2026-11-24',
      '2026-11-23',
    ]);
    expect(days.at(-1).decided).toEqual([
      { content: 'We decided to ship Larkspur without the export.', source: 'memory/2026-11-23.md#L11' },
    ]);
    expect(days[1].changed.map(({ source }: { source: string }) => source)).toEqual([
      'memory/2026-11-27.md#L3',
      'memory/2026-11-27.md#L4',
    ]);
    expect(days[0].written).toEqual([
      { heading: null, content: "Tomorrow: brunch at Clara's.", source: 'memory/2026-11-28.md#L3', lines: 3 },
    ]);
  });

  test('goes back to a day, and says how much it left out', async () => {
    const many = Array.from({ length: 20 }, (_, at) => `## Part ${at}\n\nSaid ${at}.\n`).join('\n');
    const workspace = testWorkspace({ ...WEEK, 'memory/2026-11-28.md': many });
    const { stdout } = await workspace.run(['recent', '--since', '2026-11-27', ...TODAY]);
    expect(stdout).toContain('Part 0 › Said 0.');
    expect(stdout).toContain('Fri 2026-11-27');
    expect(stdout).not.toContain('2026-11-25');
    expect(stdout).toContain('(8 more lines are left out');
  });
});

test('a task of two words is a task, and no date', async () => {
  const workspace = testWorkspace({
    'memory/2026-11-26.md': '- [ ] Renew passport 📅 2026-11-20\n- [ ] Call Bo 📅 2026-12-02\n',
  });
  const { tasks }: AgendaAnswer = JSON.parse((await workspace.run(['agenda', '--json', ...TODAY])).stdout);
  expect(tasks.map(({ content, due }) => [content, due])).toEqual([
    ['Renew passport', '2026-11-20'],
    ['Call Bo', '2026-12-02'],
  ]);
});

test('a word and a date are an appointment; a date alone is none', async () => {
  const workspace = testWorkspace({
    'memory/2026-11-27.md':
      '# Friday\n\nDentist 2026-12-03\n\nThursday, 3 December 2026\n\n- Lena 05.12.2026\n\n2026-12-07\n',
  });
  const { dates } = await workspace.json<AgendaAnswer>(['agenda', '--now', '2026-11-29T10:00:00Z']);
  expect(dates.map(({ content }) => content)).toEqual(['Dentist 2026-12-03', 'Lena 05.12.2026']);
});
