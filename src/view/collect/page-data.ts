import { basename } from 'node:path';
import type { Day } from '../../base/clock.js';
import { MemoryError } from '../../base/failure.js';
import type { ListedEntity } from '../../index/entity-list.js';
import { readForgotten } from '../../index/forgotten-page.js';
import type { FoundUnit, IndexSearch } from '../../index/search.js';
import type { AwayFiles } from '../../memory/away.js';
import type { ForgottenStatements } from '../../memory/forgotten.js';
import { notePageOfFileName } from '../../memory/pages.js';
import type { OpinionSource } from '../../query/opinion-view.js';
import { type EntityState, EntityStateReader } from '../../reflect/entity-state.js';
import { MAX_ALL_ENTITY_FACTS } from '../../reflect/entity-statuses.js';
import type { ReflectContext } from '../../reflect/reflect.js';
import { listProposals } from '../../retain/proposals.js';
import { archiveSummaries, removedItems } from '../../session/expand.js';
import { listSessions } from '../../session/session.js';
import { showWorkingMemory } from '../../session/working-memory.js';
import { contentItems, parseDocument } from '../../wm/document.js';
import { dayOf, today } from '../../workspace/clock.js';
import { GitHistory } from '../../workspace/git/history.js';
import type { PageCommit, PageData, PageSession, PendingItems } from '../page-data.js';
import { collectBeliefs, collectEntities, toStatementSource } from './entities.js';
import { chooseFiles } from './files.js';
import { linesByPath, readFacts, readLinked, toPageItems } from './items.js';
import { collectNotes, type NotesInput } from './notes.js';
import { EntityNameIndex, FileTable, type LinkFormat } from './places.js';
import { collectWeek, type WeekSource } from './week.js';

export interface PageScope {
  readonly since: Day | undefined;
  /**
   * If the page is limited to one entity: the slug and name of the entity. `slugs` also has the slugs of its aliases and
   * links.
   */
  readonly entity: { readonly slug: string; readonly slugs: readonly string[]; readonly name: string } | undefined;
  readonly withSessions: boolean;
  readonly withResources: boolean;
}

const MOST_COMMITS = 500;
/** Maximum number of sessions, newest first. */
const MOST_SESSIONS = 200;

export interface PageDataSource extends OpinionSource, WeekSource {
  /** The facts and beliefs without the logs of future days. Undefined if there are no such logs. */
  readonly present?: OpinionSource | undefined;
  /** Files that are temporarily unavailable. Missing means that there are none. */
  readonly away?: AwayFiles;
}

/** Collects the data of the page. */
export async function collectPage(
  context: ReflectContext,
  source: PageDataSource,
  scope: PageScope,
  links: LinkFormat,
): Promise<PageData> {
  const { root, clock } = context;
  const { search } = source;
  const { since, entity, withResources } = scope;
  const day = today(clock);
  // To compute what is current, leave out the logs of future days. The page shows these logs, but nothing in these logs
  // is current.
  const current = source.present ?? source;
  const holdings = new EntityStateReader(current.search, {
    today: day,
    root,
    ...(entity && { mostFacts: MAX_ALL_ENTITY_FACTS }),
  });
  const everyone = search.entities();
  const only = entity?.slug;
  const ownPage = everyone.find(({ slug }) => slug === only)?.page ?? null;
  const linked = entity && readLinked(search, entity.slugs, { root, since, withResources });
  const ofFiles = { root, search, withResources, since, today: day, kept: linked && linesByPath(linked), ownPage };
  const { shown, leftOut } = chooseFiles(ofFiles);
  const facts = linked?.filter(({ fact }) => fact !== null) ?? readFacts(search, shown, root);
  const listed = entity === undefined ? everyone : companyOf(everyone, search, facts, entity.slug);
  const [names, places] = [new EntityNameIndex(search, listed), new FileTable(search, links)];
  const items = toPageItems(facts, places, names);
  const forgotten = readForgotten(root);
  const dayAt = (instant: string): Day => dayOf(new Date(instant), clock.zone);
  const ofSessions = { root, now: clock.now(), dayAt, forgotten };
  // Sessions are not about a single entity, so a page about one entity leaves them out.
  const sessions =
    scope.withSessions && entity === undefined ? collectSessions(ofSessions, places, MOST_SESSIONS) : null;
  const proposals = listProposals(root).waiting.filter(
    ({ proposal: { text } }) => !forgotten.hasLine(text) && (entity === undefined || text.includes(entity.name)),
  );
  const lines = items.map(({ text }) => text);
  const addressOf = addresses(search, names, listed);
  const { notes, links: targets } = collectNotes({ ...ofFiles, forgotten, addressOf, lines }, shown, places);
  const { entities, held } = await collectEntities({ search, holdings, entities: listed, only, notes, places });
  return {
    workspace: basename(root),
    today: day,
    zone: clock.zone,
    since: since ?? null,
    entity: entity?.name ?? null,
    lineMark: links.lineMark,
    items,
    entities,
    notes,
    links: targets,
    beliefs: await collectBeliefs(context, current, entity?.slug, places, names),
    week: entity === undefined ? collectWeek(source, day, places) : null,
    waiting: {
      questions: [
        ...questionsOf(held, (at) => entities[at]?.name ?? '', places),
        ...(sessions ?? []).flatMap(openIssues),
      ],
      contradictions: contradictionsOf(held, places),
      proposals: proposals.map(({ number, proposal: { action, text, reason }, source }) => {
        return { number, action, text, reason, at: places.source(source) };
      }),
    },
    sessions,
    commits: await commitsOf(root, dayAt, places, entity && places.files.map(({ path }) => path)),
    left_out: { ...leftOut, shortened_pages: notes.filter(({ cut }) => cut > 0).length, beliefs: 0 },
    // Read `files` last: collecting the properties above adds files to it.
    files: places.files,
  };
}

/** Resolves the name in a link to the address of an entity or a day. */
function addresses(
  search: IndexSearch,
  names: EntityNameIndex,
  listed: readonly ListedEntity[],
): NotesInput['addressOf'] {
  let days: ReadonlySet<string> | undefined;
  return (name) => {
    const entity = listed[names.index(name) ?? -1];
    if (entity !== undefined) return `entity=${encodeURIComponent(entity.name)}`;
    const day = dayNamed(`${name}.md`);
    if (day === null) return undefined;
    days ??= new Set(search.files().flatMap(({ path }) => dayNamed(path) ?? []));
    return days.has(day) ? `timeline=${day}` : undefined;
  };
}

/** Day in the file name of a log. */
function dayNamed(path: string): Day | null {
  return notePageOfFileName(path.slice(path.lastIndexOf('/') + 1))?.day ?? null;
}

/** Lists an entity, and the entities that occur in the same lines. */
function companyOf(
  everyone: readonly ListedEntity[],
  search: IndexSearch,
  units: readonly FoundUnit[],
  slug: string,
): readonly ListedEntity[] {
  const named = new Set(
    new EntityNameIndex(search, everyone).indices(units.flatMap(({ detail }) => detail?.entities ?? [])),
  );
  return everyone.filter((one, place) => one.slug === slug || named.has(place));
}

/** The newest commits; none outside of a git repository. @param only paths to limit the commits to */
async function commitsOf(
  root: string,
  dayAt: (instant: string) => Day,
  places: FileTable,
  only: readonly string[] | undefined,
): Promise<readonly PageCommit[]> {
  try {
    const commits = await (await GitHistory.open(root)).recent(MOST_COMMITS);
    return commits.flatMap(({ commit, at, subject, paths }) => {
      const pages = paths.filter((path) => path.endsWith('.md') && only?.includes(path) !== false);
      if (only !== undefined && pages.length === 0) return [];
      const files = pages.map((path) => places.file(path));
      return [{ commit: commit.slice(0, 9), day: dayAt(at), subject, files }];
    });
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return [];
  }
}

/** The state of each entity, by its index in the list of entities. */
type Held = ReadonlyMap<number, EntityState>;

/** Finds the questions among the current and planned statements, each once. */
function questionsOf(held: Held, nameOf: (entity: number) => string, places: FileTable): PendingItems['questions'] {
  const found = new Map<string, PendingItems['questions'][number]>();
  for (const [entity, { now, planned }] of held) {
    for (const { id, text, source } of [...now, ...planned]) {
      if (!/[?？]\s*$/.test(text) || found.has(id)) continue;
      found.set(id, { text: text.replace(/^question: /, ''), at: places.source(source), where: nameOf(entity) });
    }
  }
  return [...found.values()];
}

function openIssues({ id, memory }: PageSession): PendingItems['questions'] {
  const issues = memory?.find(({ title }) => title === 'Open Issues')?.lines ?? [];
  return issues.map((text) => ({ text, at: null, where: id }));
}

function contradictionsOf(held: Held, places: FileTable): PendingItems['contradictions'] {
  const known = new Set<string>();
  return [...held].flatMap(([entity, { now }]) =>
    now.flatMap((one) => {
      // Two values of the same day contradict each other, because nothing tells which of them is newer.
      const sides = [one, ...(one.earlier ?? []).filter(({ day }) => day === one.day)];
      const said = sides.map(({ source, text }) => `${source} ${text}`).sort();
      const key = said.join('\n');
      if (sides.length === 1 || known.has(key)) return [];
      known.add(key);
      return [{ entity, sides: sides.map((one) => toStatementSource(one, places)) }];
    }),
  );
}

interface SessionsInput {
  readonly root: string;
  readonly now: Date;
  /** Day of an instant in the user's time zone. */
  readonly dayAt: (instant: string) => Day;
  readonly forgotten: ForgottenStatements;
}

/**
 * The sessions that were written last, newest first. Each has its Working Memory, and the items that the guards (checks
 * of a rewrite) removed from it.
 * @param most maximum number of sessions
 */
function collectSessions(
  { root, now, dayAt, forgotten }: SessionsInput,
  places: FileTable,
  most: number,
): readonly PageSession[] {
  const dayOf = (instant: string | null): Day | null => (instant === null || instant === '' ? null : dayAt(instant));
  const isKept = (line: string): boolean => !forgotten.hasLine(line);
  const newest = listSessions(root, now).slice(0, most);
  return newest.map(({ session, updated_at, live_messages, archived_messages }) => ({
    id: session,
    day: dayOf(updated_at),
    live: live_messages,
    archived: archived_messages,
    memory: memoryOf(showWorkingMemory(root, session).document, isKept),
    removed: removedItems(root, session)
      .filter(({ item }) => isKept(item))
      .map(({ archive_id, section, item, reason }) => ({ archive: archive_id, section, item, reason })),
    archives: archiveSummaries(root, session).map((archive) => ({
      id: archive.archive_id,
      state: archive.state,
      day: dayOf(archive.created_at),
      messages: archive.message_count,
      abstract: archive.abstract.split('\n').filter(isKept).join('\n'),
      at: places.at(archive.overview_path, 1),
    })),
  }));
}

function memoryOf(document: string | null, isKept: (line: string) => boolean): PageSession['memory'] {
  if (document === null) return null;
  const sections = Object.entries(parseDocument(document).bodies);
  return sections
    .map(([title, body]) => ({ title, lines: contentItems(body).filter(isKept) }))
    .filter(({ lines }) => lines.length > 0);
}
