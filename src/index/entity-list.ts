import { noteSlug } from '../memory/page/names.js';
import { entitySlug } from '../text/slug.js';
import type { Segment } from './found.js';
import { parseDetail } from './row.js';

/** Of what joins units, what is no name, tag or link of notes. */
export const IS_ENTITY = "substr(link.slug, 1, 1) NOT IN ('=', '~', '/', '#', '[')";

/** An entity that has a page or is mentioned. */
export interface ListedEntity {
  /** As written on its page, else in the first fact that names it, else its slug. */
  readonly name: string;
  readonly slug: string;
  readonly type: string | null;
  readonly page: string | null;
  /** Facts and lines that name it, under any of its names. */
  readonly mentions: number;
}

/** Every entity, the most mentioned first. What is mentioned under an alias, or by a link to its page, counts for its page. */
export function listEntities(segments: readonly Segment[]): readonly ListedEntity[] {
  const pages = new Map<string, ListedEntity>();
  const canonical = new Map<string, string>();
  const mentions = new Map<string, number>();
  for (const segment of segments) {
    readPages(segment, pages, canonical);
    for (const [slug, count] of countMentions(segment)) {
      const own = pages.has(slug) ? slug : (canonical.get(slug) ?? slug);
      if (!own.startsWith('[')) mentions.set(own, (mentions.get(own) ?? 0) + count);
    }
  }
  const found = new Map(pages);
  for (const slug of mentions.keys()) {
    if (!found.has(slug))
      found.set(slug, { name: writtenName(segments, slug), slug, type: null, page: null, mentions: 0 });
  }
  return [...found.values()]
    .map((entity) => ({ ...entity, mentions: mentions.get(entity.slug) ?? 0 }))
    .sort((a, b) => b.mentions - a.mentions || (a.slug < b.slug ? -1 : 1));
}

function isUnmasked({ masked }: Segment): string {
  return masked.size > 0 ? `AND file.id NOT IN (${[...masked].join(',')})` : '';
}

/** @param canonical gets the entity of every alias, and of links to its page */
function readPages(segment: Segment, pages: Map<string, ListedEntity>, canonical: Map<string, string>): void {
  const named = segment.db
    .prepare<[], [string, string, string | null, string]>(
      `SELECT slug, name, type, path FROM entity JOIN file ON file.id = entity.file WHERE 1 ${isUnmasked(segment)} ORDER BY path`,
    )
    .raw();
  for (const [slug, name, type, page] of named.all()) {
    pages.set(slug, { name, slug, type, page, mentions: 0 });
    canonical.set(noteSlug(name), slug);
  }
  for (const [alias, slug] of segment.db.prepare<[], [string, string]>('SELECT alias, slug FROM alias').raw().all())
    for (const name of [alias, noteSlug(alias)]) canonical.set(name, slug);
}

function countMentions(segment: Segment): readonly (readonly [string, number])[] {
  return segment.db
    .prepare<[], [string, number]>(
      `SELECT link.slug, count(*) FROM link JOIN unit ON unit.id = link.unit JOIN file ON file.id = unit.file
       WHERE file.role <> 'entity' AND (${IS_ENTITY} OR link.slug LIKE '[[%') ${isUnmasked(segment)} GROUP BY link.slug`,
    )
    .raw()
    .all();
}

function writtenName(segments: readonly Segment[], slug: string): string {
  for (const { db } of segments) {
    const detail = db
      .prepare<[string], string>(
        'SELECT detail FROM link JOIN unit ON unit.id = link.unit WHERE link.slug = ? AND detail IS NOT NULL LIMIT 1',
      )
      .pluck()
      .get(slug);
    const { entities = [] } = detail === undefined ? {} : parseDetail(detail);
    const name = entities.find((written) => entitySlug(written) === slug);
    if (name !== undefined) return name;
  }
  return slug;
}
