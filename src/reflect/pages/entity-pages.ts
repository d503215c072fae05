import type { Day } from '../../base/clock.js';
import { addAll } from '../../base/order.js';
import { readCitations } from '../../line/generated.js';
import { managedSha, replaceManagedBlock } from '../../markdown/blocks.js';
import type { BeliefState } from '../beliefs.js';
import {
  type EntityStatuses,
  MAX_ENTITY_FACTS,
  type PageFactStatus,
  type RankNames,
  rankNamesUpTo,
} from '../entity-statuses.js';
import type { ReflectFact } from '../facts.js';
import type { ReflectRun } from '../run.js';
import { findNowChanges, type NowChange } from './now-changes.js';
import {
  buildLineRecords,
  findIdsHiddenByEdit,
  findSummaryBlocks,
  type PageRecord,
  readIdsInHiddenNote,
  SUMMARY_BLOCK,
} from './page-records.js';
import { readProse } from './page-text.js';
import { PAGE_LIMITS, summariseEntity } from './summary.js';

const FOLDER = 'bank/entities';

/** A page that reflect wants to write, with its new text. */
export interface PagePlan {
  readonly path: string;
  readonly text: string;
}

/** A block that a person has edited. It stays as it is, and the newly generated text is written to another file. */
export interface EditedBlock {
  readonly path: string;
  readonly block: string;
  readonly state: 'edited' | 'broken';
  readonly content: string;
}

interface EntityPagesInput {
  /** Entities whose pages may need an update: each slug with the name as written. */
  readonly touched: ReadonlyMap<string, string>;
  /** Slugs of entities that a new fact is about or mentions. Only these get a new page. */
  readonly told: ReadonlySet<string>;
  readonly isNew: (fact: ReflectFact) => boolean;
  readonly standings: EntityStatuses;
  readonly convictions: ReadonlyMap<string, BeliefState>;
}

/** Updates the generated summaries of entities. Text that people wrote on the pages stays. */
export async function planEntityPages(run: ReflectRun, input: EntityPagesInput) {
  const pages: PagePlan[] = [];
  const edited: EditedBlock[] = [];
  /** Slugs of entities that wait for an answer of a model, or for a file that is temporarily unavailable. */
  const unasked = new Set<string>();
  /** Records of the planned pages, by path. */
  const records = new Map<string, PageRecord>();
  const changes: NowChange[] = [];
  const { today } = run;
  const pathOf = pathsOf(run, input);
  // One more than a page may show, because a page leaves out its own entity.
  const ranking = rankNamesUpTo(PAGE_LIMITS.budget.seeAlso + 1);
  const touched = [...input.touched].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [done, [slug, name]] of touched.entries()) {
    run.onProgress?.(done, touched.length, 'entities');
    const path = pathOf(slug);
    if (path !== null && citesAway(path, run)) {
      // The page cites a fact in an unavailable file. A later run builds the page when the file is available again.
      unasked.add(slug);
      continue;
    }
    const page = path === null ? undefined : await entityPage(slug, name, path, run, { ...input, ranking }, pathOf);
    if (path === null || page === undefined) continue;
    const { block, content, lines, standings, hidden } = page;
    if (page.isUnasked) unasked.add(slug);
    const replaced = replaceManagedBlock(page.text, SUMMARY_BLOCK, content);
    if (replaced.status === 'edited' || replaced.status === 'broken') {
      if (content !== block) edited.push({ path, block: SUMMARY_BLOCK, state: replaced.status, content });
      continue;
    }
    if (replaced.text !== page.current) pages.push({ path, text: replaced.text });
    const sha = findSummaryBlocks(replaced.text)[0]?.sha ?? '';
    records.set(path, { slug, name, sha, lines: buildLineRecords(lines), next: nextChange(standings, today) });
    addAll(changes, findNowChanges({ path, before: block, lines, standings, hidden, today, isNew: input.isNew }));
  }
  return { pages, edited, unasked, records, changes };
}

/**
 * Whether a page cites a fact in a file that is temporarily unavailable. The page can't be rebuilt without that file.
 */
function citesAway(path: string, { elsewhere, reader, readPage }: ReflectRun): boolean {
  if (elsewhere.isNone) return false;
  const [block] = findSummaryBlocks(readPage(path));
  const cited = readCitations(block?.content ?? '');
  return cited.some(
    ({ id, source }) => source !== undefined && reader.byId(id) === undefined && elsewhere.mayHave(id, source),
  );
}

/** The current text of an entity's page and its new lines; undefined if there is nothing to show. */
async function entityPage(
  slug: string,
  name: string,
  path: string,
  run: ReflectRun,
  input: EntityPagesInput & { readonly ranking: RankNames },
  pathOf: (slug: string) => string | null,
) {
  const facts = input.standings.about(slug);
  const beliefs = run.beliefs.about(slug).flatMap((belief) => {
    const conviction = input.convictions.get(belief.id);
    return conviction === undefined ? [] : [{ belief, conviction }];
  });
  const current = run.readPage(path);
  const [found] = findSummaryBlocks(current);
  const block = found?.content ?? '';
  if (facts.length === 0 && beliefs.length === 0 && block === '') return undefined;
  const off = found?.state === 'edited' ? findIdsHiddenByEdit(found, run.pageRecords.get(path)) : undefined;
  const isThere = (id: string): boolean => run.reader.byId(id) !== undefined || run.beliefs.get(id) !== undefined;
  const hidden = new Set([...(off ?? readIdsInHiddenNote(block))].filter(isThere));
  const narrative = facts.length === 0 ? [] : await run.narrate(name, facts);
  const standings = input.standings.of(slug);
  const lines = summariseEntity({
    slug,
    name,
    standings,
    beliefs,
    pageOf: (other) => {
      const to = pathOf(other);
      return to?.startsWith(`${FOLDER}/`) ? to.slice(FOLDER.length + 1) : null;
    },
    ranking: input.ranking,
    narrative: narrative ?? [],
    prose: readProse(current ?? ''),
    hasMore: facts.length >= MAX_ENTITY_FACTS,
    hidden,
  });
  const content = lines.map(({ text }) => text).join('\n');
  // The text of the page to which the new block is added. If a person has only deleted lines of the old block, its hash
  // is corrected in this text. So the old block counts as unedited, and the new block replaces it.
  const text = off === undefined ? (current ?? newPage(name)) : asOurs(current ?? '');
  return { current, text, block, content, lines, standings, hidden, isUnasked: narrative === undefined };
}

/** Corrects the hash of a block from which a person only deleted lines, so that it counts as unedited. Returns the page. */
function asOurs(page: string): string {
  const [block] = findSummaryBlocks(page);
  if (block === undefined) return page;
  return page.slice(0, block.start) + page.slice(block.start).replace(block.sha, managedSha(block.content));
}

/** Next day, from today on, on which the status of a fact changes only because time passes. Null if there is none. */
function nextChange(standings: readonly PageFactStatus[], today: Day): Day | null {
  const days = standings.flatMap(({ changesOn }) => (changesOn !== null && changesOn >= today ? [changesOn] : []));
  return days.sort()[0] ?? null;
}

function newPage(name: string): string {
  return `---\nname: ${JSON.stringify(name)}\n---\n\n# ${name}\n`;
}

/** Returns a function that finds the path of an entity's page, including pages of this run; null if there is none. */
function pathsOf({ search, beliefs }: ReflectRun, { touched, told, standings }: EntityPagesInput) {
  const made = new Map<string, string>();
  const pathOf = (slug: string): string | null => search.entity(slug)?.path ?? made.get(slug) ?? null;
  // Collect new pages first, so that links do not depend on the order in which pages are built.
  for (const [slug, name] of touched) {
    if (!told.has(slug) || pathOf(slug) !== null) continue;
    const facts = standings.about(slug);
    // An entity gets a page if a fact is about it, if enough facts mention it, or if there is a belief about it.
    const isTold = facts.length >= PAGE_LIMITS.mentions || facts.some(({ about }) => about.includes(slug));
    if (isTold || beliefs.about(slug).length > 0)
      made.set(slug, `${FOLDER}/${name.replace(/[^\p{L}\p{N}\p{M}._-]/gu, '-')}.md`);
  }
  return pathOf;
}
