import type { Workspace } from '../../../app/api/workspace.js';
import type { FlushReport } from '../../../session/flush.js';
import type { CommandContext } from '../../command.js';
import { finishWrite } from '../../writing.js';

export const SESSION = ['--session <id>', 'id of the session'] as const;
export const COMMIT = ['--commit', 'make one git commit of exactly the files that were written'] as const;

export async function finished(context: CommandContext, workspace: Workspace, report: FlushReport, commit = false) {
  const { changes, failure, ...json } = report;
  const subject = `memory: save what ${report.session} is worth`;
  const written = await finishWrite(context, workspace, { commit }, { changes, subject, warnings: report.warnings });
  return { ...json, ...(failure === undefined ? {} : { failure }), ...written };
}

export function inWords({ status, saved, proposed }: FlushReport): string {
  const proposals = proposed === 0 ? '' : `, ${proposed} proposed for the core`;
  if (status === 'done') return `${saved} ${saved === 1 ? 'fact' : 'facts'} saved${proposals}`;
  return { silent: 'nothing worth saving', skipped: 'not run', failed: 'nothing saved' }[status];
}
