import type { Day } from '../base/clock.js';
import type { IndexedFile } from '../index/search.js';
import { findManagedBlocks } from '../markdown/blocks.js';
import { scanMarkdown } from '../markdown/scan.js';
import { readEntityPage } from '../memory/entity-page.js';
import type { Verdicts } from '../memory/evidence.js';
import type { Beliefs } from './beliefs/beliefs.js';
import type { FactReader, ReflectFact } from './facts.js';
import type { OpinionReport } from './opinions.js';
import { SUMMARY_BLOCK } from './pages/entity-pages.js';
import { entitiesThatQuoteWhatIsGone, type OrphanInput } from './pages/orphans.js';
import type { PageRecords } from './pages/page-records.js';
import { PAGE_SETTINGS, type Progress } from './progress.js';
import { OPINIONS_PATH } from './scope.js';

/** Those that facts and changed beliefs are about: slug to name. */
export function touchedEntities(
  facts: readonly ReflectFact[],
  reports: readonly OpinionReport[],
  reader: FactReader,
): Map<string, string> {
  const touched = new Map<string, string>();
  for (const { slugs, names, isJob } of facts) {
    if (isJob) continue;
    for (const [index, slug] of slugs.entries()) if (!touched.has(slug)) touched.set(slug, names[index] ?? slug);
  }
  for (const { entities } of reports) {
    for (const name of entities) if (!touched.has(reader.slugOf(name))) touched.set(reader.slugOf(name), name);
  }
  return touched;
}

/** Pages on which something stands elsewhere today though nothing new was said. */
export function addDue(records: PageRecords, today: Day, touched: Map<string, string>): void {
  for (const { slug, name, next } of records.values()) {
    if (next !== null && next <= today && !touched.has(slug)) touched.set(slug, name);
  }
}

/** A page is made anew whose generated block a person has edited, or a merge has left in pieces, or twice. */
export function addEdited(
  changed: readonly IndexedFile[],
  readPage: OrphanInput['readPage'],
  touched: Map<string, string>,
): void {
  for (const { path } of changed.filter(({ role }) => role === 'entity')) {
    const text = readPage(path) ?? '';
    const blocks = findManagedBlocks(text).filter(({ name }) => name === SUMMARY_BLOCK);
    if (blocks.length < 2 && blocks.every(({ state }) => state === 'intact')) continue;
    const { slug, name } = readEntityPage(path, scanMarkdown(text));
    touched.set(slug, name);
  }
}

/** All pages are made anew when people have set another budget for them. */
export function addAfterSettings(
  settings: string,
  { progress, pageRecords }: { readonly progress: Progress; readonly pageRecords: PageRecords },
  touched: Map<string, string>,
): void {
  const before = progress.get(PAGE_SETTINGS);
  if (before === undefined || before === settings) return;
  for (const { slug, name } of pageRecords.values()) if (!touched.has(slug)) touched.set(slug, name);
}

/** Pages that quote a fact or an opinion that is gone. */
export function addOrphaned(
  input: Pick<OrphanInput, 'search' | 'progress' | 'changed' | 'reader' | 'readPage'>,
  beliefs: Beliefs,
  verdicts: Verdicts,
  touched: Map<string, string>,
): void {
  const opinions = new Set(beliefs.all().map(({ id }) => id));
  const hasNewOpinions = input.changed.some(({ path }) => path === OPINIONS_PATH);
  const goneOpinions = hasNewOpinions ? [...verdicts.keys()].filter((id) => !opinions.has(id)) : [];
  for (const [slug, name] of entitiesThatQuoteWhatIsGone({ ...input, opinions, goneOpinions })) {
    if (!touched.has(slug)) touched.set(slug, name);
  }
}
