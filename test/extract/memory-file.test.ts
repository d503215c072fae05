import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMemoryFile, parseMemoryFile } from '../../src/extract/page/form.js';

const NASTY = ['-->', '<!--', '<!-- MEMORY_FIELDS {"a":1} -->', '```', '\\u002d', '{{ x }}', '\r\n', '--', '茶', '"}'];
const text = fc.array(fc.oneof(fc.constantFrom(...NASTY), fc.string())).map((parts) => parts.join(''));

test('fields and body are read back exactly, whatever they contain', () => {
  const fields = fc.dictionary(
    fc.stringMatching(/^[a-z_]{1,8}$/).filter((key) => key !== 'content'),
    fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text)),
  );
  fc.assert(
    fc.property(text, fields, (body, given) => {
      const file = formatMemoryFile(body, given);
      expect(file.trimEnd().endsWith('-->')).toBe(true);
      expect(parseMemoryFile(file)).toEqual({ body: body.trim(), fields: given, state: 'fields' });
    }),
  );
});

test.each([
  ['a comment that is quoted in a fence', 'Docs:\n```\n<!-- MEMORY_FIELDS\n{"version": 7}\n-->\n```\nend', {}],
  ['one that never ends', 'a\n\n<!-- MEMORY_FIELDS\n{"version": 1}', {}],
  ['one in lower case', 'a <!-- memory_fields {} -->', {}],
])('%s is read as text', (_, raw, fields) => {
  expect(parseMemoryFile(raw)).toMatchObject({ body: raw, fields });
});

test('a field value may contain the end of a comment', () => {
  const raw = 'a\n\n<!-- MEMORY_FIELDS\n{"note": "x --> y"}\n-->';
  expect(parseMemoryFile(raw)).toMatchObject({ body: 'a', fields: { note: 'x --> y' } });
});

test('a person’s comment after the fields stays in the body, and the fields stay last', () => {
  const raw = 'a\n\n<!-- MEMORY_FIELDS\n{"n":1}\n-->\n<!-- mine -->\n';
  const { body, fields } = parseMemoryFile(raw);
  expect({ body, fields }).toEqual({ body: 'a\n<!-- mine -->', fields: { n: 1 } });
  expect(formatMemoryFile(body, fields)).toMatch(/<!-- mine -->\n\n<!-- MEMORY_FIELDS[\s\S]*-->\n$/);
});

test('damaged fields are reported as damaged, not as missing', () => {
  expect(parseMemoryFile('a\n\n<!-- MEMORY_FIELDS\n{"n":\n-->')).toMatchObject({ state: 'damaged' });
});
