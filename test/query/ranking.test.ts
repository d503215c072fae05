import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FoldedResult } from '../../src/query/rank/fold.js';
import { keepWordHits } from '../../src/query/rank/order.js';
import type { RecallAnswer } from '../../src/query/request.js';
import { testWorkspace } from '../support/test-workspace.js';

const FILES = {
  'bank/entities/Nordfjord.md': '---\nname: Nordfjord\n---\n# Nordfjord\n\nA chain of eleven hotels.\n',
  'bank/entities/Jonas.md': "---\nname: Jonas\n---\n# Jonas\n\nRuns Nordfjord's IT.\n",
  'memory/2025-03-02.md':
    '# 2025-03-02\n\n- We keep RabbitMQ as the job queue.\n\n## Retain\n- W @queue: RabbitMQ stays the job queue\n',
  'memory/2025-09-01.md': '# 2025-09-01\n\n## Retain\n- W @Nordfjord: go-live planned for 5 October\n',
  'memory/2025-09-20.md':
    '# 2025-09-20\n\n## Retain\n- W @Nordfjord: go-live moved from 5 October to 19 October\n- W @queue: replaced RabbitMQ with NATS as the job queue\n',
  'memory/2025-07-10-backup.md':
    '# Session\n\n- assistant: The restic repository is mounted from the closet machine.\n- user: no, that is wrong\n',
  'memory/2025-07-11.md': '# 2025-07-11\n\n- The restic repository is mounted from the rented machine.\n',
  'memory/2025-07-12.md': '# 2025-07-12\n\n## Retain\n- W @backup: fourteen copies are kept\n',
};

const ask = (question: string) => testWorkspace(FILES).recall(question, '--now', '2025-12-10', '--tz', 'UTC');
const sources = async (question: string) => (await ask(question)).results.map(({ source }) => source);

test('a question that only names an entity finds its own page before pages that mention it', async () => {
  expect((await sources('Nordfjord'))[0]).toBe('bank/entities/Nordfjord.md#L6');
});

test('a session dump comes after a log with the same content', async () => {
  expect(await sources('where is the restic repository mounted from?')).toEqual(
    expect.arrayContaining(['memory/2025-07-11.md#L3', 'memory/2025-07-10-backup.md#L3']),
  );
  expect((await sources('where is the restic repository mounted from?'))[0]).toBe('memory/2025-07-11.md#L3');
});

test('the plural of an entity means that entity, if nothing else has the name', async () => {
  const { results } = await ask('and the backups?');
  expect(results[0]?.source).toBe('memory/2025-07-12.md#L4');
});

test('"replaced A with B" supersedes the fact about A and ranks the log line behind it lower', async () => {
  const { results } = await ask('which job queue, RabbitMQ?');
  const order = results.map(({ source }) => source);
  expect(order[0]).toBe('memory/2025-09-20.md#L5');
  expect(results.find(({ source }) => source === 'memory/2025-03-02.md#L6')?.superseded).toMatch(/^f-/);
  expect(order.indexOf('memory/2025-03-02.md#L3')).toBeGreaterThan(0);
});

test('a question about history does not rank a replaced fact lower', async () => {
  const order = await sources('when did the go-live of Nordfjord planned for October happen?');
  const [old, current] = ['memory/2025-09-01.md#L4', 'memory/2025-09-20.md#L4'].map((source) => order.indexOf(source));
  expect([old, current].toSorted()).toEqual([0, 1]);
});

test('a line that only asks about an entity comes after every fact about it', async () => {
  const { results } = await testWorkspace({
    'memory/2026-03-18.md':
      '# Log\n\n## Retain\n- W @Harbor: Its uploads go to 9443.\n- W @Harbor: moved to the new rack.\n',
    'memory/2026-03-19.md': '# Log\n\n- Which port does @Harbor use?\n',
  }).recall('which port does Harbor use?');
  const asking = results.findIndex(({ content }) => content.endsWith('?'));
  expect(results.slice(0, asking).map(({ kind }) => kind)).toEqual(['world', 'world']);
});

const LOG = `# 2026-03-01

- Decide what to automate first
- Before deciding on automation, ask what it costs
- Mail of customers goes to Anna
- Automation of mail from customers: agreed on letters at nine, and on none at night
- Decide whether customers are called
`;

test('a question for a decision finds one that was made before one that is pending', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-01.md': LOG });
  for (const query of ['what did we decide about customer automation?', 'what have we decided for automation?'])
    expect((await workspace.recall(query)).results[0]?.content).toMatch(/^Automation of mail/);
});

test('an answer is found by the question before it, even at the very start of a log', async () => {
  const workspace = testWorkspace({
    'memory/2025-10-04.md':
      '- Ben: What is the code of the garage door?\n- Anna: Four seven one one, as ever.\n- Ben: Thanks.\n',
  });
  const { results } = await workspace.recall('the code of the garage door');
  const answer = results.find(({ startLine }) => startLine === 2);
  expect(answer?.score).toBeGreaterThan(results.find(({ startLine }) => startLine === 3)?.score ?? 1);
});

test('neighbours of a hit come from its own page', async () => {
  const { results } = await testWorkspace({
    'memory/2025-10-03.md': '# 2025-10-03\n\n- The bakery closed.\n- The old mill was sold.\n',
    'memory/2025-10-04.md': 'The sculptor broke a celadon kiln.\nHe was sorry.\n',
  }).recall('who broke a celadon kiln last time?');
  expect(results.map(({ path }) => path)).not.toContain('memory/2025-10-03.md');
});

describe('lines near the topic of a question', () => {
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
    const { explain } = await testWorkspace({ 'memory/topics/a.md': '# A\n\n- Apollo\n' }).recall(
      question,
      '--explain',
    );
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
});

/** A text of several thousand characters with every word of a question, each in another place. */
const EVERYTHING = Array.from(
  { length: 30 },
  (_, at) => `Step ${at} of a sound plan names its parts, from the sprint to the budget and back, and ends there.`,
).join(' ');

test('a long text with each word somewhere does not win', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-10.md': [
      '# 2026-03-10\n',
      '- User: My first sprint ends on March 29 and I want to be done by then. Can you help me plan it?',
      `- Assistant: ${EVERYTHING} It ends first. ${EVERYTHING}`,
      '- User: Thanks, that is what I need.',
      `- Assistant: ${EVERYTHING}`,
      '',
    ].join('\n'),
  });
  const { results } = await workspace.recall('When does the first sprint end?');
  expect(results[0]?.content).toContain('March 29');
});

interface Item {
  readonly words: number;
  readonly vector: number;
  readonly literal: boolean;
}

const items = fc.array(
  fc.record({
    words: fc.double({ min: 0, max: 1, noNaN: true }),
    vector: fc.double({ min: 0, max: 1, noNaN: true }),
    literal: fc.boolean(),
  }),
  { maxLength: 40 },
);

/** Ranked results, best first; one without a score by words was found by its vector alone. */
function ranked(given: readonly Item[]) {
  const entries = given.map((item) => {
    const score = item.words + item.vector;
    return { item, folded: { score, byWords: score === 0 ? 1 : item.words / score } as FoldedResult };
  });
  entries.sort((a, b) => b.folded.score - a.folded.score);
  const itemOf = new Map(entries.map(({ item, folded }) => [folded, item]));
  const get = (folded: FoldedResult): Item => itemOf.get(folded) ?? { words: 0, vector: 0, literal: false };
  return { list: entries.map(({ folded }) => folded), get };
}

test('vectors do not displace literal hits or the better half of word hits', () => {
  fc.assert(
    fc.property(items, fc.integer({ min: 1, max: 12 }), (given, k) => {
      const { list, get } = ranked(given);
      const byWords = (item: FoldedResult) => get(item).words > 0;
      const literally = (item: FoldedResult) => get(item).literal;
      const kept = keepWordHits(list, k, { byWords, literally });
      expect(new Set(kept)).toEqual(new Set(list));
      const first = new Set(kept.slice(0, k));
      const found = list.filter(byWords).sort((a, b) => get(b).words - get(a).words);
      const literal = found.filter(literally).slice(0, k);
      for (const item of literal) expect(first.has(item)).toBe(true);
      // Literal hits may take the places of the others.
      const half = found.slice(0, Math.ceil(k / 2)).filter((item) => !literal.includes(item));
      for (const item of half.slice(0, k - literal.length)) expect(first.has(item)).toBe(true);
      const order = kept.slice(0, k).map(({ score }) => score);
      expect(order).toEqual([...order].sort((a, b) => b - a));
    }),
  );
});
