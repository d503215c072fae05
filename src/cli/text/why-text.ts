import type { OpinionWhy, WhyStep } from '../../reflect/why.js';

/** Columns of the plot: beyond that the oldest days are left out. */
const WIDTH = 60;
const ROWS = 5;
const CHANGES = {
  doubled: 'said on days in a row: twice the step',
  anew: 'said on days in a row: begins anew',
} as const;
const SIGNS = { supports: '+', contradicts: '-', none: ' ' } as const;

/**
 * A belief with the curve of its confidence and every step of it.
 * @param readable an id as a person reads it
 */
export function whyText(why: OpinionWhy, readable: (id: string) => string): string {
  const { id, statement, prior, confidence, byEvidence, retired } = why;
  const since = prior.day === null ? '' : ` (${prior.day})`;
  return [
    `${statement}  ${readable(id)}${retired ? '  [retired]' : ''}`,
    `${confidence.toFixed(2)}, from a prior of ${prior.confidence.toFixed(2)}${since}`,
    ...(confidence === byEvidence ? [] : [`set on the page; the evidence alone leads to ${byEvidence.toFixed(2)}`]),
    ...plot(why),
    '',
    ...why.steps.flatMap((step) => stepText(step, why, readable)),
  ].join('\n');
}

function plot({ prior, curve }: OpinionWhy): readonly string[] {
  if (curve.length === 0) return [];
  const values = [prior.confidence, ...curve.map((point) => point.confidence)].slice(-WIDTH);
  const rows: string[] = [''];
  for (let row = ROWS; row > 0; row--) {
    const [low, high] = [(row - 1) / ROWS, row / ROWS];
    const dots = values.map((value) => (value >= low && (value < high || row === ROWS) ? '•' : ' ')).join('');
    rows.push(`${high.toFixed(1)} │${dots}`.trimEnd());
  }
  const [first, last] = [curve.at(-values.length)?.day ?? curve[0]?.day ?? '', curve.at(-1)?.day ?? ''];
  return [...rows, `    └${'─'.repeat(Math.max(values.length, 1))} ${first === last ? last : `${first} to ${last}`}`];
}

function stepText(
  { day, direction, text, source, fact, by, weight, counts }: WhyStep,
  { curve, prior }: OpinionWhy,
  readable: (id: string) => string,
): readonly string[] {
  const point = counts ? curve.find((one) => one.day === day) : undefined;
  const after = point?.confidence.toFixed(2);
  const notes = [
    by,
    ...(weight === 1 ? [] : [`c=${weight}`]),
    ...(point?.change === undefined ? [] : [CHANGES[point.change]]),
    ...(counts ? [] : [isIn(day, prior) ? 'is in the prior' : 'does not count']),
  ].join(', ');
  return [
    `${day} ${SIGNS[direction]} ${after ?? '    '}  ${text ?? '(the fact is gone)'}`,
    `                  ${source ?? readable(fact)}  (${notes})`,
  ];
}

function isIn(day: string, prior: OpinionWhy['prior']): boolean {
  return prior.day !== null && day <= prior.day;
}
