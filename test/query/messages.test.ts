import { describe, expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/query/request.js';
import { testWorkspace } from '../support/test-workspace.js';

const WORDS =
  'rain garden meeting train lunch phone window river market teacher doctor music letter blanket ticket chair story winter cousin coffee'.split(
    ' ',
  );

/** Logs of a month with many uses of every common word of the messages. */
function crowd(): Record<string, string> {
  const line = (at: number): string =>
    Array.from({ length: 6 }, (_, i) => WORDS[(at * 7 + i * (1 + (at % 5))) % WORDS.length]).join(' ');
  return Object.fromEntries(
    Array.from({ length: 28 }, (_, day) => {
      const date = `2026-02-${String(day + 1).padStart(2, '0')}`;
      const lines = Array.from({ length: 12 }, (_, i) => `- W @Ana: ${line(day * 12 + i)}\n`);
      return [`memory/${date}.md`, `# ${date}\n\n## Retain\n${lines.join('')}`];
    }),
  );
}

const FACTS = [
  'W @Me: passport number is X4471920',
  'W @Me: the library card is in the blue drawer',
  'W @Oskar: versprach, die Leiter bis Ostern zu leihen',
  'W @我: 护照号码是E55321',
  'W @Mia: felt left out at the new school, and joining the robotics club helped her make friends',
  'B @Agent: I calmed Tom before his driving test by practising the route twice',
  'W @小李: 在公司被同事误会，很难过，后来主动沟通就好了',
];

async function ask(message: string): Promise<RecallAnswer> {
  const facts = FACTS.map((fact) => `- ${fact}\n`).join('');
  const workspace = testWorkspace({ ...crowd(), 'memory/2026-01-03.md': `# 2026-01-03\n\n## Retain\n${facts}` });
  return workspace.recall(message);
}

describe('a message that ends in a factual question is about that question', () => {
  test.each([
    [
      'Yesterday was long. I met my teacher at the market and we had lunch by the river. Then the train was late because of the rain, and my phone had no battery left. In the evening I wrote a letter to my cousin about the garden. Now I have to fill in a form for the trip. What is my passport number?',
      'X4471920',
    ],
    [
      'Hi! The meeting on Monday went fine. My cousin sent a story about the winter, and the doctor played music. We had coffee near the window. Last week the blanket got wet. Do you know where my library card is?',
      'blue drawer',
    ],
    [
      'Gestern war ein langer Tag. Der Arzt hörte music, und der market war zu. Letzte Woche kam der train am 3. Mai zu spät. Wer versprach, die Leiter zu leihen?',
      'Leiter',
    ],
    [
      '昨天我和老师在市场见面，一起吃了午饭。后来火车晚点了，手机也没电了。下个月要去旅行。我的护照号码是多少？',
      'E55321',
    ],
  ])('%s', async (message, fact) => {
    const { results, window } = await ask(message);
    expect(results[0]?.content).toContain(fact);
    // Times in the story do not filter.
    expect(window).toBeNull();
  });
});

/** Six sentences whose words fill the notes, and one line that answers. */
const ELSEWHERE = [
  [
    'Heute war der Markt voll.',
    'Der Hund war im Garten.',
    ' ',
    'der Klempner heißt Osterkamp',
    'Wie heißt der Klempner?',
  ],
  ['Сегодня был дождь.', 'Собака была в саду.', ' ', 'ключ от дачи висит за котлом', 'Где висит ключ от дачи?'],
  ['今日は雨だった。', '犬が庭にいた。', '', '金庫の暗証番号は571215', '金庫の暗証番号は？'],
  ['今天下雨了。', '小狗在花园里。', '', '保险箱密码是151917', '保险箱的密码是多少'],
  ['วันนี้ฝนตกหนัก', 'หมาอยู่ในสวน', ' ', 'กุญแจกระท่อมแขวนหลังหม้อน้ำ', 'กุญแจกระท่อมแขวนอยู่ที่ไหน'],
  ['كان المطر غزيرا اليوم.', 'الكلب في الحديقة.', ' ', 'مفتاح الكوخ خلف الغلاية', 'أين مفتاح الكوخ؟'],
  ['Dziś padało.', 'Pies był w ogrodzie.', ' ', 'hydraulik nazywa się Zieliński', 'Jak nazywa się hydraulik?'],
  ['Bugün yağmur yağdı.', 'Köpek bahçedeydi.', ' ', 'tesisatçının adı Yıldız', 'Tesisatçının adı ne?'],
  [
    'Hoy llovió mucho.',
    'El perro estaba en el jardín.',
    ' ',
    'la llave de la cabaña cuelga detrás',
    '¿Dónde está la llave de la cabaña?',
  ],
] as const;

describe('the question in a message counts more than the story, in any language and position', () => {
  test.each(ELSEWHERE)('%s', async (one, other, space, fact, question) => {
    const told = [one, other, one, other, one, other];
    const workspace = testWorkspace({
      'memory/2026-01-03.md': `# 2026-01-03\n\n- bread\n- ${fact}\n- milk\n`,
      'memory/2026-02-03.md': `# 2026-02-03\n\n${told.map((line) => `- ${line}\n`).join('')}`,
    });
    for (const message of [
      [...told, question],
      [question.replace(/(?<![?？؟])$/, '?'), ...told],
    ]) {
      const { results } = await workspace.recall(message.join(space));
      expect(results[0]?.content).toBe(fact);
    }
  });

  test('the story still shows what a short question is about', async () => {
    const workspace = testWorkspace({
      'memory/2026-01-03.md':
        '- 蓝色雨伞是在车站旁边买的\n- 面包是在街角买的\n- the blue umbrella was bought in Trier\n- the bread was bought at the corner\n',
    });
    const first = async (message: string) => (await workspace.recall(message)).results[0]?.content;
    expect(await first('我把蓝色雨伞弄丢了。它是在哪里买的？')).toContain('雨伞');
    expect(await first('I lost my blue umbrella. Where was it bought?')).toContain('umbrella');
  });
});

describe('common phrases of talk have little weight, however rare they are in the notes', () => {
  test.each([
    [
      'I feel super happy today, it was amazing! We went out and I tried something new, and I really enjoyed it. Then the hamster was gone, and I want to start again tomorrow.',
      'W @Eva: tried to start again',
      'W @Eva: hamster is called Pip',
    ],
    [
      '今天真的特别开心！我一直很努力，终于觉得有点进步。后来仓鼠不见了，我好担心，希望明天一起再试试。',
      'W @小美: 终于很开心',
      'W @小美: 仓鼠叫皮普',
    ],
  ])('%s', async (message, chatter, fact) => {
    const workspace = testWorkspace({
      ...crowd(),
      'memory/2026-01-03.md': `# 2026-01-03\n\n## Retain\n- ${chatter}\n\n## Log\n\n- Bread and milk.\n\n## Retain\n- ${fact}\n`,
    });
    const { results } = await workspace.recall(message);
    expect(fact).toContain(results[0]?.content);
  });
});

describe('a message without a question is about its whole story', () => {
  test.each([
    [
      'My daughter started at a new school last week. She eats alone at lunch and says nobody talks to her. I worry about her every evening. What should I do?',
      'robotics',
    ],
    [
      'I have my driving test tomorrow morning. I could not sleep, my hands shake when I think of the route. Everyone tells me to relax. What should I do?',
      'driving test',
    ],
    ['今天在公司同事误会了我，我心里很难过，一整天都没说话。你说我该怎么办？', '误会'],
  ])('%s', async (message, fact) => {
    const { results, window } = await ask(message);
    expect(results[0]?.content).toContain(fact);
    expect(window).toBeNull();
  });
});

const NOW = ['--now', '2026-03-20T12:00:00Z'];

const STORY =
  'Hi again! The weekend was great, we walked along the lake and had ice cream with the kids. The weather was warm and ' +
  'the garden looks lovely. My sister came by and brought flowers and a cake. We talked for hours about the summer. ' +
  'Yesterday the car made a strange noise on the road to the office. I am at the airport and fill in a form.';

const LOGS = {
  'memory/2026-03-19.md':
    '# 2026-03-19\n\n- Walked along the lake with the kids, ice cream.\n- My sister brought a cake.\n- The car made a noise near the office.\n- Warm weather, the garden is lovely.\n',
  'memory/2026-01-05.md':
    '# 2026-01-05\n\n- Renewed the documents.\n- Passport number X4471902, valid until 2036.\n- Library card is in the drawer.\n',
};

test('a long message that ends in a factual question is answered, however long its story is', async () => {
  const workspace = testWorkspace(LOGS);
  for (const question of ['What is my passport number?', 'what was the number of my passport again?']) {
    const { results, window } = await workspace.recall(`${STORY} ${question}`, ...NOW);
    expect(window).toBeNull();
    expect(
      results
        .slice(0, 3)
        .map(({ content }) => content)
        .join('\n'),
    ).toContain('X4471902');
  }
});

test('the last of very many words is searched too', async () => {
  const workspace = testWorkspace(LOGS);
  const words = Array.from({ length: 120 }, (_, at) => `topic${String.fromCharCode(97 + (at % 26))}${at}`).join(' ');
  const { results } = await workspace.recall(`${words}. Where is my passport?`, ...NOW);
  expect(results[0]?.content).toContain('Passport');
});

test('a time in the story of a message filters nothing; a time in its question does', async () => {
  const workspace = testWorkspace(LOGS);
  const windowOf = async (question: string) => (await workspace.recall(question, ...NOW)).window;
  expect(await windowOf('Yesterday I helped a classmate with her bike. She was so happy about it.')).toBeNull();
  expect(await windowOf('昨天我帮同学修了自行车。她很高兴。')).toBeNull();
  for (const told of [
    'Gestern habe ich dem Nachbarn geholfen. Er war froh.',
    'Hier j’ai aidé mon voisin. Il était content.',
    'Ayer ayudé a mi vecino. Estaba contento.',
    'Вчера я помог соседу. Он был рад.',
    '昨日は隣の人を手伝った。喜んでいた。',
    'Gestern traf ich Tom. Wie ist seine Nummer?',
  ])
    expect(await windowOf(told)).toBeNull();
  for (const asked of ['Ich war müde. Was habe ich gestern geschrieben?', 'Zeig mir die Notizen von gestern. Danke.'])
    expect(await windowOf(asked)).toMatchObject({ since: '2026-03-19', until: '2026-03-19' });
  expect(await windowOf('Yesterday I lost my keys. What did I write on January 5?')).toMatchObject({
    since: '2026-01-05',
  });
  expect(await windowOf('notes from yesterday')).toMatchObject({ since: '2026-03-19' });
  expect(await windowOf('what did I do yesterday')).toMatchObject({ since: '2026-03-19' });
});

test.each([
  ['**Mara**: ', '**Otto**: '],
  ['[22:42] Mara: ', '[22:43] Otto: '],
  ['Mara (22:42): ', 'Otto (22:43): '],
  ['Mara - ', 'Otto - '],
  ['Mara Lindqvist: ', 'Otto Brandt: '],
])('a speaker is recognised in common notations: %s', async (mara, otto) => {
  const workspace = testWorkspace({
    'memory/2026-03-19.md': `- ${otto}My favourite soup is lentil soup.\n- ${mara}The boat leaks.\n- ${otto}Oh no.\n- ${otto}I like soup.\n- ${mara}My favourite soup is pumpkin.\n`,
  });
  const { results } = await workspace.recall('what soup does Mara like best?', ...NOW);
  expect(results[0]?.content).toContain('pumpkin');
});
