import { hash as digestOf } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type FieldsOf, parseRecord, readKnownFields } from '../../base/json.js';
import { editFile, readVersion } from '../../workspace/files.js';
import type { SessionPlace } from '../place.js';
import type { Session } from '../session.js';

const count = (value: unknown): number => (typeof value === 'number' ? value : 0);

/**
 * How far a transcript was imported into a session: up to the last thing that a person said. It spares reading all of a
 * long transcript for the few records that have come, and may be deleted at any time.
 */
const FIELDS = {
  /** UTF-16 units of the transcript, and their hash: another beginning is another transcript. */
  characters: count,
  hash: String,
  /** How many messages the session had then: fewer of them say that it is not the same. */
  messages: count,
  /** What there was up to there. */
  known: count,
  noise: count,
  other_branches: count,
};

export type Imported = FieldsOf<typeof FIELDS>;

/** A file of the state folder: it speaks of a transcript of this machine. */
function fileOf({ stateFolder }: SessionPlace, { id }: Session): string {
  return join(stateFolder, 'imports', `${id}.json`);
}

/** Reads how far a transcript was imported; undefined when it, or the session, is not as it was then. */
export function readImported(place: SessionPlace, session: Session, transcript: string): Imported | undefined {
  const imported = readKnownFields(
    FIELDS,
    parseRecord(readVersion(fileOf(place, session))?.bytes.toString('utf8') ?? '') ?? {},
  );
  const { characters, messages } = imported;
  if (characters === 0 || characters > transcript.length || messages > messagesOf(session)) return undefined;
  if (sizeOf(session) < session.meta.log_bytes) return undefined;
  return imported.hash === hashOf(transcript, characters) ? imported : undefined;
}

/** Writes down how far a transcript was imported. */
export function writeImported(
  place: SessionPlace,
  session: Session,
  transcript: string,
  characters: number,
  counts: Pick<Imported, 'known' | 'noise' | 'other_branches'>,
): void {
  const hash = hashOf(transcript, characters);
  const imported: Imported = { characters, hash, messages: messagesOf(session), ...counts };
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
