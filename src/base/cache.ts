/** What makes a value when it is first asked for, and gives the same one ever after. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** What is made of each value when it is first asked for, and kept. */
export function memoize<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, { readonly value: Value }>();
  return (key) => {
    const kept = known.get(key) ?? { value: make(key) };
    known.set(key, kept);
    return kept.value;
  };
}

/** Values that are right while nobody writes, by what was asked; when there are too many, it begins anew. */
export class Cache<Key, Value> {
  private readonly values = new Map<Key, Value>();

  constructor(private readonly most = Number.POSITIVE_INFINITY) {}

  get(key: Key): Value | undefined {
    return this.values.get(key);
  }

  /** What is kept under a key; it is made when it is first asked for. */
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
