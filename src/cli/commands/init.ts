import { join, resolve } from 'node:path';
import { findWorkspace } from '../../app/find.js';
import { ExitCode, fail } from '../../base/failure.js';
import { type ScaffoldReport, scaffold } from '../../workspace/scaffold.js';
import type { CommandContext, DefineCommand } from '../command.js';
import { workspaceOptions } from '../open.js';

interface Options {
  readonly trackSessions?: boolean;
  readonly dryRun?: boolean;
  readonly git?: boolean;
}

export const define: DefineCommand = (command, run) => {
  command
    .argument('[dir]', 'the workspace folder (default: as every command finds it)')
    .option('--git', 'make it a git repository, and commit its starting files')
    .option('--track-sessions', 'let git track sessions/ too')
    .option('--dry-run', 'show what would be made')
    .addHelpText('after', '\nExample:\n  openclaw memory init ~/notes')
    .action((dir: string | undefined, options: Options) =>
      run(async (context) => {
        if (dir !== undefined && context.global.workspace !== undefined) {
          fail('usage', 'the folder is named twice', 'give it as an argument or with --workspace');
        }
        const root =
          dir === undefined
            ? (await findWorkspace(workspaceOptions(context))).located.root
            : resolve(context.io.cwd, dir);
        const report = scaffold(root, {
          trackSessions: options.trackSessions === true,
          dryRun: options.dryRun === true,
        });
        const commit = options.git && !options.dryRun ? await startHistory(context, report) : {};
        context.out.answer(text(report, options.dryRun === true), { ...report, ...commit });
        return ExitCode.done;
      }),
    );
};

/** A repository of its own, unless the folder is in one, and a commit of what was made. */
async function startHistory(
  { out }: CommandContext,
  { root, created, kept }: ScaffoldReport,
): Promise<{ commit: string | null; warnings?: readonly string[] }> {
  const { initRepository } = await import('../../workspace/git/commit.js');
  const { commitWithEarlier } = await import('../../workspace/git/uncommitted.js');
  const isNew = await initRepository(root);
  if (isNew) out.note(`made a git repository in ${root}`);
  // A repository that is new has nothing of what was there either.
  const files = [...created, ...(isNew ? kept : [])].filter(
    (path) => !path.endsWith('/') && !path.startsWith('.memory/'),
  );
  const place = { root, stateFolder: join(root, '.memory') };
  const { commit, warning, isRefused } = await commitWithEarlier(place, files, 'memory: new workspace');
  if (files.length === 0 && isRefused) fail('refused', warning ?? 'not committed', 'mend it and say the same again');
  if (warning === undefined) return { commit };
  out.warn(warning);
  return { commit, warnings: [warning] };
}

function text({ root, created, kept }: ScaffoldReport, dryRun: boolean): string {
  if (created.length === 0) return `${root} is a workspace already; no file was changed.`;
  const made = created.map((path) => `  + ${path}`).join('\n');
  const next = `Next: openclaw memory -w ${root} retain "W @Peter: lives in Vienna"`;
  const kind = dryRun ? 'Would make' : 'Made';
  return `${kind} in ${root}:\n${made}${kept.length > 0 ? `\n  (kept: ${kept.join(', ')})` : ''}${dryRun ? '' : `\n${next}`}`;
}
