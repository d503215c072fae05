import type { Day } from '../../base/clock.js';
import { compareText } from '../../base/order.js';
import type { FoundFile, IndexSearch } from '../../index/search.js';
import type { PageNote } from '../page-data.js';

/**
 * Roles of files whose texts are not shown. Beliefs are shown with their evidence, and sessions with their Working
 * Memory.
 */
const ELSEWHERE: ReadonlySet<string> = new Set(['opinions', 'summary', 'copy']);

/** Where the text of a file is shown; undefined if it is not shown. */
export function noteKind({ role, day }: FoundFile, withResources: boolean): PageNote['kind'] | undefined {
  if (ELSEWHERE.has(role) || (role === 'resource' && !withResources)) return undefined;
  return role === 'entity' ? 'entity' : day === null ? 'page' : 'day';
}

/** Files in the order in which they are read: undated ones, then the newest days. Files of future days are last. */
export function newestFirst(search: IndexSearch, today: Day): readonly FoundFile[] {
  const order = ({ day }: FoundFile): string => (day === null ? '9999-12-31' : day > today ? '' : day);
  const files = search.files().flatMap(({ path }) => search.file(path) ?? []);
  return files.sort((a, b) => compareText(order(b), order(a)));
}

/** The day itself; null if there is none, or if it is in the future. */
export function pastDay(day: Day | null, today: Day): Day | null {
  return day !== null && day <= today ? day : null;
}
