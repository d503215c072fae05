import { decideFlush } from '../../src/session/flush-decision.js';
import type { VectorReport } from './report.js';

interface FlushRow {
  readonly name: string;
  readonly input: {
    readonly cur?: number | null;
    readonly ctx?: number | null;
    readonly reserve?: number | null;
    readonly soft?: number | null;
    readonly count?: number | null;
    readonly last?: number | null;
  };
  readonly openclaw: boolean;
  readonly openclawThreshold: number;
}

/** Every row must hold: decision and threshold of the recommended column. JSON has no NaN, so null means NaN. */
export function runFlush(rows: readonly FlushRow[]): VectorReport {
  const failures = rows.flatMap(({ name, input, openclaw, openclawThreshold }) => {
    const { shouldFlush, threshold } = decideFlush({
      tokens: given(input.cur),
      contextWindow: given(input.ctx),
      reserve: given(input.reserve),
      soft: given(input.soft),
      compactionCount: given(input.count),
      lastFlush: given(input.last),
    });
    if (shouldFlush === openclaw && threshold === openclawThreshold) return [];
    return [{ id: name, expected: `${openclaw} at ${openclawThreshold}`, got: `${shouldFlush} at ${threshold}` }];
  });
  return { file: 'flush.json', total: rows.length, failures, notes: [] };
}

function given(value: number | string | null | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}
