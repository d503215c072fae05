import type { Command } from 'commander';
import type { Workspace } from '../app/api/workspace.js';
import type { FileChange } from '../workspace/changes.js';
import type { CommandContext } from './command.js';

/** The options of every command that writes to the workspace. */
export interface WriteOptions {
  readonly dryRun?: boolean;
  readonly commit?: boolean;
}

export function addWriteOptions(command: Command): Command {
  return command
    .option('--dry-run', 'show the change as a diff and write nothing')
    .option('--commit', 'make one git commit of exactly the files that were written');
}

/** What a writing command adds to its JSON answer. */
export interface Written {
  /** With `--dry-run`: the unified diff of all files, empty when nothing would change. */
  readonly diff?: string;
  /** With `--commit`: the commit's hash, null when there was none. */
  readonly commit?: string | null;
}

/**
 * The end of every writing command: shows the changes as a diff, or commits the files that they were made to.
 * @param subject first line of the commit's message, for example `memory: retain 2 facts`
 */
export async function finishWrite(
  { out }: CommandContext,
  workspace: Workspace,
  { dryRun, commit }: WriteOptions,
  { changes, subject }: { readonly changes: readonly FileChange[]; readonly subject: string },
): Promise<Written> {
  const made = changes.filter(({ before, after }) => before !== after);
  if (dryRun) {
    const { unifiedDiff } = await import('../text/changes/unified-diff.js');
    return { diff: made.map(unifiedDiff).join('') };
  }
  if (!commit) return {};
  if (made.length === 0) return { commit: null };
  const report = await workspace.commit(
    made.map(({ path }) => path),
    subject,
  );
  if (report.warning !== undefined) out.warn(report.warning);
  return { commit: report.commit };
}
