import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';

/** Eight days after the statements. */
const NOW = ['--now', '2026-03-10T12:00:00Z'];

const CURRENT = [
  'TTL is set to 2 hours',
  'is offline due to a leak',
  'works at the plant',
  'Will Baker owns it',
  'Will owns the router',
  'the will names Ann as heir',
  'is to the left',
  'was fixed for good',
  'await approval from legal',
  'served from port 8443',
  'is used to cold weather',
  'lives in a former bakery',
  'is scheduled on node 4',
  'planned for growth',
  'is going to school in Graz',
  'backups are kept for 7 days',
  'has never lived in Vienna',
  'will keine Mails am Wochenende',
  'steht früher auf als alle',
  'wird von Anna geleitet',
  'wird langsam taub',
  'le contrat prévoit trois jours',
  'un extrait du registre est au bureau',
  'garde les journaux pour deux jours',
  'команда собирается в кафе',
  'кабель из трёх жил',
  'приходит раньше всех',
  '喜欢打麻将',
  '喜欢打算盘',
  '曾先生是老板',
  '曾经理负责预算',
  '工作过程有文档',
  '文件要在保存前压缩',
  '予定表は壁にある',
  'ログは3日間保存される',
];

const PLANNED = [
  'will move to Graz',
  'Will move to Graz',
  'plans to sell the car',
  'is considering selling the boat',
  'wird nach Graz ziehen',
  'va déménager à Lyon',
  'va a mudarse a Lima',
  'собирается переехать',
  '打算搬家',
  '会议将于五月举行',
  '引っ越す予定',
  'the lease ends on 1 May 2026',
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
