import type { IndexSearch } from '../index/search.js';
import { scanMarkdown } from '../markdown/scan.js';
import { readEntityPage } from '../memory/entity-page.js';
import { EVIDENCE_PATH } from '../memory/evidence.js';
import { parsePairVerdicts } from '../memory/threads/verdicts.js';
import { buildSearchPhrase } from '../text/search-text.js';
import type { EntityStatuses } from './entity-statuses.js';
import type { ReflectFact } from './facts.js';
import type { OpinionReport } from './opinions.js';
import { findSummaryBlocks, UNWRITTEN_PAGE_HASH } from './pages/page-records.js';
import { EVIDENCE_LENGTH_KEY, pageHash, readWaitingEntities } from './progress.js';
import { OPINIONS_PATH, type ReflectRun } from './run.js';

type Named = readonly [slug: string, name: string];

/**
 * Finds two groups of entities. `touched` has those whose pages may need an update: each slug with the name that was
 * found first. `told` has the slugs of the entities that new facts or changed opinions name.
 * @param isUnsettled whether the page of opinions has an unresolved merge conflict. If so, an opinion that is missing
 * on the page does not count as removed
 */
export function findEntitiesToUpdate(
  run: ReflectRun,
  facts: readonly ReflectFact[],
  reports: readonly OpinionReport[],
  standings: EntityStatuses,
  isUnsettled: boolean,
) {
  const { reader, today, progress, changed, readPage } = run;
  const records = [...run.pageRecords.values()];
  const told = [
    ...facts.filter(({ isJob }) => !isJob).flatMap((fact) => named(fact, fact.slugs)),
    ...reports.flatMap(({ entities }) => entities.map((name): Named => [reader.slugOf(name), name])),
    // Entities with new facts whose pages an earlier run could not write.
    ...records.filter(({ sha }) => sha === UNWRITTEN_PAGE_HASH).map(({ slug, name }): Named => [slug, name]),
  ];
  // Rebuild a page whose generated block was edited by a person, damaged by a merge, or duplicated.
  const edited = changed.filter(({ role, path }) => {
    const blocks = role === 'entity' ? findSummaryBlocks(readPage(path)) : [];
    return blocks.length > 1 || blocks.some(({ state }) => state !== 'intact');
  });
  const entityOf = (path: string): Named => {
    const { slug, name } = readEntityPage(path, scanMarkdown(readPage(path) ?? ''));
    return [slug, name];
  };
  const touched: readonly Named[] = [
    ...edited.map(({ path }) => entityOf(path)),
    ...told,
    ...readWaitingEntities(progress),
    ...movedBy(facts, standings).flatMap((fact) => named(fact, fact.slugs)),
    // Pages on which the status of a fact changes today, although nothing new was stated.
    ...records.filter(({ next }) => next !== null && next <= today).map(({ slug, name }): Named => [slug, name]),
    ...findFactsWithNewVerdicts(run).flatMap((fact) => named(fact, fact.subjects)),
    ...(isUnsettled ? [] : pagesThatQuoteWhatIsGone(run)).map(entityOf),
  ];
  // If an entity was found with several names, use the name that was found first. Reverse the list, because a later
  // entry of a map overwrites an earlier entry.
  return { touched: new Map([...touched].reverse()), told: new Set(told.map(([slug]) => slug)) };
}

/** Returns each slug in `some` together with the name that the fact uses for this entity. */
function named({ slugs, names }: ReflectFact, some: readonly string[]): readonly Named[] {
  return some.map((slug) => [slug, names[slugs.indexOf(slug)] ?? slug]);
}

/** Older facts that a new fact about the same subject has ended or superseded. */
function movedBy(facts: readonly ReflectFact[], standings: EntityStatuses): readonly ReflectFact[] {
  const news = new Set(facts.map(({ id }) => id));
  const subjects = new Set(facts.flatMap((fact) => fact.subjects));
  return [...subjects].flatMap((slug) =>
    standings.told(slug).flatMap(({ fact, by, earlier }) => [
      // The first statement in `earlier` was the current one until the new fact was stated.
      ...(news.has(fact.id) ? earlier.slice(0, 1).map((one) => one.fact) : []),
      ...(by !== null && news.has(by.id) ? [fact] : []),
    ]),
  );
}

/**
 * Earlier statements about which a verdict was given since the last run: in this run, by a command on this machine, or
 * on another machine and then merged.
 */
export function findFactsWithNewVerdicts({ texts, pairs, progress, reader }: ReflectRun): readonly ReflectFact[] {
  const { evidence } = texts;
  const before = progress.get(EVIDENCE_PATH);
  const length = Number(progress.get(EVIDENCE_LENGTH_KEY) ?? 0);
  const isAppended = before === pageHash(evidence.slice(0, length));
  const lines = before === pageHash(evidence) ? [] : evidence.slice(isAppended ? length : 0).split('\n');
  const ids = [...pairs.given(), ...lines.flatMap(parsePairVerdicts)].map(({ of }) => of);
  return [...new Set(ids)].flatMap((id) => reader.byId(id) ?? []);
}

const NO_RESOURCES = { withResources: false };
/** When searching for lines that cite one page or opinion: the maximum number of results to read. */
const MOST_CITATIONS = 2_000;
const CITED = /\b[fo]-[0-9a-z]{13}\b/g;

/**
 * Finds entity pages whose generated summary cites a fact or opinion that no longer exists. To save time, checks only
 * pages that may do so: changed entity pages, and pages that cite a changed page, a missing page or a missing opinion.
 */
function pagesThatQuoteWhatIsGone(run: ReflectRun): readonly string[] {
  const { search, progress, changed, gone, book, beliefs, reader, elsewhere } = run;
  const isChanged = changed.some(({ path }) => path === OPINIONS_PATH);
  const goneOpinions = isChanged ? [...book.winning().keys()].filter((id) => beliefs.get(id) === undefined) : [];
  const pages = new Set(changed.filter(({ role }) => role === 'entity').map(({ path }) => path));
  const sources = changed.filter(({ role, path }) => role !== 'entity' && progress.has(path)).map(({ path }) => path);
  for (const cited of [...sources, ...gone, ...goneOpinions]) {
    for (const path of entityPagesThatCite(search, cited)) pages.add(path);
  }
  const isGone = (id: string): boolean =>
    id.startsWith('o-') ? beliefs.get(id) === undefined : reader.byId(id) === undefined && !elsewhere.mayHave(id);
  return [...pages].filter((path) => {
    const block = findSummaryBlocks(run.readPage(path))[0]?.content ?? '';
    const cited = block.match(CITED);
    // Also rebuild a summary that cites nothing.
    return block !== '' && (cited === null || cited.some(isGone));
  });
}

function entityPagesThatCite(search: IndexSearch, cited: string): readonly string[] {
  const phrase = buildSearchPhrase(cited);
  if (phrase === undefined) return [];
  return search.match(phrase, NO_RESOURCES, MOST_CITATIONS).flatMap(({ key }) => {
    const file = search.unit(key)?.file;
    return file?.role === 'entity' ? [file.path] : [];
  });
}
