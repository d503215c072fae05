import { isAbsolute, relative, resolve } from 'node:path';
import { EVAL_REQUEST } from '../../app/requests.js';
import { ExitCode } from '../../base/failure.js';
import {
  type EvalFailure,
  type EvalFigures,
  type EvalReport,
  type ExpectedSource,
  readCases,
} from '../../upkeep/eval.js';
import { LINT_REQUEST, type LintReport, type Problem } from '../../upkeep/lint.js';
import { readInput } from '../io.js';
import { createStyleMarkers, formatNumberOf } from '../text.js';
import { defineVerb, REQUIRED_ARGUMENT_FIELD, SHARE_FIELD, WRITE_OPTIONS } from '../verb.js';
import { finishWrite, openMemoryWorkspace } from '../workspace.js';

const lint = defineVerb({
  takes: { ...LINT_REQUEST, commit: WRITE_OPTIONS.commit },
  more: 'Ends with exit code 4 if there are errors or warnings. Infos do not count.',
  examples: ['lint memory --fix --dry-run'],
  run: async (context, { paths = [], commit, ...request }) => {
    const workspace = await openMemoryWorkspace(context);
    const meant = paths.map((path) => inWorkspace(path, workspace.root, context.io.cwd));
    const report = await workspace.lint({ ...request, paths: meant });
    const how = { dryRun: request.dryRun, commit };
    const subject = `mend ${report.fixed.length} lines`;
    const written = await finishWrite(context, workspace, how, report.changes, subject);
    const answer = {
      problems: report.problems.map(problemJson),
      fixed: report.fixed.map(problemJson),
      checked: report.checked,
    };
    context.out.answer(written.diff || lintText(report, context.out.colour), { ...answer, ...written });
    return report.problems.some(({ severity }) => severity !== 'info') ? ExitCode.problemsFound : ExitCode.done;
  },
});

/**
 * Converts a path that a person typed to a path in the workspace. The typed path is relative to the current folder, as
 * a shell completes it, or to the workspace, as in a citation.
 */
function inWorkspace(path: string, root: string, cwd: string): string {
  const fromHere = relative(root, resolve(cwd, path));
  const isOutside = fromHere.startsWith('..') || isAbsolute(fromHere);
  return isAbsolute(path) || !isOutside ? fromHere : path;
}

function problemJson({ fix, ...problem }: Problem) {
  return { ...problem, fixable: fix !== undefined };
}

function lintText({ problems, fixed, checked }: LintReport, colour: boolean): string {
  const style = createStyleMarkers(colour);
  const lines = problems.map(({ path, line, rule, severity, message, fix }) => {
    const place = line === null ? path : `${path}:${line}`;
    return `${style.bold(place)}: ${severity}: ${message} ${style.dim(`(${rule}${fix === undefined ? '' : ', --fix'})`)}`;
  });
  for (const { path, line, rule } of fixed) lines.push(`${path}:${line}: fixed ${style.dim(`(${rule})`)}`);
  lines.push(
    problems.length + fixed.length === 0
      ? `${formatNumberOf(checked, 'page')} checked, no problems.`
      : `${formatNumberOf(checked, 'page')} checked, ${formatNumberOf(problems.length, 'problem')}${fixed.length > 0 ? `, ${fixed.length} fixed` : ''}.`,
  );
  return lines.join('\n');
}

const evalCases = defineVerb({
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
    const read = readCases(await readInput(cases, context.io));
    const workspace = await openMemoryWorkspace(context);
    const report = await workspace.eval(read.cases, { ...options, signal: context.signal });
    const warnings = [...read.warnings, ...report.warnings];
    context.out.answer(evalText(report), { ...report, warnings });
    return min !== undefined && report.passed / report.cases < min ? ExitCode.problemsFound : ExitCode.done;
  },
});

export const commands = { lint, eval: evalCases };

function evalText(report: EvalReport): string {
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
