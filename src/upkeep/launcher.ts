import { dirname, isAbsolute, join, relative } from 'node:path';
import { fail } from '../base/failure.js';
import { readVersion, replaceFile } from '../workspace/files.js';
import { shellLine } from './schedule/quote.js';

const MARK = '# written by openclaw-memory link';

/** A script that starts our `openclaw`. */
function launcherText(program: readonly string[]): string {
  return `#!/bin/sh\n${MARK}\nexec ${shellLine(program)} "$@"\n`;
}

/** Whether the text of a program is a launcher of ours. */
export function isLauncher(text: string): boolean {
  return text.startsWith('#!/bin/sh\n') && text.includes(`\n${MARK}\n`);
}

/**
 * The first folder of the person on the path that comes before the host's; undefined when there is none.
 * @param folders of the path, in its order
 */
export function launcherFolder(
  folders: readonly string[],
  { home, host }: { readonly home: string; readonly host: string | undefined },
): string | undefined {
  const before = host === undefined ? folders : folders.slice(0, folders.indexOf(dirname(host)));
  return before.find((folder) => isAbsolute(folder) && isBelow(home, folder));
}

function isBelow(home: string, folder: string): boolean {
  const path = relative(home, folder);
  return path !== '' && !path.startsWith('..') && !isAbsolute(path);
}

/**
 * Writes the launcher, or brings it up to date.
 * @returns whether the file has changed
 * @throws MemoryError `conflict` when a file of that name is not ours
 */
export function writeLauncher(folder: string, program: readonly string[]): boolean {
  const path = join(folder, 'openclaw');
  const present = readVersion(path);
  const text = present?.bytes.toString('utf8');
  if (text !== undefined && !isLauncher(text))
    fail('conflict', `${path} is not ours and stays as it is`, 'name another folder with --dir');
  if (text === launcherText(program)) return false;
  if (!replaceFile(path, present, launcherText(program), 0o755))
    fail('conflict', `${path} changed meanwhile`, 'run the command again');
  return true;
}
