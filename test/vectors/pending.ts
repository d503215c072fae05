import {
  addMessage,
  commitWindow,
  EMPTY_WINDOW,
  pushedOutIndex,
  recomputeWindow,
  type TokenWindow,
} from '../../src/session/log/window.js';
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

interface State {
  readonly window: TokenWindow;
  readonly live: readonly number[];
}

/** The rows of wm.json that script the token window. */
export function runPending(rows: readonly PendingRow[]): VectorReport {
  const scripts = rows.filter(({ kind }) => kind === 'pending');
  const failures = scripts.flatMap(({ id, op, expected }) => {
    let state: State = { window: { ...EMPTY_WINDOW, keepRecentCount: op.keep_recent_count }, live: [] };
    for (const [i, step] of op.script.entries()) {
      const { outcome, next } = take(state, step);
      state = next;
      if (!equal(outcome, expected[i])) {
        return [{ id: `${id}, step ${i + 1}`, expected: JSON.stringify(expected[i]), got: JSON.stringify(outcome) }];
      }
    }
    return [];
  });
  return { file: 'wm.json (pending tokens)', total: scripts.length, failures, notes: [] };
}

function take(state: State, step: Step): { outcome: Outcome; next: State } {
  if (step[0] === 'commit') {
    const { window, archivedCount, outcome } = commitWindow(state.window, step[1]);
    const next = { window, live: state.live.slice(archivedCount) };
    const result = outcome === 'accepted' ? outcome : `skipped:${outcome}`;
    return { next, outcome: { ...describe(step, next), result, archived_tokens: state.live.slice(0, archivedCount) } };
  }
  if (step[0] === 'reload') {
    const next = { live: state.live, window: recomputeWindow(state.live, state.window.keepRecentCount) };
    return { next, outcome: describe(step, next) };
  }
  const next = (step[0] === 'add' ? [step[1]] : step[1]).reduce(add, state);
  return { next, outcome: describe(step, next) };
}

function add({ window, live }: State, tokens: number): State {
  const grown = [...live, tokens];
  return { window: addMessage(window, grown[pushedOutIndex(window) ?? -1] ?? 0), live: grown };
}

function describe(step: Step, { window, live }: State): Outcome {
  return { step, pending_tokens: window.pendingTokens, live, keep_recent_count: window.keepRecentCount };
}

function equal(outcome: Outcome, expected: Outcome | undefined): boolean {
  const sorted = (value: Outcome | undefined) => JSON.stringify(Object.entries(value ?? {}).sort());
  return sorted(outcome) === sorted(expected);
}
