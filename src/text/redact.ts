import { replaceRanges } from './ranges.js';
import { findNamedSecrets } from './secrets/announced.js';
import { findPrivateKeys, findSecretsByPosition } from './secrets/places.js';
import { findTokens, type SecretFinding } from './secrets/tokens.js';

/**
 * Replaces secrets by `[redacted:KIND]`. These are secrets: tokens of known services; private keys; values at the places
 * for a secret in a URL, header or command, such as `Authorization: Bearer …`; values that follow a name such as "password"
 * and look like a secret. A value after such a name that does not look like a secret stays. Doing it twice changes nothing
 * more. Takes linear time.
 */
export function redactSecrets(text: string) {
  const found = findSecrets(text);
  const ranges = found.map(({ kind, index: start, length }) => {
    return { start, end: start + length, by: `[redacted:${kind}]` };
  });
  return { text: replaceRanges(text, ranges), found };
}

/**
 * Finds all secrets. If two overlap, the one that begins first is kept. If both begin at the same place, the longer one is
 * kept.
 */
function findSecrets(text: string): readonly SecretFinding[] {
  const all = [
    ...findPrivateKeys(text),
    ...findTokens(text),
    ...findSecretsByPosition(text),
    ...findNamedSecrets(text),
  ];
  all.sort((a, b) => a.index - b.index || b.length - a.length);
  let end = 0;
  return all.filter(({ index, length }) => {
    if (index < end) return false;
    end = index + length;
    return true;
  });
}
