import { describe, expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/query/request.js';
import { testWorkspace } from '../support/test-workspace.js';

type Logs = Readonly<Record<string, readonly string[]>>;

async function ask(logs: Logs, question: string, now: string, ...options: string[]): Promise<RecallAnswer> {
  const files = Object.entries(logs).map(([day, lines]) => [
    `memory/${day}.md`,
    `# ${day}\n\n## Retain\n${lines.map((line) => `- ${line}\n`).join('')}`,
  ]);
  const workspace = testWorkspace(Object.fromEntries(files));
  return workspace.recall(question, '--now', `${now}T12:00:00Z`, '--tz', 'UTC', ...options);
}

const contents = ({ results }: RecallAnswer) => results.map(({ content }) => content);
const first = (answer: RecallAnswer) => contents(answer)[0];

describe('questions for the place of a person', () => {
  const logs: Logs = {
    '2025-03-04': ['W @Leila: lives in Ghent', 'W @Leila: plays the harp'],
    '2025-10-28': ['W @Leila: Currently in Tbilisi (Nov 3–Nov 9, 2025) for the harp festival.'],
    '2025-11-20': ['W @Leila: bought a harp stand', 'B @Leila: I sent the harp score to Leila'],
  };

  test.each(['where is Leila now?', 'where is Leila?', 'Where is Leila at the moment?'])('%s', async (question) => {
    expect(first(await ask(logs, question, '2025-11-05'))).toContain('Tbilisi');
    expect(first(await ask(logs, question, '2025-11-25'))).toContain('Ghent');
    expect(first(await ask(logs, question, '2025-11-01'))).toContain('Ghent');
  });

  test.each([
    ['wo ist Jörg gerade jetzt?', 'Jörg', 'wohnt in Graz', 'Derzeit in Oslo (3.11.2025 bis 9.11.2025)', 'Oslo'],
    ['où est Amélie en ce moment ?', 'Amélie', 'habite à Lyon', 'À Rome du 2025-11-03 au 2025-11-09', 'Rome|Lyon'],
    ['孙丽现在在哪里？', '孙丽', '住在成都', '目前在东京（2025年11月3日至2025年11月9日）', '东京'],
  ])('%s', async (question, name, home, stay, place) => {
    const answer = await ask(
      { '2025-03-04': [`W @${name}: ${home}`], '2025-10-28': [`W @${name}: ${stay}`] },
      question,
      '2025-11-05',
    );
    expect(first(answer)).toMatch(new RegExp(place));
    const later = await ask(
      { '2025-03-04': [`W @${name}: ${home}`], '2025-10-28': [`W @${name}: ${stay}`] },
      question,
      '2025-12-05',
    );
    if (name !== 'Amélie') expect(first(later)).toContain(home);
  });

  test.each([
    ['¿dónde está Pablo ahora?', 'Pablo', 'vive en Cádiz', 'Ahora en Lima (del 3 al 9 de noviembre de 2025)', 'Cádiz'],
    ['где сейчас Ольга?', 'Ольга', 'живёт в Твери', 'Сейчас в Ереване (03.11.2025–09.11.2025)', 'Твери'],
  ])('%s', async (question, name, home, stay, place) => {
    const logs = { '2025-03-04': [`W @${name}: ${home}`], '2025-10-28': [`W @${name}: ${stay}`] };
    expect(first(await ask(logs, question, '2025-12-05'))).toContain(place);
    expect(first(await ask(logs, question, '2025-11-05'))).toContain(stay);
  });

  test('a move is a plan until its day, and then the home', async () => {
    const plan = { ...logs, '2025-11-21': ['W @Leila: will move to Antwerp on 2025-12-01'] };
    expect(first(await ask(plan, 'where does Leila live?', '2025-11-25'))).toContain('Ghent');
    const { results } = await ask(plan, 'where does Leila live?', '2025-12-02');
    expect(results[0]?.content).toContain('Antwerp');
    expect(first(await ask(plan, 'where is Leila now?', '2025-12-02'))).toContain('Antwerp');
  });

  test.each([
    ['Kita', 'Die Kita öffnet um 8 Uhr', 'Die Kita öffnet ab 2026-04-01 um 7 Uhr'],
    ['Pia', 'drives a Polo', 'will drive a Golf from 2026-05-01'],
  ])('a statement about a future day replaces the earlier one from that day on: %s', async (name, holds, plan) => {
    const told = { '2026-01-05': [`W @${name}: ${holds}`], '2026-01-20': [`W @${name}: ${plan}`] };
    const marked = async (now: string) =>
      (await ask(told, name, now)).results.filter(({ superseded, newer }) => (superseded ?? newer) !== undefined);
    expect(await marked('2026-03-01')).toEqual([]);
    expect((await marked('2026-07-01')).map(({ content }) => content)).toEqual([`@${name}: ${holds}`]);
  });

  test('is found among hundreds of other lines', async () => {
    const many = Array.from({ length: 300 }, (_, i) => `W @Leila: practised live music number ${i} for the harp`);
    const answer = await ask(
      { ...logs, '2025-09-09': many, '2025-11-22': many.slice(0, 60) },
      'where is Leila now?',
      '2025-11-25',
    );
    expect(first(answer)).toContain('Ghent');
  });
});

describe('a former state that is stated last comes after the current one, unless it is asked for', () => {
  test.each([
    [
      'Odette',
      'conduit une Clio',
      "conduisait une Panda jusqu'en 2019",
      'quelle voiture conduit Odette ?',
      'quelle voiture conduisait Odette ?',
    ],
    [
      'Heiko',
      'hat ein Fairphone',
      'hatte bis 2019 ein Nokia',
      'welches Handy hat Heiko?',
      'welches Handy hatte Heiko früher?',
    ],
    ['郑洁', '住在厦门', '上大学的时候住在武汉，2008年到2011年', '郑洁住在哪里？', '郑洁上大学时住在哪里？'],
    ['郑洁', '开一辆丰田', '2019年以前开一辆本田', '郑洁开什么车？', '郑洁以前开什么车？'],
    ['Nuria', 'vive en Jaca', 'vivió en Soria de 2008 a 2011', '¿dónde vive Nuria?', '¿dónde vivía Nuria en 2009?'],
    ['Gino', 'abita a Lecce', 'abitava a Como da studente', 'dove abita Gino?', 'dove abitava Gino da studente?'],
    [
      'Célia',
      'mora em Évora',
      'morava em Viseu quando era estudante',
      'onde mora a Célia?',
      'onde morava a Célia quando era estudante?',
    ],
    [
      'Sjoerd',
      'woont in Sneek',
      'woonde als student in Delft',
      'waar woont Sjoerd?',
      'waar woonde Sjoerd als student?',
    ],
    ['Вера', 'живёт в Омске', 'жила в Пскове, когда училась', 'где живёт Вера?', 'где жила Вера, когда училась?'],
    [
      '美咲',
      '仙台に住んでいる',
      '学生のころは京都に住んでいた',
      '美咲はどこに住んでいますか？',
      '美咲は学生のころどこに住んでいましたか？',
    ],
  ])('%s: %s, %s', async (name, holds, past, now, then) => {
    const logs = { '2025-02-10': [`W @${name}: ${holds}`], '2025-05-10': [`W @${name}: ${past}`] };
    expect(first(await ask(logs, now, '2025-09-01'))).toContain(holds);
    expect(first(await ask(logs, then, '2025-09-01'))).toContain(past);
  });

  test.each([
    ['Heiko', 'wohnt in Jena', 'Im Urlaub auf Rügen vom 3. bis 10. Juni 2025', 'wo ist Heiko gerade?'],
    ['Odette', 'habite à Nancy', 'En vacances à Ischia du 3 au 10 juin 2025', 'où est Odette ?'],
    ['郑洁', '住在厦门', '2025年6月3日至10日在三亚度假', '郑洁在哪儿？'],
  ])(
    'a temporary stay counts as the place for its days, whatever its purpose: %s',
    async (name, home, stay, question) => {
      const logs = {
        '2025-02-10': [`W @${name}: ${home}`],
        '2025-06-01': [`W @${name}: ${stay}`, `W @${name}: lent a book to a neighbour`],
      };
      expect(first(await ask(logs, question, '2025-06-05'))).toContain(stay);
      expect(first(await ask(logs, question, '2025-07-05'))).toContain(home);
    },
  );

  test.each([
    ["combien coûtait l'entrée de la piscine en avril ?", "L'entrée de la piscine coûte", 'euros'],
    ['was kostete der Eintritt der Sauna im April?', 'Der Eintritt der Sauna kostet', 'Euro'],
  ])('a former state is found for a month with unrelated lines: %s', async (question, text, unit) => {
    const answer = await ask(
      {
        '2025-02-01': [`W @Bad: ${text} 4 ${unit}`],
        '2025-04-12': ['W @Bad: a letter came', 'W @Zed: plays the drums'],
        '2025-06-12': [`W @Bad: ${text} 6 ${unit}`],
      },
      question,
      '2025-09-01',
    );
    expect(first(answer)).toContain(` 4 ${unit}`);
  });
});

describe('words for "now" ask for the current state and are not keywords', () => {
  const logs: Logs = {
    '2025-02-01': [
      'W @Bakery: the head baker is Otis',
      'W @Oven: is being repaired right now, at the moment it is cold',
    ],
    '2025-06-01': ['W @Bakery: the head baker is Femi'],
  };
  test.each([
    'who is the head baker now?',
    'who is currently the head baker?',
    'who is the head baker at the moment?',
    'who is the head baker these days?',
  ])('%s', async (question) => {
    const answer = await ask(logs, question, '2025-12-01');
    expect(first(answer)).toContain('Femi');
    expect(contents(answer).join()).not.toContain('repaired');
  });

  test.each([
    ['wer ist zurzeit Filialleiter?', 'Filialleiter ist Kurt', 'Filialleiter ist Dana', 'Heizung zurzeit kalt'],
    ['wer ist derzeit Filialleiter?', 'Filialleiter ist Kurt', 'Filialleiter ist Dana', 'Heizung derzeit kalt'],
    ['qui est maintenant le gérant ?', 'le gérant est Marc', 'le gérant est Julie', 'four maintenant froid'],
    ['目前店长是谁？', '店长是王强', '店长是李娜', '目前暖气坏了'],
    ['¿quién es ahora el gerente?', 'el gerente es Luis', 'el gerente es Rosa', 'calle ahora cortada'],
  ])('%s', async (question, old, current, other) => {
    const answer = await ask(
      {
        '2025-02-01': [`W @Shop: ${old}`],
        '2025-04-01': [`W @Street: ${other}`],
        '2025-06-01': [`W @Shop: ${current}`],
      },
      question,
      '2025-12-01',
    );
    expect(first(answer)).toContain(current);
    expect(contents(answer).join()).not.toContain(other);
  });

  test('in quotes, in a name or alone, they are keywords', async () => {
    const said: Logs = {
      '2025-02-01': [
        'W @Rota: the sign says "now serving"',
        'W @Film: Apocalypse Now was shown in the garden',
        'W @Rota: tea is ready',
      ],
    };
    expect(first(await ask(said, 'what says "now"?', '2025-12-01'))).toContain('now serving');
    expect(first(await ask(said, 'when was Apocalypse Now shown?', '2025-12-01'))).toContain('Apocalypse');
    expect(contents(await ask(said, 'now', '2025-12-01')).join()).toContain('now serving');
  });
});

describe('an ended state comes after the current one', () => {
  test.each([
    ['where does Mira live?', 'lived in Porto as a student, from 2008 to 2011', 'lives in Turin'],
    ['where does Mira live?', 'used to live in Porto', 'lives in Turin with her aunt'],
    ['which car does Mira drive?', 'used to drive a red Golf, which car she loved', 'drives a Skoda'],
    ['wo wohnt Mira?', 'wohnte in Porto, als sie in Porto studierte', 'wohnt in Turin'],
    ['où habite Mira ?', 'habitait à Porto quand elle était étudiante', 'habite à Turin'],
    ['Mira住在哪里？', '以前住在波尔图，住在学生宿舍', '住在都灵'],
    ['who is Mira married to?', 'was married to Paolo until 2015', 'is married to Jonas'],
    ['what does Mira drive?', 'formerly drove a Saab', 'drives a Skoda'],
    ['where does Mira work?', 'worked at the Porto aquarium for years, work she loved', 'works at a bank'],
  ])('%s', async (question, past, holds) => {
    const logs: Logs = { '2025-08-01': [`W @Mira: ${holds}`], '2025-11-01': [`W @Mira: ${past}`] };
    const few = contents(await ask(logs, question, '2025-12-01'));
    expect(few[0]).toContain(holds);
    const many = Array.from(
      { length: 120 },
      (_, i) => `W @Mira: wrote note ${i} about the car, the street where people live and work, and the drive`,
    );
    const order = contents(await ask({ ...logs, '2025-09-01': many }, question, '2025-12-01', '--k', '200'));
    const [over, now] = [past, holds].map((text) => order.findIndex((content) => content.includes(text)));
    expect(now).toBeGreaterThanOrEqual(0);
    if (over !== -1) expect(now).toBeLessThan(over ?? 0);
  });

  test('a question about the past finds the past state; an event is not a past state', async () => {
    const logs: Logs = {
      '2025-08-01': ['W @Mira: lives in Turin'],
      '2025-11-01': ['W @Mira: lived in Porto as a student, from 2008 to 2011', 'W @Mira: had dinner at the harbour'],
    };
    expect(first(await ask(logs, 'where did Mira live as a student?', '2025-12-01'))).toContain('Porto');
    expect(first(await ask(logs, 'Mira dinner harbour', '2025-12-01'))).toContain('dinner');
  });

  test('a plan comes after the current state until it begins', async () => {
    const logs: Logs = {
      '2025-08-01': ['W @Mira: lives in Turin'],
      '2025-11-01': ['W @Mira: will live in Oslo from 2026-02-01, where she will live with Jan'],
    };
    const { results } = await ask(logs, 'where does Mira live?', '2025-12-01');
    expect(results[0]?.content).toContain('Turin');
    expect(results[0]).not.toHaveProperty('superseded');
  });
});

describe('the state of things in the past', () => {
  const logs: Logs = {
    '2025-02-01': ['W @Archive: the archive is on the NAS'],
    '2025-05-01': ['W @Archive: the archive is on S3'],
  };
  test.each([
    ['where was the archive in March?', [], 'NAS'],
    ['where was the archive in March?', ['W @Cat: was at the vet in the archive street'], 'NAS'],
    ['where was the archive in March?', ['W @Cat: was at the vet', 'B @Agent: I cleaned the shed'], 'NAS'],
    ['where was the archive in June?', [], 'S3'],
    ['where is the archive now?', [], 'S3'],
  ] as const)('%s with %j in March', async (question, march, place) => {
    const answer = await ask(march.length === 0 ? logs : { ...logs, '2025-03-12': march }, question, '2025-12-01');
    expect(first(answer)).toContain(place);
  });

  test.each([
    ['wo lag das Archiv im März 2025?', 'das Archiv liegt auf dem NAS', 'das Archiv liegt auf S3', 'NAS'],
    ['wie hoch war der Beitrag im März 2025?', 'der Beitrag ist 640 Euro', 'der Beitrag ist 690 Euro', '640'],
    ['où étaient les archives en mars 2025 ?', 'les archives sont sur le NAS', 'les archives sont sur S3', 'NAS'],
    ['2025年3月档案在哪里？', '档案在机房', '档案在云上', '机房'],
  ])('%s', async (question, before, after, place) => {
    const answer = await ask(
      { '2025-02-01': [`W @X: ${before}`], '2025-05-01': [`W @X: ${after}`] },
      question,
      '2025-12-01',
    );
    expect(first(answer)).toContain(place);
  });

  test('as of a day no later fact marks a line', async () => {
    const answer = await ask(logs, 'where is the archive?', '2025-12-01', '--as-of', '2025-04-01');
    expect(contents(answer)).toEqual([expect.stringContaining('NAS')]);
    expect(answer.results[0]).not.toHaveProperty('superseded');
  });
});

test.each([
  ['which phone does Jonas have?', 'had a Nokia until 2019', 'has a Fairphone'],
  ['which phone does Jonas use?', 'used an iPhone until last year', 'uses a Pixel phone'],
  ['which car does Jonas have?', 'had a BMW until 2020', 'drives a Skoda'],
  ['which bank does Jonas use?', 'banked with ING until 2021', 'banks with Triodos'],
  ["who is Jonas's dentist?", 'went to Dr. Smit (dentist) until 2022', 'his dentist is Dr. Jansen'],
])('%s finds the current state before one that has ended', async (question, ended, holds) => {
  for (const lines of [
    [ended, holds],
    [holds, ended],
  ]) {
    const answer = await ask({ '2025-03-04': lines.map((line) => `W @Jonas: ${line}`) }, question, '2025-11-05');
    const [holding, over] = [holds, ended].map((line) => contents(answer).findIndex((text) => text.includes(line)));
    expect(holding).toBeGreaterThanOrEqual(0);
    expect(over === -1 || Number(over) > Number(holding)).toBe(true);
  }
});

test('an ended state of another topic keeps its rank', async () => {
  const logs: Logs = { '2025-03-04': ['W @Jonas: has a Fairphone', 'W @Jonas: had a grey dog until 2019'] };
  expect(first(await ask(logs, 'which dog does Jonas have?', '2025-11-05'))).toContain('dog');
});

describe('the newest statement about a topic comes first', () => {
  const logs: Logs = {
    '2026-03-02': ['W @Boiler: out of order', 'W @Boiler: has two tanks', 'W @Boiler: needs oil in spring'],
    '2026-03-16': ['W @Boiler: hums along as if nothing had been'],
    '2026-03-17': ['B @Boiler: I paid Derek'],
  };

  test('when it matches the question only by its subject', async () => {
    expect(first(await ask(logs, 'Does the boiler work?', '2026-03-20'))).toContain('hums along');
    expect(first(await ask(logs, 'Did the boiler work on March 3?', '2026-03-20'))).not.toContain('hums along');
  });

  test('but not before a line that matches more of the question', async () => {
    expect(first(await ask(logs, 'When does the boiler need oil?', '2026-03-20'))).toContain('needs oil');
    expect(first(await ask(logs, 'How many tanks has the boiler?', '2026-03-20'))).toContain('two tanks');
  });

  test('a plan and a former state are not newer than the current state', async () => {
    const later = { '2026-03-18': ['W @Boiler: will be scrapped in 2028', 'W @Boiler: formerly burned coal'] };
    expect(first(await ask({ ...logs, ...later }, 'Does the boiler work?', '2026-03-20'))).toContain('hums along');
  });

  test('a newer line in a thread is found by the words of an earlier one', async () => {
    const rooms: Logs = {
      '2026-03-02': ['W @Luca: sleeps in the caravan behind the barn'],
      '2026-03-11': ['W @Luca: settled into the spare room, the caravan leaks'],
      '2026-03-25': ['W @Luca: plays the tuba'],
    };
    expect(first(await ask(rooms, 'Where does Luca sleep?', '2026-03-26'))).toContain('spare room');
  });

  test('a question about a future day finds the latest plan', async () => {
    const plans: Logs = {
      '2026-05-26': ['W @Mrs-Pham: discharge intended for Friday 29 May, the pressure is stable'],
      '2026-05-28': ["W @Mrs-Pham: fever overnight, Friday's discharge was called off"],
    };
    expect(first(await ask(plans, 'Is Mrs Pham going home on Friday?', '2026-05-28'))).toContain('called off');
  });

  test('a question whether something is done finds the current state', async () => {
    const money: Logs = {
      '2026-07-23': ['W @装修队: 完工撤场，尾款三千还没结'],
      '2026-07-28': ['W @装修队: 尾款已经转给周师傅'],
    };
    expect(first(await ask(money, '装修的尾款结了吗？', '2026-07-31'))).toContain('已经转给');
  });
});

describe('a postponed date', () => {
  test.each([
    ['the plaster is to come off on 1 April', 'the hospital moved the cast removal from 1 April to 8 April'],
    ['Abnahme des Gipses am 1. April', 'der Termin im Spital wurde vom 1. April auf den 8. April verschoben'],
    ['4月1日拆石膏', '医院把时间从4月1日改到4月8日'],
  ])('%s', async (old, newer) => {
    const logs: Logs = { '2026-03-13': [`W @Alf: ${old}`], '2026-03-18': [`W @Alf: ${newer}`] };
    const { results } = await ask(logs, '@Alf', '2026-03-20');
    const [moved, was] = [newer, old].map((text) => results.find(({ content }) => content.endsWith(text)));
    expect(moved).toMatchObject({ validFrom: '2026-04-08', validTo: '2026-04-08' });
    expect(was).toMatchObject({ newer: moved?.id });
    expect(was).not.toHaveProperty('superseded');
  });

  test('a statement that something ends on a day is valid from that day', async () => {
    const answer = await ask({ '2026-03-13': ['W @Alf: no longer sells bread from 1 May'] }, '@Alf', '2026-03-20');
    expect(answer.results[0]).toMatchObject({ validFrom: '2026-05-01', validTo: null });
  });
});

test('a future event does not supersede a state that begins before it', async () => {
  const logs: Logs = {
    '2026-10-07': ['W @Karin: der Kammerchor probt ab kommender Woche donnerstags um 19:30 Uhr'],
    '2026-10-27': ['W @Karin: tritt mit dem Kammerchor am 12. Dezember in der Ludwigskirche auf'],
  };
  const { results } = await ask(logs, 'Wann probt der Kammerchor?', '2026-10-30');
  expect(results[0]?.content).toContain('donnerstags');
  expect(results[0]).not.toHaveProperty('newer');
});

test.each([
  ['Wann zieht Karin um?', 'Einzug am 2. Januar', 'malt am liebsten Aquarelle'],
  ['Quand part Luc ?', 'départ le 2 janvier', 'peint des aquarelles'],
  ['¿Cuándo ensaya Luz?', 'ensayo los martes', 'pinta acuarelas'],
])('a question with "when" finds the statement with a time: %s', async (question, when, other) => {
  const name = /Karin|Luc|Luz/.exec(question)?.[0] ?? '';
  const logs: Logs = { '2026-10-07': [`W @${name}: ${when}`], '2026-10-27': [`W @${name}: ${other}`] };
  expect(first(await ask(logs, question, '2026-10-30'))).toContain(when);
});
