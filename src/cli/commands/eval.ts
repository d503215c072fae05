import { EVAL_REQUEST } from '../../app/requests.js';
import { ExitCode, valueOrThrow } from '../../base/failure.js';
import type { EvalFailure, EvalFigures, EvalReport, ExpectedSource } from '../../upkeep/eval.js';
import { readCases } from '../../upkeep/eval.js';
import { readInput } from '../io.js';
import { defineVerb, REQUIRED_ARGUMENT_FIELD, SHARE_FIELD } from '../verb.js';
import { openMemoryWorkspace } from '../workspace.js';

export const define = defineVerb({
  takes: {
    cases: { ...REQUIRED_ARGUMENT_FIELD, doc: 'a file with questions and expected sources, one JSON object per line' },
    min: {
      ...SHARE_FIELD,
      example: 0.9,
      value: 'share',
      doc: 'minimum share of cases that must pass, 0 to 1; below it, exit with code 4',
    },
    explain: EVAL_REQUEST.explain,
    mode: EVAL_REQUEST.mode,
  },
  examples: ['eval cases.jsonl --min 0.9'],
  run: async (context, { cases, min, ...options }) => {
    const read = valueOrThrow(readCases(await readInput(cases, context.io)));
    const workspace = await openMemoryWorkspace(context);
    const report = await workspace.eval(read.cases, { ...options, signal: context.signal });
    const warnings = [...read.warnings, ...report.warnings];
    context.out.answer(text(report), { ...report, warnings });
    return min !== undefined && report.passed / report.cases < min ? ExitCode.problemsFound : ExitCode.done;
  },
});

function text(report: EvalReport): string {
  const lines = [row('', 'cases', 'passed', 'recall', 'MRR', 'nDCG', 'tokens')];
  for (const [kind, figures] of Object.entries(report.byKind)) lines.push(figuresRow(kind, figures));
  lines.push(figuresRow('all', report));
  for (const failure of report.failures) lines.push('', ...failureLines(failure));
  return lines.join('\n');
}

function figuresRow(name: string, { cases, passed, recall, mrr, ndcg10, tokens }: EvalFigures): string {
  const means = [recall, mrr, ndcg10].map((mean) => mean.toFixed(3));
  return row(name, String(cases), String(passed), ...means, tokens.toFixed(0));
}

function row(name: string, ...cells: readonly string[]): string {
  return name.padEnd(16) + cells.map((cell) => cell.padStart(8)).join('');
}

function failureLines({ id, query, reason, expect, found, warnings, explain = [] }: EvalFailure): readonly string[] {
  return [
    `failed: ${id}: ${clip(query)}`,
    `  ${reason}`,
    ...expect.slice(0, 3).flatMap(expectedLines),
    ...found.map(({ source, content }) => `  found    ${source}\n           ${clip(content)}`),
    ...warnings.map((warning) => `  warning: ${warning}`),
    ...explain.map((line) => `  # ${line}`),
  ];
}

function expectedLines({ source, content, rank, why }: ExpectedSource): readonly string[] {
  if (content === null) return [`  expected ${source}, but this line does not exist`];
  const place = rank === null ? 'not found' : `rank ${rank}`;
  return [
    `  expected ${source} (${place})`,
    `           ${clip(content)}`,
    ...(why === undefined ? [] : [`           # ${why}`]),
  ];
}

function clip(value: string): string {
  return value.length > 70 ? `${value.slice(0, 69)}…` : value;
}
