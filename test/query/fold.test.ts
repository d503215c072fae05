import { expect, test } from 'vitest';
import type { RecallResult } from '../../src/query/request.js';
import { testWorkspace } from '../support/test-workspace.js';

const NOW = ['--now', '2026-02-01T12:00:00Z', '--tz', 'UTC'];

async function ask(files: Record<string, string>, question: string, ...options: string[]) {
  return testWorkspace(files).recall(question, ...NOW, ...options);
}

function log(...lines: string[]): string {
  return `# Log\n\n## Retain\n${lines.map((line) => `- ${line}\n`).join('')}`;
}

/** Returns the names that the results and the places behind them are about. */
function named(results: readonly RecallResult[]): string[] {
  return [...new Set(results.flatMap((result) => result.entities))].sort();
}

test.each([
  ['who has a fear of heights?', 'has a fear of heights', ['Ilse', 'Marek']],
  ['wer hat Höhenangst?', 'hat Höhenangst', ['Jörg', 'Zoë']],
  ['qui est végétarien ?', 'est végétarien', ['Amélie', 'Benoît']],
  ['谁怕高？', '怕高', ['王芳', '赵磊']],
])('the same statement about two people gives two answers: %s', async (question, text, [one = '', other = '']) => {
  const { results } = await ask(
    { 'memory/2026-01-05.md': log(`W @${one}: ${text}`, `W @${other}: ${text}`) },
    question,
  );
  expect(named(results.slice(0, 2))).toEqual([one, other].sort());
});

test('facts that differ in kind, number or polarity are not folded', async () => {
  const said = ['W @Ilse: runs 5 km', 'O @Ilse: runs 5 km', 'W @Ilse: runs 6 km', 'W @Ilse: never runs 5 km'];
  const { results } = await ask({ 'memory/2026-01-05.md': log(...said) }, 'does Ilse run 5 km?');
  const facts = results.filter(({ kind }) => kind !== 'log');
  expect(facts.map(({ startLine }) => startLine).sort()).toEqual([4, 5, 6, 7]);
  for (const result of facts) expect(result).not.toHaveProperty('standsFor');
});

test('a repeated fact, a promoted line and its log line fold into one answer that names them all', async () => {
  const files = {
    'memory/2026-01-05.md':
      '# Log\n\n- the boiler room key hangs behind the pump\n\n## Retain\n- W @Depot: the boiler room key hangs behind the pump ^f-0123456789abc\n',
    'memory/2026-01-09.md': log('W @Depot: The boiler room key hangs behind the pump.'),
    'bank/entities/Depot.md':
      '---\nname: Depot\n---\n# Depot\n\n**Now**\n\n- the boiler room key hangs behind the pump ([memory/2026-01-05.md#L6](../../memory/2026-01-05.md#L6) f-0123456789abc)\n',
    'bank/world.md': '# World\n\n- W @Depot: the boiler room key hangs behind the pump ^f-0123456789abc\n',
  };
  const { results } = await ask(files, 'where does the boiler room key hang?');
  const [first, ...others] = results;
  expect(others.filter(({ content }) => content.includes('boiler room key'))).toEqual([]);
  expect(first?.kind).toBe('world');
  expect([first?.source, ...(first?.standsFor?.map(({ source }) => source) ?? [])].sort()).toEqual([
    'bank/entities/Depot.md#L8',
    'bank/world.md#L3',
    'memory/2026-01-05.md#L3',
    'memory/2026-01-05.md#L6',
    'memory/2026-01-09.md#L4',
  ]);
  expect(first?.standsFor?.find(({ source }) => source === 'bank/world.md#L3')).toEqual({
    content: '@Depot: the boiler room key hangs behind the pump',
    entities: ['Depot'],
    source: 'bank/world.md#L3',
  });
  const text = await testWorkspace(files).run(['recall', 'where does the boiler room key hang?', ...NOW]);
  expect(text.stdout).toMatch(/^ {2}stands for memory\/2026|^ {2}stands for bank|^ {2}stands for /m);
});

test('a log line about another person is not folded into a fact with its words', async () => {
  const file = '# Log\n\n- @Marek: has the spare key\n\n## Retain\n- W @Ilse: has the spare key\n';
  const { results } = await ask({ 'memory/2026-01-05.md': file }, 'who has the spare key?');
  expect(named(results)).toEqual(['Ilse', 'Marek']);
});

test('eval counts every place that a result stands for', async () => {
  const workspace = testWorkspace({
    'memory/2026-01-05.md': log('W @Depot: the gate opens at six ^f-0123456789abc'),
    'bank/world.md': '# World\n\n- W @Depot: the gate opens at six ^f-0123456789abc\n',
    'cases.jsonl': `${JSON.stringify({ id: 'a', query: 'when does the gate open?', expect: ['bank/world.md#L3'], k: 1 })}\n`,
  });
  expect(await workspace.json(['eval', workspace.path('cases.jsonl'), ...NOW])).toMatchObject({ cases: 1, passed: 1 });
});

test('a long line split into pieces stands for no other place', async () => {
  const line = Array.from({ length: 400 }, (_, i) => `Batch ${i} of the celadon glaze came out well.`).join(' ');
  const { results } = await testWorkspace({ 'memory/2025-10-04.md': `# 2025-10-04\n\n- ${line}\n` }).recall(
    'celadon glaze',
  );
  expect(results[0]?.source).toBe('memory/2025-10-04.md#L3');
  expect(results.flatMap(({ standsFor = [] }) => standsFor)).toEqual([]);
});
