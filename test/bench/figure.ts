/** One row of the table. */
export interface Figure {
  readonly name: string;
  /** Daily files in the measured workspace; null if none is involved. */
  readonly files: number | null;
  readonly measured: number;
  /** The least cost of the same work, measured beside it; null if there is no such measure. */
  readonly floor: number | null;
  readonly unit: Unit;
  /** Null if the figure is only informative. */
  readonly goal: Goal | null;
}

export type Unit = 'ms' | 's' | 'MB' | '×' | '%';

interface Goal {
  /** How the goal is written in the table. */
  readonly text: string;
  /** The maximum value of the figure, in its unit. */
  readonly most: number;
}

/** The input of every group. */
export interface BenchRun {
  /** Numbers of daily files, ascending. */
  readonly sizes: readonly number[];
  /** Runs behind a median. */
  readonly rounds: number;
  /** Reports on stderr what is being measured. */
  note(text: string): void;
}

/** A group of figures; one file each, named in `main.ts`. */
export type Group = (run: BenchRun) => AsyncIterable<Figure> | Iterable<Figure>;

export function isMet({ measured, goal }: Figure): boolean {
  return goal === null || measured <= goal.most;
}
