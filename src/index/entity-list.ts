import { Cache } from '../base/cache.js';
import { PreparedStatementCache } from '../db/open.js';
import { noteSlug, wholeNameSlug } from '../memory/page/names.js';
import { entitySlug } from '../text/slug.js';
import type { IndexSegment, KnownEntity } from './found.js';
import { parseDetail } from './row.js';

/** SQL condition: a row of `link` stands for an entity, not for a name, tag, term or wiki link. */
export const ENTITY_LINK_FILTER = "substr(link.slug, 1, 1) NOT IN ('=', '~', '/', '#', '[', '@', ':', ';', '!')";

/**
 * SQL query for facts that name somebody by a full name such as `@Anna Schmidt`, if a page or alias has this name. Such
 * facts do not count as facts about `@Anna`.
 */
export const WHOLE_NAME_FACTS_QUERY = `SELECT unit, slug FROM link WHERE slug >= '@' AND slug < 'A'
  AND substr(slug, 2) IN (SELECT slug FROM entity UNION ALL SELECT alias FROM alias)`;

/** An entity that has a page or is mentioned. */
export interface ListedEntity {
  /**
   * The name as the page of the entity writes it. Without a page, the name as the first fact about the entity writes it;
   * otherwise the slug.
   */
  readonly name: string;
  readonly slug: string;
  readonly type: string | null;
  readonly page: string | null;
  /** Number of facts and lines that mention the entity under any of its names. */
  readonly mentions: number;
}

/**
 * Lists all entities, the most mentioned first. A mention by an alias, or by a link to a page, counts for the entity of that
 * page.
 */
export function listEntities(segments: readonly IndexSegment[]): readonly ListedEntity[] {
  const pages = new Map<string, ListedEntity>();
  const canonical = new Map<string, string>();
  for (const segment of segments) readPages(segment, pages, canonical);
  const { mentions, isNamed } = mentionsOf(segments, pages, canonical);
  const found = new Map(pages);
  const names = new WrittenNames(segments);
  for (const [slug, count] of mentions) {
    if (count > 0 && !found.has(slug) && isNamed.has(slug))
      found.set(slug, { name: names.of(slug), slug, type: null, page: null, mentions: 0 });
  }
  return [...found.values()]
    .map((entity) => ({ ...entity, mentions: mentions.get(entity.slug) ?? 0 }))
    .sort((a, b) => b.mentions - a.mentions || (a.slug < b.slug ? -1 : 1));
}

/**
 * Counts the mentions of each entity. `isNamed` contains the slugs that certainly stand for entities, see {@link
 * countMentions}.
 */
function mentionsOf(
  segments: readonly IndexSegment[],
  pages: ReadonlyMap<string, ListedEntity>,
  canonical: ReadonlyMap<string, string>,
): { readonly mentions: ReadonlyMap<string, number>; readonly isNamed: ReadonlySet<string> } {
  const mentions = new Map<string, number>();
  const isNamed = new Set<string>();
  for (const segment of segments) {
    for (const [slug, count, named] of countMentions(segment)) {
      const own = pages.has(slug) ? slug : (canonical.get(slug) ?? slug);
      if (/^[[@]/u.test(own)) continue;
      mentions.set(own, (mentions.get(own) ?? 0) + count);
      if (named > 0) isNamed.add(own);
    }
    for (const [slug, count] of countCutNames(segment)) mentions.set(slug, (mentions.get(slug) ?? 0) - count);
  }
  return { mentions, isNamed };
}

function isUnmasked({ masked }: IndexSegment): string {
  return masked.size > 0 ? `AND file.id NOT IN (${[...masked].join(',')})` : '';
}

/** Finds the entity with this slug as name or alias. An entity without a page is found only if it is mentioned somewhere. */
export function findEntity(prepared: PreparedStatementCache, slug: string): KnownEntity | undefined {
  const canonical = prepared.of('SELECT slug FROM alias WHERE alias = ? ORDER BY slug LIMIT 1').pluck().get(slug);
  const own = typeof canonical === 'string' ? canonical : slug;
  const page = prepared
    .of<{ name: string; path: string }>(
      'SELECT entity.name AS name, file.path AS path FROM entity JOIN file ON file.id = entity.file WHERE slug = ? LIMIT 1',
    )
    .get(own);
  if (page === undefined) {
    const linked = prepared.of('SELECT 1 FROM link WHERE slug = ? LIMIT 1').get(own) !== undefined;
    return linked ? { slug: own, slugs: [own], links: [], name: null, path: null } : undefined;
  }
  const aliases = prepared.of<string>('SELECT alias FROM alias WHERE slug = ? ORDER BY alias').pluck().all(own);
  return {
    slug: own,
    slugs: [own, ...aliases],
    links: [...[page.name, ...aliases].map(noteSlug), ...[own, ...aliases].map(wholeNameSlug)],
    ...page,
  };
}

/**
 * Reads the entities that have pages.
 * @param canonical is filled: it maps each alias, and each link to a page of an entity, to the slug of the entity
 */
function readPages(segment: IndexSegment, pages: Map<string, ListedEntity>, canonical: Map<string, string>): void {
  const named = segment.db
    .prepare<[], [string, string, string | null, string]>(
      `SELECT slug, name, type, path FROM entity JOIN file ON file.id = entity.file WHERE 1 ${isUnmasked(segment)} ORDER BY path`,
    )
    .raw();
  for (const [slug, name, type, page] of named.all()) {
    pages.set(slug, { name, slug, type, page, mentions: 0 });
    for (const key of [noteSlug(name), wholeNameSlug(slug)]) canonical.set(key, slug);
  }
  for (const [alias, slug] of segment.db.prepare<[], [string, string]>('SELECT alias, slug FROM alias').raw().all())
    for (const name of [alias, noteSlug(alias), wholeNameSlug(alias)]) canonical.set(name, slug);
}

/**
 * For each slug: the number of its mentions, and how many of them show that the slug is an entity. A mention shows this
 * unless it is in the prose of a topic page outside of `memory/`. There an `@` may mean anything, such as `@font-face`.
 */
function countMentions(segment: IndexSegment): readonly (readonly [string, number, number])[] {
  return segment.db
    .prepare<[], [string, number, number]>(
      `SELECT link.slug, count(*), sum(unit.fact IS NOT NULL OR file.role <> 'topic' OR file.path LIKE 'memory/%')
       FROM link JOIN unit ON unit.id = link.unit JOIN file ON file.id = unit.file
       WHERE file.role <> 'entity' AND (${ENTITY_LINK_FILTER} OR link.slug LIKE '[[%' OR link.slug LIKE '@%') ${isUnmasked(segment)} GROUP BY link.slug`,
    )
    .raw()
    .all();
}

/**
 * A full name such as "anna-schmidt" begins with a shorter name: "anna". For each shorter name: the number of facts
 * that use such a full name, if a page or alias has the full name. These facts do not count as facts about "anna".
 */
function countCutNames(segment: IndexSegment): readonly (readonly [string, number])[] {
  return segment.db
    .prepare<[], [string, number]>(
      `SELECT link.slug, count(*) FROM (${WHOLE_NAME_FACTS_QUERY}) AS whole JOIN link ON link.unit = whole.unit
       WHERE substr(whole.slug, 2, length(link.slug) + 1) = link.slug || '-' GROUP BY link.slug`,
    )
    .raw()
    .all();
}

const FIRST_NAMING =
  'SELECT unit.id FROM link JOIN unit ON unit.id = link.unit WHERE link.slug = ? AND detail IS NOT NULL LIMIT 1';

/** Finds the names of entities as facts write them. Parses each fact only once, because one fact may name 20,000 entities. */
class WrittenNames {
  /** For each segment: the names in the facts that were read, by unit and slug. */
  private readonly segments: readonly {
    readonly prepared: PreparedStatementCache;
    readonly names: Cache<number, ReadonlyMap<string, string>>;
  }[];

  constructor(segments: readonly IndexSegment[]) {
    this.segments = segments.map(({ db }) => ({ prepared: new PreparedStatementCache(db), names: new Cache() }));
  }

  /** The name in the first fact that names the entity; the slug if no fact does. */
  of(slug: string): string {
    for (const { prepared, names } of this.segments) {
      const unit = prepared.of<number>(FIRST_NAMING).pluck().get(slug);
      const name = unit === undefined ? undefined : names.of(unit, () => namesIn(prepared, unit)).get(slug);
      if (name !== undefined) return name;
    }
    return slug;
  }
}

function namesIn(prepared: PreparedStatementCache, unit: number): ReadonlyMap<string, string> {
  const detail = prepared.of<string>('SELECT detail FROM unit WHERE id = ?').pluck().get(unit);
  const { entities = [] } = detail === undefined ? {} : parseDetail(detail);
  // If several names have the same slug, the first one counts. Reverse the list, because a later entry of a map
  // overwrites an earlier one.
  return new Map(entities.map((name) => [entitySlug(name), name] as const).reverse());
}
