import { findMatchEnd } from '../sticky.js';
import type { SecretFinding } from './tokens.js';

const KEY_BEGIN =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----|PuTTY-User-Key-File-\d:/g;
const KEY_END =
  /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|---- END SSH2 ENCRYPTED PRIVATE KEY ----|Private-MAC: ?[0-9a-f]{32,64}/g;
/** Maximum length of a private key, in UTF-16 units. If its end line is farther away, it belongs to another key. */
const LONGEST_KEY = 20_000;

/** Finds private keys, even if they are incomplete or written on one line. Takes linear time. */
export function* findPrivateKeys(text: string): Iterable<SecretFinding> {
  const ends = [...text.matchAll(KEY_END)].map((match) => match.index + match[0].length);
  let next = 0;
  let done = 0;
  for (const { index, 0: header } of text.matchAll(KEY_BEGIN)) {
    if (index < done) continue;
    const body = index + header.length;
    while ((ends[next] ?? Infinity) <= body) next++;
    const end = ends[next];
    done = end !== undefined && end - index <= LONGEST_KEY ? end : cutOffEnd(text, body);
    yield { kind: 'private-key', index, length: done - index };
  }
}

// The end of a private key without an end line: where the lines stop looking like a key.
function cutOffEnd(text: string, from: number): number {
  return Math.max(from, findMatchEnd(/(?:(?:\s|\\[rn]){0,4}[A-Za-z0-9+/=]{16,})*/y, text, from));
}
