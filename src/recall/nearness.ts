import type { FoundUnit, Search, UnitKey } from '../index/search.js';
import { embeddedText } from '../index/vectors/embedded-text.js';
import type { VectorSearch } from '../index/vectors/nearest.js';
import { VectorChannel } from './channels/vector.js';

/** How near units are to each other by meaning, as far as they have vectors. Asks no model. */
export class Nearness {
  private readonly channels = new Map<UnitKey, VectorChannel | undefined>();

  constructor(
    private readonly search: Search,
    private readonly vectors: VectorSearch,
  ) {}

  /** 0 for what is no nearer than any two texts, up to 1; 0 also where one of them has no vector. */
  between(one: FoundUnit, other: FoundUnit): number {
    if (!this.channels.has(one.key)) this.channels.set(one.key, this.channelOf(one));
    const signals = this.channels.get(one.key)?.signals([other], (unit) => this.headingOf(unit));
    return signals?.get(other.key) ?? 0;
  }

  private channelOf(unit: FoundUnit): VectorChannel | undefined {
    const text = embeddedText(unit, this.headingOf(unit));
    const vector = text === undefined ? undefined : this.vectors.vectorOf(text.hash);
    return vector === undefined ? undefined : new VectorChannel(this.search, this.vectors, vector);
  }

  private headingOf({ section }: FoundUnit): FoundUnit | undefined {
    return section === null ? undefined : this.search.unit(section);
  }
}
