import type { Command } from 'commander';
import type { ResumeReport } from '../../../session/commit.js';
import type { Run } from '../../command.js';
import { openFor } from '../../open.js';
import { exitOf, finishedText, waiting } from './outcome.js';

export function defineResume(session: Command, run: Run): Command {
  return session
    .command('resume')
    .description('finish or repair what a crash left, archives strictly in order; failed ones are tried again')
    .argument('[id]', 'id of the session (default: all)')
    .addHelpText('after', '\nExample:\n  openclaw memory session resume chat-1')
    .action((id: string | undefined) =>
      run(async (context) => {
        const { out } = context;
        const workspace = await openFor(context);
        const sessions = await workspace.sessions(context.signal);
        const ids = id === undefined ? (await sessions.list()).map(({ session }) => session) : [id];
        const reports: ResumeReport[] = [];
        for (const each of ids) reports.push(await sessions.resume(each));
        for (const { warnings } of reports) for (const warning of warnings) out.warn(warning);
        const finished = reports.flatMap((report) => report.finished);
        out.answer(reports.map(resumeText).join('\n'), { sessions: reports });
        return exitOf(context, finished);
      }),
    );
}

function resumeText({ session, finished, pending, live_messages, archived_messages }: ResumeReport): string {
  const done = finished.map((archive) => `  ${finishedText(archive)}`);
  const counts = `${live_messages} live, ${archived_messages} archived messages`;
  const state = finished.length === 0 && pending.length === 0 ? 'nothing to finish' : `${finished.length} finished`;
  return [`${session}: ${state}; ${counts}`, ...done, ...waiting(pending)].join('\n');
}
