import { expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/query/request.js';
import { testWorkspace } from '../support/test-workspace.js';

/** On Wednesday 2025-12-03. */
const NOW = '2025-12-03T12:00:00Z';

test.each([
  [
    'German',
    'Was habe ich letzte Woche gekocht?',
    'Suppe mit Linsen gekocht',
    'Anna: arbeitet seit März bei Siemens',
    'Wo arbeitet Anna?',
  ],
  [
    'French',
    "Qu'est-ce que j'ai cuisiné la semaine dernière ?",
    'cuisiné une soupe de lentilles',
    'Anna: travaille chez Airbus depuis mars',
    'Anna travaille où ?',
  ],
  [
    'Spanish',
    '¿Qué cociné la semana pasada?',
    'cociné una sopa de lentejas',
    'Anna: trabaja en Repsol desde marzo',
    '¿Dónde trabaja Anna?',
  ],
  [
    'Portuguese',
    'O que cozinhei na semana passada?',
    'cozinhei uma sopa de lentilhas',
    'Anna: trabalha na Galp desde março',
    'Onde trabalha Anna?',
  ],
  [
    'Dutch',
    'Wat heb ik vorige week gekookt?',
    'linzensoep gekookt',
    'Anna: werkt sinds maart bij Philips',
    'Waar werkt Anna?',
  ],
  [
    'Italian',
    'Cosa ho cucinato la settimana scorsa?',
    'cucinato una zuppa di lenticchie',
    'Anna: lavora alla Fiat da marzo',
    'Dove lavora Anna?',
  ],
  [
    'Russian',
    'Что я готовил на прошлой неделе?',
    'готовил суп из чечевицы',
    'Anna: работает в Яндексе с марта',
    'Где работает Anna?',
  ],
  [
    'Japanese',
    '先週は何を料理した？',
    'レンズ豆のスープを料理した',
    'Anna: 3月からトヨタで働いている',
    'Annaはどこで働いている？',
  ],
])(
  '%s: a question finds the days that it names, and a fact is valid on the days that it names',
  async (...[, question, line, fact, about]) => {
    const workspace = testWorkspace({
      'memory/2025-11-26.md': `# Log\n\n- ${line}\n`,
      'memory/2025-10-15.md': `# Log\n\n- ${line}\n\n## Retain\n- W @${fact}\n`,
    });
    const asked = await workspace.json<RecallAnswer>(['recall', question, '--now', NOW]);
    expect(asked.window).toEqual({ since: '2025-11-24', until: '2025-11-30' });
    expect(asked.results[0]?.source).toBe('memory/2025-11-26.md#L3');
    const told = await workspace.json<RecallAnswer>(['recall', about, '--now', NOW, '--kind', 'world']);
    expect(told.results[0]).toMatchObject({ validFrom: '2025-03-01', validTo: null });
  },
);

test('an option accepts a time in any supported language', async () => {
  const workspace = testWorkspace({ 'memory/2025-11-26.md': '- Suppe\n' });
  const values = [
    'letzte Woche',
    'la semaine dernière',
    'la semana pasada',
    'vorige week',
    'la settimana scorsa',
    '先週',
  ];
  for (const value of values) {
    const { window } = await workspace.json<RecallAnswer>(['recall', 'Suppe', '--since', value, '--now', NOW]);
    expect(window, value).toEqual({ since: '2025-11-24', until: null });
  }
});
