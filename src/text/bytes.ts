import { isUtf8 } from 'node:buffer';

// Only lone surrogates: with the flag, the halves of a pair do not match.
const LONE_BYTE = /([\udc80-\udcff])/u;

/**
 * Bytes as text that {@link encodeBytes} turns back into the same bytes, also where they are no UTF-8: such a byte
 * becomes a lone surrogate, U+DC00 + byte, which no valid UTF-8 decodes to. Linear.
 */
export function decodeBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const parts: string[] = [];
  let validFrom = 0;
  for (let i = 0; i < bytes.length; ) {
    const length = sequenceLength(bytes, i);
    if (length > 0) {
      i += length;
      continue;
    }
    parts.push(bytes.toString('utf8', validFrom, i), String.fromCharCode(0xdc00 + (bytes[i] ?? 0)));
    i += 1;
    validFrom = i;
  }
  parts.push(bytes.toString('utf8', validFrom));
  return parts.join('');
}

/** The bytes that {@link decodeBytes} made `text` of. */
export function encodeBytes(text: string): Buffer {
  const parts = text.split(LONE_BYTE);
  if (parts.length === 1) return Buffer.from(text, 'utf8');
  return Buffer.concat(
    parts.map((part, i) => (i % 2 === 1 ? Buffer.from([part.charCodeAt(0) - 0xdc00]) : Buffer.from(part, 'utf8'))),
  );
}

// The length of the well-formed UTF-8 sequence that begins at `at`, or 0. At most four bytes are looked at.
function sequenceLength(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  return at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

/** The line end that most lines of a text have; LF for a text of one line. */
export function dominantEnd(text: string): '\n' | '\r\n' | '\r' {
  const count = { '\n': 0, '\r\n': 0, '\r': 0 };
  for (const [end] of text.matchAll(/\r\n|\n|\r/g)) if (end === '\n' || end === '\r\n' || end === '\r') count[end]++;
  if (count['\r\n'] > count['\n']) return count['\r\n'] >= count['\r'] ? '\r\n' : '\r';
  return count['\r'] > count['\n'] ? '\r' : '\n';
}
