import { expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/recall/request.js';
import { testWorkspace } from '../support/test-workspace.js';

const ask = async (files: Record<string, string>, question: string): Promise<readonly string[]> => {
  const asked = ['recall', question, '--now', '2026-01-15', '--tz', 'UTC'];
  const { results } = await testWorkspace(files).json<RecallAnswer>(asked);
  return results.map(({ source }) => source);
};

test.each([1, 4])(
  'among lines with the same words the one near the topic of the question comes first, %i',
  async (times) => {
    const few = ['We painted a wall.', 'The tiles came.', 'Nobody was at home.', 'It rained.', 'The door sticks.'];
    const filler = Array.from({ length: times }, () => few).flat();
    const files = {
      'memory/2026-01-02.md': `# 2026-01-02\n\n## Day\n\n- The kiln for the pottery class was delivered.\n- ${filler.join('\n- ')}\n- It cost far more than the invoice said.\n`,
      'memory/2026-01-09.md': `# 2026-01-09\n\n## Day\n\n- ${filler.join('\n- ')}\n- It cost far more than the brochure said.\n`,
    };
    const sources = await ask(files, 'what did the kiln for the pottery class cost?');
    expect(sources[0]).toBe('memory/2026-01-02.md#L5');
    const [near, far] = [`memory/2026-01-02.md#L${filler.length + 6}`, `memory/2026-01-09.md#L${filler.length + 5}`];
    expect(sources.indexOf(near)).toBeGreaterThan(0);
    if (sources.includes(far)) expect(sources.indexOf(near)).toBeLessThan(sources.indexOf(far));
  },
);

test('a fact does not gain by its neighbours', async () => {
  const files = {
    'memory/2026-01-02.md':
      '# 2026-01-02\n\n## Retain\n- W @Ines: keeps the violin at the workshop in Lucca\n- W @Ines: drinks no milk\n',
    'memory/2025-12-02.md': '# 2025-12-02\n\n## Retain\n- W @Ines: had the violin bow mended in Cremona\n',
  };
  const sources = await ask(files, 'where is the violin of Ines kept?');
  expect(sources.slice(0, 2)).toEqual(['memory/2026-01-02.md#L4', 'memory/2025-12-02.md#L4']);
});

test.each([
  [
    'Wie viele Fenster hat die Werkstatt?',
    'Die Werkstatt hat schon Fenster, sagt Ida.',
    'Die Werkstatt hat 14 Fenster.',
  ],
  ['Wann wurde die Orgel gebaut?', 'Die Orgel wurde gut gebaut, sagt Ida.', 'Die Orgel wurde 1782 gebaut.'],
  ['Сколько окон в мастерской?', 'Окон в мастерской мало, сказала Ида.', 'Окон в мастерской 14.'],
  ['工房には窓がいくつありますか', '工房には窓があります、とイダは言った。', '工房には窓が14あります。'],
  ['Xưởng có bao nhiêu cửa sổ?', 'Xưởng có cửa sổ mới, Ida nói.', 'Xưởng có 14 cửa sổ.'],
])('%s is read as a question for a number or a time', async (question, without, answer) => {
  const sources = await ask({ 'memory/topics/a.md': `# A\n\n- ${answer}\n- ${without}\n` }, question);
  const turned = await ask({ 'memory/topics/a.md': `# A\n\n- ${without}\n- ${answer}\n` }, question);
  expect([sources[0], turned[0]]).toEqual(['memory/topics/a.md#L3', 'memory/topics/a.md#L4']);
});

test.each([
  'من سمّى أبولو 1، ومن كان الطاقم؟',
  'Welches Drama lief in den 1980er-Jahren?',
  'What did the U.S. court say about Apollo?',
])('%s contains no exact token', async (question) => {
  const { explain } = await testWorkspace({ 'memory/topics/a.md': '# A\n\n- Apollo\n' }).recall(question, '--explain');
  expect(explain?.some((line) => line.startsWith('exact'))).toBe(false);
});

test('an undated line that only names the year comes after lines about the topic', async () => {
  const files = {
    'memory/topics/town.md':
      '# Town\n\n- In 2015 the town got a new mayor.\n- From 2015 on the library closed early.\n',
    'memory/topics/bridge.md': '# Bridge\n\n- The Ilm bridge was rebuilt by two firms from Jena.\n',
  };
  const sources = await ask(files, 'which firms rebuilt the Ilm bridge in 2015?');
  expect(sources[0]).toBe('memory/topics/bridge.md#L3');
});
