import type { Command } from 'commander';
import { type ExitCode, fail } from '../../../base/failure.js';
import { COMMIT, type CommitOptions } from '../../../session/requests.js';
import type { CommandContext, Run } from '../../command.js';
import { readFlags } from '../../flags.js';
import { openFor } from '../../open.js';
import { startResume } from './background.js';
import { commitText, exitOf, finishedText, waiting } from './outcome.js';

interface CommitFlags {
  readonly keepRecent?: string;
  readonly threshold?: string | true;
  readonly background?: boolean;
  readonly defer?: boolean;
  readonly maxWait?: string;
}

export function defineCommit(session: Command, run: Run): Command {
  return session
    .command('commit')
    .description('archive the older messages and bring the Working Memory up to date')
    .argument('<id>', 'id of the session')
    .option('--keep-recent <n>', 'how many of the newest messages stay (default: the setting, 10)')
    .option('--threshold [tokens]', 'only when so many tokens are pending; without a number: the setting')
    .option('--background', 'return when the messages are archived; another process finishes the archive')
    .option('--defer', 'archive only: finish with wm prompt and wm apply, or session resume')
    .option('--max-wait <seconds>', 'how long the model has; then the rules finish the archive')
    .addHelpText('after', '\nExample:\n  openclaw memory session commit chat-1 --keep-recent 10 --threshold 64000')
    .action((id: string, options: CommitFlags) => run((context) => commit(context, id, options)));
}

/** After so long, in ms, the command says what it waits for. */
const PATIENCE_MS = 2_000;
const WAITS =
  'waiting for the chat model; the messages are archived: Ctrl-C stops, and this goes on later: openclaw memory session resume';

async function commit(context: CommandContext, id: string, options: CommitFlags): Promise<ExitCode> {
  if (options.background && options.defer) {
    fail('usage', '--background and --defer exclude each other', 'leave one of them out');
  }
  const { out } = context;
  const workspace = await openFor(context);
  const sessions = await workspace.sessions(context.signal);
  const request = {
    ...readFlags<CommitOptions>('session commit', COMMIT, {
      keepRecent: options.keepRecent,
      threshold: options.threshold,
      maxWait: options.maxWait,
    }),
    phase1Only: options.background === true || options.defer === true,
  };
  const patience = setTimeout(() => out.note(`${WAITS} ${id}`), PATIENCE_MS);
  const report = await sessions.commit(id, request).finally(() => clearTimeout(patience));
  const background = options.background && report.pending.length > 0 ? startResume(context, workspace, id) : undefined;
  for (const warning of report.warnings) out.warn(warning);
  const lines = [commitText(report), ...report.finished.map(finishedText), ...waiting(report.pending)];
  if (background !== undefined)
    lines.push(`process ${background.pid} finishes them; its notes are in ${background.log}`);
  const json = { ...report, ...(background === undefined ? {} : { background }) };
  out.answer(lines.join('\n'), json);
  return exitOf(context, report.finished);
}
