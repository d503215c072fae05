/** Returns a function that computes a value on its first call and returns the same value on every later call. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Returns a function that computes the value of each key once and returns that value on every later call with the key. */
export function memoize<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, { readonly value: Value }>();
  return (key) => {
    const kept = known.get(key) ?? { value: make(key) };
    known.set(key, kept);
    return kept.value;
  };
}

/**
 * Computed values by key. The values stay valid as long as nobody changes the data that they come from. A full cache drops
 * all its values.
 */
export class Cache<Key, Value> {
  private readonly values = new Map<Key, Value>();

  constructor(private readonly most = Number.POSITIVE_INFINITY) {}

  get(key: Key): Value | undefined {
    return this.values.get(key);
  }

  /** The value under a key, computed on the first call. */
  of(key: Key, make: () => Value): Value {
    const known = this.values.get(key);
    return known === undefined ? this.add(key, make()) : known;
  }

  add(key: Key, value: Value): Value {
    if (this.values.size >= this.most) this.clear();
    this.values.set(key, value);
    return value;
  }

  clear(): void {
    this.values.clear();
  }
}
