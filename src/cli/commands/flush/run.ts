import type { Command } from 'commander';
import type { Workspace } from '../../../app/workspace.js';
import { ExitCode, exitCodeOf } from '../../../base/failure.js';
import type { FlushEvent, FlushReport } from '../../../session/flush.js';
import type { CommandContext, Run } from '../../command.js';
import { readInput } from '../../io.js';
import { openFor } from '../../open.js';
import { promptText } from '../../text/prompt-text.js';
import { finishWrite } from '../../writing.js';

const SESSION = ['--session <id>', 'id of the session'] as const;
const COMMIT = ['--commit', 'make one git commit of exactly the files that were written'] as const;

interface RunOptions {
  readonly session: string;
  readonly strict?: boolean;
  readonly commit?: boolean;
}

export function defineRun(flush: Command, run: Run): Command {
  return flush
    .command('run')
    .description('let the model save what is worth remembering, once a compaction cycle')
    .requiredOption(...SESSION)
    .option('--strict', 'end with exit code 1, or 3 without a model, when memories were not saved')
    .option(...COMMIT)
    .addHelpText(
      'after',
      "\nA failure stands in nobody's way: it is a warning, and the exit code is 0.\n" +
        'With --json: one event a line, at last memory_flush_end.\n\n' +
        'Example:\n  openclaw memory flush run --session chat-1',
    )
    .action((options: RunOptions) => run((context) => flushNow(context, options)));
}

async function flushNow(context: CommandContext, { session, strict, commit }: RunOptions): Promise<ExitCode> {
  const { out } = context;
  const workspace = await openFor(context);
  const sessions = await workspace.sessions(context.signal);
  const emit = (event: FlushEvent): void => {
    if (event.type !== 'memory_flush_start') return;
    if (out.json) out.line(JSON.stringify(event));
    else out.note('saving memories …');
  };
  const report = await sessions.flush(session, emit);
  const { failure } = report;
  for (const warning of report.warnings) out.warn(warning);
  if (failure?.hint !== undefined) out.note(`hint: ${failure.hint}`);
  const json = await finished(context, workspace, report, commit);
  out.answer(inWords(report), { type: 'memory_flush_end', ...json });
  if (failure?.type === 'interrupted') return ExitCode.failed;
  return strict && failure !== undefined ? exitCodeOf(failure) : ExitCode.done;
}

export function definePrompt(flush: Command, run: Run): Command {
  return flush
    .command('prompt')
    .description("print the same turn for the calling agent's own model")
    .requiredOption(...SESSION)
    .addHelpText('after', '\nExample:\n  openclaw memory flush prompt --session chat-1 --json')
    .action(({ session }: { readonly session: string }) =>
      run(async (context) => {
        const sessions = await (await openFor(context)).sessions();
        const form = await sessions.flushPrompt(session);
        context.out.note(`answer with: openclaw memory flush apply --session ${session} --answer FILE`);
        context.out.answer(promptText(form), form);
        return ExitCode.done;
      }),
    );
}

export function defineApply(flush: Command, run: Run): Command {
  return flush
    .command('apply')
    .description("save what the calling agent's own model answered to flush prompt")
    .requiredOption(...SESSION)
    .requiredOption('--answer <file>', 'the answer; - for stdin')
    .option(...COMMIT)
    .addHelpText('after', '\nExample:\n  openclaw memory flush apply --session chat-1 --answer answer.json')
    .action((options: { readonly session: string; readonly answer: string; readonly commit?: boolean }) =>
      run(async (context) => {
        const { session, answer, commit } = options;
        const { out, io } = context;
        const text = await readInput(answer, io);
        const workspace = await openFor(context);
        const report = await (await workspace.sessions(context.signal)).flushApply(session, text);
        for (const warning of report.warnings) out.warn(warning);
        out.answer(inWords(report), await finished(context, workspace, report, commit));
        return ExitCode.done;
      }),
    );
}

async function finished(context: CommandContext, workspace: Workspace, report: FlushReport, commit = false) {
  const { changes, failure, ...json } = report;
  const subject = `memory: save what ${report.session} is worth`;
  const written = await finishWrite(context, workspace, { commit }, { changes, subject });
  return { ...json, ...(failure === undefined ? {} : { failure }), ...written };
}

function inWords({ status, saved, proposed }: FlushReport): string {
  const proposals = proposed === 0 ? '' : `, ${proposed} proposed for the core`;
  if (status === 'done') return `${saved} ${saved === 1 ? 'fact' : 'facts'} saved${proposals}`;
  return { silent: 'nothing worth saving', skipped: 'not run', failed: 'nothing saved' }[status];
}
