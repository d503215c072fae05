import { createHash } from 'node:crypto';

/** A name that needs no folding. Most names are of this kind. */
const PLAIN_NAME = /^[\w.-]+$/;

/**
 * The key of an entity: Unicode NFKC, lower case, `-` for white space, without a leading `@`. Applying it twice changes
 * nothing more.
 */
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
 * Makes a file name (without folder and extension) for a page about `name`. The result can't be read as a path, a
 * hidden file, a command option or a Windows device. It is valid on every system and has at most 120 bytes. A valid
 * name stays as it is, with `-` for white space. Any other name gets a hash at its end, so that two names never have
 * the same file.
 */
export function safeFileName(name: string): string {
  const bare = name.normalize('NFC').replace(/^[\s@]+/, '');
  const written = bare.trim().replace(/[^\S\p{Zl}\p{Zp}]+/gu, '-');
  const clean = written.replace(FORBIDDEN, '-').replace(EDGES, '');
  const fits = Buffer.byteLength(clean) <= MAX_BYTES;
  if (clean === written && clean !== '' && fits && !DEVICE.test(clean)) return clean;
  const hash = createHash('sha256').update(written).digest('hex').slice(0, 8);
  const kept = cutToBytes(clean, MAX_BYTES - hash.length - 1).replace(/[-.\s]+$/, '');
  // Replaces the dot in a name such as `con.x-…`, which Windows takes for a device. `con-…` is not a device.
  return `${kept === '' ? 'page' : kept.replace(DEVICE, (device) => device.replace('.', '-'))}-${hash}`;
}

/** The longest beginning of a text that takes at most `limit` bytes of UTF-8. Never cuts a character. */
function cutToBytes(text: string, limit: number): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, limit), { stream: true });
}

/** Joins the words of a command to one line for the shell `sh`. Puts quotes around words that need them. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

export function shellWord(word: string): string {
  return /^[\w@+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
