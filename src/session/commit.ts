import { join } from 'node:path';
import { type Failure, MemoryError } from '../base/failure.js';
import { removeFile } from '../workspace/files.js';
import { type Archived, archiveLive, countArchives, settlePhase1 } from './archive/archive-live.js';
import { type Archive, listArchives, readArchived } from './archive/archives.js';
import {
  type FinishedArchive,
  type FinishTools,
  finishArchive,
  type MakeOverview,
  withoutModelSince,
} from './finish.js';
import { type SessionMeta, writeMeta } from './log/meta.js';
import { ARCHIVE_FILES, type SessionPaths, sessionPaths } from './log/paths.js';
import { clampKeep, KEEP_LIMIT } from './log/window.js';
import { deterministicStep, updateWorkingMemory } from './memory/update.js';
import { messageTokens, type SessionMessage } from './message.js';
import { archivesHolder, lockArchives, type SessionPlace, withLog } from './place.js';
import { requireSession } from './status.js';

export interface CommitRequest {
  /** How many of the newest messages stay; clamped to 0…10,000 with a warning. */
  readonly keep: number;
  /** Commit only when at least so many tokens are pending. */
  readonly threshold?: number | undefined;
  /** It is a compaction: counted as one. */
  readonly compaction?: boolean | undefined;
  /** Stop when the messages are archived: somebody else finishes the archive. */
  readonly phase1Only?: boolean | undefined;
}

export interface CommitReport {
  readonly session: string;
  readonly outcome: Archived['outcome'];
  /** Id of the archive that was made. */
  readonly archive: string | null;
  readonly archivedCount: number;
  /** Archives that were finished now, oldest first. */
  readonly finished: readonly FinishedArchive[];
  /** Archives that wait to be finished. */
  readonly pending: readonly string[];
  readonly warnings: readonly string[];
  readonly meta: SessionMeta;
}

/** How long a command waits for another one that is finishing archives, in ms. */
const WAIT_MS = 30_000;

/**
 * Commits a session: archives its older messages (phase 1), then finishes every archive that is not finished, oldest
 * first (phase 2): seed 000, section 2.
 * @throws MemoryError `usage`, `not_found`, `busy`, `interrupted`, and what the file system says
 */
export async function commitSession(
  place: SessionPlace,
  id: string,
  request: CommitRequest,
  tools: FinishTools,
): Promise<CommitReport> {
  requireSession(place.root, id);
  const keep = clampKeep(request.keep);
  const warnings = keep === request.keep ? [] : [`--keep-recent is 0 to ${KEEP_LIMIT}: ${keep} is used`];
  const compaction = request.compaction === true;
  const archived = await withLog(place, id, 'session commit', (paths) =>
    archiveLive(paths, { keep, compaction, threshold: request.threshold }, place.clock),
  );
  const paths = sessionPaths(place.root, id);
  const base = { session: id, outcome: archived.outcome, archive: archived.archive };
  const counted = { ...base, archivedCount: archived.archivedCount };
  if (request.phase1Only) {
    return { ...counted, finished: [], pending: pendingIds(paths), warnings, meta: archived.meta };
  }
  const rest = await finishArchives(place, id, tools);
  return { ...counted, ...rest, warnings: [...warnings, ...rest.warnings], meta: rest.meta ?? archived.meta };
}

export interface ResumeReport {
  readonly session: string;
  readonly finished: readonly FinishedArchive[];
  readonly pending: readonly string[];
  readonly warnings: readonly string[];
  readonly meta: SessionMeta;
}

/**
 * Finishes or repairs what a crash left of a session: its log, its counts, archives that wait, and failed ones that no
 * later archive covers. Idempotent.
 */
export async function resumeSession(place: SessionPlace, id: string, tools: FinishTools): Promise<ResumeReport> {
  requireSession(place.root, id);
  const meta = await withLog(place, id, 'session resume', settleCounts);
  const rest = await finishArchives(place, id, tools, { retry: true });
  return { session: id, ...rest, meta: rest.meta ?? meta };
}

interface Finished {
  readonly finished: readonly FinishedArchive[];
  readonly pending: readonly string[];
  readonly warnings: readonly string[];
  /** As it is afterwards, when anything was done. */
  readonly meta: SessionMeta | undefined;
}

export interface FinishOptions {
  /** Whether failed archives that nothing covers are tried again. */
  readonly retry?: boolean;
  /** Finish this one and no other. */
  readonly only?: string | undefined;
  readonly makeOverview?: MakeOverview;
}

/**
 * Finishes what waits, strictly in order, under the lock of the session's archives. Whoever has that lock looks once
 * more after giving it back, so that an archive that came in the last moment is not left to nobody.
 */
export async function finishArchives(
  place: SessionPlace,
  id: string,
  tools: FinishTools,
  options: FinishOptions = {},
): Promise<Finished> {
  const paths = sessionPaths(place.root, id);
  const finished: FinishedArchive[] = [];
  const tried = new Set<string>();
  let meta: SessionMeta | undefined;
  const next = (): Archive | undefined => unfinished(paths, tried, options)[0];
  while (next() !== undefined) {
    const held = await lockArchives(place, id, 'session commit', WAIT_MS);
    if (held === undefined) {
      const warning = `archives of this session are being finished by ${archivesHolder(place, id)}`;
      return { finished, pending: pendingIds(paths), warnings: [warning], meta };
    }
    try {
      for (let archive = next(); archive !== undefined; archive = next()) {
        tried.add(archive.id);
        // A failed one is pending again: if this attempt is killed, the next command goes on with it.
        removeFile(join(archive.folder, ARCHIVE_FILES.failed));
        const make = options.makeOverview ?? overviewByModel(place, paths, tools);
        finished.push(await finishArchive(place, paths, archive, tools, make));
      }
      meta = await withLog(place, id, 'session commit', settleCounts);
    } finally {
      held.release();
    }
  }
  return { finished, pending: pendingIds(paths), warnings: [], meta };
}

/** Archives to finish, oldest first, without those that were tried in this run. */
function unfinished(paths: SessionPaths, tried: ReadonlySet<string>, options: FinishOptions): readonly Archive[] {
  const archives = listArchives(paths);
  const covered = archives.findLast(({ state }) => state === 'completed')?.number ?? 0;
  return archives.filter(
    ({ id, number, state }) =>
      !tried.has(id) &&
      (options.only === undefined || options.only === id) &&
      (state === 'pending' || (options.retry === true && state === 'failed' && number > covered)),
  );
}

function settleCounts(paths: SessionPaths): SessionMeta {
  const meta = { ...settlePhase1(paths), archives: countArchives(listArchives(paths)) };
  writeMeta(paths, meta);
  return meta;
}

export function pendingIds(paths: SessionPaths): readonly string[] {
  return listArchives(paths)
    .filter(({ state }) => state === 'pending')
    .map(({ id }) => id);
}

/** Through the model, which also reads again what was summed up without one. */
function overviewByModel(place: SessionPlace, paths: SessionPaths, tools: FinishTools): MakeOverview {
  return async ({ base, messages }) => {
    const old = base?.text ?? null;
    const opened = await tools.model?.();
    if (opened?.ok !== true) return deterministicStep({ old, messages }, whyNone(opened?.error));
    const model = opened.value;
    const again = readAgain(withoutModelSince(paths, base), model.window / 2);
    const covered = again.length;
    const { templates } = tools;
    const { signal } = place;
    return updateWorkingMemory({ old, messages: [...again, ...messages], covered, templates, model, signal });
  };
}

function whyNone(failure: Failure | undefined): string {
  if (failure?.type === 'interrupted') throw new MemoryError(failure);
  return failure?.message ?? 'there is none';
}

/** The newest messages of some archives, as many as fit into a number of tokens, oldest first. */
function readAgain(archives: readonly Archive[], most: number): readonly SessionMessage[] {
  const kept: SessionMessage[] = [];
  let tokens = 0;
  for (const archive of archives.toReversed()) {
    for (const message of readArchived(archive).toReversed()) {
      tokens += messageTokens(message);
      if (tokens > most) return kept.reverse();
      kept.push(message);
    }
  }
  return kept.reverse();
}
