import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fail } from '../base/failure.js';
import { suggestKnownWord } from '../base/nearest.js';
import { type RequestFields, type RequestOf, readTypedRequest } from '../base/request.js';
import type { IndexSearch } from '../index/search.js';
import { AwayFiles } from '../memory/away.js';
import { readDayOptions } from '../query/day-options.js';
import type { ReflectContext } from '../reflect/reflect.js';
import { entitySlug } from '../text/slug.js';
import { readBeginning, readVersion, replaceFile } from '../workspace/files.js';
import { takeOverOldState } from '../workspace/lock.js';
import type { Settings } from '../workspace/settings.js';
import { limitPageSize } from './budget.js';
import { collectPage, type PageDataSource, type PageScope } from './collect/page-data.js';
import { createLinkFormat } from './collect/places.js';
import { buildDefaultPagePath, estimateEmptyPageBytes, PAGE_MARKER, renderPage } from './page.js';
import type { OmittedLineCounts, PageData } from './page-data.js';

export const VIEW_REQUEST = {
  out: { type: 'text', value: 'file', doc: 'file to write; - prints the page (default: .memory/view.html)' },
  since: { type: 'time', value: 'time', doc: 'only logs from this time on: a date, an age such as 30d, or words' },
  entity: { type: 'text', value: 'name', doc: 'only this entity' },
  sessions: { type: 'boolean', default: true, doc: 'include the sessions', without: 'leave the sessions out' },
} as const satisfies RequestFields;

export type ViewRequest = RequestOf<typeof VIEW_REQUEST>;

/** The HTML page, with its size and the numbers of what it shows. `view --json` prints all fields but `html`. */
interface ViewReport {
  /** Absolute path of the written page; null when no file was written. */
  readonly path: string | null;
  readonly html: string;
  readonly bytes: number;
  readonly counts: Readonly<
    Record<'entities' | 'facts' | 'log_lines' | 'days' | 'pages' | 'beliefs' | 'sessions', number>
  >;
  readonly left_out: OmittedLineCounts;
}

/** Only this number of bytes at the beginning of a file is searched for our marker. */
const BEGINNING = 200;

/**
 * Creates the page of a workspace. The same files at the same time give the same bytes.
 * @throws MemoryError `usage` for an existing file that is not a page of `view`, `not_found` for an unknown entity or
 * folder
 */
export async function makeView(
  context: ReflectContext,
  settings: Pick<Settings, 'viewLinks' | 'recallResources'>,
  source: PageDataSource,
  given: ViewRequest,
): Promise<ViewReport> {
  const request = readTypedRequest('view', VIEW_REQUEST, given);
  const { root, stateFolder } = context;
  await takeOverOldState(context);
  const { out = buildDefaultPagePath(stateFolder) } = request;
  const path = out === '-' ? null : resolve(root, out);
  // Check the path before the work, so that a wrong path is reported at once. `write` checks it again.
  if (path !== null && request.out !== undefined) checkFolder(dirname(path));
  if (path !== null) checkOurs(path);
  const { since } = await readDayOptions({ since: request.since }, context.clock, 'key');
  const scope: PageScope = {
    since,
    entity: request.entity === undefined ? undefined : findEntity(source.search, request.entity),
    withSessions: request.sessions !== false,
    withResources: settings.recallResources,
  };
  const links = createLinkFormat(settings.viewLinks, root, path);
  const data = limitPageSize(
    await collectPage(
      { ...context, read: (use) => use(source.search, source.away ?? AwayFiles.NONE) },
      source,
      scope,
      links,
    ),
    estimateEmptyPageBytes(),
  );
  const html = renderPage(data);
  if (path !== null) write(path, html);
  return { path, html, bytes: Buffer.byteLength(html), ...summaryOf(data) };
}

function summaryOf(data: PageData): Pick<ViewReport, 'counts' | 'left_out'> {
  const { items, entities, notes, beliefs, sessions, files, left_out } = data;
  const days = notes.filter(({ kind, text }) => kind === 'day' && text !== '');
  const counts = {
    entities: entities.filter(({ holds }) => holds !== null).length,
    facts: items.length,
    log_lines: days.reduce((sum, { lines = 0 }) => sum + lines, 0),
    days: new Set(
      [...items.map(({ at }) => at[0]), ...days.map(({ file }) => file)].flatMap((at) => files[at]?.day ?? []),
    ).size,
    pages: notes.filter(({ kind }) => kind === 'page').length,
    beliefs: beliefs.length,
    sessions: sessions?.length ?? 0,
  };
  return { counts, left_out };
}

function findEntity(search: IndexSearch, name: string): PageScope['entity'] {
  const slug = entitySlug(name);
  const entities = search.entities();
  const known = search.entity(slug);
  const found = entities.find((entity) => entity.slug === (known?.slug ?? slug));
  if (found === undefined) {
    const names = entities.map((entity) => entity.name);
    const hint = suggestKnownWord(name.replace(/^@/, ''), names, 'list all: openclaw memory entity list');
    return fail('not_found', `nothing is known about "${name}"`, hint);
  }
  return { slug: found.slug, name: found.name, slugs: [...(known?.slugs ?? [slug]), ...(known?.links ?? [])] };
}

/** Fails if the folder is missing. That is more likely a typo, so do not create it. */
function checkFolder(folder: string): void {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    fail('not_found', `there is no folder ${folder}`, 'create the folder first, or use another file with --out');
}

function checkOurs(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there && (!there.isFile() || !isOurs(readBeginning(path, BEGINNING)))) refuse(path);
}

function isOurs(bytes: Buffer): boolean {
  return bytes.subarray(0, BEGINNING).includes(PAGE_MARKER);
}

function refuse(path: string): never {
  return fail(
    'usage',
    `${path} was not made by view, so it was not overwritten`,
    'use another file with --out, or move this file away',
  );
}

/** Writes the page with mode 0600, because it contains the memory. */
function write(path: string, html: string): void {
  const there = readVersion(path);
  if (there !== undefined && !isOurs(there.bytes)) refuse(path);
  if (!replaceFile(path, there, html, 0o600))
    fail('conflict', `${path} is being changed by another program`, 'try again when that program is done');
}
