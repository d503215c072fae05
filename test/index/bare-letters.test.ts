import { expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/query/request.js';
import { testWorkspace } from '../support/test-workspace.js';

const PORTUGUESE = `# 2026-03-01

O dia começou com o servidor parado.

- O campo "descrição" foi acrescentado no fim da tabela
- O Tiago: prefere o chá sem açúcar
- O(c=0.8) @Tiago: prefere chá

## Retain

- O o chá é melhor do que o café
`;
const POLISH = `# 2026-03-02

- W piątek jedziemy do Krakowa, bo w sobotę są urodziny
- O umowie rozmawialiśmy o ósmej w biurze
- W @Ala: mieszka w Gdyni
`;
const CZECH = `# 2026-03-03

Dopoledne jsem byl s Janou u lékaře.

- S Petrem jsme mluvili o smlouvě
`;
const GRADES = `# 2026-03-04

- A: reached by a letter of their own
- B: reached through somebody else
- C: nobody knows how

Lunch w Bob.

- W The office moved to Linz
- B: fixed the socket
- B fixed the lamp
`;

const LOGS = {
  'memory/2026-03-01.md': PORTUGUESE,
  'memory/2026-03-02.md': POLISH,
  'memory/2026-03-03.md': CZECH,
  'memory/2026-03-04.md': GRADES,
};

const FACTS = ['world', 'experience', 'opinion', 'observation'];

test('a sentence that begins with the letter of a kind is not a fact; a marked line and every line of Retain is', async () => {
  const workspace = testWorkspace(LOGS);
  const { results } = await workspace.json<RecallAnswer>([
    ...['recall', '--since', '2026-03-01', '--until', '2026-03-04', '--k', '50'],
    ...FACTS.flatMap((kind) => ['--kind', kind]),
  ]);
  const found = results.map(({ path, startLine }) => `${path.slice('memory/2026-03-'.length, -3)}:${startLine}`);
  expect(found.sort()).toEqual(['01:11', '01:7', '02:5', '04:10', '04:11', '04:9']);
});

test('recall finds such a sentence as it is written, and reflect makes no belief of it', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-01.md': PORTUGUESE.split('- O(c')[0] ?? '' });
  const { results } = await workspace.recall('campo descrição');
  expect(results[0]).toMatchObject({ kind: 'log', content: 'O campo "descrição" foi acrescentado no fim da tabela' });
  await workspace.run(['reflect']);
  expect(workspace.pages().map(({ path }) => path)).not.toContain('bank/opinions.md');
});

test('a text with a few NULs is indexed, and lint agrees', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-05.md': `# Receipt\n\nInvoice 2312\0 8567 paid. ${'x\0 y'.repeat(50)}${'x '.repeat(300)}\n`,
  });
  expect((await workspace.recall('invoice paid')).results).toHaveLength(1);
  expect(await workspace.run(['lint'])).toMatchObject({ code: 0, stdout: '1 page checked, no problems.\n' });
});
