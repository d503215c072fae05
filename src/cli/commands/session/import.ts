import { ExitCode, fail } from '../../../base/failure.js';
import type { ImportReport } from '../../../session/import.js';
import { IMPORT_STORE } from '../../../session/requests.js';
import { readInput } from '../../io.js';
import { openToBegin } from '../../open.js';
import { count } from '../../text/shown.js';
import { verb } from '../../verb.js';
import { sayWhere } from '../../writing.js';

export const importVerb = verb({
  summary: 'add what is new in a transcript of OpenClaw, Claude Code or Codex',
  takes: {
    file: {
      type: 'text',
      required: true,
      place: 'argument',
      doc: 'JSON lines, - for stdin, or the SQLite store of OpenClaw',
    },
    ...IMPORT_STORE,
    strict: { type: 'boolean', doc: 'end with exit code 1 when words of a user were left out that are no noise' },
  },
  more: 'Heartbeats, cron turns, slash commands, thoughts and injected context are left\nout. Importing again adds only what is new.',
  examples: ['session import transcript.jsonl --session chat-1'],
  run: async (context, { file, session, key, strict }) => {
    const { out } = context;
    const { isDatabaseFile } = await import('../../../session/import.js');
    const workspace = await openToBegin(context);
    const sessions = await workspace.sessions(context.signal);
    let reports: readonly ImportReport[];
    if (file !== '-' && isDatabaseFile(file)) {
      const store = await sessions.importStore(file, { key, session });
      reports = store.sessions;
      for (const name of store.elsewhere) out.warn(`not read: the host has moved ${name} to a file of its own`);
      out.answer(reports.map(inWords).join('\n'), store);
    } else {
      if (key !== undefined) fail('usage', '--key goes with a SQLite store', 'leave it out');
      const report = await sessions.importTranscript(await readInput(file, context.io), session);
      reports = [report];
      out.answer(inWords(report), report);
    }
    if (reports.some(({ added }) => added > 0)) sayWhere(context, workspace.root);
    for (const { left_out } of reports) {
      for (const { reason, messages, characters, lines } of left_out) {
        const where = lines === undefined ? '' : `: line ${listed(lines)}`;
        out.warn(
          `left out: ${count(messages, 'message')} of a user ${reason} (${count(characters, 'character')})${where}`,
        );
      }
    }
    return strict === true && reports.some(({ left_out }) => left_out.length > 0) ? ExitCode.failed : ExitCode.done;
  },
});

const MOST_LINES = 20;

function listed(lines: readonly number[]): string {
  return `${lines.slice(0, MOST_LINES).join(', ')}${lines.length > MOST_LINES ? ', …' : ''}`;
}

function inWords({ session, added, known, noise, other_branches }: ImportReport): string {
  const rest = `${known} known already, ${noise} left out as noise, ${other_branches} on other branches`;
  return `${session}: ${count(added, 'message')} added, ${rest}`;
}
