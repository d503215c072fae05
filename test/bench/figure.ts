/** One row of the table. */
export interface Figure {
  readonly name: string;
  /** Daily files in the measured workspace, if any is involved. */
  readonly files?: number;
  readonly measured: number;
  /** The least cost of the same work, measured beside it, if there is such a measure. */
  readonly floor?: number | undefined;
  readonly unit: Unit;
  /** Without one the figure is only informative. */
  readonly goal?: Goal | undefined;
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
  return goal === undefined || measured <= goal.most;
}

/** The figures as a Markdown table, in the order they came. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    figure.files?.toLocaleString('en') ?? '',
    show(figure.measured, figure.unit),
    figure.floor === undefined ? '–' : show(figure.floor, figure.unit),
    figure.goal === undefined ? '–' : `${figure.goal.text} = ${show(figure.goal.most, figure.unit)}`,
    figure.goal === undefined ? '' : isMet(figure) ? '✓' : '✗',
  ]);
  const head = ['figure', 'files', 'measured', 'floor', 'goal', ''];
  return [head, ['---', '--:', '--:', '--:', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function show(value: number, unit: Unit): string {
  const digits = unit === 's' || unit === '×' || unit === '%' || value < 20 ? 2 : 0;
  const number = value.toFixed(digits).replace(/\.?0+$/, digits === 0 ? '$&' : '');
  return `${number} ${unit}`;
}
