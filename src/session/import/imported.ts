import { hash as digestOf } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type FieldsOf, parseRecord, readKnownFields } from '../../base/json.js';
import { editFile, readVersion } from '../../workspace/files.js';
import type { SessionWorkspace } from '../place.js';
import type { Session } from '../session.js';

const count = (value: unknown): number => (typeof value === 'number' ? value : 0);

/**
 * The record of how much of a transcript was imported into a session: everything up to the last message of a person. With
 * it, a long transcript is not read again for a few new records. The file may be deleted at any time.
 */
const FIELDS = {
  /**
   * `characters`: length of the imported part in UTF-16 units. `hash`: hash of this part. If a transcript does not begin
   * with this part, it is another transcript.
   */
  characters: count,
  hash: String,
  /** Number of messages that the session had after the import. If it has fewer now, it is another session. */
  messages: count,
  /** The counts for the imported part. The next import adds them to the counts in its report. */
  known: count,
  noise: count,
  other_branches: count,
};

export type ImportRecord = FieldsOf<typeof FIELDS>;

/** The file of the record. It is in the state folder, because it describes a transcript on this machine. */
function fileOf({ stateFolder }: SessionWorkspace, { id }: Session): string {
  return join(stateFolder, 'imports', `${id}.json`);
}

/** Reads how far a transcript was imported; undefined if the transcript or the session has changed since. */
export function readImportRecord(
  place: SessionWorkspace,
  session: Session,
  transcript: string,
): ImportRecord | undefined {
  const imported = readKnownFields(
    FIELDS,
    parseRecord(readVersion(fileOf(place, session))?.bytes.toString('utf8') ?? '') ?? {},
  );
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
  editFile(fileOf(place, session), () => `${JSON.stringify(imported)}\n`);
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
