import type { LabelledQuestion, Room } from './labelled.js';

/** The share of labelled lines that are found, and the reciprocal rank of the first one; 0..1. */
export interface Score {
  readonly 'R@1': number;
  readonly 'R@5': number;
  readonly 'R@10': number;
  readonly 'R@25': number;
  readonly MRR: number;
}

export const COLUMNS = ['R@1', 'R@5', 'R@10', 'R@25', 'MRR'] as const satisfies readonly (keyof Score)[];

/** Number of lines requested; the limit of MRR. */
export const DEPTH = 60;

/** Ranks lines (`path#line`, the best first) for every question of a workspace, in their order. */
export type Ranker = (room: Room) => Promise<readonly (readonly string[])[]>;

/** The mean of all questions, in percent. A rank is one line. */
export async function scoreOf(rooms: readonly Room[], ranker: Ranker): Promise<Score> {
  const scores: Score[] = [];
  for (const room of rooms) {
    const answers = await ranker(room);
    for (const [i, question] of room.questions.entries()) scores.push(scored(question, answers[i] ?? [], room.names));
  }
  const mean = (column: keyof Score): number =>
    (100 * scores.reduce((sum, score) => sum + score[column], 0)) / Math.max(1, scores.length);
  return { 'R@1': mean('R@1'), 'R@5': mean('R@5'), 'R@10': mean('R@10'), 'R@25': mean('R@25'), MRR: mean('MRR') };
}

export function scored({ wanted }: LabelledQuestion, lines: readonly string[], names: Room['names']): Score {
  const hits = lines.map((line) =>
    (names?.get(line) ?? (names === undefined ? [line] : [])).filter((name) => wanted.has(name)),
  );
  const upTo = (k: number): number => new Set(hits.slice(0, k).flat()).size / wanted.size;
  const first = hits.findIndex((names) => names.length > 0);
  return {
    'R@1': first === 0 ? 1 : 0,
    'R@5': upTo(5),
    'R@10': upTo(10),
    'R@25': upTo(25),
    MRR: first < 0 ? 0 : 1 / (first + 1),
  };
}
