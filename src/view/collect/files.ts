import { statSync } from 'node:fs';
import type { Day } from '../../base/clock.js';
import { compareText } from '../../base/order.js';
import type { FoundFile, IndexSearch } from '../../index/search.js';
import { fullPathOf } from '../../workspace/read-scope.js';
import type { OmittedLineCounts, PageNote } from '../page-data.js';

/**
 * Roles of files whose texts are not shown. Beliefs are shown with their evidence, and sessions with their Working
 * Memory.
 */
const ELSEWHERE: ReadonlySet<string> = new Set(['opinions', 'summary', 'copy']);

/** Maximum size of the days that are read, in bytes. A page has no room for more. */
const ROOM = 8_000_000;

export interface FilesScope {
  readonly root: string;
  readonly search: IndexSearch;
  readonly withResources: boolean;
  readonly since: Day | undefined;
  readonly today: Day;
  /** If the page is about one entity: the numbers of the lines about it, by path. Other lines are left out. */
  readonly kept: ReadonlyMap<string, ReadonlySet<number>> | undefined;
  /** Path of the page of that entity, which is shown whole. */
  readonly ownPage: string | null;
}

/** Where the text of a file is shown; undefined if it is not shown. */
export function noteKind(
  { role, day }: FoundFile,
  { withResources, since }: Pick<FilesScope, 'withResources' | 'since'>,
): PageNote['kind'] | undefined {
  if (ELSEWHERE.has(role) || (role === 'resource' && !withResources)) return undefined;
  if (since !== undefined && day !== null && day < since) return undefined;
  return role === 'entity' ? 'entity' : day === null ? 'page' : 'day';
}

/**
 * Chooses the files to show: those without a day, then the newest days within `room`. Days in the future are last.
 * `leftOut` counts what the other days have.
 */
export function chooseFiles(scope: FilesScope, room = ROOM) {
  const { root, search, today, kept, ownPage } = scope;
  const order = ({ day }: FoundFile): string => (day === null ? '9999-12-31' : day > today ? '' : day);
  const all = search.files().flatMap(({ path }) => search.file(path) ?? []);
  const shown: FoundFile[] = [];
  const leftOut: LeftOut = { log_lines: 0, until: null, facts: 0, facts_until: null };
  let size = 0;
  for (const file of all.sort((a, b) => compareText(order(b), order(a)))) {
    const kind = noteKind(file, scope);
    if (kind === undefined || (kept !== undefined && !kept.has(file.path) && file.path !== ownPage)) continue;
    if (kind !== 'day' || size < room) {
      shown.push(file);
      if (kind === 'day') size += statSync(fullPathOf(root, file.path), { throwIfNoEntry: false })?.size ?? 0;
      continue;
    }
    const { lines, facts } = search.countIn(file);
    const day = file.day !== null && file.day <= today ? file.day : null;
    leftOut.log_lines += lines;
    leftOut.facts += facts;
    if (lines > 0) leftOut.until ??= day;
    if (facts > 0) leftOut.facts_until ??= day;
  }
  return { shown, leftOut };
}

type LeftOut = { -readonly [K in 'log_lines' | 'until' | 'facts' | 'facts_until']: OmittedLineCounts[K] };
