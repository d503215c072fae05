import { checkHealth } from '../../app/health.js';
import { HEALTH_REQUEST } from '../../app/requests.js';
import { ExitCode } from '../../base/failure.js';
import type { HealthReport } from '../../upkeep/doctor.js';
import { createPullProgressBar } from '../progress.js';
import { createStyleMarkers } from '../text/printable.js';
import { type CommandContext, defineVerb } from '../verb.js';
import { buildWorkspaceOptions, openAnyWorkspace } from '../workspace.js';

const { signal: _, ...CHECKS } = HEALTH_REQUEST;

export const define = defineVerb({
  takes: {
    ...CHECKS,
    pull: { type: 'boolean', doc: 'download missing models with Ollama, from the internet' },
  },
  more: 'Ends with exit code 4 if a check fails. A missing model is only a warning,\nbecause no command needs one.',
  examples: ['doctor --fix', 'doctor --pull'],
  run: async (context, { pull, ...request }) => {
    const pulled = pull ? await pullModels(context) : null;
    const report = await checkHealth(buildWorkspaceOptions(context), { ...request, signal: context.signal });
    context.out.answer(text(report, context.out.colour), { ...report, pulled });
    return report.ok ? ExitCode.done : ExitCode.problemsFound;
  },
});

async function pullModels(context: CommandContext): Promise<readonly string[]> {
  const workspace = await openAnyWorkspace(context);
  const line = createPullProgressBar(context.io);
  const pulled = await workspace.pullModels({ signal: context.signal, onProgress: line.show }).finally(line.end);
  for (const name of pulled) context.out.note(`note: downloaded ${name}`);
  return pulled;
}

function text({ checks }: HealthReport, colour: boolean): string {
  const style = createStyleMarkers(colour);
  const lines: string[] = [];
  for (const { check, state, message, hint, mended } of checks) {
    const sign = state === 'ok' ? (mended ? 'mended ' : 'ok     ') : state === 'warning' ? 'warning' : 'PROBLEM';
    lines.push(`${state === 'ok' ? sign : style.bold(sign)}  ${check.padEnd(12)} ${message}`);
    if (hint !== undefined) lines.push(`${' '.repeat(22)}${style.dim(hint)}`);
  }
  return lines.join('\n');
}
