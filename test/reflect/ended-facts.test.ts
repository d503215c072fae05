import { expect, test } from 'vitest';
import { reflectAt } from '../support/reflecting.js';
import { testWorkspace } from '../support/test-workspace.js';

/** The lines of a section of the page, without citations. */
async function page(
  facts: readonly (readonly [day: string, text: string])[],
  day: string,
): Promise<(section: string) => string> {
  const workspace = testWorkspace();
  for (const [said, text] of facts) workspace.write(`memory/${said}.md`, `## Retain\n\n- W @Kim: ${text}\n`);
  await reflectAt(workspace.root, `${day}T12:00:00Z`);
  // Lines below a newer one do not count as current.
  const all = workspace.read('bank/entities/Kim.md');
  const text = all.replace(/^ {2}- .*\n/gm, '');
  return (section) =>
    section === 'all'
      ? all
      : (new RegExp(`\\*\\*${section}\\*\\*\\n\\n([\\s\\S]*?)\\n(?:\\n|<!--)`).exec(text)?.[1] ?? '');
}

test.each([
  ['plays the piano', 'sold the piano'],
  ['has a dog called Rex', 'the dog died'],
  ['works at Fjord', 'was laid off from Fjord'],
  ['nimmt Antibiotika', 'hat die Antibiotika abgesetzt'],
  ['fährt einen Golf', 'hat den Golf verkauft'],
  ['joue du violon', 'a arrêté le violon'],
  ['tiene un coche rojo', 'vendió el coche'],
  ['играет на скрипке', 'бросила скрипку'],
  ['ピアノを習っている', 'ピアノをやめた'],
  ['有一辆摩托车', '摩托车卖掉了'],
])('%s: listed below a later statement that ends it: %s', async (state, end) => {
  const at = await page(
    [
      ['2025-08-01', state],
      ['2025-08-20', end],
    ],
    '2025-09-01',
  );
  expect(at('Now')).not.toContain(state);
  expect(at('Now')).toContain(end);
});

test.each([
  ['the landlady is Mrs. Novak', 'Mrs. Dietz bought the house and is the landlady'],
  ['teaches at Elmwood', 'left and teaches at Northgate'],
  ['gets 8 hours of help a week from this month', 'the help was cut to 5 hours a week'],
  ['is in year 7', 'is in year 8 as of this term'],
  ['用随手记记账', '记账换成表格'],
  ['训练由孙教练带', '训练交给马教练带'],
])('%s: is replaced by %s', async (old, fresh) => {
  const at = await page(
    [
      ['2025-08-01', old],
      ['2025-08-20', fresh],
    ],
    '2025-09-01',
  );
  expect(at('Now')).toContain(fresh);
  expect(at('Now')).not.toContain(old);
});

test.each([
  ['reports to Mira', 'finished the report'],
  ['writes for the board', 'left the house early'],
  ['the dentist is Dr. Ott', 'cancelled the dentist'],
  ['has two dogs', 'one dog died'],
  ['sister lives in Bonn', 'lives in Jena now'],
  ['plays the piano', 'might have sold the piano'],
  ['hat zwei Söhne', 'ist nach Passau gezogen'],
  ['会弹钢琴', '会弹吉他'],
  ['生日是8月26日', '10月20日结束陪产假'],
])('%s: is not ended by a statement about something else (%s)', async (state, other) => {
  const at = await page(
    [
      ['2025-08-01', state],
      ['2025-08-20', other],
    ],
    '2025-11-01',
  );
  expect(at('Before')).not.toContain(state);
  expect(at('all')).toContain(state);
});

test.each([
  ['für zwei Wochen in Rom', '2025-08-10', '2025-08-20'],
  ['pour trois semaines à Lyon', '2025-08-20', '2025-08-25'],
  ['на три недели в Москве', '2025-08-20', '2025-08-25'],
  ['去成都学习三周', '2025-08-20', '2025-08-25'],
  ['三週間東京に滞在', '2025-08-20', '2025-08-25'],
  ['人在青岛,8月9日回', '2025-08-09', '2025-08-10'],
  ['off to Rome, back on August 9', '2025-08-09', '2025-08-10'],
])('%s is current on %s and not on %s', async (stay, last, after) => {
  expect((await page([['2025-08-01', stay]], last))('Now')).toContain(stay);
  expect((await page([['2025-08-01', stay]], after))('Now')).toBe('');
});

test.each([
  'potter',
  'Keramikerin aus Jena',
  'internal billing tool',
  'ist Lehrerin',
  'is the accountant of the club',
  'Kim is an architect',
  'potière à Lyon',
  '后端工程师',
  '是小学老师',
  '看護師です',
])('%s says who or what the entity is: it is listed above Now', async (who) => {
  const workspace = testWorkspace({ 'memory/2025-08-01.md': `## Retain\n\n- W @Kim: ${who}\n- W @Kim: keeps bees\n` });
  await reflectAt(workspace.root, '2025-08-02T12:00:00Z');
  expect(workspace.read('bank/entities/Kim.md')).toMatch(
    new RegExp(`-->\\n${who} \\(\\[memory[^\\n]*\\n\\n\\*\\*Now\\*\\*\\n\\n- keeps bees`),
  );
});

test.each(['left-handed', 'plays with the server', 'dentist on August 20', 'good with dogs', 'in the house near Linz'])(
  '%s is listed under Now',
  async (state) => {
    const at = await page([['2025-08-01', state]], '2025-08-02');
    expect(at('Now')).toContain(state.replace(/ on August 20/, ''));
  },
);

test('a clause that is replaced is struck, and reported as what holds no more', async () => {
  const workspace = testWorkspace({ 'memory/2025-08-01.md': '## Retain\n\n- W @Kim: lives in Graz; keeps bees\n' });
  await reflectAt(workspace.root, '2025-08-02T12:00:00Z');
  workspace.write('memory/2025-08-10.md', '## Retain\n\n- W @Kim: moved from Graz to Linz\n');
  const { stdout } = await workspace.run(['reflect', '--now', '2025-08-11T12:00:00Z', '--max-calls', '0']);
  expect(stdout).toContain('- Kim: lives in Graz (replaced');
  expect(workspace.read('bank/entities/Kim.md')).toContain('\n- ~~lives in Graz~~; keeps bees ([memory/');
});

test('what follows a period behind a comma ends with it; what follows a semicolon does not', async () => {
  const workspace = testWorkspace({
    'memory/2025-08-01.md':
      '## Retain\n\n- W @Kim: on holiday from August 2 to August 9, 2025, without a laptop\n- W @Max: in Rome from August 2 to August 9, 2025, with Ann; keeps bees\n',
  });
  await reflectAt(workspace.root, '2025-08-20T12:00:00Z');
  const page = (name: string): string => workspace.read(`bank/entities/${name}.md`);
  expect(page('Kim')).not.toContain('**Now**');
  expect(page('Kim')).toContain(': on holiday from August 2 to August 9, 2025, without a laptop ([memory/');
  expect(page('Max')).toContain('- ~~in Rome from August 2 to August 9, 2025, with Ann~~; keeps bees ([memory/');
});

/** Eight days after the statements. */
const NOW = ['--now', '2026-03-10T12:00:00Z'];

// biome-ignore format: short texts, many a line
const CURRENT = [
  'TTL is set to 2 hours', 'is offline due to a leak', 'works at the plant', 'Will Baker owns it',
  'Will owns the router', 'the will names Ann as heir', 'is to the left', 'was fixed for good',
  'await approval from legal', 'served from port 8443', 'is used to cold weather', 'lives in a former bakery',
  'is scheduled on node 4', 'planned for growth', 'is going to school in Graz', 'backups are kept for 7 days',
  'has never lived in Vienna', 'will keine Mails am Wochenende', 'steht früher auf als alle',
  'wird von Anna geleitet', 'wird langsam taub', 'le contrat prévoit trois jours',
  'un extrait du registre est au bureau', 'garde les journaux pour deux jours', 'команда собирается в кафе',
  'кабель из трёх жил', 'приходит раньше всех', '喜欢打麻将', '喜欢打算盘', '曾先生是老板', '曾经理负责预算', '工作过程有文档', '文件要在保存前压缩',
  '予定表は壁にある', 'ログは3日間保存される',
];

// biome-ignore format: short texts, many a line
const PLANNED = [
  'will move to Graz', 'Will move to Graz', 'plans to sell the car', 'is considering selling the boat',
  'wird nach Graz ziehen', 'va déménager à Lyon', 'va a mudarse a Lima', 'собирается переехать', '打算搬家', '会议将于五月举行',
  '引っ越す予定', 'the lease ends on 1 May 2026',
];

const FORMER = ['used to live in Rome', 'hat in Linz gewohnt', 'habitait à Lyon', 'жила в Москве', '曾在北京工作'];

const CASES = [
  ...CURRENT.map((text) => ['now', text] as const),
  ...PLANNED.map((text) => ['planned', text] as const),
  ...FORMER.map((text) => ['before', text] as const),
].map(([place, text], at) => ({ place, text, name: `Subject-${at}` }));

test('a word that only looks like a plan or past moves no fact', async () => {
  const lines = CASES.map(({ name, text }) => `- W @${name}: ${text}\n`);
  const workspace = testWorkspace({ 'memory/2026-03-02.md': `## Retain\n\n${lines.join('')}` });
  await workspace.json(['reflect', ...NOW]);
  const places = await Promise.all(
    CASES.map(async ({ name, text }) => {
      const { holds } = await workspace.json<{ readonly holds: Readonly<Record<string, readonly unknown[]>> }>([
        'entity',
        'show',
        name,
        ...NOW,
      ]);
      return [Object.keys(holds).filter((place) => holds[place]?.length !== 0), text];
    }),
  );
  expect(places).toEqual(CASES.map(({ place, text }) => [[place], text]));
});

test('recall ranks the newer of two values first, even one that is "set to" something', async () => {
  const workspace = testWorkspace({
    'memory/2026-02-01.md': '## Retain\n\n- W @Cache: TTL is 30 minutes\n',
    'memory/2026-03-02.md': '## Retain\n\n- W @Cache: TTL is set to 2 hours\n',
  });
  const { results } = await workspace.json<{ readonly results: readonly { content: string }[] }>([
    'recall',
    'what is the TTL of the cache?',
    ...NOW,
  ]);
  expect(results[0]?.content).toContain('2 hours');
});

test.each([
  ['小李对什么过敏', '- W @小李: 对花生过敏\n', '- W @小李: 对虾过敏\n', '虾'],
  [
    'what is the lag on the replica?',
    '- W @replica: lag is 9 seconds\n',
    '- W @replica: lag is 3 seconds\n',
    '3 seconds',
  ],
])('%s: asks for the current state', async (question, older, newer, first) => {
  const workspace = testWorkspace({
    'memory/2026-02-01.md': `## Retain\n\n${older}`,
    'memory/2026-03-02.md': `## Retain\n\n${newer}`,
  });
  const { results } = await workspace.json<{ readonly results: readonly { content: string }[] }>([
    'recall',
    question,
    ...NOW,
  ]);
  expect(results[0]?.content).toContain(first);
});

test('a stop in a town does not end living there', async () => {
  const workspace = testWorkspace({
    'memory/2026-02-01.md': '## Retain\n\n- W @Mo: lives in Graz\n',
    'memory/2026-03-02.md': '## Retain\n\n- W @Mo: stopped in Graz for petrol\n',
  });
  const { holds } = await workspace.json<{ readonly holds: { readonly before: readonly unknown[] } }>([
    'entity',
    'show',
    'Mo',
    ...NOW,
  ]);
  expect(holds.before).toEqual([]);
});

// A temporary state leaves Now two weeks after it was last said; nothing says that it is over.
const TEMPORARY = [
  'In bed with a fever since Monday.',
  'on holiday with her sister in Crete',
  'travelling, hard to reach',
  'krankgeschrieben, hat Rückenschmerzen',
  'im Urlaub auf Usedom',
  'malade depuis dimanche',
  'en vacances chez ses parents',
  'con gripe, no viene a la oficina',
  'in ferie con i figli',
  'de férias no Algarve',
  'ligt ziek in bed',
  'в отпуске, на связи не бывает',
  '感冒了，在家休息',
  '在上海出差',
  '風邪を引いて休んでいる',
];

test.each(TEMPORARY)('%s: leaves Now two weeks after it was last said', async (text) => {
  const facts = [['2025-08-04', text]] as const;
  const [inTime, after] = [await page(facts, '2025-08-18'), await page(facts, '2025-08-19')];
  expect(inTime('Now')).toContain(text);
  expect(after('Now')).not.toContain(text);
  expect(after('Lately')).toContain(text);
  expect(after('Before')).toBe('');
});

test('a temporary state that is said again stays under Now', async () => {
  const text = 'In bed with a fever.';
  const facts = [
    ['2025-08-04', text],
    ['2025-08-12', text],
  ] as const;
  expect((await page(facts, '2025-08-24'))('Now')).toContain(text);
});

test.each([
  'Ill since 2019, takes tablets every morning.',
  'ill at ease on stage',
  'is sick of meetings',
  'on holiday every August',
  'always travelling, hard to reach',
  'on leave policy: 30 days',
  'Fährt im Zug erster Klasse.',
  'hat eine Krankenversicherung in Graz',
  'unterwegs ist ihr Lieblingswort',
  'a une maison de vacances à Arles',
  'trabaja en el hospital de Vigo',
  '在医院工作',
  '经常出差',
  '旅行社の社員',
])('%s: a lasting state stays under Now', async (text) => {
  const at = await page([['2025-08-04', text]], '2025-10-20');
  expect(at('all')).toContain(text);
  expect(at('Lately')).toBe('');
});

test('what is said of a whole month that is over stands under Lately', async () => {
  const text = 'October 2025: 38,402 messages, 98.9 % handled.';
  const at = await page([['2025-11-01', text]], '2025-11-20');
  expect(at('Now')).toBe('');
  expect(at('Lately')).toContain(text);
});

test('an event stands under Lately, also if something newer is about its other words', async () => {
  const event = 'Hail on July 20, 2025 broke thirty tiles; water came through the library ceiling.';
  const facts = [
    ['2025-07-21', event],
    ['2025-12-09', 'The library ceiling is plastered; Resch paints in January.'],
    ['2026-01-05', 'Painter Resch put the first coat on the walls on 2026-01-05.'],
  ] as const;
  const at = await page(facts, '2026-01-10');
  expect(at('Now')).not.toContain(event);
  expect(at('all')).toContain(event);
});

test.each([
  ['down with the flu', 'back at work since this morning'],
  ['mit Grippe zu Hause', 'auskuriert und seit heute im Institut'],
  ['en vacances à Nice', 'de retour au bureau'],
  ['感冒了', '康复了，回公司上班'],
  ['on holiday in Crete', 'ill since the flight home'],
])('%s: listed below what is so later: %s', async (state, later) => {
  const facts = [
    ['2025-08-04', state],
    ['2025-08-10', later],
  ] as const;
  const at = await page(facts, '2025-08-12');
  expect(at('Now')).toContain(later);
  expect(at('Now')).not.toContain(state);
  expect(at('all')).toContain(state);
});
