import { expect, test } from 'vitest';
import { addDays } from '../../src/language/time/calendar.js';
import { testWorkspace } from '../support/test-workspace.js';

// Files of hosts that do not use typed facts: logs of plain lines, and a core of sections, and of terms with definitions.

const MENTIONS = Array.from(
  { length: 30 },
  (_, i) => `- Mailed Pepper about ticket ${i}, no answer from harbour-bot\n`,
);
const WORKSPACE = {
  'MEMORY.md': [
    '# Memory\n\n## Who I am\n- **Name:** Sprig\n- **Human:** Oda Lind (@odalind)\n- **Postfach:** sprig@example.org\n- **Status:**\n',
    '## 🛟 Rules for mail (Oda, 2026-01-04)\nNever send without a second look.\n- Answer within a day\n\n## Empty\n\n',
    '## People\n- **Pepper** — keeps the harbour ledger, likes short messages\n- `harbour-bot`: posts the tides\n- Pepper: "I never said that"\n',
    '- 船长 —— 只在早上回信\n- 邮箱：sprig@example.cn\n\n| Tool | What for |\n| --- | --- |\n| tidewatch | warns of spring tides |\n',
  ].join('\n'),
  'memory/2026-02-01.md': `# 2026-02-01\n\n${MENTIONS.join('')}- Status: all quiet\n`,
  'memory/2026-02-02.md': `# 2026-02-02\n\n${MENTIONS.join('')}- Who is Pepper to decide that?\n- Human error on the mail list\n- Asked Oda for the rules for mail\n- name: the names of all boats\n- Name tags for name day\n`,
};

test.each([
  ['who is Pepper?', /^\*\*Pepper\*\* — keeps/],
  ['Pepper', /^\*\*Pepper\*\* — keeps/],
  ['tell me about @Pepper', /^\*\*Pepper\*\* — keeps/],
  ['what is harbour-bot?', /posts the tides/],
  ['who is Oda Lind?', /^\*\*Human:\*\*/],
  ['what is my name?', /Sprig/],
  ['wie ist mein Postfach?', /sprig@example\.org/],
  ['what is tidewatch?', /warns of spring tides/],
  ['what are the rules for mail?', /^(?:Never send|Answer within)/],
  ['船长是谁？', /只在早上回信/],
  ['我的邮箱是什么？', /sprig@example\.cn/],
])('a definition on a page answers a question for its term: %s', async (question, answer) => {
  const { results } = await testWorkspace(WORKSPACE).recall(question, '--k', '3');
  expect(results[0]).toMatchObject({ path: 'MEMORY.md', content: expect.stringMatching(answer) });
});

test('entity show of an entity without facts lists the newest lines that name it', async () => {
  const days = Array.from({ length: 12 }, (_, i) => [
    `memory/${addDays('2026-03-01', i)}.md`,
    `- Wrote to @tern, ${i}\n`,
  ]);
  const { stdout } = await testWorkspace(Object.fromEntries(days)).run(['entity', 'show', 'tern']);
  expect(stdout).toContain('mentions (10 of 12):\n  2026-03-12  Wrote to @tern, 11  [memory/2026-03-12.md#L1]\n');
});

test('a fact that answers comes before a line that may be older', async () => {
  const workspace = testWorkspace({
    'MEMORY.md': '# Memory\n\n- **Team lead:** Anna\n- **Max** — potter from Graz\n',
    'memory/2026-02-01.md': '## Retain\n- W @Max: is the team lead\n- W @Max: bought a kiln\n',
  });
  const ask = async (question: string) => (await workspace.recall(question)).results;
  expect((await ask('who is the team lead?')).map(({ source }) => source)).toEqual([
    'memory/2026-02-01.md#L2',
    'MEMORY.md#L3',
  ]);
  expect((await ask('who is Max?'))[0]?.source).toBe('MEMORY.md#L4');
});

test('a heading shared by many lines, a line without a definition, and a longer question define nothing', async () => {
  const workspace = testWorkspace({
    ...WORKSPACE,
    ...Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`memory/topics/boat-${i}.md`, `# Boat ${i}\n\n- Berth: pier ${i}\n`]),
    ),
    'memory/2026-02-03.md': '- The berth of the ferry was sold\n- Met Pepper at the pump house\n',
  });
  const first = async (question: string) => (await workspace.recall(question, '--k', '1')).results[0];
  expect((await first('status'))?.content).toBe('Status: all quiet');
  expect((await first('where did I meet Pepper?'))?.content).toBe('Met Pepper at the pump house');
  expect((await first('what is the berth of the ferry?'))?.content).toBe('The berth of the ferry was sold');
});

test('the newest of log lines that differ only in numbers comes first, unless a number or a time is named', async () => {
  const counts = Array.from({ length: 12 }, (_, i) => {
    const day = addDays('2026-03-01', i);
    return [
      `memory/${day}.md`,
      `- ${i % 2 ? '**Inbox:**' : 'Inbox:'} ${40 + i} letters, ${i} open${i % 3 ? '.' : ''}\n`,
    ];
  });
  const workspace = testWorkspace(Object.fromEntries(counts));
  const ask = async (...question: string[]) =>
    (await workspace.recall(...question, '--now', '2026-03-13T08:00:00Z')).results;
  const days = (await ask('how many letters are in the inbox?')).map(({ path }) => path);
  expect(days.slice(0, 3)).toEqual(['memory/2026-03-12.md', 'memory/2026-03-11.md', 'memory/2026-03-10.md']);
  expect((await ask('inbox letters'))[0]?.path).toBe('memory/2026-03-12.md');
  expect((await ask('when were 43 letters in the inbox?'))[0]?.content).toContain('43 letters');
  expect((await ask('inbox letters on March 5'))[0]?.path).toBe('memory/2026-03-05.md');
});

test('the newest log line with the requested label comes first; speakers’ names are not labels', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-01.md': '- Pump: runs well\n- Vera: the pump is fine\n',
    'memory/2026-03-04.md': '- **Pump:** ❌ does not run at all since the storm, the ferry was told\n',
    'memory/2026-03-05.md': '- Vera asked for a new pump\n',
  });
  const { results } = await workspace.recall('does the pump run?', '--now', '2026-03-06');
  expect(results.map(({ source }) => source).slice(0, 2)).toEqual([
    'memory/2026-03-04.md#L1',
    'memory/2026-03-01.md#L1',
  ]);
});

test('a question about a day lists lines of that day before lines with its question words', async () => {
  const workspace = testWorkspace({
    'memory/topics/quotes.md': '# Quotes\n\n## 4 March\n- Vera says that courage is what you do not let go of\n',
    'memory/2026-03-04.md': '- Painted the hull\n- Saw what the pump does\n',
  });
  const { results } = await workspace.recall('what happened on 4 March 2026?');
  expect(results[0]?.content).toBe('Painted the hull');
});
