import { checkHealth } from '../../app/workspace.js';
import { ExitCode } from '../../base/failure.js';
import type { HealthReport } from '../../upkeep/doctor.js';
import type { DefineCommand } from '../command.js';
import { workspaceOptions } from '../open.js';
import { paint } from '../text/paint.js';

export const define: DefineCommand = (command, run) => {
  command
    .option('--fix', 'mend what is safe to mend')
    .addHelpText(
      'after',
      '\nEnds with exit code 4 when something is not right.\n\nExample:\n  openclaw memory doctor --fix',
    )
    .action((options: { readonly fix?: boolean }) =>
      run(async (context) => {
        const report = await checkHealth(workspaceOptions(context), options.fix === true);
        context.out.answer(text(report, context.out.colour), report);
        return report.ok ? ExitCode.done : ExitCode.problemsFound;
      }),
    );
};

function text({ checks }: HealthReport, colour: boolean): string {
  const style = paint(colour);
  const lines: string[] = [];
  for (const { check, state, message, hint, mended } of checks) {
    const sign = state === 'ok' ? (mended ? 'mended ' : 'ok     ') : state === 'warning' ? 'warning' : 'PROBLEM';
    lines.push(`${state === 'ok' ? sign : style.bold(sign)}  ${check.padEnd(12)} ${message}`);
    if (hint !== undefined) lines.push(`${' '.repeat(22)}${style.dim(hint)}`);
  }
  return lines.join('\n');
}
