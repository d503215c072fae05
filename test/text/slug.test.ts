import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { decodeBytes, encodeBytes } from '../../src/text/bytes.js';
import { entitySlug, safeFileName } from '../../src/text/slug.js';
import { cases } from '../support/cases.js';

describe('the slug of an entity', () => {
  it.each([
    ['Peter', 'peter'],
    ['@The-Castle', 'the-castle'],
    [' The  Castle ', 'the-castle'],
    ['Ｐｅｔｅｒ', 'peter'],
    ['Zoe\u0308', 'zo\u00eb'],
    ['张三', '张三'],
    ['v2.3', 'v2.3'],
  ])('of %j is %j', (name, slug) => expect(entitySlug(name)).toBe(slug));

  it('is its own slug', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(entitySlug(entitySlug(name))).toBe(entitySlug(name));
      }),
    );
  });
});

describe('the file name of a page', () => {
  it.each(['Peter', 'The-Castle', 'warelay', '张三', 'v2.3.1', 'a_b', '🎉', 'Zo\u00eb', 'console', 'com10'])(
    'stays unchanged: %s',
    (name) => {
      expect(safeFileName(name)).toBe(name);
    },
  );

  it('handles white space as the slug does, without the leading @', () => {
    expect(safeFileName('@The Castle')).toBe('The-Castle');
  });

  it.each([
    ['../../etc/passwd', /^etc-passwd-[0-9a-f]{8}$/],
    ['.', /^page-[0-9a-f]{8}$/],
    ['..', /^page-[0-9a-f]{8}$/],
    ['', /^page-[0-9a-f]{8}$/],
    ['.hidden', /^hidden-[0-9a-f]{8}$/],
    ['-rf', /^rf-[0-9a-f]{8}$/],
    ['con', /^con-[0-9a-f]{8}$/],
    ['NUL', /^NUL-[0-9a-f]{8}$/],
    ['con.txt', /^con-txt-[0-9a-f]{8}$/],
    ['COM1', /^COM1-[0-9a-f]{8}$/],
    ['a.', /^a-[0-9a-f]{8}$/],
    ['C:\\x', /^C-x-[0-9a-f]{8}$/],
    ['a\0b', /^a-b-[0-9a-f]{8}$/],
    ['a\u202eb', /^a-b-[0-9a-f]{8}$/],
  ])('of %j is safe', (name, pattern) => expect(safeFileName(name)).toMatch(pattern));

  const parts = fc.constantFrom(
    '..',
    '.',
    '/',
    '\\',
    'con',
    'nul',
    ' ',
    'a',
    '张',
    '🎉',
    '\0',
    '-',
    '@',
    '\ud800',
    ':',
    'x'.repeat(50),
  );
  const names = fc.oneof(
    fc.array(parts).map((all) => all.join('')),
    fc.string({ unit: 'binary' }),
  );

  it('stays in its folder, is portable and short for any name', () => {
    fc.assert(
      fc.property(names, (name) => {
        const file = safeFileName(name);
        expect(file).not.toMatch(/[/\\:*?"<>|\p{Cc}\p{Cs}]|^[-.\s]|[.\s]$|^$/u);
        expect(file).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
        expect(Buffer.byteLength(file)).toBeLessThanOrEqual(120);
        expect(safeFileName(file)).toBe(file);
      }),
      { numRuns: cases(500) },
    );
  });

  it('is shared only by names that differ in white space or Unicode composition', () => {
    const key = (name: string) =>
      name
        .normalize('NFC')
        .replace(/^[\s@]+/, '')
        .trim()
        .replace(/\s+/g, '-');
    fc.assert(
      fc.property(names, names, (a, b) => {
        fc.pre(key(a) !== key(b));
        expect(safeFileName(a)).not.toBe(safeFileName(b));
      }),
      { numRuns: cases(500) },
    );
  });
});

test('any bytes survive decoding and encoding, even invalid UTF-8', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      expect(encodeBytes(decodeBytes(Buffer.from(bytes)))).toEqual(Buffer.from(bytes));
    }),
    { numRuns: cases(500), seed: 8 },
  );
});

test('valid UTF-8 is decoded between invalid bytes', () => {
  expect(decodeBytes(Buffer.from('\ufeffgrün 🚀', 'utf8'))).toBe('\ufeffgrün 🚀');
  expect(decodeBytes(Buffer.from([0xff, ...Buffer.from('é🚀'), 0xe4, 0xb8]))).toBe('\udcffé🚀\udce4\udcb8');
});
