import type { FreshIndex } from '../index/fresh.js';
import { type CodesOverview, codesOverview } from '../index/meaning/line-codes.js';
import { type IndexOverview, readIndexOverview } from '../index/overview.js';
import { buildAwayNotices, findUnreadNotices } from '../index/run.js';
import { IndexSearch } from '../index/search.js';
import type { Notice } from '../index/tree.js';
import type { VectorOverview } from '../index/vectors/overview.js';
import { EVIDENCE_PATH } from '../memory/evidence.js';
import { APPLIED_PATH } from '../memory/pages.js';
import { listSessions } from '../session/session.js';
import { namesIn } from '../workspace/files.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { fullPathOf } from '../workspace/read-scope.js';
import { findJsonLinesCopies } from '../workspace/readable.js';

export interface StatusReport extends IndexOverview {
  readonly root: string;
  readonly foundBy: string;
  readonly timezone: string;
  readonly today: string;
  readonly stateFolder: { readonly path: string; readonly place: 'workspace' | 'cache'; readonly reason?: string };
  /** Whether the index could not be updated for this answer. */
  readonly stale: boolean;
  readonly notices: readonly Notice[];
  readonly warnings: readonly string[];
  /** The vectors of the workspace; null if none can be used. */
  readonly vectors: VectorOverview | null;
  /** The vectors of the built-in model; null if it is not used. */
  readonly builtIn: CodesOverview | null;
  readonly sessions: SessionsOverview;
  /** The configured models and where they run; `--deep` tests them. */
  readonly configured: ConfiguredModels;
}

/** Totals over all sessions. */
export interface SessionsOverview {
  readonly count: number;
  /** Number of archives whose Working Memory is not written yet. */
  readonly pendingArchives: number;
  readonly failedArchives: number;
  /** Number of tokens of messages that are not in an archive yet. */
  readonly pendingTokens: number;
}

interface ConfiguredModels {
  /** Address of the server as configured; null for this machine. */
  readonly host: string | null;
  /** The setting, environment variable or file that `host` was taken from, for messages. */
  readonly hostFrom: string;
  readonly chatModel: string;
  readonly embedModel: string;
}

/** Computes the status from the files each time, so that it is never outdated. */
export function buildStatus(
  context: Pick<StatusReport, 'root' | 'foundBy' | 'timezone' | 'today' | 'stateFolder' | 'configured'>,
  fresh: FreshIndex,
  vectors: VectorOverview | null,
  usesBuiltIn: boolean,
  { root, reads, clock }: WorkspaceContext,
): StatusReport {
  const [main] = fresh.segments;
  if (main === undefined) throw new Error('an index has at least one segment');
  const overview = readIndexOverview(main.db);
  const copied = findJsonLinesCopies(root, listJsonLinesFiles(root));
  const unread = new IndexSearch(fresh.segments).unreadFiles();
  return {
    ...context,
    ...overview,
    copies: {
      files: overview.copies.files + copied.length,
      lines: overview.copies.lines + copied.reduce((sum, { lines }) => sum + lines.length, 0),
    },
    stale: fresh.stale || fresh.segments.length > 1,
    notices: [
      ...fresh.tree.notices,
      ...buildAwayNotices(fresh.away, fresh.tree),
      ...unread,
      ...findUnreadNotices({ root, reads }, fresh.tree),
    ],
    warnings: fresh.warnings,
    vectors,
    builtIn: usesBuiltIn ? codesOverview(main.db) : null,
    sessions: sessionsOf(root, clock.now()),
  };
}

function sessionsOf(root: string, now: Date): SessionsOverview {
  const sessions = listSessions(root, now);
  const sum = (of: (session: (typeof sessions)[number]) => number) => sessions.reduce((all, one) => all + of(one), 0);
  return {
    count: sessions.length,
    pendingArchives: sum(({ archives }) => archives.pending),
    failedArchives: sum(({ archives }) => archives.failed),
    pendingTokens: sum(({ pending_tokens }) => pending_tokens),
  };
}

/** Paths of the workspace's own files in JSON lines, which may be missing. Archives are left out: they do not change. */
export function listJsonLinesFiles(root: string): readonly string[] {
  const sessions = namesIn(fullPathOf(root, 'sessions')).map((name) => `sessions/${name}/messages.jsonl`);
  return [EVIDENCE_PATH, APPLIED_PATH, ...sessions];
}
