import { availableParallelism, loadavg, totalmem } from 'node:os';
import type { Unit } from './figure.js';

/** The figures of one measure at each number of files. */
export interface Row {
  readonly name: string;
  readonly unit: Unit;
  readonly values: readonly number[];
}

const BAR = 40;

/** Returns the page about the growth of costs: a table, and a plot of the cost of one file for each time. */
export function growthPage(sizes: readonly number[], rows: readonly Row[]): string {
  const head = ['', ...sizes.map((size) => `${size.toLocaleString('en')} files`)];
  const cells = rows.map((row) => [row.name, ...row.values.map((value) => show(value, row.unit))]);
  const widths = head.map((_, column) => Math.max(...[head, ...cells].map((line) => line[column]?.length ?? 0)));
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const table = [head, rule, ...cells].map(
    (line) => `| ${line.map((cell, i) => padded(cell, i, widths)).join(' | ')} |`,
  );
  const times = rows.filter(({ unit }) => unit === 'ms');
  return `# Growth

${new Date().toISOString().slice(0, 10)} · ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node} · \`npm run bench -- --grow\`

This page shows how time and memory grow with the number of files. The files are logs of 4.4 KB each, with 36 lines and 8
facts, about 30 people. Times are medians and run from the start of the process to its end.

For comparison, the floor reads the same files, splits their lines and fills the same full-text
index. Load of the machine at the end: ${(loadavg()[0] ?? 0).toFixed(1)} (1 means that only this run was active).

${table.join('\n')}

Each bar is the cost of one file: equal bars mean linear growth. Shorter bars mean that growth is slower than that.

\`\`\`plot
${times.map((row) => plot(sizes, row)).join('\n\n')}
\`\`\`
`;
}

function padded(cell: string, column: number, widths: readonly number[]): string {
  const width = widths[column] ?? 0;
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

function plot(sizes: readonly number[], { name, values }: Row): string {
  const costs = values.map((ms, i) => (ms * 1_000) / (sizes[i] ?? 1));
  const most = Math.max(...costs);
  const lines = costs.map((cost, i) => {
    const size = (sizes[i] ?? 0).toLocaleString('en').padStart(9);
    return `${size} ${'█'.repeat(Math.max(1, Math.round((cost / most) * BAR)))} ${digits(cost)} µs`;
  });
  return [name, ...lines].join('\n');
}

function show(value: number, unit: Unit): string {
  if (unit === 'ms' && value >= 1_000) return `${digits(value / 1_000)} s`;
  return `${digits(value)} ${unit}`;
}

function digits(value: number): string {
  return value >= 99.5 ? value.toFixed(0) : value.toPrecision(2);
}
