import { isUtf8 } from 'node:buffer';

// Matches a surrogate without a partner, which stands for an invalid byte. With the flag `u`, the halves of a pair do not
// match.
const LONE_BYTE = /([\udc80-\udcff])/u;

const BYTE_ORDER_MARK = 0xfeff;
/**
 * These two characters replace the byte order mark of a UTF-16 page, so that the text shows its encoding. No bytes are ever
 * decoded to them otherwise.
 */
const LITTLE_ENDIAN = 0xdc01;
const BIG_ENDIAN = 0xdc02;

/**
 * Decodes bytes to text. {@link encodeBytes} turns it back into exactly the same bytes. UTF-16 is recognised by its byte
 * order mark. A byte that is not valid UTF-8 becomes a surrogate without a partner, U+DC00 + byte, which valid UTF-8 never
 * contains. Takes linear time.
 */
export function decodeBytes(bytes: Buffer): string {
  const order = byteOrder(bytes);
  if (order !== undefined) return String.fromCharCode(order) + decode16(bytes, order);
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

/** Decodes bytes for reading: each invalid sequence becomes U+FFFD. The text can't be turned back into the same bytes. */
export function decodeReadableText(bytes: Buffer): string {
  const order = byteOrder(bytes);
  return order === undefined ? bytes.toString('utf8') : decode16(bytes, order).replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Encodes a text from {@link decodeBytes} back to its bytes. */
export function encodeBytes(text: string): Buffer {
  const order = text.charCodeAt(0);
  if (isOrder(order)) return Buffer.concat([markOf(order), encode16(text.slice(1), order)]);
  const parts = text.split(LONE_BYTE);
  if (parts.length === 1) return Buffer.from(text, 'utf8');
  return Buffer.concat(
    parts.map((part, i) => (i % 2 === 1 ? Buffer.from([part.charCodeAt(0) - 0xdc00]) : Buffer.from(part, 'utf8'))),
  );
}

/** Encodes a text with the encoding of the page into which it is inserted. */
export function encodeLikePage(page: string, text: string): Buffer {
  const order = page.charCodeAt(0);
  return isOrder(order) ? encode16(text, order) : Buffer.from(text, 'utf8');
}

/** The byte order mark at the start of a text, or ''. It shows the encoding, and is not part of the first line. */
export function byteOrderMark(text: string): string {
  const first = text.charCodeAt(0);
  return first === BYTE_ORDER_MARK || isOrder(first) ? text.charAt(0) : '';
}

type ByteOrder = typeof LITTLE_ENDIAN | typeof BIG_ENDIAN;

function isOrder(unit: number): unit is ByteOrder {
  return unit === LITTLE_ENDIAN || unit === BIG_ENDIAN;
}

/** The byte order of UTF-16 with a mark. Undefined without a mark, for an odd number of bytes, and for UTF-32. */
function byteOrder(bytes: Buffer): ByteOrder | undefined {
  if (bytes.length % 2 === 1 || bytes.length < 2) return undefined;
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return BIG_ENDIAN;
  const isUtf32 = bytes.length >= 4 && bytes[2] === 0 && bytes[3] === 0;
  return bytes[0] === 0xff && bytes[1] === 0xfe && !isUtf32 ? LITTLE_ENDIAN : undefined;
}

/** Whether bytes are UTF-16 with a byte order mark. */
export function isUtf16(bytes: Buffer): boolean {
  return byteOrder(bytes) !== undefined;
}

function markOf(order: ByteOrder): Buffer {
  return Buffer.from(order === LITTLE_ENDIAN ? [0xff, 0xfe] : [0xfe, 0xff]);
}

function decode16(bytes: Buffer, order: ByteOrder): string {
  const units = bytes.subarray(2);
  return (order === LITTLE_ENDIAN ? units : Buffer.from(units).swap16()).toString('utf16le');
}

function encode16(text: string, order: ByteOrder): Buffer {
  const units = Buffer.from(text, 'utf16le');
  return order === LITTLE_ENDIAN ? units : units.swap16();
}

// The length of the well-formed UTF-8 sequence that begins at `at`, or 0. Reads at most four bytes.
function sequenceLength(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  return at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

/** The most frequent line end of a text. LF if there is only one line. */
export function dominantLineEnd(text: string): '\n' | '\r\n' | '\r' {
  const count = { '\n': 0, '\r\n': 0, '\r': 0 };
  for (const [end] of text.matchAll(/\r\n|\n|\r/g)) if (end === '\n' || end === '\r\n' || end === '\r') count[end]++;
  if (count['\r\n'] > count['\n']) return count['\r\n'] >= count['\r'] ? '\r\n' : '\r';
  return count['\r'] > count['\n'] ? '\r' : '\n';
}
