import type { Search } from '../../index/search.js';
import { findManagedBlocks, replaceManagedBlock } from '../../markdown/blocks.js';
import type { Beliefs, Conviction } from '../beliefs/beliefs.js';
import type { FactReader, ReflectFact } from '../facts.js';
import { summarise } from './summary.js';

export const SUMMARY_BLOCK = 'summary';
const FOLDER = 'bank/entities';
/** Of an entity's facts so many of those indexed last are looked at. */
const MOST_FACTS = 2_000;

/** A page that reflect wants to be otherwise. */
export interface PagePlan {
  readonly path: string;
  readonly text: string;
}

/** A block that a person owns now: what would stand in it goes elsewhere. */
export interface EditedBlock {
  readonly path: string;
  readonly block: string;
  readonly state: 'edited' | 'broken';
  readonly content: string;
}

/**
 * Sentences of a model about an entity, checked against its facts; an empty list says that there are none. Undefined: not
 * now, the entity is to be told about by a later run.
 */
export type Narrate = (
  entity: string,
  facts: readonly ReflectFact[],
  current: string,
) => Promise<readonly string[] | undefined>;

export interface EntityPagesInput {
  /** Slugs of the entities that something is new about, with the name as written. */
  readonly touched: ReadonlyMap<string, string>;
  readonly search: Search;
  readonly reader: FactReader;
  readonly beliefs: Beliefs;
  readonly convictions: ReadonlyMap<string, Conviction>;
  readonly readPage: (path: string) => string | null;
  readonly narrate: Narrate;
}

export interface EntityPagesPlan {
  readonly pages: readonly PagePlan[];
  readonly edited: readonly EditedBlock[];
  /** Slugs of the entities that a model is still to be asked about. */
  readonly unasked: ReadonlySet<string>;
}

/** Brings the generated summaries of some entities up to date; what people wrote on their pages stays as it is. */
export async function planEntityPages(input: EntityPagesInput): Promise<EntityPagesPlan> {
  const pages: PagePlan[] = [];
  const edited: EditedBlock[] = [];
  const unasked = new Set<string>();
  const paths = new PagePaths(input);
  for (const [slug, name] of [...input.touched].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const facts = input.reader.ofEntity(slug, MOST_FACTS);
    const beliefs = input.beliefs.about(slug).flatMap((belief) => {
      const conviction = input.convictions.get(belief.id);
      return conviction === undefined ? [] : [{ belief, conviction }];
    });
    const path = paths.of(slug) ?? paths.make(slug, name);
    const current = input.readPage(path);
    const before = currentBlock(current);
    if (facts.length === 0 && beliefs.length === 0 && before === '') continue;
    const narrative = facts.length === 0 ? [] : await input.narrate(name, facts, before);
    if (narrative === undefined) unasked.add(slug);
    const content = summarise({ slug, facts, beliefs, pageOf: (other) => paths.relative(other), narrative });
    const replaced = replaceManagedBlock(current ?? newPage(name), SUMMARY_BLOCK, content);
    if (replaced.status === 'edited' || replaced.status === 'broken') {
      if (content !== before) edited.push({ path, block: SUMMARY_BLOCK, state: replaced.status, content });
    } else if (replaced.text !== current) pages.push({ path, text: replaced.text });
  }
  return { pages, edited, unasked };
}

function currentBlock(text: string | null): string {
  return findManagedBlocks(text ?? '').find(({ name }) => name === SUMMARY_BLOCK)?.content ?? '';
}

function newPage(name: string): string {
  return `---\nname: ${JSON.stringify(name)}\n---\n\n# ${name}\n`;
}

/** Where the pages of entities are, those of this run included. */
class PagePaths {
  private readonly made = new Map<string, string>();

  constructor(private readonly input: EntityPagesInput) {
    // Known beforehand, so that a link does not depend on which page is made first.
    for (const [slug, name] of input.touched) if (this.of(slug) === null) this.make(slug, name);
  }

  of(slug: string): string | null {
    return this.input.search.entity(slug)?.path ?? this.made.get(slug) ?? null;
  }

  make(slug: string, name: string): string {
    const path = `${FOLDER}/${name.replace(/[^\p{L}\p{N}\p{M}._-]/gu, '-')}.md`;
    this.made.set(slug, path);
    return path;
  }

  /** From one entity's page to another's. */
  relative(slug: string): string | null {
    const path = this.of(slug);
    return path?.startsWith(`${FOLDER}/`) ? path.slice(FOLDER.length + 1) : null;
  }
}
