import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBytes, encodeBytes } from '../../src/text/bytes.js';
import { cases } from '../support/cases.js';

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
