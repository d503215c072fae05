import type { PageRunRecord } from '../../extract/runs.js';
import {
  HISTORY_REQUEST,
  type HistoryReport,
  type PageChange,
  type PastReport,
  type StatementChange,
} from '../../upkeep/history.js';
import { defineVerb } from '../verb.js';
import { openMemoryWorkspace } from '../workspace.js';

export const define = defineVerb({
  takes: HISTORY_REQUEST,
  more: 'Reads git, and the extract runs that are stored on this machine.',
  examples: ['history bank/opinions.md --at 2026-01-15'],
  run: async (context, { which, at }) => {
    const history = await (await openMemoryWorkspace(context)).history();
    if (at === undefined) {
      const report = await history.of(which);
      return context.out.answer(text(report), report);
    }
    const past = await history.at(which, at);
    if (context.out.json || 'line' in past) context.out.answer('line' in past ? past.line : '', json(past));
    else context.out.raw(past.bytes);
  },
});

function json(past: PastReport): unknown {
  if ('line' in past) return past;
  const { bytes, ...rest } = past;
  return { ...rest, content: Buffer.from(bytes).toString('utf8') };
}

function text(report: HistoryReport): string {
  const changes =
    'page' in report
      ? [...report.changes.map((change) => `${head(change)}\n${change.diff}`), ...report.runs.map(runChange)]
      : report.changes.map(statementChange);
  return changes.join('\n') || 'Never committed.';
}

function runChange({ run, at, source, diff, undone }: PageRunRecord): string {
  const from = source === null ? 'extract apply' : `extract from ${source}`;
  return `${at.slice(0, 10)}  ${run}  ${from}${undone ? ', undone' : ''}\n${diff}`;
}

function statementChange(change: StatementChange): string {
  const lines = [`${head(change)}  ${change.path ?? ''}`];
  if (change.old !== null) lines.push(`- ${change.old.trim()}`);
  if (change.new !== null) lines.push(`+ ${change.new.trim()}`);
  return `${lines.join('\n')}\n`;
}

function head({ day, commit, subject }: Pick<PageChange, 'day' | 'commit' | 'subject'>): string {
  return commit === null ? subject : `${day}  ${commit.slice(0, 9)}  ${subject}`;
}
