import fc from 'fast-check';
import { expect, it } from 'vitest';
import { entityMentions, findEntities } from '../../src/markdown/entities.js';
import { cases } from '../support/cases.js';

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
