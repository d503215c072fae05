import { join } from 'node:path';
import { isRecord, parseJson } from '../../base/json.js';
import type { GitCommitReport } from '../changes.js';
import { readVersion, removeFile, replaceFile } from '../files.js';

/** A commit that git refused, although its files are written. */
type Uncommitted = { readonly paths: readonly string[]; readonly message: string };

/**
 * First makes the commits that git refused earlier, then a new one. Without this, the files of a refused commit might
 * never be committed. If the user retains the same fact again, that fact is a duplicate. So nothing is written, and no
 * new commit is made.
 * @param paths relative to `root`; if empty, only the refused commits are made
 * @returns the last commit that was made. `warning` joins the warnings about all commits of this call
 */
export async function commitWithEarlierChanges(
  { root, stateFolder }: { readonly root: string; readonly stateFolder: string },
  paths: readonly string[],
  message: string,
  signal?: AbortSignal,
): Promise<GitCommitReport> {
  const place = join(stateFolder, 'uncommitted.json');
  const earlier = readUncommitted(place);
  const wanted = [...earlier, ...(paths.length === 0 ? [] : [{ paths, message }])];
  if (wanted.length === 0) return { commit: null };
  const { commitPaths } = await import('./commit.js');
  const refused: Uncommitted[] = [];
  const warnings = new Set<string>();
  let last: string | null = null;
  for (const one of wanted) {
    const { commit, warning, isRefused } = await commitPaths(root, one.paths, one.message, signal);
    if (isRefused) refused.push(one);
    if (warning !== undefined) warnings.add(warning);
    last = commit ?? last;
  }
  if (refused.length > 0) replaceFile(place, readVersion(place), `${JSON.stringify(refused)}\n`);
  else if (earlier.length > 0) removeFile(place);
  const isRefused = refused.length > 0;
  return { commit: last, ...(warnings.size === 0 ? {} : { warning: [...warnings].join('; ') }), isRefused };
}

function readUncommitted(place: string): readonly Uncommitted[] {
  const read = parseJson(readVersion(place)?.bytes.toString('utf8') ?? '');
  return Array.isArray(read) ? read.filter(isUncommitted) : [];
}

function isUncommitted(value: unknown): value is Uncommitted {
  if (!isRecord(value) || typeof value.message !== 'string' || !Array.isArray(value.paths)) return false;
  return value.paths.every((path) => typeof path === 'string');
}
