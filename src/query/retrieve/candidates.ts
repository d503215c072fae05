import type { FoundLine, FoundUnit, IndexSearch, UnitKey } from '../../index/search.js';

/** Distances, in lines, of the neighbours that are added for each found line. */
const BESIDE = [-2, -1, 1, 2] as const;

/** The units that may answer a question, with the channels that found each of them. */
export class Candidates {
  private readonly channels = new Map<UnitKey, Set<string>>();
  private readonly units = new Map<UnitKey, FoundUnit | undefined>();
  private readonly lines = new Map<UnitKey, FoundLine>();
  /** The line whose neighbours were asked for last: who asks for one asks for others. */
  private at: FoundLine | undefined;
  /** The units around which the lines are loaded. */
  private readonly surrounded = new Set<UnitKey>();

  constructor(private readonly search: IndexSearch) {}

  add(channel: string, keys: Iterable<UnitKey>): void {
    for (const key of keys) {
      const channels = this.channels.get(key);
      if (channels === undefined) this.channels.set(key, new Set([channel]));
      else channels.add(channel);
    }
  }

  /** Adds the lines beside some units, of their own files: an answer need not repeat the words of what it answers. */
  addNeighbours(keys: readonly UnitKey[]): void {
    const beside = this.those(keys).flatMap(({ key, file: { firstUnit, lastUnit } }) =>
      BESIDE.map((distance) => key + distance).filter((near) => near >= firstUnit && near <= lastUnit),
    );
    this.add('neighbour', beside);
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
   * Loads units, their headings and the lines around them in as few reads as possible: neighbouring ranges become
   * one. What was loaded before is not read again.
   */
  load(radius: number): void {
    const keys = [...this.channels.keys()].filter((key) => !this.surrounded.has(key)).sort((a, b) => a - b);
    for (const key of keys) this.surrounded.add(key);
    this.loadUnits(keys);
    this.loadUnits(keys.flatMap((key) => this.units.get(key)?.section ?? []));
    for (let i = 0; i < keys.length; ) {
      const from = (keys[i] ?? 0) - radius;
      let to = (keys[i] ?? 0) + radius;
      for (i++; i < keys.length && (keys[i] ?? 0) - radius <= to + 1; i++) to = (keys[i] ?? 0) + radius;
      for (const line of this.search.lines(from, to)) this.lines.set(line.key, line);
    }
  }

  private loadUnits(keys: readonly UnitKey[]): void {
    const missing = [...new Set(keys)].filter((key) => !this.units.has(key));
    for (const key of missing) this.units.set(key, undefined);
    for (const unit of this.search.units(missing)) this.units.set(unit.key, unit);
  }

  /** Loads and returns some units, with as few reads as possible. */
  those(keys: readonly UnitKey[]): readonly FoundUnit[] {
    this.loadUnits(keys);
    return keys.flatMap((key) => this.units.get(key) ?? []);
  }

  /** A loaded unit, or one that is fetched now, such as a heading further up. */
  unit(key: UnitKey): FoundUnit | undefined {
    if (!this.units.has(key)) this.units.set(key, this.search.unit(key));
    return this.units.get(key);
  }

  /** The line `distance` away in the same file and section, if it was loaded. */
  neighbour({ key }: FoundUnit, distance: number): FoundLine | undefined {
    if (this.at?.key !== key) this.at = this.lines.get(key);
    const own = this.at;
    const other = this.lines.get(key + distance);
    return own !== undefined && other?.file === own.file && other.section === own.section ? other : undefined;
  }
}
