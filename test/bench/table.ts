import { type Figure, isMet, type Unit } from './figure.js';

/** The figures as a Markdown table, in the order they came. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    figure.files === null ? '' : figure.files.toLocaleString('en'),
    show(figure.measured, figure.unit),
    figure.floor === null ? '–' : show(figure.floor, figure.unit),
    figure.goal === null ? '–' : `${figure.goal.text} = ${show(figure.goal.most, figure.unit)}`,
    figure.goal === null ? '' : isMet(figure) ? '✓' : '✗',
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
