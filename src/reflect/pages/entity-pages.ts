import type { Day } from '../../base/clock.js';
import type { OnProgress } from '../../base/request.js';
import type { Search } from '../../index/search.js';
import { findManagedBlocks, managedSha, replaceManagedBlock } from '../../markdown/blocks.js';
import type { Beliefs, Conviction } from '../beliefs/beliefs.js';
import type { FactReader, ReflectFact } from '../facts.js';
import { type EntityStandings, type FactStanding, MOST_FACTS } from './entity-standings.js';
import { type NowChange, nowChanges } from './now-changes.js';
import { hiddenIn, type PageRecord, type PageRecords, recordedLines, takenOff } from './page-records.js';
import { proseOf } from './said.js';
import { type PageBudget, type SummaryLine, summarise } from './summary.js';

export const SUMMARY_BLOCK = 'summary';
const FOLDER = 'bank/entities';

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

/** What people set about entity pages. */
export interface PageSettings {
  readonly budget: PageBudget;
  /** A page is made for whoever so many facts mention. */
  readonly mentions: number;
}

export interface EntityPagesInput {
  /** Slugs of the entities that something may be otherwise about, with the name as written. */
  readonly touched: ReadonlyMap<string, string>;
  readonly onProgress?: OnProgress | undefined;
  /** Slugs of those that a new fact is about or mentions: a page that is not there is only made for these. */
  readonly told: ReadonlySet<string>;
  readonly isNew: (fact: ReflectFact) => boolean;
  readonly today: Day;
  readonly standings: EntityStandings;
  readonly settings: PageSettings;
  readonly records: PageRecords;
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
  /** Of the pages as they are to be. */
  readonly records: PageRecords;
  readonly changes: readonly NowChange[];
}

/** Brings the generated summaries of some entities up to date; what people wrote on their pages stays as it is. */
export async function planEntityPages(input: EntityPagesInput): Promise<EntityPagesPlan> {
  const pages: PagePlan[] = [];
  const edited: EditedBlock[] = [];
  const unasked = new Set<string>();
  const records = new Map<string, PageRecord>();
  const changes: NowChange[] = [];
  const paths = new PagePaths(input);
  const touched = [...input.touched].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [done, [slug, name]] of touched.entries()) {
    input.onProgress?.(done, touched.length, 'entities');
    const path = paths.of(slug);
    if (path === null) continue;
    const page = await entityPage({ slug, name, path }, input, paths);
    if (page === undefined) continue;
    const { block, content, summary, standings, hidden } = page;
    if (summary === undefined) unasked.add(slug);
    const replaced = replaceManagedBlock(page.text, SUMMARY_BLOCK, content);
    if (replaced.status === 'edited' || replaced.status === 'broken') {
      if (content !== block) edited.push({ path, block: SUMMARY_BLOCK, state: replaced.status, content });
      continue;
    }
    if (replaced.text !== page.current) pages.push({ path, text: replaced.text });
    records.set(path, {
      slug,
      name,
      sha: findManagedBlocks(replaced.text).find((one) => one.name === SUMMARY_BLOCK)?.sha ?? '',
      lines: recordedLines(page.lines),
      next: nextChange(standings, input.today),
    });
    const { today, isNew } = input;
    changes.push(...nowChanges({ path, before: block, lines: page.lines, standings, hidden, today, isNew }));
  }
  return { pages, edited, unasked, records, changes };
}

interface EntityPage {
  /** As it stands; null when there is none. */
  readonly current: string | null;
  /** What the block is put into: a block that only lacks lines is ours again. */
  readonly text: string;
  /** The block's content as it stands. */
  readonly block: string;
  readonly content: string;
  readonly lines: readonly SummaryLine[];
  readonly standings: readonly FactStanding[];
  readonly hidden: ReadonlySet<string>;
  /** Sentences of a model; undefined when it is to be asked later. */
  readonly summary: readonly string[] | undefined;
}

interface EntityOfPage {
  readonly slug: string;
  readonly name: string;
  readonly path: string;
}

async function entityPage(
  { slug, name, path }: EntityOfPage,
  input: EntityPagesInput,
  paths: PagePaths,
): Promise<EntityPage | undefined> {
  const { reader, settings, records } = input;
  const facts = input.standings.about(slug);
  const beliefs = input.beliefs.about(slug).flatMap((belief) => {
    const conviction = input.convictions.get(belief.id);
    return conviction === undefined ? [] : [{ belief, conviction }];
  });
  const current = input.readPage(path);
  const found = findManagedBlocks(current ?? '').find((block) => block.name === SUMMARY_BLOCK);
  const block = found?.content ?? '';
  if (facts.length === 0 && beliefs.length === 0 && block === '') return undefined;
  const off = found?.state === 'edited' ? takenOff(found, records.get(path)) : undefined;
  const isThere = (id: string): boolean => reader.byId(id) !== undefined || input.beliefs.get(id) !== undefined;
  const hidden = new Set([...(off ?? hiddenIn(block))].filter(isThere));
  const summary = facts.length === 0 ? [] : await input.narrate(name, facts, block);
  const standings = input.standings.of(slug);
  const lines = summarise({
    slug,
    name,
    standings,
    beliefs,
    pageOf: (other) => paths.relative(other),
    narrative: summary ?? [],
    prose: proseOf(current ?? ''),
    budget: settings.budget,
    hasMore: facts.length >= MOST_FACTS,
    hidden,
  });
  const content = lines.map(({ text }) => text).join('\n');
  const text = off === undefined ? (current ?? newPage(name)) : asOurs(current ?? '');
  return { current, text, block, content, lines, standings, hidden, summary };
}

/** A page whose block only lacks lines, with the hash that makes the block ours to write. */
function asOurs(page: string): string {
  const block = findManagedBlocks(page).find(({ name }) => name === SUMMARY_BLOCK);
  if (block === undefined) return page;
  return page.slice(0, block.start) + page.slice(block.start).replace(block.sha, managedSha(block.content));
}

/** What has not come about by the day on which it was to be stays as it is. */
function nextChange(standings: readonly FactStanding[], today: Day): Day | null {
  let next: Day | null = null;
  for (const { changesOn } of standings)
    if (changesOn !== null && changesOn >= today && (next === null || changesOn < next)) next = changesOn;
  return next;
}

function newPage(name: string): string {
  return `---\nname: ${JSON.stringify(name)}\n---\n\n# ${name}\n`;
}

/** Where the pages of entities are, those of this run included. */
class PagePaths {
  private readonly made = new Map<string, string>();

  constructor(private readonly input: EntityPagesInput) {
    // Known beforehand, so that a link does not depend on which page is made first.
    for (const [slug, name] of input.touched) {
      if (this.of(slug) === null && this.isWorthPage(slug)) this.make(slug, name);
    }
  }

  of(slug: string): string | null {
    return this.input.search.entity(slug)?.path ?? this.made.get(slug) ?? null;
  }

  /** From one entity's page to another's. */
  relative(slug: string): string | null {
    const path = this.of(slug);
    return path?.startsWith(`${FOLDER}/`) ? path.slice(FOLDER.length + 1) : null;
  }

  /** One fact is about it, several mention it, or something is believed about it. */
  private isWorthPage(slug: string): boolean {
    const { told, beliefs, settings } = this.input;
    if (!told.has(slug)) return false;
    const facts = this.input.standings.about(slug);
    return (
      facts.length >= settings.mentions ||
      facts.some(({ about }) => about.includes(slug)) ||
      beliefs.about(slug).length > 0
    );
  }

  private make(slug: string, name: string): void {
    this.made.set(slug, `${FOLDER}/${name.replace(/[^\p{L}\p{N}\p{M}._-]/gu, '-')}.md`);
  }
}
