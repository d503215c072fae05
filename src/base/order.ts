/** Orders texts by their code units: the same on every machine, whatever its language. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The first place from 0 to `length` of which `isBelow` is not true, where it is true of all before it; else `length`. */
export function firstNotBelow(length: number, isBelow: (place: number) => boolean): number {
  let low = 0;
  for (let high = length; low < high; ) {
    const middle = (low + high) >> 1;
    if (isBelow(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adds a value to those under a key. */
export function addTo<K, T>(groups: Map<K, T[]>, key: K, value: T): void {
  const known = groups.get(key);
  if (known === undefined) groups.set(key, [value]);
  else known.push(value);
}

/** Some values by a key, in their order. */
export function groupBy<K, T>(values: Iterable<T>, keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) addTo(groups, keyOf(value), value);
  return groups;
}

/** How many values two lists have in common at their beginning, and how many of the others at their end. */
export function commonEnds<T>(a: readonly T[], b: readonly T[]): readonly [start: number, end: number] {
  const most = Math.min(a.length, b.length);
  let [start, end] = [0, 0];
  while (start < most && a[start] === b[start]) start++;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [start, end];
}
