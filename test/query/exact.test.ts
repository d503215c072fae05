import { expect, test } from 'vitest';
import { exactTokens } from '../../src/query/parse/exact.js';
import type { RecallAnswer } from '../../src/query/request.js';
import { testWorkspace } from '../support/test-workspace.js';

/** Returns many lines with the letters of a token, and around them lines with the rest of a question. */
function crowd(letters: string): string {
  const lines = Array.from(
    { length: 150 },
    (_, at) => `- ${letters} ${letters.toUpperCase()} number ${at}, ${letters}?`,
  );
  return `# 2026-03-10\n\n${lines.join('\n')}\n`;
}

test.each([
  ['J#', 'j', 'The old editor was written in J#.'],
  ['F++', 'f', 'Ein Compiler für F++ steht im Schrank.'],
  ['.NET', 'net', 'Le service de paie tourne sous .NET 8'],
  ['(3)', '3', 'Option (3) was chosen: oak.'],
  ['#umzug', 'umzug', 'Kisten gepackt #umzug'],
  ['@rosa', 'rosa', 'asked @rosa for the key'],
  [':wq!', 'wq', '用 :wq! 保存并退出'],
  ['x|y', 'x y', 'the pattern x|y matches both'],
  ['^K', 'k', 'press ^K to cut a line'],
  ['=>', 'j', 'an arrow function is written with => there'],
  ['&&', 'k', 'chain the two with && in the shell'],
])('%s is found literally, before lines that only have its letters', async (token, letters, line) => {
  const workspace = testWorkspace({
    'memory/2026-03-10.md': crowd(letters),
    'memory/2025-01-05.md': `# 2025-01-05\n\n- Nothing else.\n- ${line}\n- Nothing more.\n`,
  });
  for (const question of [token, `what was that about ${token}?`]) {
    const { results } = await workspace.recall(question);
    expect(results[0]?.source, question).toBe('memory/2025-01-05.md#L4');
  }
});

test.each([
  ['!crucial', 'crucial', 'color: red !crucial;'],
  ['<portal', 'portal', 'open it with <portal id="x"> there'],
])('the single token %s is found with its leading sign', async (token, letters, line) => {
  const workspace = testWorkspace({
    'memory/2026-03-10.md': crowd(letters),
    'memory/2025-01-05.md': `# 2025-01-05\n\n- ${line}\n`,
  });
  const { results } = await workspace.recall(token);
  expect(results[0]?.source).toBe('memory/2025-01-05.md#L3');
});

test('a tag does not match a longer tag, and is found in lists of tags', async () => {
  const workspace = testWorkspace({
    'memory/topics/a.md': '---\ntags: [hive, honey]\n---\n# Bees\n\nTwo swarms.\n',
    'memory/topics/b.md': '---\ntags:\n  - hive\n  - wax\n---\nCandles.\n',
    'memory/topics/c.md': 'tags:: hive, smoke\n\n- The smoker is blue.\n',
    'memory/topics/d.md': '- Wrote to the #hivemind about hive hive hive.\n- the hive the hive\n',
    'memory/topics/e.md': '- Painted it white #hive\n',
  });
  const { results } = await workspace.recall('#hive');
  expect(
    results
      .slice(0, 4)
      .map(({ path }) => path.slice(-4, -3))
      .sort(),
  ).toEqual(['a', 'b', 'c', 'e']);
  expect(results.find(({ path }) => path.endsWith('b.md'))?.source).toBe('memory/topics/b.md#L2-L4');
});

test.each([
  ['all-in', 'They went all-in on it.'],
  ['key.pem', 'it reads `key.pem`, and nothing else'],
  ['Time.now', 'see **Time.now**.'],
  ['x-axis', 'the X-axis is wrong'],
])('%s alone finds exactly itself first; longer strings and other case follow', async (token, line) => {
  const others = [`${token}-one is newer`, `my-${token} too`, `a/${token}/b as well`];
  const inCapitals = token === token.toLowerCase() ? [] : [`${token.toLowerCase()} in small letters`];
  const workspace = testWorkspace({
    'memory/2026-03-14.md': [...others, ...inCapitals].map((other) => `- ${other}\n`).join(''),
    'memory/2026-03-01.md': `- ${line}\n`,
  });
  const { results } = await workspace.recall(token);
  expect(results[0]?.content).toBe(line);
  expect(results.length).toBeGreaterThan(1);
});

test.each([
  ['what does !! do in bash', 'In the shell, !! is the last command.'],
  ['what is !!?', 'In the shell, !! is the last command.'],
  ['was ist !!?', 'In the shell, !! is the last command.'],
  ['!! 是什么？', 'In the shell, !! is the last command.'],
  ['what does sudo !! do?', 'Root is needed often: `sudo !!` runs the last command again.'],
  ['when do we use ?. in TypeScript', 'Where the value may be missing: ?. and no check.'],
  ['was macht ?? in C#', 'Ist links nichts, nimmt ?? den Wert rechts.'],
])('%s: finds the sign literally', async (question, line) => {
  const workspace = testWorkspace({
    'memory/2026-03-14.md': '- What bash does in TypeScript!\n- What sudo does in bash, and when we use it.\n',
    'memory/2026-03-01.md': `- ${line}\n`,
  });
  const { results } = await workspace.recall(question);
  expect(results[0]?.content).toBe(line);
});

test.each([
  'hey !! what does Anna use',
  'where is it ?? I need it',
  'so what is it ...',
  'what is the ...?',
  'who is Anna ???',
])('%s: searches for no sign', (question) => expect(exactTokens(question, [])).toEqual([]));

test('the index is queried once for a name and a word of it', async () => {
  const facts = Array.from({ length: 1_600 }, (_, at) => `- W @Unit-7: rows boat ${at}`);
  const others = ['- W @Shed-7: rows no boat', '- W @Unit-8: mends a boat'];
  const workspace = testWorkspace({ 'memory/2026-03-10.md': `## Retain\n\n${[...facts, ...others].join('\n')}\n` });
  const asked = ['recall', 'does @Unit-7 row a boat?', '--explain', '--k', '3'];
  const { explain = [], results } = await workspace.json<RecallAnswer>(asked);
  const fullText = explain.filter((note) => note.startsWith('full text: '));
  expect(fullText).toContain('full text: "@Unit-7"');
  expect(fullText.filter((note) => / OR /.test(note) && note.includes('"@Unit-7"'))).toEqual([]);
  expect(results.map(({ entities }) => entities)).toEqual([['Unit-7'], ['Unit-7'], ['Unit-7']]);
});
