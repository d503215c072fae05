import type { Search } from '../index/search.js';
import { scanMarkdown } from '../markdown/scan.js';
import { readEntityPage } from '../memory/entity-page.js';
import { parsePairVerdicts } from '../memory/threads/verdicts.js';
import { searchPhrase } from '../text/search-text.js';
import type { ReflectFact } from './facts.js';
import type { OpinionReport } from './opinions.js';
import type { EntityStatuses } from './pages/entity-statuses.js';
import { summaryBlocks, UNWRITTEN } from './pages/page-records.js';
import { EVIDENCE_LENGTH, PAGE_SETTINGS, unaskedBefore } from './progress.js';
import type { ReflectRun } from './run.js';
import { EVIDENCE_PATH, OPINIONS_PATH, pageHash } from './scope.js';

type Named = readonly [slug: string, name: string];

/**
 * The entities that something may be otherwise about, as slugs with the name by which each was first found; and those of
 * them that something new is told of.
 * @param isUnsettled whether the page of opinions can't be read: what it quotes may still be there
 */
export function dirtyEntities(
  run: ReflectRun,
  facts: readonly ReflectFact[],
  reports: readonly OpinionReport[],
  standings: EntityStatuses,
  isUnsettled: boolean,
) {
  const { reader, today, progress, changed, readPage } = run;
  const records = [...run.pageRecords.values()];
  const settings = JSON.stringify(run.pageSettings);
  const told = [
    ...facts.filter(({ isJob }) => !isJob).flatMap((fact) => named(fact, fact.slugs)),
    ...reports.flatMap(({ entities }) => entities.map((name): Named => [reader.slugOf(name), name])),
    // What was told of these waits: their pages could not be written.
    ...records.filter(({ sha }) => sha === UNWRITTEN).map(({ slug, name }): Named => [slug, name]),
  ];
  // A page is made anew whose generated block a person has edited, or a merge has left in pieces, or twice.
  const edited = changed.filter(({ role, path }) => {
    const blocks = role === 'entity' ? summaryBlocks(readPage(path)) : [];
    return blocks.length > 1 || blocks.some(({ state }) => state !== 'intact');
  });
  const entityOf = (path: string): Named => {
    const { slug, name } = readEntityPage(path, scanMarkdown(readPage(path) ?? ''));
    return [slug, name];
  };
  const touched: readonly Named[] = [
    ...edited.map(({ path }) => entityOf(path)),
    ...told,
    ...unaskedBefore(progress),
    ...movedBy(facts, standings).flatMap((fact) => named(fact, fact.slugs)),
    // Pages on which something stands elsewhere today though nothing new was said.
    ...records.filter(({ next }) => next !== null && next <= today).map(({ slug, name }): Named => [slug, name]),
    ...settledFacts(run).flatMap((fact) => named(fact, fact.subjects)),
    // All pages are made anew when people have set another budget for them.
    ...((progress.get(PAGE_SETTINGS) ?? settings) === settings ? [] : records).map(
      ({ slug, name }): Named => [slug, name],
    ),
    ...(isUnsettled ? [] : pagesThatQuoteWhatIsGone(run)).map(entityOf),
  ];
  // Of several names of one the first.
  return { touched: new Map([...touched].reverse()), told: new Set(told.map(([slug]) => slug)) };
}

/** Some of those that a fact names, as it writes them. */
function named({ slugs, names }: ReflectFact, some: readonly string[]): readonly Named[] {
  return some.map((slug) => [slug, names[slugs.indexOf(slug)] ?? slug]);
}

/** What holds no more, or stands beneath a newer one, since something was told of its subject alone. */
function movedBy(facts: readonly ReflectFact[], standings: EntityStatuses): readonly ReflectFact[] {
  const news = new Set(facts.map(({ id }) => id));
  const subjects = new Set(facts.flatMap((fact) => fact.subjects));
  return [...subjects].flatMap((slug) =>
    standings.told(slug).flatMap(({ fact, by, earlier }) => [
      // The first beneath something new stood at the top before.
      ...(news.has(fact.id) ? earlier.slice(0, 1).map((one) => one.fact) : []),
      ...(by !== null && news.has(by.id) ? [fact] : []),
    ]),
  );
}

/** The statements about which somebody has given a verdict since the last run: in this one, here, or elsewhere before a merge. */
export function settledFacts({ texts, pairs, progress, reader }: ReflectRun): readonly ReflectFact[] {
  const { evidence } = texts;
  const before = progress.get(EVIDENCE_PATH);
  const length = Number(progress.get(EVIDENCE_LENGTH) ?? 0);
  const isAppended = before === pageHash(evidence.slice(0, length));
  const lines = before === pageHash(evidence) ? [] : evidence.slice(isAppended ? length : 0).split('\n');
  const ids = [...pairs.given(), ...lines.flatMap(parsePairVerdicts)].map(({ of }) => of);
  return [...new Set(ids)].flatMap((id) => reader.byId(id) ?? []);
}

const NO_RESOURCES = { withResources: false };
/** So many citations of one page or opinion are looked for. */
const MOST_CITATIONS = 2_000;
const CITED = /\b[fo]-[0-9a-z]{13}\b/g;

/**
 * Pages of entities whose generated summary cites what is gone: a fact that was forgotten or deleted, an opinion that is
 * no more. Looks only where something may have gone: at changed pages of entities, and at those that cite a page that has
 * changed or is gone, or a gone opinion.
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
