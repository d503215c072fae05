import { hash as digestOf } from 'node:crypto';
import { statSync } from 'node:fs';
import { readEntry, storeEntries } from '../../workspace/state.js';
import type { Session, SessionWorkspace } from '../session.js';

/**
 * The record of how much of a transcript was imported into a session: everything up to the last message of a person. With
 * it, a long transcript is not read again for a few new records. The record may be lost at any time.
 */
export interface ImportRecord {
  /** Length of the imported part in UTF-16 units. */
  readonly characters: number;
  /** Hash of this part. If a transcript does not begin with this part, it is another transcript. */
  readonly hash: string;
  /** Number of messages that the session had after the import. If it has fewer now, it is another session. */
  readonly messages: number;
  /** The counts for the imported part. The next import adds them to the counts in its report. */
  readonly known: number;
  readonly noise: number;
  readonly other_branches: number;
}

const IMPORTED = 'import';

/** Reads how far a transcript was imported; undefined if the transcript or the session has changed since. */
export function readImportRecord(
  place: SessionWorkspace,
  session: Session,
  transcript: string,
): ImportRecord | undefined {
  const imported = readEntry<ImportRecord>(place.stateFolder, IMPORTED, session.id);
  if (imported === undefined) return undefined;
  const { characters, messages } = imported;
  if (characters === 0 || characters > transcript.length || messages > messagesOf(session)) return undefined;
  if (sizeOf(session) < session.meta.log_bytes) return undefined;
  return imported.hash === hashOf(transcript, characters) ? imported : undefined;
}

/** Records how far a transcript was imported. */
export function writeImportRecord(
  place: SessionWorkspace,
  session: Session,
  transcript: string,
  characters: number,
  counts: Pick<ImportRecord, 'known' | 'noise' | 'other_branches'>,
): void {
  const hash = hashOf(transcript, characters);
  const imported: ImportRecord = { characters, hash, messages: messagesOf(session), ...counts };
  storeEntries(place.stateFolder, [{ kind: IMPORTED, name: session.id, value: imported }]);
}

function messagesOf({ meta }: Session): number {
  return meta.archived_count + meta.live_count;
}

function sizeOf({ paths }: Session): number {
  return statSync(paths.log, { throwIfNoEntry: false })?.size ?? 0;
}

function hashOf(transcript: string, characters: number): string {
  return digestOf('sha1', transcript.slice(0, characters));
}
