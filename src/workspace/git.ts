import { fail } from '../base/failure.js';

export interface CommitReport {
  /** The new commit's hash; null when there was nothing to commit or it could not be made. */
  readonly commit: string | null;
  /** Why it could not be made: the files are written all the same. */
  readonly warning?: string;
}

/**
 * One commit of exactly these paths, as they are in the work tree. What else the user has staged stays staged, other
 * changes stay as they are, and hooks run.
 * @param paths relative to `root`, which may be a subfolder of the repository or of a linked work tree.
 */
export async function commitPaths(root: string, paths: readonly string[], message: string): Promise<CommitReport> {
  const { simpleGit } = await import('simple-git');
  const git = simpleGit(root);
  if (!(await git.checkIsRepo())) {
    return fail('usage', `${root} is not in a git repository`, 'run openclaw memory init --git, or leave --commit out');
  }
  await git.raw('add', '--', ...paths);
  await git.raw('commit', '--quiet', '--only', '-m', message, '--', ...paths);
  return { commit: (await git.revparse(['HEAD'])).trim() };
}
