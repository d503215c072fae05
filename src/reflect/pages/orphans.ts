import type { Search } from '../../index/search.js';
import { searchPhrase } from '../../text/search-text.js';
import type { Run } from '../run.js';
import { OPINIONS_PATH } from '../scope.js';
import { summaryBlocks } from './page-records.js';

const NO_RESOURCES = { withResources: false };
/** So many citations of one page or opinion are looked for. */
const MOST_CITATIONS = 2_000;
const CITED = /\b[fo]-[0-9a-z]{13}\b/g;

/**
 * Pages of entities whose generated summary cites what is gone: a fact that was forgotten or deleted, an opinion that is
 * no more. Looks only where something may have gone: at changed pages of entities, and at those that cite a page that has
 * changed or is away, or a gone opinion.
 */
export function pagesThatQuoteWhatIsGone(run: Run): readonly string[] {
  const { search, progress, changed, away, book, beliefs, reader } = run;
  const isChanged = changed.some(({ path }) => path === OPINIONS_PATH);
  const goneOpinions = isChanged ? [...book.winning().keys()].filter((id) => beliefs.get(id) === undefined) : [];
  const pages = new Set(changed.filter(({ role }) => role === 'entity').map(({ path }) => path));
  const sources = changed.filter(({ role, path }) => role !== 'entity' && progress.has(path)).map(({ path }) => path);
  for (const cited of [...sources, ...away, ...goneOpinions]) {
    for (const path of entityPagesThatCite(search, cited)) pages.add(path);
  }
  const isGone = (id: string): boolean => (id.startsWith('o-') ? beliefs.get(id) : reader.byId(id)) === undefined;
  return [...pages].filter((path) => {
    const block = summaryBlocks(run.readPage(path))[0]?.content ?? '';
    const cited = block.match(CITED);
    // Also a summary that cites nothing any more.
    return block !== '' && (cited === null || cited.some(isGone));
  });
}

function entityPagesThatCite(search: Search, cited: string): readonly string[] {
  const phrase = searchPhrase(cited);
  if (phrase === undefined) return [];
  return search.match(phrase, NO_RESOURCES, MOST_CITATIONS).flatMap(({ key }) => {
    const file = search.unit(key)?.file;
    return file?.role === 'entity' ? [file.path] : [];
  });
}
