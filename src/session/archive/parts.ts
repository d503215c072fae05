import { join } from 'node:path';
import { isRecord, parseRecord } from '../../base/json.js';
import { type Operations, readOperations } from '../../wm/operations.js';
import { byName } from '../../wm/sections.js';
import { removeFile } from '../../workspace/files.js';
import { type Archive, readText } from './archives.js';
import { writeArchiveFile } from './meta.js';

/** What an agent has answered so far for an archive that takes it several prompts. */
export interface AnsweredPart {
  /** The number of messages that are covered after it. */
  readonly until: number;
  readonly operations: Operations;
}

const FILE = 'answered-parts.json';

export function readAnsweredParts(archive: Archive): readonly AnsweredPart[] {
  const parts = parseRecord(readText(archive, FILE) ?? '')?.parts;
  return (Array.isArray(parts) ? parts : []).filter(isRecord).flatMap(({ until, sections }) => {
    const operations = readOperations({ sections });
    return typeof until === 'number' && operations.ok ? [{ until, operations: operations.value }] : [];
  });
}

export function writeAnsweredParts(archive: Archive, parts: readonly AnsweredPart[]): void {
  const list = parts.map(({ until, operations }) => ({
    until,
    sections: byName((name) => operations[name].operation),
  }));
  writeArchiveFile(archive, FILE, `${JSON.stringify({ parts: list }, undefined, 1)}\n`);
}

export function dropAnsweredParts({ folder }: Archive): void {
  removeFile(join(folder, FILE));
}
