import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bySectionName,
  isWorkingMemory,
  makeContentSafe,
  parseDocument,
  readHeadings,
  renderDocument,
  SECTION_DESCRIPTIONS,
  SECTION_NAMES,
} from '../../src/wm/document.js';
import { cases } from '../support/cases.js';
import { effort } from '../support/growth.js';
import { text } from './arbitraries.js';
import { append, documentOf, KEEP_ALL, merge, mergeOne, update } from './support.js';

const FACTS = 'Key Facts & Decisions';

test('a template is a Working Memory whose descriptions do not count as content', () => {
  const template = renderDocument(bySectionName((name) => `_${SECTION_DESCRIPTIONS[name]}_`));
  expect(isWorkingMemory(template)).toBe(true);
  expect(merge(template, KEEP_ALL).document).toBe(template);
  const filled = merge(template, { 'Session Title': update('Banana bread'), 'Open Issues': update('- buy flour') });
  expect(filled.sections['Session Title'].decision).toBe('UPDATE');
  expect(filled.sections['Open Issues'].restored).toEqual([]);
  expect(filled.lost).toEqual([]);
});

test('text before the first section and unknown sections are kept, as ### in the nearest section', () => {
  const old =
    'A note by hand.\n\n# Working Memory\n\n## Session Title\nBilling\n\n## Background\n- why\n\n## Current State\nok\n\n# Runbook\n- how\n';
  const { document, lost } = merge(old, KEEP_ALL);
  expect(parseDocument(document).bodies).toMatchObject({
    'Session Title': 'Billing',
    'Current State': '### Background\n- why\n\nok\n\n### Runbook\n- how',
    [FACTS]: 'A note by hand.',
  });
  expect(lost).toEqual([]);
});

test('an open fence or comment in one section does not swallow the next', () => {
  for (const opening of ['```js\nlet a', '~~~~\nx', '<!-- todo', '<pre>\nx', '<?php']) {
    const merged = mergeOne('Task & Goals', '', update(opening));
    expect(parseDocument(merged.document).sections.size).toBe(7);
    expect(merge(merged.document, KEEP_ALL).document).toBe(merged.document);
  }
});

test('model content never contains a heading of depth 1 or 2, even in lists, quotes or by underlining', () => {
  fc.assert(
    fc.property(text, (content) => {
      const contained = makeContentSafe(content);
      expect(readHeadings(contained).filter((heading) => heading.depth < 3)).toEqual([]);
      expect(makeContentSafe(contained)).toBe(contained);
    }),
    { numRuns: cases(1_000) },
  );
});

test('code in a fence keeps its hash lines', () => {
  const code = '```sh\n# install\n## then\nmake\n```';
  expect(makeContentSafe(code)).toBe(code);
});

test('the ledger lists each item that an accepted UPDATE dropped, once, with the reason', () => {
  const merged = mergeOne('Current State', 'Writing tests.\n- waiting for Marta\n- waiting for Marta', update('Done.'));
  expect(merged.sections['Current State']).toEqual({
    op: 'UPDATE',
    decision: 'UPDATE',
    reason: 'this section is rewritten freely',
    appended: [],
    restored: [],
    removed: [
      { item: 'Writing tests.', reason: 'replaced by the update' },
      { item: 'waiting for Marta', reason: 'replaced by the update' },
    ],
  });
});

test('an item moved to another section does not count as removed', () => {
  const old = documentOf({ 'Current State': '- rotate keys' });
  const merged = merge(old, { 'Current State': update('All quiet.'), 'Open Issues': append('rotate keys') });
  expect(merged.sections['Current State'].removed).toEqual([]);
});

test('an issue continued with more detail is not restored, and a new issue continues only one', () => {
  const merged = mergeOne('Open Issues', '- fix login\n- fix login on Safari', update('- fix login on Safari: cookie'));
  expect(merged.sections['Open Issues'].restored).toEqual(['fix login on Safari']);
});

test('status words inside an issue do not resolve it', () => {
  const issues = [
    'tiers: free, pro, closed',
    'is the leak fixed',
    'done-ness is unclear',
    '[unresolved] CI',
    'closed-beta list',
  ];
  const merged = mergeOne('Open Issues', issues.map((issue) => `- ${issue}`).join('\n'), update('- other'));
  expect(merged.sections['Open Issues'].restored).toEqual(issues);
});

test('sections are reported from 25 bullets or 1,500 tokens, and beyond 2,000 and 12,000 tokens', () => {
  const bullets = (count: number) => Array.from({ length: count }, (_, index) => `- fact ${index}`).join('\n');
  expect(merge(documentOf({ [FACTS]: bullets(24) }), null).reminders).toEqual([]);
  expect(merge(documentOf({ [FACTS]: bullets(25) }), null).reminders).toEqual([
    expect.stringContaining('"Key Facts & Decisions" has 25 bullets'),
  ]);
  expect(merge(documentOf({ [FACTS]: 'x'.repeat(5_996) }), null).reminders).toEqual([]);
  expect(merge(documentOf({ [FACTS]: 'x'.repeat(5_997) }), null).reminders).toHaveLength(1);
  const errors = merge(documentOf({ 'Errors & Corrections': 'x'.repeat(8_004) }), null).reminders;
  expect(errors).toEqual([expect.stringContaining('over its budget of 2000 tokens. It is append-only')]);
  const all = Object.fromEntries(SECTION_NAMES.map((name) => [name, 'x'.repeat(7_000)]));
  expect(merge(documentOf(all), null).reminders.at(-1)).toContain('over its budget of 12000');
});

test.each([
  '>'.repeat(60_000),
  '- '.repeat(30_000),
  '-'.repeat(60_000),
  '# '.repeat(30_000),
  '## a\n'.repeat(6_000),
  '- a\n'.repeat(6_000),
  '- [restored] x\n'.repeat(3_000),
  '[restored] '.repeat(6_000),
  'a.'.repeat(30_000),
  'a/'.repeat(30_000),
  '_'.repeat(60_000),
  '~~'.repeat(30_000),
  '`'.repeat(60_000),
  '<!--'.repeat(15_000),
  ' '.repeat(60_000),
  '不'.repeat(60_000),
  '1,234'.repeat(12_000),
])('60,000 hostile characters are read quickly (%#)', (hostile) => {
  const sections = Object.fromEntries(SECTION_NAMES.map((name) => [name, update(`${hostile}x\nb`)]));
  const old = documentOf(Object.fromEntries(SECTION_NAMES.map((name) => [name, `a\n${hostile}`])));
  const needed = effort(() => {
    expect(merge(old, sections).lost).toEqual([]);
    merge(null, { [FACTS]: append(hostile, `${hostile}b`) });
  });
  expect(needed).toBeLessThan(2_000);
});
