import { replaceRanges } from './ranges.js';
import { findAnnounced } from './secrets/announced.js';
import { findPlaced } from './secrets/places.js';
import { findPrivateKeys } from './secrets/private-keys.js';
import { findTokens, type SecretFinding } from './secrets/tokens.js';

/**
 * Replaces secrets by `[redacted:KIND]`: tokens of known issuers, blocks of private keys, values at the place of a secret in
 * a URL, header or command, and values that look like a secret after a name for one. Words such as "key" or "password" alone
 * do not count. Idempotent; linear.
 */
export function redactSecrets(text: string) {
  const found = findSecrets(text);
  const ranges = found.map(({ kind, index: start, length }) => {
    return { start, end: start + length, by: `[redacted:${kind}]` };
  });
  return { text: replaceRanges(text, ranges), found };
}

/** If two findings overlap, keep the one that begins first, or else the longer one. */
function findSecrets(text: string): readonly SecretFinding[] {
  const all = [...findPrivateKeys(text), ...findTokens(text), ...findPlaced(text), ...findAnnounced(text)];
  all.sort((a, b) => a.index - b.index || b.length - a.length);
  let end = 0;
  return all.filter(({ index, length }) => {
    if (index < end) return false;
    end = index + length;
    return true;
  });
}
