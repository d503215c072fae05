import { expect, test } from 'vitest';
import { openTimeReader } from '../src/language/time/read-time.js';
import { parseStatement } from '../src/line/statement/statement.js';
import { NO_TIME_READER, readValidity } from '../src/line/validity.js';
import { pageOfPath } from '../src/memory/pages.js';
import { readUnits } from '../src/memory/units.js';
import { SHAPES } from './bench/shapes.js';
import { growthOfFour, growthOfFourStarts, LINEAR_LIMIT } from './support/growth.js';
import { testWorkspace } from './support/test-workspace.js';

// Redaction, injected blocks and the gate have such tests beside their other tests.

const LOG = 'memory/2026-03-01.md';

test.each([
  '1. ',
  '- 1. ',
  '1. - ',
  '> 1. ',
  '> ',
  '- ',
  '* a ',
  '[',
  '`',
  '``` ',
  '<!-- ',
  '@Peter ',
  '[[a]] ',
  '| a ',
])('a line that repeats %j is read in linear time', (part) => {
  const page = pageOfPath(LOG);
  if (page === undefined) throw new Error('a log is a page');
  const growth = growthOfFour(
    (length) => part.repeat(length / part.length),
    (text) =>
      readUnits(LOG, page, text, undefined, {
        dates: openTimeReader,
        times: NO_TIME_READER,
        readValidity,
        readStatement: parseStatement,
      }),
    25_000,
  );
  expect(growth).toBeLessThan(LINEAR_LIMIT);
});

/** Characters that occur once each, so that a cache helps with none of them. */
const once = (length: number): string =>
  Array.from({ length }, (_, i) => String.fromCharCode(0x4e00 + (i % 20_000))).join('');

test.each([
  ['Han signs, each once', once],
  ['clauses of Han signs', (length: number) => once(length).replace(/(.{5})/gu, '$1，')],
  ['words, each once', (length: number) => Array.from({ length: length / 8 }, (_, i) => `w${i} and`).join(' ')],
  ['the same words', (length: number) => 'moved from Linz to Salzburg, '.repeat(length / 29)],
  ['dates', (length: number) => '2026-01-01 '.repeat(length / 11)],
  ['names', (length: number) => '@Peter '.repeat(length / 7)],
] as const)('reflect processes facts of %s in linear time', async (_, make) => {
  const start = async (text: string) => {
    const workspace = testWorkspace({
      [LOG]: `- W @Peter: ${text}\n- O(c=0.6) @Peter: prefers ${text}\n`,
      'memory/2026-03-02.md': `- W @Peter: ${text} again\n- W @Peter: asked for ${text}\n`,
    });
    await workspace.run(['index']);
    return () => workspace.run(['reflect']);
  };
  expect(await growthOfFourStarts(make, start, 8_000)).toBeLessThan(LINEAR_LIMIT);
});

test.each([
  [
    'words',
    (length: number) => Array.from({ length: length / 5 }, (_, i) => `w${i % 977}${i % 9 ? '' : '\n'}`).join(' '),
  ],
  ['equal lines', (length: number) => '- item\n'.repeat(length / 7)],
  ['blank lines', (length: number) => '- a\n\n\n'.repeat(length / 6)],
] as const)('a page of %s is patched, and a proposal for it is made, in linear time', async (_, make) => {
  const start = async (text: string) => {
    const workspace = testWorkspace({ 'bank/preferences/tea.md': `# tea\n\n${text}\nlast  line\n` });
    const patch = { blocks: [{ search: 'last line', replace: 'the last line' }] };
    const input = JSON.stringify({ preferences: [{ topic: 'tea', content: patch }] });
    return async () => {
      const { stderr } = await workspace.run(['extract', 'apply', '--answer', '-', '--dry-run'], { input });
      expect(stderr).toContain('so the change is only proposed');
    };
  };
  expect(await growthOfFourStarts(make, start, 50_000)).toBeLessThan(LINEAR_LIMIT);
});

test('an edited page of opinions is read in linear time', async () => {
  const start = async (page: string) => {
    const workspace = testWorkspace({ 'bank/opinions.md': page });
    await workspace.run(['index']);
    return () => workspace.run(['reflect']);
  };
  const make = (length: number): string =>
    Array.from({ length: length / 60 }, (_, i) => `- O(c=0.7) @P${i}: likes w${i}\n  - updated: 2026-01-01\n`).join('');
  expect(await growthOfFourStarts(make, start, 100_000)).toBeLessThan(LINEAR_LIMIT);
});

test('a transcript of many or of long messages is imported in linear time', async () => {
  const start = async (transcript: string) => {
    const workspace = testWorkspace();
    return () => workspace.run(['session', 'import', '-', '--session', 'chat'], { input: transcript });
  };
  const line = (text: string, i: number) => `${JSON.stringify({ id: `m${i}`, role: 'user', content: text })}\n`;
  const many = (length: number) => Array.from({ length: length / 60 }, (_, i) => line(`number ${i}`, i)).join('');
  const long = (length: number) => [0, 1, 2].map((i) => line('use port 6380, '.repeat(length / 45), i)).join('');
  for (const make of [many, long]) expect(await growthOfFourStarts(make, start, 60_000)).toBeLessThan(LINEAR_LIMIT);
});

/** Twice the growth of linear work, and half of what quadratic code took here. */
const SHAPE_LIMIT = 8;

test.each([
  [SHAPES.opinions, 750],
  [SHAPES.entity, 2_000],
] as const)('reflect processes $name in linear time', async ({ make }, count) => {
  const start = async (facts: string) => {
    const workspace = testWorkspace(make(Number(facts)));
    await workspace.run(['index']);
    return async () => {
      const { code } = await workspace.run(['reflect', '--max-calls', '0']);
      expect(code).toBe(0);
    };
  };
  expect(await growthOfFourStarts(String, start, count)).toBeLessThan(SHAPE_LIMIT);
});
