import type { Day } from '../base/clock.js';
import type { ListedEntity } from '../index/entity-list.js';
import type { IndexSearch } from '../index/search.js';
import { readOpinionsPage } from '../memory/opinions-page.js';
import type { FileChange } from '../workspace/changes.js';
import { listRuns } from '../workspace/runs.js';
import type { EntityStateReader } from './entity-state.js';
import { findNowChanges, type NowChange } from './pages/now-changes.js';
import { findSummaryBlocks, readIdsInHiddenNote } from './pages/page-records.js';
import { OPINIONS_PATH } from './scope.js';
import { REFLECT } from './undo.js';

/** Changes of the last run that wrote something and was not undone, without facts that were forgotten since. */
export type LastChanges = NonNullable<Awaited<ReturnType<typeof readLastChanges>>>;

/** Reads the changes from the undo store; undefined if this machine has none. */
export async function readLastChanges(
  stateFolder: string,
  search: IndexSearch,
  holdings: EntityStateReader,
  today: Day,
  entities: readonly Pick<ListedEntity, 'page' | 'slug'>[] = search.entities(),
) {
  const last = [...listRuns(stateFolder, REFLECT)].find(([, { isUndone }]) => !isUndone);
  if (last === undefined) return undefined;
  const [run, { changes }] = last;
  const slugs = new Map(entities.map(({ page, slug }) => [page, slug]));
  /** Lines that entered or left the section `Now` of a page, with the reason and the place of the fact. */
  const now: (NowChange & { readonly source: string })[] = [];
  for (const change of changes) {
    for (const one of await changesOfPage(change, slugs.get(change.path), holdings, today)) {
      const source = holdings.known.reader.byId(one.fact)?.source;
      if (source !== undefined) now.push({ ...one, source });
    }
  }
  const opinions = changes.filter(({ path }) => path === OPINIONS_PATH).flatMap(beliefChanges);
  const known = opinions.filter(({ id }) => search.statements(id).length > 0);
  return { run, now, opinions: known, written: changes.map(({ path }) => path) };
}

async function changesOfPage(
  { path, before, after }: FileChange,
  slug: string | undefined,
  holdings: EntityStateReader,
  today: Day,
): Promise<readonly NowChange[]> {
  const [was = '', is = ''] = [before, after].map((page) => findSummaryBlocks(page)[0]?.content);
  if (was === is || slug === undefined) return [];
  return findNowChanges({
    path,
    before: was,
    lines: is.split('\n').map((text) => ({ text, ids: [] })),
    standings: holdings.known.of(slug),
    hidden: readIdsInHiddenNote(is),
    today,
    // A fact counts as new if its period had begun when it was stated. If the period begins later, the line entered
    // because the period has begun, and not because the fact is new.
    isNew: ({ saidOn, period }) => (period?.from ?? '') <= (saidOn ?? ''),
  });
}

/** The beliefs whose confidence a run changed. `before` is null for an added belief, `after` for a removed one. */
function beliefChanges({ before, after }: FileChange) {
  const [was, is] = [before, after].map((page) => new Map(readOpinionsPage(page ?? '').map((one) => [one.id, one])));
  const ids = new Set([...(is?.keys() ?? []), ...(was?.keys() ?? [])]);
  return [...ids].flatMap((id) => {
    const [old, made] = [was?.get(id), is?.get(id)];
    if (old?.confidence === made?.confidence) return [];
    const statement = (made ?? old)?.bullet.text ?? '';
    return [{ id, statement, before: old?.confidence ?? null, after: made?.confidence ?? null }];
  });
}
