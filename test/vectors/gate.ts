import { decideExperienceRecall, type GateInput } from '../../src/context/gate.js';
import type { VectorReport } from './report.js';

interface GateRow {
  readonly text: string;
  readonly input: {
    readonly sessionKey?: string;
    readonly runtimeContext?: { readonly isCron?: unknown; readonly automationKind?: unknown };
    readonly triggerHint?: GateInput['trigger'];
    readonly isBypassed?: boolean;
    readonly minQueryChars?: number;
  };
  readonly decision: 'recall' | 'skip';
  readonly human: 'recall' | 'skip';
  readonly robust: boolean;
}

/** For rows that are not robust, the minimum share that agrees with the human judgement, by judgement. */
const GOALS = { recall: 0.9, skip: 0.75 } as const;

/** Each robust row must hold; the others are judged together by the share that agrees with the human. */
export function runGate(rows: readonly GateRow[]): VectorReport {
  const judged = rows.map((row) => ({ row, got: decide(row) }));
  const robust = judged.filter(({ row, got }) => row.robust && got !== row.decision);
  const failures: { id: string; expected: string; got: string }[] = robust.map(({ row, got }) => ({
    id: row.text,
    expected: row.decision,
    got,
  }));
  const notes: string[] = [];
  for (const human of ['recall', 'skip'] as const) {
    const group = judged.filter(({ row }) => !row.robust && row.human === human);
    const missed = group.filter(({ got }) => got !== human);
    const agreed = `${group.length - missed.length}/${group.length}`;
    notes.push(`a human says ${human}: ${agreed} agree (goal ${GOALS[human] * 100} %)`);
    notes.push(...missed.map(({ row }) => `  not as a human: ${row.text}`));
    if (group.length > 0 && missed.length > group.length * (1 - GOALS[human])) {
      failures.push({ id: `agreement on ${human}`, expected: `${GOALS[human] * 100} %`, got: agreed });
    }
  }
  return { file: 'gate.json', total: rows.length, failures, notes };
}

function decide({ text, input }: GateRow): 'recall' | 'skip' {
  const { runtimeContext } = input;
  return decideExperienceRecall({
    text,
    sessionKey: input.sessionKey,
    isCron: runtimeContext?.isCron === true || runtimeContext?.automationKind === 'cron',
    trigger: input.triggerHint,
    isBypassed: input.isBypassed,
    minQueryChars: input.minQueryChars,
  }).decision;
}
