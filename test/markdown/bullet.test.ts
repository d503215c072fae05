import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatBullet, parseBullet } from '../../src/markdown/bullet.js';
import { entityMentions, findEntities } from '../../src/markdown/entities.js';
import { scanMarkdown } from '../../src/markdown/scan.js';
import { cases } from '../support/cases.js';

describe('a typed bullet', () => {
  it.each([
    ['W @Peter: Currently in Marrakech.', 'W', null, ['Peter'], 'Currently in Marrakech.'],
    ['B @warelay: I fixed the crash.', 'B', null, ['warelay'], 'I fixed the crash.'],
    ['O(c=0.95) @Peter: Prefers short replies.', 'O', 0.95, ['Peter'], 'Prefers short replies.'],
    ['O(c=1) Tea is better.', 'O', 1, [], 'Tea is better.'],
    ['O(c=.5) @A text', 'O', 0.5, ['A'], 'text'],
    ['S The week in short.', 'S', null, [], 'The week in short.'],
    [
      'W @Peter @The-Castle: They met @Anna there.',
      'W',
      null,
      ['Peter', 'The-Castle', 'Anna'],
      'They met @Anna there.',
    ],
    ['W @Peter, @Anna moved.', 'W', null, ['Peter', 'Anna'], 'moved.'],
    ['W @Peter: in Vienna\nsince March', 'W', null, ['Peter'], 'in Vienna since March'],
    ['W @张三：住在北京', 'W', null, ['张三'], '住在北京'],
    ['W: no entity, a colon', 'W', null, [], 'no entity, a colon'],
    ["W @Peter's birthday is near", 'W', null, ['Peter'], "@Peter's birthday is near"],
    ['W: @Anna: hello', 'W', null, ['Anna'], '@Anna: hello'],
  ])('%s', (item, kind, confidence, entities, text) => {
    const parsed = parseBullet(item);
    expect(parsed).toMatchObject({ type: 'fact', bullet: { kind, confidence, entities, text, blockId: null } });
  });

  it('may end with a block id and comments, which are not its text', () => {
    expect(parseBullet('W @A: b ^f-0123456789abc <!-- trigger: x --> <!-- y -->')).toEqual({
      type: 'fact',
      bullet: {
        kind: 'W',
        confidence: null,
        entities: ['A'],
        statement: '@A: b',
        text: 'b',
        blockId: 'f-0123456789abc',
        origin: null,
      },
    });
  });

  it.each([
    'A friend came by',
    'Bought milk',
    'Oh no',
    'Set up the printer',
    'W',
    'B+ trees are balanced',
    'O(1) lookups, O(n log n) sorts',
    'O(n) @Peter said',
    'S3 is down',
    'W. Smith called',
    'S:\\share\\docs',
    'w is a letter',
    'I @ home',
    '2025-11-27 W @Peter: x',
    '*Was* it @Peter?',
    '',
  ])('is not recognised in: %s', (item) => expect(parseBullet(item)).toEqual({ type: 'plain' }));

  it.each([
    'W@Peter: no space',
    'O(c=0.8)@Peter: no space',
    'O(c=1.7) @Peter: x',
    'O(c=-0.1) @Peter: x',
    'O(c=abc) @Peter: x',
    'O(c=) x',
    'O(c=0.8',
    'O(c=0.8)text',
    'W(c=0.5) @Peter: x',
    'W:',
    'W @Peter:',
    'O(c=0.8)',
    'W:@Peter x',
    'w @Peter: x',
    'o(c=0.8) x',
    'O (c=0.8) @X: y',
    'O( c = 0.8 ) @X: y',
    'O(0.8) @X: y',
    'O（c=0.8） @X: y',
    'W ＠Peter: x',
    'Ｗ @Peter: x',
    'F @Peter: no such kind',
    '**W** @Peter: x',
  ])('was probably meant, and the reason is given: %s', (item) => {
    expect(parseBullet(item)).toEqual({ type: 'malformed', reason: expect.stringMatching(/^(the|there|only) /) });
  });

  it('is read from any text without an error', () => {
    const pieces = fc.constantFrom(
      'W',
      'O',
      'w',
      '(c=',
      '0.5',
      ')',
      ' ',
      '@',
      'Peter',
      ':',
      '：',
      '^f-',
      '`',
      '<!--',
      '\n',
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseBullet(text);
        if (parsed.type === 'fact') expect(parsed.bullet.text).not.toBe('');
        else expect(['malformed', 'plain']).toContain(parsed.type);
      }),
    );
  });
});

describe('a written bullet', () => {
  it('is the line a person would write', () => {
    expect(formatBullet({ kind: 'W', confidence: null, entities: ['Peter'], text: 'in\nVienna' })).toBe(
      '- W @Peter: in Vienna',
    );
    expect(
      formatBullet({ kind: 'O', confidence: 0.8, entities: ['A', 'B'], text: 'x @B', blockId: 'o-0123456789abc' }),
    ).toBe('- O(c=0.8) @A: x @B ^o-0123456789abc');
    expect(formatBullet({ kind: 'S', confidence: null, entities: [], text: 'All well.' })).toBe('- S All well.');
  });

  const kinds = fc.constantFrom('W', 'B', 'O', 'S');
  const names = fc.constantFrom('Peter', 'The-Castle', '张三', 'v2.3', 'Zoë', 'a_b');
  const words = fc.constantFrom(
    'tea',
    '@Anna',
    '@Peter:',
    ':',
    '：',
    '(c=1)',
    '`@x`',
    'a@b.c',
    'https://x.y/@z',
    '＠w',
    ',',
    '- x',
    '使用@张三',
  );
  const texts = fc.oneof(
    fc.array(words, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' ')),
    fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => text.replace(/\s+/g, ' ').trim()),
  );
  const ids = fc.option(fc.constantFrom('f-0123456789abc', 'o-zzzzzzzzzzzzz'));

  it('reads back as the same bullet, through the scanner too', () => {
    fc.assert(
      fc.property(kinds, fc.nat(10_000), fc.uniqueArray(names), texts, ids, (kind, c, entities, text, blockId) => {
        fc.pre(text !== '' && !text.includes('<!--') && !text.includes('\0'));
        const bullet = { kind, confidence: kind === 'O' ? c / 10_000 : null, entities, text, blockId };
        const [item] = scanMarkdown(formatBullet(bullet)).blocks;
        const parsed = parseBullet(item?.type === 'item' ? item.text : '');
        expect(parsed).toMatchObject({ type: 'fact', bullet: { kind, confidence: bullet.confidence, text, blockId } });
        if (parsed.type === 'fact') expect(parsed.bullet.entities).toEqual(expect.arrayContaining(entities));
      }),
      { numRuns: cases(500) },
    );
  });
});

it.each([
  ['@Peter met @Anna and @Peter', ['Peter', 'Anna']],
  ['(@Peter), "@Anna"; *@The-Castle*', ['Peter', 'Anna', 'The-Castle']],
  ['ask @Peter. Or @Anna- maybe', ['Peter', 'Anna']],
  ['@v2.3.1 and @a_b.c', ['v2.3.1', 'a_b.c']],
  ['_@Peter_ is emphasised', ['Peter']],
  ['和@张三 去了 @上海', ['张三', '上海']],
  ['@Zoë and @Zoe\u0308 and @Пётр', ['Zoë', 'Zoe\u0308', 'Пётр']],
  ['@Peter@home', ['Peter']],
])('names are found in: %s', (text, names) => expect(findEntities(text)).toEqual(names));

it.each([
  'peter@example.com',
  'peter.m_@example.com',
  '张三@example.com',
  'git@github.com:org/repo',
  'https://medium.com/@peter/post',
  'https://user:@host.example/path',
  'ssh://a@b',
  'node_modules/@types/node',
  'the `@Peter` decorator and ``@a ` @b``',
  '\\@Peter',
  'a @ b, @, @- and @.',
])('no name is found in: %s', (text) => expect(findEntities(text)).toEqual([]));

it('a name after a URL or an e-mail address is found', () => {
  expect(findEntities('see https://x.y/@a @Peter, mail a@b.c @Anna，见https://x.y/@b，@张三')).toEqual([
    'Peter',
    'Anna',
    '张三',
  ]);
});

it('a mention’s offset points to its text, in any text', () => {
  const pieces = fc.constantFrom(
    '@',
    'Peter',
    '.',
    '-',
    '_',
    ' ',
    '`',
    '://',
    'x',
    '张',
    '\\',
    '\u0308',
    '🎉',
    '\ud800',
  );
  fc.assert(
    fc.property(fc.array(pieces), (parts) => {
      const text = parts.join('');
      for (const { name, start, end } of entityMentions(text)) {
        expect(text.slice(start, end)).toBe(`@${name}`);
        expect(name).toMatch(/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*$/u);
      }
    }),
    { numRuns: cases(300) },
  );
});
