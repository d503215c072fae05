import { basename } from 'node:path';
import type { Day } from '../../base/clock.js';
import { MemoryError } from '../../base/failure.js';
import type { ListedEntity } from '../../index/entity-list.js';
import { readForgotten } from '../../index/forgotten-page.js';
import type { OpinionSource } from '../../recall/opinion-view.js';
import { Holdings } from '../../reflect/entity-holds.js';
import { lastChanges } from '../../reflect/last-changes.js';
import { readLastRun } from '../../reflect/last-run.js';
import type { ReflectContext } from '../../reflect/reflect.js';
import { listProposals } from '../../retain/proposals.js';
import { dayOf, today } from '../../workspace/clock.js';
import { GitHistory } from '../../workspace/git/history.js';
import type { Links } from '../links.js';
import type { PageCommit, PageData, PageRun } from '../page-data.js';
import { collectBeliefs } from './beliefs.js';
import { collectEntities, pairsOf } from './entities.js';
import { collectItems } from './items.js';
import { Names } from './names.js';
import { Places } from './places.js';
import { collectSessions } from './sessions.js';
import { collectWaiting } from './waiting.js';

export interface PageScope {
  readonly since: Day | undefined;
  /** The slug of the only entity, with those of its aliases and links, and its name. */
  readonly entity: { readonly slug: string; readonly slugs: readonly string[]; readonly name: string } | undefined;
  readonly withSessions: boolean;
  readonly withResources: boolean;
}

const MOST_COMMITS = 500;
/** So many of the newest sessions are shown. */
const MOST_SESSIONS = 200;

/** Asks everybody for what the page shows. */
export async function collectPage(
  context: ReflectContext,
  source: OpinionSource,
  scope: PageScope,
  links: Links,
): Promise<PageData> {
  const { root, clock, stateFolder } = context;
  const { search } = source;
  const { since, entity } = scope;
  const day = today(clock);
  const { passingDays } = context.pageSettings;
  const holdings = new Holdings(search, { today: day, dateOrder: clock.dateOrder, passingDays, root });
  const lines = { since, slugs: entity?.slugs, withResources: scope.withResources };
  const listed = entity === undefined ? search.entities() : companyOf(root, source, lines, entity.slug, links);
  const [names, places] = [new Names(search, listed), new Places(search, links)];
  const items = collectItems(root, search, lines, places, names);
  const only = entity?.slug;
  const { entities, held } = await collectEntities({ search, holdings, entities: listed, only, items, places });
  const forgotten = readForgotten(root);
  const dayAt = (instant: string): Day => dayOf(new Date(instant), clock.zone);
  const ofSessions = { root, now: clock.now(), dayAt, forgotten };
  const sessions = scope.withSessions ? collectSessions(ofSessions, places, MOST_SESSIONS) : null;
  const proposals = listProposals(root).waiting.filter(({ proposal }) => !forgotten.hasLine(proposal.text));
  return {
    workspace: basename(root),
    today: day,
    zone: clock.zone,
    since: since ?? null,
    entity: entity?.name ?? null,
    lineMark: links.lineMark,
    items,
    entities,
    together: pairsOf(items),
    beliefs: await collectBeliefs(context, source, entity?.slug, items, places, names),
    waiting: collectWaiting(
      { held, nameOf: (at) => entities[at]?.name ?? '', sessions: sessions ?? [], proposals },
      places,
    ),
    lastRun: await runOf(stateFolder, dayAt, () => lastChanges(stateFolder, search, holdings, day), places),
    sessions,
    commits: await commitsOf(root, dayAt, places),
    leftOut: { logLines: 0, until: null },
    // Last: what came before names files.
    files: places.files,
  };
}

/** An entity and those that stand in the same lines. */
function companyOf(
  root: string,
  { search }: OpinionSource,
  lines: Parameters<typeof collectItems>[2],
  slug: string,
  links: Links,
): readonly ListedEntity[] {
  const everyone = search.entities();
  const items = collectItems(root, search, lines, new Places(search, links), new Names(search, everyone));
  const named = new Set(items.flatMap(({ about = [] }) => about));
  return everyone.filter((one, place) => one.slug === slug || named.has(place));
}

async function runOf(
  stateFolder: string,
  dayAt: (instant: string) => Day,
  changesOf: () => ReturnType<typeof lastChanges>,
  places: Places,
): Promise<PageRun | null> {
  const run = readLastRun(stateFolder);
  if (run === undefined) return null;
  const changes = await changesOf();
  return {
    day: dayAt(run.startedAt),
    result: run.result,
    message: run.message ?? null,
    facts: run.facts,
    written: run.written,
    now: (changes?.now ?? []).map(({ line, source, path, change, why }) => {
      return { text: line, at: places.source(source), page: path, change, why };
    }),
    beliefs: (changes?.opinions ?? []).map(({ statement: text, ...rest }) => ({ text, ...rest })),
  };
}

/** The newest commits, or why there are none. */
async function commitsOf(
  root: string,
  dayAt: (instant: string) => Day,
  places: Places,
): Promise<readonly PageCommit[] | string> {
  try {
    const commits = await (await GitHistory.open(root)).recent(MOST_COMMITS);
    return commits.map(({ commit, at, author, subject, paths }) => {
      const pages = paths.filter((path) => path.endsWith('.md'));
      const day = dayAt(at);
      return { commit: commit.slice(0, 9), day, author, subject, files: pages.map((path) => places.file(path)) };
    });
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    const told = [error.failure.message, error.failure.hint].filter((text) => text !== undefined).join('; ');
    // Where the workspace is on this machine is nobody's business who is shown the page.
    return told.replaceAll(root, basename(root));
  }
}
