import { isRecord, parseRecord } from '../base/json.js';
import { type ArchiveState, readArchived, readText } from './archive/archives.js';
import { ARCHIVE_FILES } from './log/paths.js';
import type { SessionMessage } from './message.js';
import { Session } from './session.js';

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
  const archive = Session.open(root, session).archive(id);
  return {
    archive_id: archive.id,
    state: archive.state,
    abstract: (readText(archive, ARCHIVE_FILES.abstract) ?? '').trim(),
    overview: readText(archive, ARCHIVE_FILES.overview) ?? '',
    messages: readArchived(archive),
  };
}

/** The messages of each archive, oldest first. */
export function archivedMessages({
  archives,
}: Session): readonly { readonly archive: string; readonly messages: readonly SessionMessage[] }[] {
  return archives.map((archive) => ({ archive: archive.id, messages: readArchived(archive) }));
}

/** The live messages. @throws MemoryError `not_found` */
export function liveMessages(root: string, session: string): readonly SessionMessage[] {
  return Session.open(root, session).live;
}

/** Something that the guards of a Working Memory let go, with the reason. */
export interface RemovedItem {
  readonly archive_id: string;
  readonly section: string;
  readonly item: string;
  readonly reason: string;
}

/**
 * What commits let go of the Working Memory, oldest first: from the `guard.json` of each archive. Current State is not
 * among it, which every commit writes anew, nor are lines that only count on.
 */
export function removedItems(root: string, session: string): readonly RemovedItem[] {
  return Session.open(root, session).archives.flatMap((archive) => {
    const removed = parseRecord(readText(archive, ARCHIVE_FILES.guard) ?? '')?.removed;
    return (Array.isArray(removed) ? removed : []).filter(isRecord).flatMap(({ section, item, reason }) => {
      if (section === 'Current State' || String(reason).startsWith('updated: ')) return [];
      return [{ archive_id: archive.id, section: String(section), item: String(item), reason: String(reason) }];
    });
  });
}
