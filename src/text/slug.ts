import { createHash } from 'node:crypto';

/** Common case: a name without anything to fold. */
const PLAIN_NAME = /^[\w.-]+$/;

/** The key of an entity: NFKC, lower-case, white space → `-`, a leading `@` dropped. Applying it twice changes nothing. */
export function entitySlug(name: string): string {
  if (PLAIN_NAME.test(name)) return name.toLowerCase();
  const folded = name.normalize('NFKC').toLowerCase().normalize('NFKC');
  const bare = folded.replace(/^[\s@]+/, '').trim();
  return bare.replace(/\s+/g, '-');
}

const MAX_BYTES = 120;
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff/\\:*?"<>|]+/gu;
const EDGES = /^[-.@\s]+|[.\s]+$/g;
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/**
 * A file name (without folder and extension) for a page about `name`. It is never a path, a hidden file, an option or a
 * Windows device; it is portable and has at most 120 bytes. A valid name stays, with `-` for white space. Any other name
 * gets a hash suffix, so that two names never share a file.
 */
export function safeFileName(name: string): string {
  const bare = name.normalize('NFC').replace(/^[\s@]+/, '');
  const written = bare.trim().replace(/[^\S\p{Zl}\p{Zp}]+/gu, '-');
  const clean = written.replace(FORBIDDEN, '-').replace(EDGES, '');
  const fits = Buffer.byteLength(clean) <= MAX_BYTES;
  if (clean === written && clean !== '' && fits && !DEVICE.test(clean)) return clean;
  const hash = createHash('sha256').update(written).digest('hex').slice(0, 8);
  const kept = cutToBytes(clean, MAX_BYTES - hash.length - 1).replace(/[-.\s]+$/, '');
  // `con-…` is no device, `con.x-…` still is.
  return `${kept === '' ? 'page' : kept.replace(DEVICE, (device) => device.replace('.', '-'))}-${hash}`;
}

/** The longest head of whole characters that takes at most `limit` bytes of UTF-8. */
function cutToBytes(text: string, limit: number): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, limit), { stream: true });
}
