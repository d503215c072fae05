import { join } from 'node:path';
import { editFile, readVersion, removeFile } from '../workspace/files.js';

/**
 * Content hashes of the pages that reflection has seen, by path; of beliefs, by id, the day after which facts were judged
 * against them; and the names of entities that a model was not asked about in time, by `untold` and slug. Only of this machine, and may be lost: facts are then looked at again, and nothing is judged twice,
 * for verdicts are in `bank/evidence.jsonl`.
 */
export type Examined = ReadonlyMap<string, string>;

function examinedPath(stateFolder: string): string {
  return join(stateFolder, 'reflect', 'examined.json');
}

export function readExamined(stateFolder: string): Examined {
  try {
    const value: unknown = JSON.parse(readVersion(examinedPath(stateFolder))?.bytes.toString('utf8') ?? '{}');
    if (typeof value !== 'object' || value === null) return new Map();
    return new Map(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch (error) {
    if (error instanceof SyntaxError) return new Map();
    throw error;
  }
}

export function writeExamined(stateFolder: string, examined: Examined): void {
  const text = `${JSON.stringify(Object.fromEntries(examined))}\n`;
  editFile(examinedPath(stateFolder), (current) => (current?.toString('utf8') === text ? undefined : text));
}

/** Has everything looked at again by the next run. */
export function forgetExamined(stateFolder: string): void {
  removeFile(examinedPath(stateFolder));
}
