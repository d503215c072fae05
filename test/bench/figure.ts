/** One row of the table. */
export interface Figure {
  readonly name: string;
  /** Daily files in the workspace it was measured over; null when it is about none. */
  readonly files: number | null;
  readonly measured: number;
  /** What the same work costs at least, measured beside it; null when there is no such thing. */
  readonly floor: number | null;
  readonly unit: Unit;
  /** Null when the figure is only there to be known. */
  readonly goal: Goal | null;
}

export type Unit = 'ms' | 's' | 'MB' | '×' | '%';

export interface Goal {
  /** How the goal is written in the table. */
  readonly text: string;
  /** The figure is to be at most this, in its unit. */
  readonly most: number;
}

/** What every group gets. */
export interface BenchRun {
  /** Numbers of daily files, ascending. */
  readonly sizes: readonly number[];
  /** Runs behind a median. */
  readonly rounds: number;
  /** Says on stderr what is being measured. */
  note(text: string): void;
}

/** A group of figures; one file each, named in `main.ts`. */
export type Group = (run: BenchRun) => AsyncIterable<Figure> | Iterable<Figure>;

export function isMet({ measured, goal }: Figure): boolean {
  return goal === null || measured <= goal.most;
}
