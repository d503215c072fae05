import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Workspace } from '../app/workspace.js';
import { fail } from '../base/failure.js';
import { openLogFile } from '../workspace/files.js';
import type { CommandContext } from './verb.js';

/** How this program is started, with absolute paths; a command and its options follow. */
export function programWords(): readonly string[] {
  const [, program = '', first] = process.argv;
  // `openclaw` expects the word "memory", `openclaw-memory` does not.
  return [process.execPath, program, ...(first === 'memory' ? [first] : [])];
}

/** A process that finishes archives, and where its notes are. */
export interface Background {
  readonly pid: number;
  readonly log: string;
}

/** Another process, of its own process group, that finishes the archives of a session. */
export function startResume(context: CommandContext, workspace: Workspace, id: string): Background {
  return startAgain(context, workspace, `session-${id}`, ['session', 'resume', id]);
}

/**
 * Starts another command of ours for the same workspace and time, as a process of its own group that outlives this one.
 * @param name of the log of what it prints
 * @param input what it reads; nothing without
 */
export function startAgain(
  { global, io }: CommandContext,
  workspace: Workspace,
  name: string,
  words: readonly string[],
  input?: string,
): Background {
  const log = workspace.logPath(name);
  const { now, tz } = global;
  const time = [...(now === undefined ? [] : ['--now', now]), ...(tz === undefined ? [] : ['--tz', tz])];
  const [program = '', ...own] = programWords();
  const output = openLogFile(log);
  try {
    const child = spawn(program, [...own, '--workspace', workspace.root, '--quiet', ...time, ...words], {
      detached: true,
      env: io.env,
      stdio: [input === undefined ? 'ignore' : 'pipe', output, output],
    });
    // Who has ended meanwhile reads nothing.
    child.stdin?.on('error', () => {}).end(input);
    child.unref();
    const pid = child.pid ?? fail('io', 'no process could be started', 'run openclaw memory session resume yourself');
    return { pid, log };
  } finally {
    closeSync(output);
  }
}
