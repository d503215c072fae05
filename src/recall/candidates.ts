import type { FoundUnit, Search, UnitKey } from '../index/search.js';

/** The units that may answer, and which channels brought them. */
export class Candidates {
  private readonly channels = new Map<UnitKey, Set<string>>();
  private readonly units = new Map<UnitKey, FoundUnit | undefined>();
  private readonly loaded = new Set<UnitKey>();

  constructor(private readonly search: Search) {}

  add(channel: string, keys: Iterable<UnitKey>): void {
    for (const key of keys) {
      const channels = this.channels.get(key);
      if (channels === undefined) this.channels.set(key, new Set([channel]));
      else channels.add(channel);
    }
  }

  keys(): readonly UnitKey[] {
    return [...this.channels.keys()];
  }

  get size(): number {
    return this.channels.size;
  }

  channelsOf(key: UnitKey): readonly string[] {
    return [...(this.channels.get(key) ?? [])];
  }

  /**
   * Loads units with those around them in as few reads as possible: neighbouring ranges become one. What was loaded
   * before is not read again.
   */
  load(radius: number): void {
    const keys = [...this.channels.keys()].filter((key) => !this.loaded.has(key)).sort((a, b) => a - b);
    for (const key of keys) this.loaded.add(key);
    for (let i = 0; i < keys.length; ) {
      const from = (keys[i] ?? 0) - radius;
      let to = (keys[i] ?? 0) + radius;
      for (i++; i < keys.length && (keys[i] ?? 0) - radius <= to + 1; i++) to = (keys[i] ?? 0) + radius;
      for (const unit of this.search.range(from, to)) this.units.set(unit.key, unit);
    }
  }

  /** A loaded unit, or one that is fetched now, such as a heading further up. */
  unit(key: UnitKey): FoundUnit | undefined {
    if (!this.units.has(key)) this.units.set(key, this.search.unit(key));
    return this.units.get(key);
  }

  /** A unit `distance` away in the same file and section, if it was loaded. */
  neighbour(unit: FoundUnit, distance: number): FoundUnit | undefined {
    const other = this.units.get(unit.key + distance);
    if (other === undefined || other.file.id !== unit.file.id || other.file.segment !== unit.file.segment)
      return undefined;
    return other.section === unit.section ? other : undefined;
  }
}
