import { isRecord, parseRecord, readKnownFields } from '../base/json.js';
import { list, maybe, type ReportFields, type ReportOf, text } from '../base/report.js';
import {
  type ArchiveState,
  archiveDamage,
  readArchivedMessages,
  readArchiveText,
  readExtraction,
  readOrigin,
} from './archive/archives.js';
import { isItemRemoved } from './finish.js';
import { ARCHIVE_FILES, SESSIONS_FOLDER } from './log/meta.js';
import type { SessionMessage } from './message.js';
import { readableMessage } from './message.js';
import { Session } from './session.js';

/** An archive with its messages, in which placeholders replace images. `session expand --json` prints exactly this. */
export const EXPANDED_ARCHIVE = {
  archive_id: text(),
  state: text<ArchiveState>(),
  abstract: text(),
  overview: text(),
  messages: list<SessionMessage>(),
  /** Description of the damage, if not all messages of the archive can be read. */
  damage: maybe(text()),
} satisfies ReportFields;

export type ExpandedArchive = ReportOf<typeof EXPANDED_ARCHIVE>;

/** @throws MemoryError `not_found` */
export function expandArchive(root: string, session: string, id: string): ExpandedArchive {
  const archive = Session.open(root, session).archive(id);
  const damage = archiveDamage(archive);
  return {
    ...(damage === undefined ? {} : { damage }),
    archive_id: archive.id,
    state: archive.state,
    abstract: (readArchiveText(archive, ARCHIVE_FILES.abstract) ?? '').trim(),
    overview: readArchiveText(archive, ARCHIVE_FILES.overview) ?? '',
    messages: readArchivedMessages(archive).map((message) =>
      readableMessage(message, `${SESSIONS_FOLDER}/${session}/history/${id}/${ARCHIVE_FILES.log}`),
    ),
  };
}

/** The archives of a session without their messages, oldest first. @throws MemoryError `not_found` */
export function archiveSummaries(root: string, session: string) {
  return Session.open(root, session).archives.map((archive) => {
    const origin = readOrigin(archive);
    return {
      archive_id: archive.id,
      state: archive.state,
      /** Time of creation in ISO 8601; null if the meta file of the archive is lost. */
      created_at: origin?.created_at ?? null,
      message_count: origin?.message_count ?? null,
      abstract: (readArchiveText(archive, ARCHIVE_FILES.abstract) ?? '').trim(),
      /** Path of the archive's Working Memory, relative to the workspace. */
      overview_path: `${SESSIONS_FOLDER}/${session}/history/${archive.id}/${ARCHIVE_FILES.overview}`,
    };
  });
}

/** The archives with their messages, oldest first. `isExtracted`: true if memories were extracted from the archive. */
export function archivesWithMessages({ archives }: Session) {
  return archives.map((archive) => ({
    archive: archive.id,
    messages: readArchivedMessages(archive),
    isExtracted: readExtraction(archive)?.status === 'done',
  }));
}

/** The live messages, in which placeholders replace images. @throws MemoryError `not_found` */
export function liveMessages(root: string, session: string): readonly SessionMessage[] {
  const log = `${SESSIONS_FOLDER}/${session}/messages.jsonl`;
  return Session.open(root, session).live.map((message) => readableMessage(message, log));
}

/** An item that was removed from a Working Memory, with the reason. */
export interface RemovedItem {
  readonly archive_id: string;
  readonly section: string;
  readonly item: string;
  readonly reason: string;
}

/**
 * Items that commits removed from the Working Memory, oldest first, from the `guard.json` of each archive. Excludes
 * Current State, which every commit rewrites, and lines that were only updated.
 */
export function removedItems(root: string, session: string): readonly RemovedItem[] {
  return Session.open(root, session).archives.flatMap((archive) => {
    const removed = parseRecord(readArchiveText(archive, ARCHIVE_FILES.guard) ?? '')?.removed;
    const items = (Array.isArray(removed) ? removed : []).filter(isRecord);
    return items.map((item) => ({ archive_id: archive.id, ...readKnownFields(REMOVED, item) })).filter(isItemRemoved);
  });
}

const REMOVED = { section: String, item: String, reason: String };
