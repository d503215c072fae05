import { join } from 'node:path';
import { fail } from '../base/failure.js';
import { compareWithOriginal, originalFileName, originalNoteName } from '../memory/conflict-copy.js';
import { MAX_TEXT_FILE_BYTES, namesIn, readVersion } from './files.js';

/**
 * The path of the page that a file is a conflict copy of. Undefined if the file is not a conflict copy or does not
 * exist. The index uses the same rule to recognise conflict copies.
 * @param names the names in the folder of the file, as on disk, by their form in Unicode NFC; if missing, the folder is
 * read
 */
export function originalOfCopy(root: string, path: string, names?: ReadonlyMap<string, string>): string | undefined {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const name = path.slice(folder.length);
  // A quick test before the folder is read: most names do not have the form of the name of a copy.
  if (originalNoteName(name, (other) => other) === undefined) return undefined;
  const beside = names ?? namesByNfc(namesIn(join(root, folder)));
  const original = originalNoteName(name, (other) => beside.get(other));
  if (original === undefined) return undefined;
  const [copied, text] = [original, name].map((one) => textOf(root, `${folder}${one}`));
  if (copied === undefined || text === undefined) return undefined;
  return compareWithOriginal(text, copied).isCopy ? `${folder}${original}` : undefined;
}

/** Refuses to write to a conflict copy, because a sync program or a person will remove it. @throws MemoryError `refused` */
export function refuseConflictCopy(root: string, path: string): void {
  const original = originalOfCopy(root, path);
  if (original !== undefined)
    fail('refused', `${path} is a conflict copy of ${original}, so nothing was written to it`, `write to ${original}`);
}

/** A conflict copy, with the lines that its original lacks. */
interface CopiedLines {
  readonly path: string;
  readonly of: string;
  /** The lines that the original lacks. Line numbers are 1-based. */
  readonly lines: readonly { readonly line: number; readonly text: string }[];
}

/**
 * The conflict copies of files in JSON lines, such as `bank/evidence.jsonl`. The program reads only the originals. A
 * file counts as a copy by its name alone, because people keep no notes in such files. For a page, its text is
 * compared, too.
 * @param paths the originals, which may be missing
 */
export function findJsonLinesCopies(root: string, paths: readonly string[]): readonly CopiedLines[] {
  return paths.flatMap((path) => {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const own = path.slice(folder.length);
    const named = (name: string): boolean =>
      originalFileName(name, '.jsonl', (other) => (other === own ? own : undefined)) !== undefined;
    const copies = namesIn(join(root, folder)).filter(named).sort();
    if (copies.length === 0) return [];
    const original = textOf(root, path) ?? '';
    return copies.map((name) => {
      const text = compareWithOriginal(textOf(root, folder + name) ?? '', original).own;
      const lines = text.split('\n').flatMap((line, at) => (line === '' ? [] : [{ line: at + 1, text: line }]));
      return { path: folder + name, of: path, lines };
    });
  });
}

/**
 * The names of files as they are written on disk, by their form in Unicode NFC. On macOS, both may differ for names
 * with accents.
 */
export function namesByNfc(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [name.normalize('NFC'), name]));
}

function textOf(root: string, path: string): string | undefined {
  return readVersion(join(root, path), MAX_TEXT_FILE_BYTES)?.bytes.toString('utf8');
}
