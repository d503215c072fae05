import type { IndexedFile, Search } from '../../index/search.js';
import { findManagedBlocks } from '../../markdown/blocks.js';
import { scanMarkdown } from '../../markdown/scan.js';
import { readEntityPage } from '../../memory/entity-page.js';
import { searchPhrase } from '../../text/search-text.js';
import type { FactReader } from '../facts.js';
import type { Progress } from '../progress.js';
import { SUMMARY_BLOCK } from './entity-pages.js';

export interface OrphanInput {
  readonly search: Search;
  readonly progress: Progress;
  /** Pages that are not as they were when a run last looked at them. */
  readonly changed: readonly IndexedFile[];
  /** Pages that a run has looked at and that are away. */
  readonly away: readonly string[];
  /** Ids of the opinions of the bank. */
  readonly opinions: ReadonlySet<string>;
  /** Ids of opinions that there were once and that are no more. */
  readonly goneOpinions: readonly string[];
  readonly reader: FactReader;
  readonly readPage: (path: string) => string | null;
}

const NO_RESOURCES = { withResources: false };
/** So many citations of one page or opinion are looked for. */
const MOST_CITATIONS = 2_000;
const CITED = /\b[fo]-[0-9a-z]{13}\b/g;

/**
 * Entities whose generated summary cites what is gone, by slug with their names: a fact that was forgotten or deleted, an
 * opinion that is no more. Looks only where something may have gone: at changed pages of entities, and at those that cite
 * a page that has changed or is away, or a gone opinion.
 */
export function entitiesThatQuoteWhatIsGone(input: OrphanInput): ReadonlyMap<string, string> {
  const { search, progress, changed, away, goneOpinions } = input;
  const pages = new Set(changed.filter(({ role }) => role === 'entity').map(({ path }) => path));
  const sources = changed.filter(({ role, path }) => role !== 'entity' && progress.has(path)).map(({ path }) => path);
  for (const cited of [...sources, ...away, ...goneOpinions]) {
    for (const path of entityPagesThatCite(search, cited)) pages.add(path);
  }
  const found = new Map<string, string>();
  for (const path of pages) {
    const text = input.readPage(path);
    const block = findManagedBlocks(text ?? '').find(({ name: own }) => own === SUMMARY_BLOCK)?.content ?? '';
    if (text === null || block === '' || !quotesWhatIsGone(block, input)) continue;
    const { slug, name } = readEntityPage(path, scanMarkdown(text));
    found.set(slug, name);
  }
  return found;
}

/** Of the pages that a run has looked at those that are not there any more. */
export function missing(files: readonly IndexedFile[], progress: Progress): readonly string[] {
  const there = new Set(files.map(({ path }) => path));
  // What else is noted there, of the evidence and of beliefs, is not about pages.
  return [...progress.keys()].filter((path) => path.endsWith('.md') && !there.has(path));
}

function entityPagesThatCite(search: Search, cited: string): readonly string[] {
  const phrase = searchPhrase(cited);
  if (phrase === undefined) return [];
  return search.match(phrase, NO_RESOURCES, MOST_CITATIONS).flatMap(({ key }) => {
    const file = search.unit(key)?.file;
    return file?.role === 'entity' ? [file.path] : [];
  });
}

/** Also a summary that cites nothing any more. */
function quotesWhatIsGone(block: string, { reader, opinions }: OrphanInput): boolean {
  const cited = [...new Set(block.match(CITED) ?? [])];
  if (cited.length === 0) return true;
  return cited.some((id) => (id.startsWith('o-') ? !opinions.has(id) : reader.byId(id) === undefined));
}
