import type { Day } from '../base/clock.js';
import type { IndexedFile } from '../index/search.js';
import { findManagedBlocks } from '../markdown/blocks.js';
import { scanMarkdown } from '../markdown/scan.js';
import { readEntityPage } from '../memory/entity-page.js';
import type { Verdicts } from '../memory/evidence.js';
import { type PairVerdict, parsePairVerdicts } from '../memory/threads/verdicts.js';
import type { Beliefs } from './beliefs/beliefs.js';
import type { FactReader, ReflectFact } from './facts.js';
import type { OpinionReport } from './opinions.js';
import { SUMMARY_BLOCK } from './pages/entity-pages.js';
import type { EntityStandings } from './pages/entity-standings.js';
import { entitiesThatQuoteWhatIsGone, type OrphanInput } from './pages/orphans.js';
import type { PageRecords } from './pages/page-records.js';
import { EVIDENCE_LENGTH, PAGE_SETTINGS, type Progress } from './progress.js';
import { EVIDENCE_PATH, OPINIONS_PATH, pageHash } from './scope.js';

/** Slugs with the name by which each was first found. */
type Touched = Map<string, string>;

function touch(touched: Touched, slug: string, name = slug): void {
  if (!touched.has(slug)) touched.set(slug, name);
}

/** All that a fact names. */
function touchNamed({ slugs, names }: ReflectFact, touched: Touched): void {
  for (const [at, slug] of slugs.entries()) touch(touched, slug, names[at]);
}

/** Those that facts and changed beliefs are about. */
export function touchedEntities(
  facts: readonly ReflectFact[],
  reports: readonly OpinionReport[],
  reader: FactReader,
): Touched {
  const touched: Touched = new Map();
  for (const fact of facts) if (!fact.isJob) touchNamed(fact, touched);
  for (const { entities } of reports) for (const name of entities) touch(touched, reader.slugOf(name), name);
  return touched;
}

/** Whom statements mention that hold no more, or stand beneath a newer one, since something was told of their subject alone. */
export function addMentioned(facts: readonly ReflectFact[], standings: EntityStandings, touched: Touched): void {
  const news = new Set(facts.map(({ id }) => id));
  const subjects = new Set(facts.flatMap((fact) => fact.subjects));
  const moved = [...subjects].flatMap((slug) =>
    standings.told(slug).flatMap(({ fact, by, earlier }) => [
      // The first beneath something new stood at the top before.
      ...(news.has(fact.id) ? earlier.slice(0, 1).map((one) => one.fact) : []),
      ...(by !== null && news.has(by.id) ? [fact] : []),
    ]),
  );
  for (const fact of moved) touchNamed(fact, touched);
}

/** Pages on which something stands elsewhere today though nothing new was said. */
export function addDue(records: PageRecords, today: Day, touched: Touched): void {
  for (const { slug, name, next } of records.values()) if (next !== null && next <= today) touch(touched, slug, name);
}

/** A page is made anew whose generated block a person has edited, or a merge has left in pieces, or twice. */
export function addEdited(changed: readonly IndexedFile[], readPage: OrphanInput['readPage'], touched: Touched): void {
  for (const { path } of changed.filter(({ role }) => role === 'entity')) {
    const text = readPage(path) ?? '';
    const blocks = findManagedBlocks(text).filter(({ name }) => name === SUMMARY_BLOCK);
    if (blocks.length < 2 && blocks.every(({ state }) => state === 'intact')) continue;
    const { slug, name } = readEntityPage(path, scanMarkdown(text));
    touched.set(slug, name);
  }
}

/** Those about whose statements somebody has given a verdict since the last run: in this one, here, or elsewhere before a merge. */
export function addSettled({ evidence, given, progress, reader }: SettledInput, touched: Touched): void {
  const told = [...given.map(({ of }) => of), ...settledSince(evidence, progress)];
  for (const fact of [...new Set(told)].flatMap((id) => reader.byId(id) ?? []))
    for (const slug of fact.subjects) touch(touched, slug, fact.names[fact.slugs.indexOf(slug)]);
}

interface SettledInput {
  /** As it was before the run. */
  readonly evidence: string;
  /** The verdicts of this run. */
  readonly given: readonly PairVerdict[];
  readonly progress: Progress;
  readonly reader: FactReader;
}

/** Ids of the earlier facts of verdicts that have come in since the last run. */
function settledSince(evidence: string, progress: Progress): readonly string[] {
  const before = progress.get(EVIDENCE_PATH);
  if (before === pageHash(evidence)) return [];
  const length = Number(progress.get(EVIDENCE_LENGTH) ?? 0);
  const isAppended = before === pageHash(evidence.slice(0, length));
  const lines = evidence.slice(isAppended ? length : 0).split('\n');
  return lines.flatMap((line) => parsePairVerdicts(line).map(({ of }) => of));
}

/** All pages are made anew when people have set another budget for them. */
export function addAfterSettings(
  settings: string,
  { progress, pageRecords }: { readonly progress: Progress; readonly pageRecords: PageRecords },
  touched: Touched,
): void {
  const before = progress.get(PAGE_SETTINGS);
  if (before === undefined || before === settings) return;
  for (const { slug, name } of pageRecords.values()) touch(touched, slug, name);
}

/** Pages that quote a fact or an opinion that is gone. */
export function addOrphaned(
  input: Pick<OrphanInput, 'search' | 'progress' | 'changed' | 'away' | 'reader' | 'readPage'>,
  beliefs: Beliefs,
  verdicts: Verdicts,
  touched: Touched,
): void {
  const opinions = new Set(beliefs.all().map(({ id }) => id));
  const hasNewOpinions = input.changed.some(({ path }) => path === OPINIONS_PATH);
  const goneOpinions = hasNewOpinions ? [...verdicts.keys()].filter((id) => !opinions.has(id)) : [];
  for (const [slug, name] of entitiesThatQuoteWhatIsGone({ ...input, opinions, goneOpinions }))
    touch(touched, slug, name);
}
