import { join } from 'node:path';
import { namesIn, readVersion } from '../../workspace/files.js';
import { ARCHIVE_FILES, archiveNumber, type SessionPaths } from '../log/paths.js';
import { ParsedFiles } from '../log/read.js';
import type { SessionMessage } from '../message.js';

/**
 * An archive is `pending` until its Working Memory is written and a query has found it. If both `.done` and `.failed.json`
 * exist, it is completed.
 */
export type ArchiveState = 'completed' | 'failed' | 'pending';

export type Archive = ReturnType<typeof listArchives>[number];

/**
 * The archives of a session, oldest first, each with its id (`archive_007`), its number, its state and the absolute path of
 * its folder.
 * @param files what was read from the archives before
 */
export function listArchives({ history }: SessionPaths, files = new ParsedFiles()) {
  const archives = namesIn(history).flatMap((id) => {
    const number = archiveNumber(id);
    const folder = join(history, id);
    return number === undefined ? [] : [{ id, number, folder, state: stateOf(folder), files }];
  });
  return archives.sort((a, b) => a.number - b.number);
}

/** The archived messages, oldest first. */
export function readArchivedMessages({ folder, files }: Archive): readonly SessionMessage[] {
  return files.messages(join(folder, ARCHIVE_FILES.log));
}

/** True if the log still begins with the messages of an archive, because a crash came before they were removed. */
export function isArchiveAtLogStart({ folder }: Archive, { log }: SessionPaths): boolean {
  const archived = readVersion(join(folder, ARCHIVE_FILES.log))?.bytes ?? Buffer.alloc(0);
  const live = archived.length === 0 ? undefined : readVersion(log)?.bytes;
  return live?.subarray(0, archived.length).equals(archived) === true;
}

export type ArchiveOverview = { readonly archive: Archive; readonly text: string };

/**
 * The newest overview of a completed archive: the Working Memory of the session. Skips an overview that is empty or only a
 * placeholder.
 */
export function newestOverview(archives: readonly Archive[]): ArchiveOverview | undefined {
  for (const archive of archives.toReversed()) {
    const text = (archive.state === 'completed' && readArchiveText(archive, ARCHIVE_FILES.overview)) || '';
    if (text.trim() !== '' && !PLACEHOLDER.test(text)) return { archive, text };
  }
  return undefined;
}

/** The text of a file of an archive; undefined if the file does not exist. */
export function readArchiveText({ folder }: Pick<Archive, 'folder'>, file: string): string | undefined {
  return readVersion(join(folder, file))?.bytes.toString('utf8');
}

// OpenViking writes this placeholder when its model is unavailable. It must not displace a real overview.
const PLACEHOLDER = /^\s*# Session Summary\s+\*\*Overview\*\*: \d+ turns?, \d+ messages?\s*$/u;

function stateOf(folder: string): ArchiveState {
  const names = new Set(namesIn(folder));
  if (names.has(ARCHIVE_FILES.done)) return 'completed';
  return names.has(ARCHIVE_FILES.failed) ? 'failed' : 'pending';
}
