import type { Command } from 'commander';
import { ExitCode, fail } from '../../../base/failure.js';
import type { ImportReport, StoreReport } from '../../../session/import.js';
import type { CommandContext, Run } from '../../command.js';
import { readInput } from '../../io.js';
import { openFor } from '../../open.js';
import { count } from '../../text/count.js';

interface ImportFlags {
  readonly session?: string;
  readonly key?: string;
  readonly strict?: boolean;
}

export function defineImport(session: Command, run: Run): Command {
  return session
    .command('import')
    .description('add what is new in a transcript of OpenClaw or Claude Code')
    .argument('<file>', 'JSON lines, - for stdin, or the SQLite store of OpenClaw')
    .option('--session <id>', 'id of the session (default: as the transcript says)')
    .option('--key <key>', 'of a store: one session, as the host calls it (default: all)')
    .option('--strict', 'end with exit code 1 when words of a user were left out that are no noise')
    .addHelpText(
      'after',
      '\nHeartbeats, cron turns, slash commands, thoughts and injected context are left\nout. Importing again adds only what is new.\n\nExample:\n  openclaw memory session import transcript.jsonl --session chat-1',
    )
    .action((file: string, flags: ImportFlags) => run((context) => importFile(context, file, flags)));
}

async function importFile(context: CommandContext, file: string, flags: ImportFlags): Promise<ExitCode> {
  const { out } = context;
  const { isDatabaseFile } = await import('../../../session/import.js');
  const sessions = await (await openFor(context)).sessions(context.signal);
  const { session, key, strict } = flags;
  let reports: readonly ImportReport[];
  if (file !== '-' && isDatabaseFile(file)) {
    const store = await sessions.importStore(file, { key, session });
    reports = store.sessions;
    for (const name of store.elsewhere) out.warn(`not read: the host has moved ${name} to a file of its own`);
    out.answer(reports.map(inWords).join('\n'), store satisfies StoreReport);
  } else {
    if (key !== undefined) fail('usage', '--key goes with a SQLite store', 'leave it out');
    const report = await sessions.importTranscript(await readInput(file, context.io), session);
    reports = [report];
    out.answer(inWords(report), report);
  }
  for (const { left_out } of reports) {
    for (const { reason, messages, characters } of left_out) {
      out.warn(`left out: ${count(messages, 'message')} of a user ${reason} (${count(characters, 'character')})`);
    }
  }
  return strict === true && reports.some(({ left_out }) => left_out.length > 0) ? ExitCode.failed : ExitCode.done;
}

function inWords({ session, added, known, noise, other_branches }: ImportReport): string {
  const rest = `${known} known already, ${noise} left out as noise, ${other_branches} on other branches`;
  return `${session}: ${count(added, 'message')} added, ${rest}`;
}
