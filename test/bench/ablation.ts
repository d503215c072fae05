import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WEIGHTS, type Weights } from '../../src/recall/rank/weights.js';
import { askCases } from './cases.js';
import { readSets, type SetKind } from './labelled.js';
import type { QualityOptions } from './quality.js';
import { byWords } from './rankers.js';
import { scoreOf } from './scoring.js';

const FIGURES = ['R@10', 'MRR'] as const;

/**
 * What is lost on each kind of text when a signal is left out of the ranking: R@10 and MRR in points, the mean of the
 * sets of a kind; and the cases of the fixtures that fail.
 * @param say takes a line of the report
 */
export async function ablation(options: QualityOptions, say: (text: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ablation-'));
  try {
    const sets = readSets({ ...options, folder }).filter(({ name }) => !/^LoCoMo [BC]/.test(name));
    const kinds = [...new Set(sets.map(({ kind }) => kind))];
    const measure = async (weights: Weights): Promise<readonly number[]> => {
      const sums = new Map<SetKind, { count: number; readonly sums: number[] }>();
      for (const { kind, rooms } of sets) {
        const score = await scoreOf(rooms, byWords(weights));
        const sum = sums.get(kind) ?? { count: 0, sums: FIGURES.map(() => 0) };
        sum.count++;
        for (const [i, figure] of FIGURES.entries()) sum.sums[i] = (sum.sums[i] ?? 0) + score[figure];
        sums.set(kind, sum);
      }
      const means = kinds.flatMap((kind) => {
        const { count = 1, sums: of = [] } = sums.get(kind) ?? {};
        return of.map((sum) => sum / count);
      });
      return [...means, (await askCases(join(folder, 'cases'), weights)).failed];
    };
    const all = await measure(WEIGHTS);
    say(['signal', ...kinds.flatMap((kind) => [`${kind} R@10`, 'MRR']), 'cases failed'].join(' | '));
    say(['all', ...all.map((figure) => figure.toFixed(1))].join(' | '));
    for (const signal of Object.keys(WEIGHTS)) {
      if (signal === 'vector') continue;
      const without = await measure({ ...WEIGHTS, [signal]: 0 });
      const lost = without.map((figure, i) => (i < all.length - 1 ? figure - (all[i] ?? 0) : figure));
      say([`without ${signal}`, ...lost.map((figure) => figure.toFixed(1))].join(' | '));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
