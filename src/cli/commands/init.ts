import { resolve } from 'node:path';
import { findWorkspace } from '../../app/workspace.js';
import { ExitCode, fail } from '../../base/failure.js';
import { type ScaffoldReport, scaffold } from '../../workspace/scaffold.js';
import type { DefineCommand } from '../command.js';
import { workspaceOptions } from '../open.js';

interface Options {
  readonly trackSessions?: boolean;
  readonly dryRun?: boolean;
}

export const define: DefineCommand = (command, run) => {
  command
    .argument('[dir]', 'the workspace folder (default: as every command finds it)')
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
        context.out.answer(text(report, options.dryRun === true), report);
        return ExitCode.done;
      }),
    );
};

function text({ root, created, kept }: ScaffoldReport, dryRun: boolean): string {
  if (created.length === 0) return `${root} is a workspace already; nothing was changed.`;
  const made = created.map((path) => `  + ${path}`).join('\n');
  const next = `Next: openclaw memory -w ${root} retain "W @Peter: lives in Vienna"`;
  const kind = dryRun ? 'Would make' : 'Made';
  return `${kind} in ${root}:\n${made}${kept.length > 0 ? `\n  (kept: ${kept.join(', ')})` : ''}${dryRun ? '' : `\n${next}`}`;
}
