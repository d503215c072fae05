/** Index of the first element of a sorted list that is not below `key`; the length when all are. */
export function firstNotBelow(sorted: readonly string[], key: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** True when `longer` starts with `key` and goes on with something that is not part of the same word. */
export function continuesAfter(longer: string, key: string): boolean {
  return key !== '' && longer.startsWith(key) && /^[^\p{L}\p{M}\p{N}_]/u.test(longer.slice(key.length, key.length + 2));
}
