import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FieldType, FieldValue, MergeOp } from '../../src/extract/memory-type.js';
import { applyPatch, type MergeContext, mergeField, readPatch } from '../../src/extract/merge.js';
import { mergeLinks } from '../../src/extract/page/form.js';

const ALICE = '# Alice\n- Works at Acme (as of 2026-01-02)\n- Likes green tea\n- Lives in Lyon\n';

/** Returns the patched text, or the reason why the patch was refused. */
function patched(text: string, patch: unknown): string {
  const blocks = readPatch(patch);
  if (blocks === undefined) return 'no patch';
  if (!blocks.ok) return blocks.error;
  const applied = applyPatch(text, blocks.value);
  return applied.ok ? applied.value : applied.error;
}

const one = (search: string, replace: string) => [{ search, replace }];

describe('a patch changes what it names, and nothing else', () => {
  test.each([
    ['the whole of a line', ALICE, one('- Likes green tea', '- Likes oolong'), ALICE.replace('green tea', 'oolong')],
    ['a part of a line', ALICE, one('green tea', 'oolong'), ALICE.replace('green tea', 'oolong')],
    ['CRLF, searched for with LF', 'a one\r\nb two\r\n', one('a one\nb two', 'A\nB'), 'A\r\nB\r\n'],
    ['other white space and quotes', 'say  “hi”\u00a0now\n', one('say "hi" now', 'bye'), 'bye\n'],
    ['printed line numbers', 'one\ntwo\nthree', one('2\ttwo\n3\tthree', '2\tTWO\n3\tTHREE'), 'one\nTWO\nTHREE'],
    ['Chinese without blanks', '他喜欢绿茶和咖啡', one('绿茶', '红茶'), '他喜欢红茶和咖啡'],
    ['a deleted line', ALICE, [{ delete: '- Likes green tea' }], ALICE.replace('- Likes green tea\n', '')],
    ['two blocks, the second on the first', 'a', [...one('a', 'b c'), ...one('c', 'd')], 'b d'],
    [
      'classic markers',
      ALICE,
      '<<<<<<< SEARCH\n- Lives in Lyon\n=======\n- Lives in Nice\n>>>>>>> REPLACE',
      ALICE.replace('Lyon', 'Nice'),
    ],
  ])('%s', (_, text, patch, expected) => {
    expect(patched(text, patch)).toBe(expected);
  });

  test.each([
    ['a nearly identical name', '- Peter prefers tea\n- Petra prefers tea', one('- Pete prefers tea', '- x')],
    ['the other polarity', '- Does not eat peanuts', one('- Does eat peanuts', '- x')],
    ['another year', '- Graduated in 2019', one('- Graduated in 2021', '- x')],
    ['another case', ALICE, one('- likes green tea', '- x')],
    ['a slip of the pen', '- dark roast coffee', one('- dark roast cofee', '- x')],
    ['a part of a word', 'tail two inside tail twoo', one('tail two inside tail two', 'x')],
    ['one hopeless block beside a good one', ALICE, [...one('Lyon', 'Nice'), ...one('cars', 'x')]],
    ['half of a line to delete', ALICE, [{ delete: 'green tea' }]],
    ['a text that occurs twice', 'x\ny\nx', one('x', 'z')],
    ['a plural that is not there', ALICE, [{ delete: '- Likes green teas' }]],
  ])('%s is refused', (_, text, patch) => {
    expect(patched(text, patch)).toMatch(/^block \d: /);
  });

  test('a refusal names the nearest line', () => {
    expect(patched(ALICE, one('- Likes green teas', 'x'))).toContain('the nearest line is "- Likes green tea"');
    expect(patched('- 喝浅烘咖啡\n- 住在格拉茨', one('- 喝深烘咖啡', 'x'))).toContain('"- 喝浅烘咖啡"');
  });

  test('markers in the wrong order are refused', () => {
    expect(patched(ALICE, '<<<<<<< SEARCH\nLyon\n=======\nNice')).toContain('markers');
  });

  test('any line that occurs once can be replaced, and nothing else changes', () => {
    const line = fc
      .string({ unit: 'grapheme' })
      .filter((text) => text.trim() !== '' && !/[\r\n]|^\s*\d+\t/u.test(text));
    let replaced = 0;
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.nat(), line, (lines, pick, replace) => {
        const text = lines.join('\n');
        const search = lines[pick % lines.length] ?? '';
        const result = patched(text, one(search, replace));
        if (text.split(search).length !== 2 || result.startsWith('block 1: ')) return;
        replaced++;
        expect(result).toBe(search === replace ? text : text.replace(search, () => replace));
      }),
    );
    expect(replaced).toBeGreaterThan(10);
  });
});

describe('merge operations keep the type of their field', () => {
  const merged = (
    type: FieldType,
    merge_op: MergeOp,
    current: FieldValue,
    given: unknown,
    context: Partial<MergeContext> = {},
  ) => {
    const result = mergeField({ name: 'f', type, merge_op }, current, given, { isRead: true, ...context });
    return result.ok ? result.value : `refused: ${result.error}`;
  };

  test.each<[string, FieldType, MergeOp, FieldValue, unknown, FieldValue]>([
    ['sum adds', 'int64', 'sum', 10, 1, 11],
    ['sum of decimals has no digits of the machine', 'float32', 'sum', 0.1, 0.2, 0.3],
    ['sum keeps large whole numbers', 'int64', 'sum', 9_007_199_254_740_000, 1, 9_007_199_254_740_001],
    ['an average counts', 'float32', 'avg', 10, 20, 15],
    ['immutable may be filled once', 'string', 'immutable', '', 'name', 'name'],
    ['a number for a text is text', 'string', 'replace', 'a', 7, '7'],
    ['nothing changes nothing', 'int64', 'patch', 5, null, 5],
    [
      'an item of the list is not added twice',
      'list',
      'append_unique',
      ['Times out'],
      ['times out.', 'New'],
      ['Times out', 'New'],
    ],
  ])('%s', (_, type, op, current, given, expected) => {
    expect(merged(type, op, current, given)).toEqual(expected);
  });

  test.each<[string, FieldType, MergeOp, FieldValue, unknown]>([
    ['an object for a text', 'string', 'replace', 'a', { blocks: one('a', 'b') }],
    ['an object without blocks for a patch', 'string', 'patch', 'a', { text: 'b' }],
    ['a block without a replacement', 'string', 'patch', 'old', { blocks: [{ search: 'old' }] }],
    ['words for a number', 'int64', 'sum', 3, 'many'],
    ['half of a whole number', 'int64', 'sum', 3, 4.5],
    ['infinity', 'float32', 'sum', 1, '1e999'],
    ['another identity', 'string', 'immutable', 'a', 'b'],
    [
      'two searches of a text that is not there',
      'string',
      'patch',
      null,
      { blocks: [...one('a', 'x'), ...one('b', 'y')] },
    ],
  ])('%s is refused', (_, type, op, current, given) => {
    expect(merged(type, op, current, given)).toMatch(/^refused: /);
  });

  test('the third value of an average weighs a third', () => {
    expect(merged('float32', 'avg', 15, 30, { count: 2 })).toBe(20);
  });

  test('a text can be replaced whole only after it was read; a patch needs no reading', () => {
    expect(merged('string', 'patch', 'old text', 'new', { isRead: false })).toMatch(/^refused: .*read the page again/);
    expect(merged('string', 'patch', 'old text', { blocks: one('old', 'new') }, { isRead: false })).toBe('new text');
    expect(merged('string', 'patch', '', 'new', { isRead: false })).toBe('new');
  });

  test('two links between the same pages become one with the greater weight', () => {
    const link = { from_uri: 'a', to_uri: 'b' };
    expect(mergeLinks([{ ...link, weight: 0.2 }], [link])).toEqual([{ ...link, weight: 1 }]);
  });
});
