import { dirname, join, resolve } from 'node:path';
import { readTextIfThere } from '../../workspace/files.js';
import { type Format, lineEnd } from './splice.js';

/** A file of lines, of which one is ours. */
export const LINES_FORMAT: Format = {
  add: (text, { value }) => {
    const end = lineEnd(text);
    const gap = text === '' || text.endsWith('\n') ? '' : end;
    return { at: text.length, before: '', after: `${gap}${String(value)}${end}` };
  },
  find: (text, { value }) => text.split(/\r?\n/u).filter((line) => line === value),
  strip: (text, { value }) =>
    text
      .split(/(?<=\n)/u)
      .filter((line) => line.trimEnd() !== value)
      .join(''),
};

/** What git leaves alone in this clone only; undefined for a folder that is no top of a repository. */
export function excludeFile(project: string): string | undefined {
  const git = join(project, '.git');
  const pointer = textOf(git);
  if (pointer === undefined) return undefined;
  const [, named] = /^gitdir: (.+)$/mu.exec(pointer) ?? [];
  const folder = named === undefined ? git : resolve(dirname(git), named);
  // All worktrees of a repository have one such file.
  return join(resolve(folder, textOf(join(folder, 'commondir'))?.trim() || '.'), 'info', 'exclude');
}

/** The text of a file, '' for a folder, undefined for nothing. */
function textOf(path: string): string | undefined {
  try {
    return readTextIfThere(path);
  } catch {
    return '';
  }
}
