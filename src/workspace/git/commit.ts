import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isFolderSummary } from '../../memory/pages.js';
import type { GitCommitReport } from '../changes.js';
import { readEntry, storeEntries } from '../state.js';
import { Git, gitErrorReason } from './run.js';

const DETACHED = 'HEAD is detached, so this commit is on no branch; make a branch: git switch -c NAME';

/** How often to try again while another git process locks the repository, and the pause in ms. */
const TRIES = { count: 20, pauseMs: 100 };

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
  const earlier = readEntry<readonly Uncommitted[]>(stateFolder, UNCOMMITTED) ?? [];
  const wanted = [...earlier, ...(paths.length === 0 ? [] : [{ paths, message }])];
  if (wanted.length === 0) return { commit: null };
  const refused: Uncommitted[] = [];
  const warnings = new Set<string>();
  let last: string | null = null;
  for (const one of wanted) {
    const { commit, warning, isRefused } = await commitPaths(root, one.paths, one.message, signal);
    // What is told about the facts is not stored: one of them may be forgotten before the commit is made.
    if (isRefused) refused.push({ ...one, message: one.message.split('\n', 1).join() });
    if (warning !== undefined) warnings.add(warning);
    last = commit ?? last;
  }
  const isRefused = refused.length > 0;
  if (isRefused || earlier.length > 0)
    storeEntries(stateFolder, [{ kind: UNCOMMITTED, value: isRefused ? refused : undefined }]);
  return { commit: last, ...(warnings.size === 0 ? {} : { warning: [...warnings].join('; ') }), isRefused };
}

const UNCOMMITTED = 'uncommitted';

/**
 * Commits exactly these paths, as they are on disk. Other changes, staged or not, stay as they are. Git hooks run. Never
 * throws if git refuses, because the files are written already.
 * @param paths relative to `root`, which may be a subfolder of the repository or of a linked work tree
 */
async function commitPaths(
  root: string,
  paths: readonly string[],
  message: string,
  signal?: AbortSignal,
): Promise<GitCommitReport> {
  const git = new Git(root, signal);
  try {
    if (!(await git.isRepository()))
      return notCommitted(`${root} is not in a git repository; make one: openclaw memory init --git`);
    const ignored = await ignoredPaths(git, paths);
    const wanted = paths.filter((path) => !ignored.has(path));
    // New workspaces ignore the summaries of folders on purpose.
    const left = [...ignored].filter((path) => !isFolderSummary(path)).join(', ');
    const note = left === '' ? {} : { warning: `not committed, because git ignores them: ${left}` };
    if (wanted.length === 0) return { commit: null, ...note };
    const commit = await commitWanted(git, root, wanted, message);
    const warning = commit === null ? undefined : await detachedHeadWarning(git);
    return { commit, ...(warning === undefined ? {} : { warning }), ...note };
  } catch (error) {
    return notCommitted(gitErrorReason(error));
  }
}

/** Returns the given paths whose files exist on disk but are not in the last commit. Paths are relative to `root`. */
export async function filesNotInGit(root: string, paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const git = new Git(root);
  const has = new Set((await git.read('ls-tree', '-r', '-z', '--name-only', 'HEAD', '--', ...paths)).split('\0'));
  return paths.filter((path) => !has.has(path) && existsSync(join(root, path)));
}

/** A warning if HEAD is detached (no branch is checked out); undefined otherwise. */
export async function detachedHeadWarning(git: Git): Promise<string | undefined> {
  return (await git.read('symbolic-ref', '-q', 'HEAD')).trim() === '' ? DETACHED : undefined;
}

/**
 * Makes the folder a git repository, unless it is part of one already.
 * @returns whether the repository was made
 */
export async function initRepository(root: string): Promise<boolean> {
  const git = new Git(root);
  if (await git.isRepository()) return false;
  await git.change('init', '--quiet');
  return true;
}

/** Makes the commit. @returns its hash; null if nothing differs from the last one */
async function commitWanted(git: Git, root: string, wanted: readonly string[], message: string) {
  const known = new Set((await git.read('ls-files', '-z', '--', ...wanted)).split('\0'));
  // A file that was removed and was never in git can't be committed.
  const paths = wanted.filter((path) => known.has(path) || existsSync(join(root, path)));
  if (paths.length === 0) return null;
  const added = paths.filter((path) => !known.has(path));
  if (added.length > 0) await patiently(() => git.change('add', '--', ...added));
  try {
    if ((await git.change('status', '--porcelain', '--', ...paths)).length === 0) return null;
    const before = await headOf(git);
    await patiently(() => git.change('commit', '--quiet', '--only', '-m', message, '--', ...paths));
    // A hook may refuse the commit without a message. Then git reports no error.
    if ((await headOf(git)) === before) throw new Error('git made no commit; perhaps a git hook refused it');
  } catch (error) {
    // We added new files to the git index for this commit. They must not stay there, because the next commit of the user
    // would include them.
    if (added.length > 0) await new Git(root).change('rm', '--quiet', '--cached', '--', ...added);
    throw error;
  }
  return headOf(git);
}

/** The hash of the last commit; empty if there is none. */
async function headOf(git: Git): Promise<string> {
  return (await git.read('rev-parse', '--verify', '--quiet', 'HEAD')).trim();
}

async function ignoredPaths(git: Git, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const ignored = new Set<string>();
  // `check-ignore` is called once for each path, because with several paths git may put quotes around names in its
  // output.
  for (const path of paths) if ((await git.read('check-ignore', '--', path)) !== '') ignored.add(path);
  return ignored;
}

/** Does some work with git. Tries again while another git process locks the repository. */
async function patiently(work: () => Promise<unknown>): Promise<void> {
  for (let left = TRIES.count; ; left--) {
    try {
      await work();
      return;
    } catch (error) {
      if (left <= 1 || !/index\.lock|cannot lock ref/i.test(String(error))) throw error;
      await delay(TRIES.pauseMs);
    }
  }
}

function notCommitted(why: string): GitCommitReport {
  return { commit: null, warning: `not committed: ${why}`, isRefused: true };
}
