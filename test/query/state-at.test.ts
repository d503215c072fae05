import { cpSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Workspace } from '../../src/app/workspace.js';
import type { RecallAnswer, RecallResult } from '../../src/query/request.js';
import { testWorkspace } from '../support/test-workspace.js';

const FIXTURES = new URL('../../fixtures/workspace', import.meta.url);
const NOW = ['--now', '2026-01-15T12:00:00Z'];

/** Two subjects that are told of often, one that is told of once, and things that ended, happened or are planned. */
const LOGS = {
  'memory/2025-06-03.md': retain(
    'W @Mara: Lives in Linz.',
    'W @mill: The gate code is 4411.',
    'W @Mara: Rides a grey mare called Flint.',
    'W @Otto: Keeps bees behind the orchard.',
  ),
  'memory/2025-07-09.md': retain(
    'W @mill: The gate code is 7720.',
    'W @Mara: In hospital from July 8 to July 12, 2025.',
    'B @mill: I replaced the belt of the saw.',
    'O(c=0.8) @Mara: Prefers letters to calls.',
  ),
  'memory/2025-07-21.md': retain(
    'W @Mara: Moved from Linz to Salzburg.',
    'W @mill: A flood on July 20, 2025 stood in the cellar.',
  ),
  'memory/2025-08-05.md': retain('W @mill: The gate code is 9000.', 'W @Otto: Keeps no bees any more.'),
};

function retain(...facts: readonly string[]): string {
  return `A quiet day, as is true of most.\n\n## Retain\n${facts.map((fact) => `- ${fact}\n`).join('')}`;
}

const HELD_IN_JULY = [
  '@Mara: Moved from Linz to Salzburg.',
  '@mill: The gate code is 7720.',
  '@Otto: Keeps bees behind the orchard.',
  '@Mara: Prefers letters to calls.',
  '@Mara: Rides a grey mare called Flint.',
];
const HAPPENED_IN_JULY = [
  '@mill: A flood on July 20, 2025 stood in the cellar.',
  '@mill: I replaced the belt of the saw.',
];

const contents = ({ results }: RecallAnswer) => results.map(({ content }) => content);

describe('what was true at a time', () => {
  test.each([
    [['what was true in July 2025?']],
    [['What was true on July 31, 2025?']],
    [['what held in July 2025?']],
    [['2025年7月时哪些为真']],
    [['2025年7月有哪些是真的？']],
    [['was galt im Juli 2025?']],
    [['', '--as-of', '2025-07-31']],
    [['', '--as-of', 'July 2025']],
    [['as of July 2025']],
    [['what was true?', '--as-of', '2025-07-31']],
  ])('%j lists what held, the subjects that are told of most first, then what happened', async (asked) => {
    const answer = await testWorkspace(LOGS).recall(...asked);
    expect(contents(answer).slice(0, 7)).toEqual([...HELD_IN_JULY, ...HAPPENED_IN_JULY]);
    expect(answer.answers).toBe('all');
    expect(answer).not.toHaveProperty('missing');
    expect(answer.warnings).toEqual([]);
  });

  test('what was over, or was said later, is not there at all', async () => {
    const said = contents(await testWorkspace(LOGS).recall('what was true in July 2025?', '--k', '50')).join('\n');
    expect(said).not.toMatch(/Lives in Linz|4411|9000|hospital|no bees/);
  });

  test('--k keeps the first, and `dropped` counts all that held and is not shown', async () => {
    const workspace = testWorkspace(LOGS);
    const answer = await workspace.recall('what was true in July 2025?', '--k', '3');
    expect(contents(answer)).toEqual(HELD_IN_JULY.slice(0, 3));
    expect(answer.dropped).toBe(4);
    const text = await workspace.run(['recall', 'what was true in July 2025?', '--k', '3']);
    expect(text.stdout).toContain('(4 more results did not fit: use --k 7)');
    expect((await workspace.recall('what was true in July 2025?', '--k', '7')).dropped).toBe(0);
    expect((await workspace.recall('what was true in July 2025?', '--budget', '20')).dropped).toBeGreaterThan(4);
  });

  test('filters hold', async () => {
    const answer = await testWorkspace(LOGS).recall('', '--as-of', '2025-07-31', '--entity', 'Mara');
    expect(contents(answer)).toEqual(HELD_IN_JULY.filter((text) => text.startsWith('@Mara')));
  });

  test('a belief that its evidence refuted by then is not listed as what somebody prefers', async () => {
    const files = {
      ...LOGS,
      'bank/opinions.md': [
        '- O(c=0.3) @Otto: Likes the saw. ^o-7k3m2q9x1a4bc',
        '  - prior: 0.30 (2025-06-03)',
        '- O(c=0.9) @Otto: Likes honey cake. ^o-7k3m2q9x1a4bd',
        '  - prior: 0.80 (2025-06-03)',
        '  - updated: 2025-08-05',
        '  - for: [memory/2025-06-03.md#L6](../memory/2025-06-03.md#L6) f-a1b2c3d4e5f6g',
        '  - for: [memory/2025-08-05.md#L5](../memory/2025-08-05.md#L5) f-z9y8x7w6v5u4t',
      ].join('\n'),
    };
    const listed = contents(await testWorkspace(files).recall('what was true in July 2025?')).slice(0, 8);
    expect(listed.join('\n')).toContain('honey cake');
    expect(listed.join('\n')).not.toContain('the saw.\n@');
    expect(listed.join('\n')).not.toContain('Likes the saw');
  });

  test.each([
    ['what was true about Mara in July 2025?'],
    ['what happened in July 2025?'],
    ['was the gate code still valid in July 2025?'],
    ['what held up the mill in July 2025?'],
  ])('%s asks for more than a time', async (question) => {
    expect(contents(await testWorkspace(LOGS).recall(question)).slice(0, 5)).not.toEqual(HELD_IN_JULY);
  });

  test('without typed facts, the lines up to then answer', async () => {
    const answer = await testWorkspace({
      'memory/2025-07-02.md': 'The ferry takes bicycles.\n',
      'memory/2025-08-02.md': 'The ferry takes no bicycles.\n',
    }).recall('what was true in July 2025?');
    expect(contents(answer)).toEqual(['The ferry takes bicycles.']);
  });
});

describe('entity show --as-of', () => {
  const BELIEF = [
    '- O(c=0.9) @Mara: Likes honey cake. ^o-7k3m2q9x1a4bd',
    '  - prior: 0.70 (2025-06-03)',
    '  - updated: 2025-08-05',
    '  - for: [memory/2025-06-03.md#L4](../memory/2025-06-03.md#L4) f-a1b2c3d4e5f6g',
    '  - for: [memory/2025-08-05.md#L4](../memory/2025-08-05.md#L4) f-z9y8x7w6v5u4t',
  ].join('\n');
  const FILES = {
    ...LOGS,
    'bank/opinions.md': BELIEF,
    'memory/2025-06-05.md': 'Mara and Otto came by on foot.\n',
    'memory/2025-08-06.md': 'Mara brought plums.\n\n- W @Mara: Broke her wrist.\n',
    'bank/entities/Mara.md': '# Mara\n\nTall, plays chess.\n',
  };
  type Shown = NonNullable<Awaited<ReturnType<Workspace['entity']>>>;
  const shown = (...words: readonly string[]) => testWorkspace(FILES).json<Shown>(['entity', 'show', ...words]);
  const texts = (statements: readonly { text: string }[]) => statements.map(({ text }) => text).join(' ');

  test.each([['2025-07-12'], ['2025-07-15']])('what held on %s, with what had ended', async (day) => {
    const { holds, facts, mentions, summary, lastMention } = await shown('Mara', '--all', '--as-of', day);
    expect(texts(holds.now)).toContain('ives in Linz');
    expect(texts(holds.now)).not.toContain('Salzburg');
    expect(texts([...holds.now, ...holds.before])).toContain('hospital');
    expect(texts(holds.now).includes('hospital')).toBe(day === '2025-07-12');
    expect(texts(holds.preferences)).toContain('letters');
    expect(facts.map(({ content }) => content).join()).not.toMatch(/Salzburg|wrist/);
    expect(facts.find(({ kind, content }) => kind === 'opinion' && content.includes('honey'))?.confidence).toBe(0.7);
    expect(mentions.map(({ text }) => text)).toEqual(['Mara and Otto came by on foot.']);
    expect(summary).toEqual([]);
    expect(lastMention).toBe('2025-07-09');
  });

  test('a month is as of its end, and a later day than all logs is today', async () => {
    expect(texts((await shown('Mara', '--as-of', 'July 2025')).holds.now)).toContain('Salzburg');
    const [then, now] = [await shown('Mara', '--all', '--as-of', '2026-03-15'), await shown('Mara', '--all')];
    expect(then.holds).toEqual(now.holds);
    expect(then.facts).toEqual(now.facts);
  });

  test('an entity that was named only later is unknown, and a wrong day is refused', async () => {
    const workspace = testWorkspace({ ...FILES, 'memory/2025-09-01.md': '- W @Quill: Sells ink.\n' });
    const early = await workspace.run(['entity', 'show', 'Quill', '--as-of', '2025-07-31']);
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('nothing is known about "Quill"')]);
    const wrong = await workspace.run(['entity', 'show', 'Mara', '--as-of', 'someday']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('"someday" is not a date')]);
  });
});

describe('the fixtures in November 2025', () => {
  const asked = async (...words: readonly string[]) => {
    const workspace = testWorkspace();
    cpSync(FIXTURES, workspace.root, { recursive: true });
    return workspace.recall(...words, ...NOW);
  };
  const isState = ({ kind }: RecallResult) => kind === 'world' || kind === 'opinion' || kind === 'observation';

  test.each([['what was true in November 2025?'], ['2025年11月时哪些为真'], ['']])('%j', async (question) => {
    const answer = await asked(question, ...(question === '' ? ['--as-of', '2025-11'] : []), '--k', '200');
    const sources = answer.results.map(({ source }) => source);
    const places = (...of: readonly string[]) => of.map((source) => sources.indexOf(`memory/2025-${source}`));
    expect(sources[0]).toBe('memory/2025-11-27.md#L17');
    expect(answer.results.slice(0, 10).every(isState)).toBe(true);
    expect(new Set(answer.results.slice(0, 10).map(({ entities }) => entities[0])).size).toBe(10);
    // The price list, the standup and the database as they were then, and not as they were before or after.
    expect(Math.min(...places('11-03.md#L23', '10-06.md#L21', '09-23.md#L27'))).toBeGreaterThanOrEqual(0);
    expect(places('07-08.md#L33', '07-15.md#L23')).toEqual([-1, -1]);
    expect(answer.results.every(({ timestamp }) => timestamp === null || timestamp <= '2025-11-30')).toBe(true);
    expect(answer.results.filter(({ superseded }) => superseded !== undefined)).toEqual([]);
    expect(answer.dropped).toBe(0);
  });
});
