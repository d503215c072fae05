import type { FreshIndex } from '../index/fresh.js';
import { type IndexOverview, overviewOf } from '../index/overview.js';
import type { Notice } from '../index/tree.js';
import type { VectorOverview } from '../index/vectors/overview.js';

export interface StatusReport extends IndexOverview {
  readonly root: string;
  readonly foundBy: string;
  readonly timezone: string;
  readonly today: string;
  readonly stateFolder: { readonly path: string; readonly place: 'workspace' | 'cache'; readonly reason?: string };
  /** Whether the index could not be brought up to date for this answer. */
  readonly stale: boolean;
  readonly notices: readonly Notice[];
  readonly warnings: readonly string[];
  /** Null when none were ever made. */
  readonly vectors: VectorOverview | null;
}

export type StatusPlace = Pick<StatusReport, 'root' | 'foundBy' | 'timezone' | 'today' | 'stateFolder'>;

/** What there is: computed from the disk every time, so that it is never out of date. */
export function statusOf(place: StatusPlace, fresh: FreshIndex, vectors: VectorOverview | null): StatusReport {
  const [main] = fresh.segments;
  if (main === undefined) throw new Error('an index has at least one segment');
  return {
    ...place,
    ...overviewOf(main.db),
    stale: fresh.stale || fresh.segments.length > 1,
    notices: fresh.notices,
    warnings: fresh.warnings,
    vectors,
  };
}
