import type { Command } from 'commander';
import type { CompactionEvent, CompactRequest } from '../../../session/compact.js';
import { COMPACT } from '../../../session/requests.js';
import type { Run } from '../../command.js';
import { readFlags } from '../../flags.js';
import { openFor } from '../../open.js';
import { commitText, exitOf, finishedText, waiting } from './outcome.js';

export function defineCompact(session: Command, run: Run): Command {
  return session
    .command('compact')
    .description('archive every message and wait for the Working Memory; counted as a compaction')
    .argument('<id>', 'id of the session')
    .option('--tokens <n>', 'tokens in the conversation now (default: those of the log); with --context-window')
    .option('--context-window <n>', "tokens of the model's context window")
    .addHelpText(
      'after',
      '\nWith --json: one event a line, at last compaction_end with the outcome.\n\n' +
        'Example:\n  openclaw memory session compact chat-1',
    )
    .action((id: string, options: object) =>
      run(async (context) => {
        const { out } = context;
        const workspace = await openFor(context);
        const sessions = await workspace.sessions(context.signal);
        const request = readFlags<CompactRequest>('session compact', COMPACT, options);
        // The last event comes with the outcome, below.
        const emit = (event: CompactionEvent): void => {
          if (out.json && event.type !== 'compaction_end') out.line(JSON.stringify(event));
          else if (event.type === 'memory_flush_start') out.note('saving memories …');
        };
        const report = await sessions.compact(id, request, emit);
        for (const warning of report.warnings) out.warn(warning);
        const lines = [commitText(report), ...report.finished.map(finishedText), ...waiting(report.pending)];
        out.answer(lines.join('\n'), { type: 'compaction_end', ...report });
        return exitOf(context, report.finished);
      }),
    );
}
