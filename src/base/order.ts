/** Orders texts by their code units, independent of the machine's language. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Binary search. Returns the first index below `length` for which `isBelow` is false, or `length` if there is none.
 * `isBelow` must be true for all indexes before that one and false for all others.
 */
export function findFirstNotBelow(length: number, isBelow: (place: number) => boolean): number {
  let low = 0;
  for (let high = length; low < high; ) {
    const middle = (low + high) >> 1;
    if (isBelow(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adds a value to the list under a key. */
export function addToGroup<K, T>(groups: Map<K, T[]>, key: K, value: T): void {
  const known = groups.get(key);
  if (known === undefined) groups.set(key, [value]);
  else known.push(value);
}

/** Groups values by a key. Keeps the order of the values. */
export function groupBy<K, T>(values: Iterable<T>, keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) addToGroup(groups, keyOf(value), value);
  return groups;
}

/**
 * The number of equal values at the start of two lists, and the number of equal values at their end. A value that is
 * counted at the start is not counted at the end.
 */
export function commonStartAndEndLengths<T>(a: readonly T[], b: readonly T[]): readonly [start: number, end: number] {
  const most = Math.min(a.length, b.length);
  let [start, end] = [0, 0];
  while (start < most && a[start] === b[start]) start++;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [start, end];
}

/** Adds all values to a list. `push(...values)` overflows the stack from some 120,000 values on. */
export function addAll<T>(to: T[], values: Iterable<T>): void {
  for (const value of values) to.push(value);
}

/**
 * The largest of the values, or `least` if no value is larger. Works for any number of values; `Math.max(...values)` would
 * overflow the stack.
 */
export function largest(values: Iterable<number>, least = Number.NEGATIVE_INFINITY): number {
  let found = least;
  for (const value of values) if (value > found) found = value;
  return found;
}

/** The smallest of the values, or `most` if no value is smaller. Works for any number of values. */
export function smallest(values: Iterable<number>, most = Number.POSITIVE_INFINITY): number {
  let found = most;
  for (const value of values) if (value < found) found = value;
  return found;
}

/** Places of the `limit` largest values, in no particular order. */
export function placesOfLargest(values: Float32Array, limit: number): readonly number[] {
  let places: number[] = [];
  let least = Number.NEGATIVE_INFINITY;
  const cut = (): void => {
    places = places.sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0)).slice(0, limit);
    if (places.length === limit) least = values[places[limit - 1] ?? 0] ?? least;
  };
  for (let at = 0; at < values.length; at++) {
    if ((values[at] ?? 0) <= least) continue;
    places.push(at);
    if (places.length >= 4 * limit) cut();
  }
  cut();
  return places;
}
