import { type ArchiveState, listArchives, readArchived, readText, requireArchive } from './archive/archives.js';
import { ARCHIVE_FILES, sessionPaths } from './log/paths.js';
import { readLive } from './log/read.js';
import type { SessionMessage } from './message.js';
import { requireSession } from './status.js';

/** An archive with its messages. `session expand --json` prints exactly this. */
export interface ExpandedArchive {
  readonly archive_id: string;
  readonly state: ArchiveState;
  readonly abstract: string;
  readonly overview: string;
  readonly messages: readonly SessionMessage[];
}

/** @throws MemoryError `not_found` */
export function expandArchive(root: string, session: string, id: string): ExpandedArchive {
  requireSession(root, session);
  const paths = sessionPaths(root, session);
  const archive = requireArchive(paths, id);
  return {
    archive_id: archive.id,
    state: archive.state,
    abstract: (readText(archive, ARCHIVE_FILES.abstract) ?? '').trim(),
    overview: readText(archive, ARCHIVE_FILES.overview) ?? '',
    messages: readArchived(archive),
  };
}

/** The live messages. @throws MemoryError `not_found` */
export function liveMessages(root: string, session: string): readonly SessionMessage[] {
  requireSession(root, session);
  return readLive(sessionPaths(root, session));
}

/** Something that the guards of a Working Memory let go, with the reason. */
export interface RemovedItem {
  readonly archive_id: string;
  readonly section: string;
  readonly item: string;
  readonly reason: string;
}

/** Every old item that is not in a later Working Memory any more, oldest first: from the `guard.json` of each archive. */
export function removedItems(root: string, session: string): readonly RemovedItem[] {
  requireSession(root, session);
  return listArchives(sessionPaths(root, session)).flatMap((archive) => {
    const sections = fieldsOf(parse(readText(archive, ARCHIVE_FILES.guard)), 'sections');
    return Object.entries(sections).flatMap(([section, ledger]) => {
      const removed: unknown = isRecord(ledger) ? ledger.removed : [];
      return (Array.isArray(removed) ? removed : []).filter(isRecord).map((entry) => ({
        archive_id: archive.id,
        section,
        item: String(entry.item ?? ''),
        reason: String(entry.reason ?? ''),
      }));
    });
  });
}

function fieldsOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  const field = isRecord(value) ? value[name] : undefined;
  return isRecord(field) ? field : {};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
