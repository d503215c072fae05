import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseRecord } from '../../base/json.js';
import { editFile, readVersion } from '../../workspace/files.js';
import type { SessionPlace } from '../place.js';
import type { Session } from '../session.js';

/**
 * How far a transcript was imported into a session: up to the last thing that a person said. It spares reading all of a
 * long transcript for the few records that have come, and may be deleted at any time.
 */
export interface Imported extends ImportedCounts {
  /** UTF-16 units of the transcript, and their hash: another beginning is another transcript. */
  readonly characters: number;
  readonly hash: string;
  /** How many messages the session had then: fewer of them say that it is not the same. */
  readonly messages: number;
}

/** What there was up to there. */
export interface ImportedCounts {
  readonly known: number;
  readonly noise: number;
  readonly other_branches: number;
}

/** A file of the state folder: it speaks of a transcript of this machine. */
function fileOf({ stateFolder }: SessionPlace, { id }: Session): string {
  return join(stateFolder, 'imports', `${id}.json`);
}

/** Reads how far a transcript was imported; undefined when it, or the session, is not as it was then. */
export function readImported(place: SessionPlace, session: Session, transcript: string): Imported | undefined {
  const fields = parseRecord(readVersion(fileOf(place, session))?.bytes.toString('utf8') ?? '');
  const count = (name: keyof Imported): number => (typeof fields?.[name] === 'number' ? fields[name] : 0);
  const characters = count('characters');
  const messages = count('messages');
  if (characters === 0 || characters > transcript.length || messages > messagesOf(session)) return undefined;
  if (sizeOf(session) < session.meta.log_bytes) return undefined;
  if (fields?.hash !== hashOf(transcript, characters)) return undefined;
  const counts = { known: count('known'), noise: count('noise'), other_branches: count('other_branches') };
  return { characters, hash: String(fields.hash), messages, ...counts };
}

/** Writes down how far a transcript was imported. */
export function writeImported(
  place: SessionPlace,
  session: Session,
  transcript: string,
  characters: number,
  counts: ImportedCounts,
): void {
  const imported: Imported = {
    characters,
    hash: hashOf(transcript, characters),
    messages: messagesOf(session),
    ...counts,
  };
  editFile(fileOf(place, session), () => `${JSON.stringify(imported)}\n`);
}

function messagesOf({ meta }: Session): number {
  return meta.archived_count + meta.live_count;
}

function sizeOf({ paths }: Session): number {
  return statSync(paths.log, { throwIfNoEntry: false })?.size ?? 0;
}

function hashOf(transcript: string, characters: number): string {
  return hash('sha1', transcript.slice(0, characters));
}
