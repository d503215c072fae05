import { join } from 'node:path';
import { editFile, readVersion } from '../workspace/files.js';

/** The last message of a session that was extracted on this machine, by its id. */
export function extractedUpTo(stateFolder: string, session: string): string | undefined {
  return readVersion(progressPath(stateFolder, session))?.bytes.toString('utf8').trim();
}

export function noteExtracted(stateFolder: string, session: string, message: string): void {
  editFile(progressPath(stateFolder, session), () => `${message}\n`);
}

function progressPath(stateFolder: string, session: string): string {
  return join(stateFolder, 'extract', 'sessions', session);
}
