import { join } from 'node:path';
import { fail } from '../base/failure.js';
import { compareCopy, originalName } from '../memory/conflict-copy.js';
import { LARGEST_TEXT, namesIn, readVersion } from './files.js';

/**
 * Path of the page of which a file is a conflict copy, by the same test as in the index; undefined for any other file or a
 * missing one.
 * @param names names in its folder by their NFC form, if already known
 */
export function copiedPage(root: string, path: string, names?: ReadonlyMap<string, string>): string | undefined {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const name = path.slice(folder.length);
  // Most names can't be those of copies, whatever files are beside them.
  if (originalName(name, (other) => other) === undefined) return undefined;
  const beside = names ?? inNfc(namesIn(join(root, folder)));
  const original = originalName(name, (other) => beside.get(other));
  if (original === undefined) return undefined;
  const [copied, text] = [original, name].map((one) => textOf(root, `${folder}${one}`));
  if (copied === undefined || text === undefined) return undefined;
  return compareCopy(text, copied).isCopy ? `${folder}${original}` : undefined;
}

/** @throws MemoryError `refused` when the file at a path is a conflict copy: the next sync or a person removes it */
export function checkNoCopy(root: string, path: string): void {
  const original = copiedPage(root, path);
  if (original !== undefined)
    fail('refused', `${path} is a conflict copy of ${original}, and nothing is written to it`, `write to ${original}`);
}

/** Names of files as they are written, by their NFC form. */
export function inNfc(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [name.normalize('NFC'), name]));
}

function textOf(root: string, path: string): string | undefined {
  return readVersion(join(root, path), LARGEST_TEXT)?.bytes.toString('utf8');
}
