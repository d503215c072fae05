import { isAbsolute, relative, sep } from 'node:path';
import type { Sessions } from '../app/sessions.js';
import type { Workspace } from '../app/workspace.js';
import type { Day } from '../base/clock.js';
import { fail } from '../base/failure.js';
import type { RequestOf } from '../base/request.js';
import type { FileChange } from '../workspace/changes.js';
import { requireMemory } from '../workspace/locate.js';
import type { CommandContext, WRITE_OPTIONS } from './verb.js';

/**
 * Opens the workspace that the global options name. Its folder need not contain a memory yet, because some commands
 * start one.
 */
export async function openAnyWorkspace({ io, out, global, signal, onProgress }: CommandContext): Promise<Workspace> {
  const { openWorkspace } = await import('../app/workspace.js');
  const workspace = await openWorkspace({ ...buildWorkspaceOptions({ io, out, global }), signal, onProgress });
  io.useZone?.(workspace.clock.zone);
  return workspace;
}

/**
 * Opens the workspace that the global options name. It must already contain a memory.
 * @throws MemoryError `workspace` if it does not. The error names the command `init`
 */
export async function openMemoryWorkspace(context: CommandContext): Promise<Workspace> {
  const workspace = await openAnyWorkspace(context);
  requireMemory(workspace.root);
  return workspace;
}

/** Opens the sessions of the workspace that the global options name. */
export async function openSessions(context: CommandContext): Promise<Sessions> {
  return (await openMemoryWorkspace(context)).sessions(context.signal);
}

/**
 * Resolves `--since` to a day.
 * @throws MemoryError `usage` if the value of `--since` is not a time
 */
export async function readSinceOption(
  { clock }: Workspace,
  { since }: { readonly since?: string | undefined },
): Promise<Day | undefined> {
  const { readDayOptions } = await import('../query/day-options.js');
  return (await readDayOptions({ since }, clock)).since;
}

export function buildWorkspaceOptions({ io, out, global }: Pick<CommandContext, 'io' | 'out' | 'global'>) {
  return {
    workspace: global.workspace,
    agent: global.agent,
    profile: global.profile,
    now: global.now,
    timezone: global.tz,
    env: io.env,
    cwd: io.cwd,
    onWarning: out.warn,
  };
}

/**
 * Returns a function that shortens an id to its shortest unique beginning, for reports to people (JSON has full ids). If
 * the index can't be used, ids stay full, because the report must be printed in any case.
 */
export async function prepareShortIds(
  { out }: CommandContext,
  workspace: Workspace,
  ids: Iterable<string | null | undefined>,
): Promise<(id: string) => string> {
  const meant = [...ids].filter((id) => id !== null && id !== undefined);
  if (out.json || meant.length === 0) return (id) => id;
  try {
    const short = await workspace.shortIds(meant);
    return (id) => short.get(id) ?? id;
  } catch {
    return (id) => id;
  }
}

export type WriteOptions = RequestOf<typeof WRITE_OPTIONS>;

/** Fields that a writing command adds to its JSON answer. */
interface WriteResult {
  /** With `--dry-run`: the unified diff of all files; empty when nothing would change. */
  readonly diff?: string;
  /** With `--commit`: the hash of the commit; null when there was no commit. */
  readonly commit?: string | null;
  /** Warnings of the command, then those of git. Missing if git did not warn. */
  readonly warnings?: readonly string[];
}

/**
 * The last step of every writing command. With `--dry-run` it shows the changes as a diff. With `--commit` it commits
 * the changed files. If git refuses the commit, the files stay written. If a later run with `--commit` changes nothing,
 * it commits the files that git refused before.
 * @param message message of the commit without `memory: `: a first line such as `retain 2 facts`, and perhaps a body below it
 * @param warnings warnings of the command, for its JSON answer
 * @throws MemoryError `refused` if a run changed nothing, and git refuses the files of an earlier run again
 */
export async function finishWrite(
  context: CommandContext,
  workspace: Workspace,
  { dryRun, commit }: WriteOptions,
  changes: readonly FileChange[],
  message: string,
  warnings: readonly string[] = [],
): Promise<WriteResult> {
  const { out } = context;
  const made = changes.filter(({ before, after }) => before !== after);
  if (dryRun) {
    const { unifiedDiff } = await import('../text/changes.js');
    return { diff: made.map(unifiedDiff).join('') };
  }
  if (made.length > 0) reportWritePath(context, workspace.root);
  if (!commit) return {};
  const paths = made.map(({ path }) => path);
  const { commit: hash, warning, isRefused } = await workspace.commit(paths, `memory: ${message}`);
  if (paths.length === 0 && isRefused)
    fail('refused', warning ?? 'not committed', 'fix this, then run the same command again');
  if (paths.length === 0 && hash !== null) out.note('note: committed the files that git refused before');
  return { commit: hash, ...(warning !== undefined && { warnings: [...warnings, warning] }) };
}

/** Prints the folder where files were written, if it is not below the current folder. */
export function reportWritePath({ io, out }: Pick<CommandContext, 'io' | 'out'>, root: string): void {
  const path = relative(io.cwd, root);
  if (path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) out.note(`written in ${root}`);
}
