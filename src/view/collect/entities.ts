import { addToGroup } from '../../base/order.js';
import type { ListedEntity } from '../../index/entity-list.js';
import type { IndexSearch } from '../../index/search.js';
import {
  type CurrentStatement,
  type EntityState,
  type EntityStateReader,
  MAX_ENTITY_FACTS,
} from '../../reflect/entity-state.js';
import {
  countPairs,
  type IndexPairCount,
  type PageEntity,
  type PageItem,
  type PageStatement,
  type StatementWithSource,
} from '../page-data.js';
import type { FileTable } from './places.js';

interface EntitiesInput {
  readonly search: IndexSearch;
  readonly holdings: EntityStateReader;
  readonly entities: readonly ListedEntity[];
  /** Slug of the entity that the page is about; undefined for a page about all entities. */
  readonly only: string | undefined;
  readonly items: readonly PageItem[];
  readonly places: FileTable;
}

/** Maximum number of statements in each section of an entity. */
const MOST_SHOWN = { now: 200, planned: 100, lately: 30, before: 60 } as const;

/**
 * Collects all entities for the page, with their statements. Also returns the full state of each entity by its index,
 * because the page has room for only some statements.
 */
export async function collectEntities(input: EntitiesInput) {
  const { search, holdings, entities, only, places } = input;
  const prose = proseByFile(input);
  const found: PageEntity[] = [];
  const held = new Map<number, EntityState>();
  for (const [place, { name, slug, type, page, mentions }] of entities.entries()) {
    const isShown = only === undefined || only === slug;
    const holds = isShown ? holdings.of(slug) : null;
    if (holds !== null) held.set(place, holds);
    found.push({
      name,
      slug,
      type,
      mentions,
      aliases: isShown ? (search.entity(slug)?.slugs.slice(1) ?? []) : [],
      page: page === null || !isShown ? null : places.at(page, 1),
      prose: (page === null ? undefined : prose.get(page)) ?? [],
      holds: holds && toPage(holds, places),
      hasMore:
        holds !== null &&
        ((only === undefined && mentions > MAX_ENTITY_FACTS) ||
          PARTS.some((part) => holds[part].length > MOST_SHOWN[part])),
    });
  }
  return { entities: found, held };
}

const PARTS = ['now', 'planned', 'lately', 'before'] as const;

function toPage(holds: EntityState, places: FileTable): PageEntity['holds'] {
  const part = (name: (typeof PARTS)[number]): readonly PageStatement[] =>
    holds[name].slice(0, MOST_SHOWN[name]).map(({ text, source, from, to, ending, earlier }) => {
      const period = { from, ...(to === null ? {} : { to }), ...(ending === null ? {} : { ending }) };
      const said = { text, at: places.source(source), ...period };
      return earlier ? { ...said, earlier: earlier.map((one) => toStatementSource(one, places)) } : said;
    });
  return { now: part('now'), planned: part('planned'), lately: part('lately'), before: part('before') };
}

/** Text and source of a statement. */
export function toStatementSource(
  { text, source }: Pick<CurrentStatement, 'text' | 'source'>,
  places: FileTable,
): StatementWithSource {
  return { text, at: places.source(source) };
}

function proseByFile({ items, places, entities }: EntitiesInput): ReadonlyMap<string, readonly number[]> {
  const pages = new Set(entities.flatMap(({ page }) => page ?? []));
  const prose = new Map<string, number[]>();
  for (const [index, { at }] of items.entries()) {
    const path = places.files[at[0]]?.path ?? '';
    if (pages.has(path)) addToGroup(prose, path, index);
  }
  return prose;
}

/** Pairs of entities with the number of facts that name both, most first. */
export function countEntityPairs(items: readonly PageItem[]): readonly IndexPairCount[] {
  const facts = items.filter(({ kind }) => kind !== 'log' && kind !== 'page');
  const ends = facts.flatMap(({ about = [] }) =>
    about.flatMap((one, at) => about.slice(at + 1).map((other) => [one, other] as const)),
  );
  return countPairs(ends).sort((a, b) => b[2] - a[2] || a[0] - b[0] || a[1] - b[1]);
}
