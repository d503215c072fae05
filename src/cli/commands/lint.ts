import { isAbsolute, relative, resolve } from 'node:path';
import { ExitCode } from '../../base/failure.js';
import { LINT_REQUEST, type LintReport, type Problem } from '../../upkeep/lint.js';
import { formatNumberOf } from '../text/format.js';
import { createStyleMarkers } from '../text/printable.js';
import { defineVerb, WRITE_OPTIONS } from '../verb.js';
import { finishWrite, openMemoryWorkspace } from '../workspace.js';

export const define = defineVerb({
  takes: { ...LINT_REQUEST, commit: WRITE_OPTIONS.commit },
  more: 'Ends with exit code 4 if there are errors or warnings. Infos do not count.',
  examples: ['lint memory --fix --dry-run'],
  run: async (context, { paths = [], commit, ...request }) => {
    const workspace = await openMemoryWorkspace(context);
    const meant = paths.map((path) => inWorkspace(path, workspace.root, context.io.cwd));
    const report = await workspace.lint({ ...request, paths: meant });
    const work = { changes: report.changes, subject: `memory: mend ${report.fixed.length} lines` };
    const written = await finishWrite(context, workspace, { dryRun: request.dryRun, commit }, work);
    const answer = { problems: report.problems.map(json), fixed: report.fixed.map(json), checked: report.checked };
    context.out.answer(written.diff || text(report, context.out.colour), { ...answer, ...written });
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

function json({ fix, ...problem }: Problem) {
  return { ...problem, fixable: fix !== undefined };
}

function text({ problems, fixed, checked }: LintReport, colour: boolean): string {
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
