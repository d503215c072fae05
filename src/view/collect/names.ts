import type { ListedEntity } from '../../index/entity-list.js';
import type { Search } from '../../index/search.js';
import { entitySlug } from '../../text/slug.js';

/** Entities by their place in the page's list, whatever name they are called by. */
export class Names {
  private readonly places: Map<string, number>;
  private readonly known = new Map<string, number | undefined>();

  constructor(
    private readonly search: Search,
    entities: readonly ListedEntity[],
  ) {
    this.places = new Map(entities.map(({ slug }, place) => [slug, place]));
  }

  index(name: string): number | undefined {
    if (!this.known.has(name)) {
      const slug = entitySlug(name);
      this.known.set(name, this.places.get(slug) ?? this.places.get(this.search.entity(slug)?.slug ?? ''));
    }
    return this.known.get(name);
  }

  /** Of some names, each once, in their order. */
  indices(names: readonly string[]): readonly number[] {
    return [...new Set(names.flatMap((name) => this.index(name) ?? []))];
  }
}
