import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';

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
