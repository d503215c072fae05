import type { Command } from 'commander';
import { ExitCode } from '../../../base/failure.js';
import type { Run } from '../../command.js';
import { readInput } from '../../io.js';
import { openFor } from '../../open.js';
import { count } from '../../text/count.js';

export function defineImport(session: Command, run: Run): Command {
  return session
    .command('import')
    .description('add what is new in a transcript of OpenClaw or Claude Code')
    .argument('<file>', 'JSON lines; - for stdin')
    .option('--session <id>', 'id of the session (default: as the transcript says)')
    .addHelpText(
      'after',
      '\nHeartbeats, cron turns, slash commands, thoughts and injected context are left\nout. Importing again adds only what is new.\n\nExample:\n  openclaw memory session import transcript.jsonl --session chat-1',
    )
    .action((file: string, options: { readonly session?: string }) =>
      run(async (context) => {
        const text = await readInput(file, context.io);
        const workspace = await openFor(context);
        const report = await (await workspace.sessions(context.signal)).importTranscript(text, options.session);
        if (report.unreadable > 0) context.out.warn(`${count(report.unreadable, 'line')} could not be read`);
        const { session: id, added, known, noise, other_branches } = report;
        context.out.answer(
          `${id}: ${count(added, 'message')} added, ${known} known already, ${noise} left out as noise, ${other_branches} on other branches`,
          report,
        );
        return ExitCode.done;
      }),
    );
}
