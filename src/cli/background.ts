import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Workspace } from '../app/workspace.js';
import { fail } from '../base/failure.js';
import { openPrivateFile } from '../workspace/files.js';
import type { CommandContext } from './verb.js';

/**
 * Returns the words of a command line that starts this program again, with absolute paths. The caller adds a command
 * and its options.
 */
export function buildOwnProgramCommand(): readonly string[] {
  const [, program = '', first] = process.argv;
  // `openclaw` expects the word "memory", `openclaw-memory` does not.
  return [process.execPath, program, ...(first === 'memory' ? [first] : [])];
}

/** A background process, and the file with its output. */
interface BackgroundProcess {
  readonly pid: number;
  readonly log: string;
}

/** Starts a background process that runs `session resume`, which finishes the archives of a session. */
export function resumeInBackground(context: CommandContext, workspace: Workspace, id: string): BackgroundProcess {
  return startInBackground(context, workspace, `session-${id}`, ['session', 'resume', id]);
}

/**
 * Starts a command of this program in the background, for the same workspace and with the same `--now` and `--tz`. It
 * runs in its own process group and goes on after this process ends.
 * @param name name of the log with its output
 * @param input text for its standard input; empty if missing
 */
export function startInBackground(
  { global, io }: CommandContext,
  workspace: Workspace,
  name: string,
  words: readonly string[],
  input?: string,
): BackgroundProcess {
  const log = workspace.logPath(name);
  const { now, tz } = global;
  const time = [...(now === undefined ? [] : ['--now', now]), ...(tz === undefined ? [] : ['--tz', tz])];
  const [program = '', ...own] = buildOwnProgramCommand();
  const output = openPrivateFile(log);
  try {
    const child = spawn(program, [...own, '--workspace', workspace.root, '--quiet', ...time, ...words], {
      detached: true,
      env: io.env,
      stdio: [input === undefined ? 'ignore' : 'pipe', output, output],
    });
    // A process that has already ended does not read its input; ignore the write error.
    child.stdin?.on('error', () => {}).end(input);
    child.unref();
    const pid = child.pid ?? fail('io', 'the background process did not start', 'run: openclaw memory session resume');
    return { pid, log };
  } finally {
    closeSync(output);
  }
}
