import { addTokens, commitLog, emptyLog, reload, type TokenLog } from '../session/window-of-tokens.js';
import type { VectorReport } from './report.js';

type Step =
  | readonly ['add', number]
  | readonly ['addmany', readonly number[]]
  | readonly ['commit', number]
  | readonly ['reload'];

interface PendingRow {
  readonly id: string;
  readonly kind: string;
  readonly op: { readonly keep_recent_count: number; readonly script: readonly Step[] };
  readonly expected: readonly Outcome[];
}

interface Outcome {
  readonly step: Step;
  readonly result?: string;
  readonly archived_tokens?: readonly number[];
  readonly pending_tokens: number;
  readonly live: readonly number[];
  readonly keep_recent_count: number;
}

/** The rows of wm.json that script the token window. */
export function runPending(rows: readonly PendingRow[]): VectorReport {
  const scripts = rows.filter(({ kind }) => kind === 'pending');
  const failures = scripts.flatMap(({ id, op, expected }) => {
    let log = emptyLog(op.keep_recent_count);
    for (const [i, step] of op.script.entries()) {
      const { outcome, next } = take(log, step);
      log = next;
      if (!equal(outcome, expected[i])) {
        return [{ id: `${id}, step ${i + 1}`, expected: JSON.stringify(expected[i]), got: JSON.stringify(outcome) }];
      }
    }
    return [];
  });
  return { file: 'wm.json (pending tokens)', total: scripts.length, failures, notes: [] };
}

function take(before: TokenLog, step: Step): { outcome: Outcome; next: TokenLog } {
  if (step[0] === 'commit') {
    const { log: next, archived, outcome } = commitLog(before, step[1]);
    const result = outcome === 'accepted' ? outcome : `skipped:${outcome}`;
    return { next, outcome: { ...describe(step, next), result, archived_tokens: archived } };
  }
  if (step[0] === 'reload') {
    const next = reload(before);
    return { next, outcome: describe(step, next) };
  }
  const next = (step[0] === 'add' ? [step[1]] : step[1]).reduce(addTokens, before);
  return { next, outcome: describe(step, next) };
}

function describe(step: Step, { window, live }: TokenLog): Outcome {
  return { step, pending_tokens: window.pending_tokens, live, keep_recent_count: window.keep_recent_count };
}

function equal(outcome: Outcome, expected: Outcome | undefined): boolean {
  const sorted = (value: Outcome | undefined) => JSON.stringify(Object.entries(value ?? {}).sort());
  return sorted(outcome) === sorted(expected);
}
