import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Day } from '../base/clock.js';
import { fail } from '../base/failure.js';
import { didYouMean } from '../base/nearest.js';
import { compareText } from '../base/order.js';
import { checkRequest, type RequestFields, type RequestOf } from '../base/request.js';
import type { Search } from '../index/search.js';
import { AwayFiles } from '../memory/away.js';
import { readDayOptions } from '../recall/day-options.js';
import type { OpinionSource } from '../recall/opinion-view.js';
import type { ReflectContext } from '../reflect/reflect.js';
import { entitySlug } from '../text/slug.js';
import { readBeginning, readVersion, replaceFile } from '../workspace/files.js';
import type { Settings } from '../workspace/settings.js';
import { collectPage, type PageScope } from './collect/page-data.js';
import { linksOf } from './collect/places.js';
import { frameBytes, keptPage, PAGE_MARK, renderPage } from './page.js';
import type { OmittedLines, PageData, PageItem } from './page-data.js';

export const VIEW = {
  out: { type: 'text', value: 'file', doc: 'where the page is written; - prints it (default: .memory/view.html)' },
  since: { type: 'time', value: 'time', doc: 'logs from this time on: a day, an age such as 30d, or words' },
  entity: { type: 'text', value: 'name', doc: 'only what is about this entity' },
  sessions: { type: 'boolean', default: true, doc: 'with the sessions', without: 'leave the sessions out' },
} as const satisfies RequestFields;

export type ViewRequest = RequestOf<typeof VIEW>;

/** A page with its figures. `view --json` prints all but `html`. */
export interface ViewReport {
  /** Absolute path; null when no file was written. */
  readonly path: string | null;
  readonly html: string;
  readonly bytes: number;
  readonly counts: {
    readonly entities: number;
    readonly facts: number;
    readonly log_lines: number;
    readonly days: number;
    readonly pages: number;
    readonly beliefs: number;
    readonly sessions: number;
  };
  readonly left_out: OmittedLines;
}

/** Number of leading bytes that are searched for the mark. */
const BEGINNING = 200;

/**
 * Creates the page of a workspace. The same files at the same time give the same bytes.
 * @throws MemoryError `usage` for an existing file that is not a page of `view`, `not_found` for an unknown entity or
 * folder
 */
export async function makeView(
  context: ReflectContext,
  settings: Pick<Settings, 'viewLinks' | 'recallResources'>,
  source: OpinionSource & { readonly away?: AwayFiles },
  request: ViewRequest,
): Promise<ViewReport> {
  checkRequest('view', VIEW, request);
  const { root, stateFolder } = context;
  const { out = keptPage(stateFolder) } = request;
  const path = out === '-' ? null : resolve(root, out);
  // Check before the work. `write` checks again.
  if (path !== null && request.out !== undefined) checkFolder(dirname(path));
  if (path !== null) checkOurs(path);
  const { since } = await readDayOptions({ since: request.since }, context.clock, 'key');
  const scope: PageScope = {
    since,
    entity: request.entity === undefined ? undefined : findEntity(source.search, request.entity),
    withSessions: request.sessions !== false,
    withResources: settings.recallResources,
  };
  const links = linksOf(settings.viewLinks, root, path);
  const data = withinBudget(
    await collectPage(
      { ...context, read: (use) => use(source.search, source.away ?? AwayFiles.NONE) },
      source,
      scope,
      links,
    ),
    frameBytes(),
  );
  const html = renderPage(data);
  if (path !== null) write(path, html);
  return { path, html, bytes: Buffer.byteLength(html), ...summaryOf(data) };
}

function summaryOf(data: PageData): Pick<ViewReport, 'counts' | 'left_out'> {
  const { items, entities, notes, beliefs, sessions, files, left_out } = data;
  const isFact = ({ kind }: PageData['items'][number]): boolean => kind !== 'log' && kind !== 'page' && kind !== 'core';
  const counts = {
    entities: entities.filter(({ holds }) => holds !== null).length,
    facts: items.filter(isFact).length,
    log_lines: items.filter(({ kind }) => kind === 'log').length,
    days: new Set([...new Set(items.map(({ at }) => at[0]))].flatMap((at) => files[at]?.day ?? [])).size,
    pages: notes.length,
    beliefs: beliefs.length,
    sessions: sessions?.length ?? 0,
  };
  return { counts, left_out };
}

function findEntity(search: Search, name: string): PageScope['entity'] {
  const slug = entitySlug(name);
  const entities = search.entities();
  const known = search.entity(slug);
  const found = entities.find((entity) => entity.slug === (known?.slug ?? slug));
  if (found === undefined) {
    const names = entities.map((entity) => entity.name);
    const hint = didYouMean(name.replace(/^@/, ''), names, 'openclaw memory entity list shows all');
    return fail('not_found', `nothing is known of "${name}"`, hint);
  }
  return { slug: found.slug, name: found.name, slugs: [...(known?.slugs ?? [slug]), ...(known?.links ?? [])] };
}

/** A missing folder is more likely a typo: do not create it. */
function checkFolder(folder: string): void {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    fail('not_found', `there is no folder ${folder}`, 'make it first, or name a file in another one with --out');
}

function checkOurs(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there && (!there.isFile() || !isOurs(readBeginning(path, BEGINNING)))) refuse(path);
}

function isOurs(bytes: Buffer): boolean {
  return bytes.subarray(0, BEGINNING).includes(PAGE_MARK);
}

function refuse(path: string): never {
  return fail('usage', `${path} is no page of view`, 'name another file with --out, or move this one away');
}

/** Writes the page with mode 0600, because it contains the memory. */
function write(path: string, html: string): void {
  const there = readVersion(path);
  if (there !== undefined && !isOurs(there.bytes)) refuse(path);
  if (!replaceFile(path, there, html, 0o600))
    fail('conflict', `${path} is being changed by another program`, 'try again when it is done');
}

/** Maximum size of a page, in bytes. */
const MOST_BYTES = 8_000_000;

/**
 * Shortens the longest notes and drops the oldest log lines, in proportion to their sizes, until the page fits the
 * limit. Undated lines are dropped last. Pure.
 * @param frame size of the page without its data, in bytes
 */
export function withinBudget(data: PageData, frame: number, limit = MOST_BYTES): PageData {
  const most = limit - frame;
  const whole = weight(data);
  if (whole <= most) return data;
  const logs = data.items.reduce((sum, item) => sum + (item.kind === 'log' ? weight(item) : 0), 0);
  const texts = data.notes.reduce((sum, { text }) => sum + weight(text), 0);
  const room = Math.max(0, most - (whole - logs - texts));
  return withoutOldest(withShorter(data, (room * texts) / Math.max(1, logs + texts)), most);
}

/** Limits the texts of notes to `room` bytes in total: shorter notes stay whole, all others get an equal share. */
function withShorter(data: PageData, room: number): PageData {
  const weights = data.notes.map(({ text }) => weight(text));
  let left = room;
  let share = Number.POSITIVE_INFINITY;
  for (const [at, one] of weights.toSorted((a, b) => a - b).entries()) {
    const equal = left / (weights.length - at);
    if (one > equal) {
      share = equal;
      break;
    }
    left -= one;
  }
  let { shortened_pages } = data.left_out;
  const notes = data.notes.map((note, at) => {
    const own = weights[at] ?? 0;
    if (own <= share) return note;
    const most = Math.floor((note.text.length * share) / own);
    // Cut at the end of a line if there is one.
    const text = note.text.slice(0, note.text.lastIndexOf('\n', most) + 1 || most);
    if (note.cut === 0) shortened_pages++;
    return { ...note, text, cut: note.cut + note.text.length - text.length };
  });
  return { ...data, notes, left_out: { ...data.left_out, shortened_pages } };
}

function withoutOldest(data: PageData, most: number): PageData {
  const whole = weight(data);
  if (whole <= most) return data;
  const dayOf = ({ at }: PageItem): Day | null => data.files[at[0]]?.day ?? null;
  const order = (line: PageItem): string => dayOf(line) ?? '9999-12-31';
  const lines = data.items.filter(({ kind }) => kind === 'log').sort((a, b) => compareText(order(a), order(b)));
  const left = new Set<PageItem>();
  let excess = whole - most;
  let { until } = data.left_out;
  for (const line of lines) {
    if (excess <= 0) break;
    left.add(line);
    excess -= weight(line) + 1;
    const day = dayOf(line);
    if (day !== null && day > (until ?? '')) until = day;
  }
  const items = data.items.filter((item) => !left.has(item));
  // The removal changes the indices of the other items.
  const places = new Map(items.map((item, place) => [item, place]));
  const movedUp = (place: number) => data.items.slice(place, place + 1).flatMap((item) => places.get(item) ?? []);
  return {
    ...data,
    items,
    entities: data.entities.map((entity) => ({ ...entity, prose: entity.prose.flatMap(movedUp) })),
    left_out: { ...data.left_out, log_lines: data.left_out.log_lines + left.size, until },
  };
}

/** Size of a value in the page, in bytes. A `<` is written as `\u003c`, which takes 5 bytes more. */
function weight(value: unknown): number {
  const json = JSON.stringify(value);
  return Buffer.byteLength(json) + (json.split('<').length - 1) * 5;
}
