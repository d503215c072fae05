/** Computes a value on the first call and returns the same one afterwards. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Computes a value for each key on the first call and keeps it. */
export function memoize<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, { readonly value: Value }>();
  return (key) => {
    const kept = known.get(key) ?? { value: make(key) };
    known.set(key, kept);
    return kept.value;
  };
}

/** Values that stay right while nobody writes, by key. When the cache is full, all values are dropped. */
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
