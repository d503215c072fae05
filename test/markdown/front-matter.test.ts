import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readFrontMatter } from '../../src/markdown/front-matter.js';
import { cases } from '../support/cases.js';

const read = (yaml: string) => readFrontMatter(`---\n${yaml}\n---\ntext: no\n`.split('\n'));

it('values, quoted strings and both kinds of lists are read', () => {
  const yaml = [
    'name: Peter Steinberger # the boss',
    "aliases: [Pete, \"P, S\", 'it''s', C#]",
    'type: person',
    'url: https://x.y/#z',
    'say: "a \\"b\\" # c"',
    'tags:',
    '  - one',
    '- "two: 2"',
    'empty:',
    '姓名: 张三',
  ].join('\n');
  expect(read(yaml)).toEqual({
    name: 'Peter Steinberger',
    aliases: ['Pete', 'P, S', "it's", 'C#'],
    type: 'person',
    url: 'https://x.y/#z',
    say: 'a "b" # c',
    tags: ['one', 'two: 2'],
    empty: [],
    姓名: '张三',
  });
});

it('the key `__proto__` is an ordinary key', () => {
  expect(Object.keys(read('__proto__: x'))).toEqual(['__proto__']);
});

it.each([['no front matter'], ['---\nname: Peter'], ['---\nname: Peter\nfree text\n---']])(
  '%j has no values',
  (text) => {
    expect(readFrontMatter(text.split('\n'))).toEqual({});
  },
);

it('reads anything without an error', () => {
  const pieces = fc.constantFrom(
    'a',
    ': ',
    ':',
    '\n',
    '- ',
    '[',
    ']',
    ',',
    '"',
    "'",
    '\\',
    '#',
    ' ',
    '|',
    '&x',
    '*x',
    '{',
  );
  fc.assert(
    fc.property(fc.array(pieces), (parts) => {
      for (const value of Object.values(read(`k: v\n${parts.join('')}`))) {
        expect([value].flat().every((one) => typeof one === 'string')).toBe(true);
      }
    }),
    { numRuns: cases(300) },
  );
});
