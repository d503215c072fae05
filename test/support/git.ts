import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { childEnv } from './cli.js';
import type { TemporaryWorkspace } from './workspace.js';

const execute = promisify(execFile);

const IDENTITY = {
  GIT_AUTHOR_NAME: 'A Tester',
  GIT_AUTHOR_EMAIL: 'tester@example.org',
  GIT_COMMITTER_NAME: 'A Tester',
  GIT_COMMITTER_EMAIL: 'tester@example.org',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** Runs real git in a folder, with an identity and without the configuration of this machine. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const env = childEnv({ ...IDENTITY, GIT_CONFIG_GLOBAL: '/dev/null' });
  const { stdout } = await execute('git', args, { cwd: folder, env });
  return stdout;
}

/** Returns an environment with an identity for commits of our program. */
export function identity(workspace: TemporaryWorkspace): NodeJS.ProcessEnv {
  return { ...workspace.env, ...IDENTITY };
}

/** The files of a commit, sorted. */
export async function filesOf(folder: string, commit = 'HEAD'): Promise<readonly string[]> {
  const listed = await git(folder, 'show', '--name-only', '--format=', '-z', commit);
  return listed
    .split('\0')
    .filter((name) => name !== '')
    .sort();
}
