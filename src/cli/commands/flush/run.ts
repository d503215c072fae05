import type { Command } from 'commander';
import { ExitCode, exitCodeOf } from '../../../base/failure.js';
import type { FlushEvent, FlushOptions } from '../../../session/flush.js';
import { FLUSH } from '../../../session/requests.js';
import type { CommandContext, Run } from '../../command.js';
import { readFlags } from '../../flags.js';
import { openFor } from '../../open.js';
import { COMMIT, finished, inWords, SESSION } from './outcome.js';

interface RunOptions {
  readonly session: string;
  readonly strict?: boolean;
  readonly maxCalls?: string;
  readonly maxWait?: string;
  readonly commit?: boolean;
}

export function defineRun(flush: Command, run: Run): Command {
  return flush
    .command('run')
    .description('let the model save what is worth remembering, once a compaction cycle')
    .requiredOption(...SESSION)
    .option('--strict', 'end with exit code 1, or 3 without a model, when memories were not saved')
    .option('--max-calls <n>', 'most questions to the model in this run; the rest is for the next run of the cycle')
    .option('--max-wait <seconds>', 'how long the model has; then the rules save what they can')
    .option(...COMMIT)
    .addHelpText(
      'after',
      "\nA failure stands in nobody's way: it is a warning, and the exit code is 0.\n" +
        'With --json: one event a line, at last memory_flush_end.\n\n' +
        'Example:\n  openclaw memory flush run --session chat-1',
    )
    .action((options: RunOptions) => run((context) => flushNow(context, options)));
}

async function flushNow(
  context: CommandContext,
  { session, strict, commit, maxCalls, maxWait }: RunOptions,
): Promise<ExitCode> {
  const { out } = context;
  const workspace = await openFor(context);
  const sessions = await workspace.sessions(context.signal);
  const emit = (event: FlushEvent): void => {
    if (event.type !== 'memory_flush_start') return;
    if (out.json) out.line(JSON.stringify(event));
    else out.note('saving memories …');
  };
  const report = await sessions.flush(
    session,
    emit,
    readFlags<FlushOptions>('flush run', FLUSH, { maxCalls, maxWait }),
  );
  const { failure } = report;
  for (const warning of report.warnings) out.warn(warning);
  if (failure?.hint !== undefined) out.note(`hint: ${failure.hint}`);
  const json = await finished(context, workspace, report, commit);
  out.answer(inWords(report), { type: 'memory_flush_end', ...json });
  if (failure?.type === 'interrupted') return ExitCode.failed;
  return strict && failure !== undefined ? exitCodeOf(failure) : ExitCode.done;
}
