import { checkHealth } from '../../app/health.js';
import { HEALTH_REQUEST } from '../../app/requests.js';
import { ExitCode, toFailure } from '../../base/failure.js';
import type { CodesOverview } from '../../index/meaning/line-codes.js';
import type { VectorOverview } from '../../index/vectors/overview.js';
import type { HealthReport } from '../../upkeep/doctor.js';
import type { SessionsOverview, StatusReport } from '../../upkeep/status.js';
import { createPullProgressBar } from '../progress.js';
import { createStyleMarkers } from '../text.js';
import { type CommandContext, defineVerb } from '../verb.js';
import { buildWorkspaceOptions, openAnyWorkspace, openMemoryWorkspace } from '../workspace.js';

const status = defineVerb({
  takes: { deep: { type: 'boolean', doc: 'also load and test the models' } },
  examples: ['status', 'status --deep'],
  run: async (context, { deep }) => {
    const workspace = await openMemoryWorkspace(context);
    const report = await workspace.status();
    if (!deep) return context.out.answer(`${statusText(report)}\n${modelsText(report)}`, report);
    const models = await workspace.probeModels(context.signal);
    const levels = await (await workspace.chatModels(context.signal)).levels();
    const known = levels.ok ? levels.value : null;
    const chat = { ...models.chat, levels: known?.levels ?? null };
    const { formatModels } = await import('./models.js');
    const lines = [statusText(report), ...formatModels(models, known)];
    context.out.answer(lines.join('\n'), { ...report, models: { ...models, chat } });
  },
});

function statusText(report: StatusReport): string {
  const kinds = Object.entries(report.byKind).map(([kind, count]) => `${count} ${kind}`);
  const reason = report.stateFolder.reason === undefined ? '' : ` (the workspace is ${report.stateFolder.reason})`;
  const freshness = report.stale ? 'not up to date: another process is writing' : 'up to date';
  const rows: [string, string][] = [
    ['workspace', `${report.root} (from ${report.foundBy})`],
    ['today', `${report.today} (${report.timezone})`],
    ['files', `${report.files}${report.firstDay === null ? '' : `, from ${report.firstDay} to ${report.lastDay}`}`],
    ['facts', `${report.facts} about ${report.entities === 1 ? '1 entity' : `${report.entities} entities`}`],
    ['units', `${report.units}${kinds.length > 0 ? `: ${kinds.join(', ')}` : ''}`],
    ['index', `${freshness}, in ${report.stateFolder.path}${reason}`],
  ];
  if (report.copies.files > 0) rows.push(['copies', copiesText(report.copies)]);
  if (report.builtIn !== null) rows.push(['meaning', builtInText(report.builtIn)]);
  if (report.vectors !== null) rows.push(['vectors', vectorsText(report.vectors)]);
  if (report.sessions.count > 0) rows.push(['sessions', sessionsText(report.sessions)]);
  const lines = rows.map(([name, value]) => `${name.padEnd(10)} ${value}`);
  for (const { path, reason: why } of report.notices) lines.push(`note       ${path} ${why}`);
  return lines.join('\n');
}

function copiesText({ files, lines }: StatusReport['copies']): string {
  const copies = files === 1 ? '1 conflict copy' : `${files} conflict copies`;
  if (lines === 0) return `${copies} without lines of ${files === 1 ? 'its' : 'their'} own`;
  return `${copies} with ${lines} ${lines === 1 ? 'line' : 'lines'} of ${files === 1 ? 'its' : 'their'} own: openclaw memory lint`;
}

function sessionsText({ count, pendingArchives, failedArchives, pendingTokens }: SessionsOverview): string {
  const parts = [
    `${count}, ${pendingTokens} tokens pending`,
    ...(pendingArchives === 0
      ? []
      : [`waiting archives: ${pendingArchives} (finish them: openclaw memory session resume)`]),
    ...(failedArchives === 0 ? [] : [`failed archives: ${failedArchives} (try again: openclaw memory session resume)`]),
  ];
  return parts.join('; ');
}

function modelsText({ configured }: StatusReport): string {
  const { host, hostFrom, chatModel, embedModel } = configured;
  return `${'models'.padEnd(10)} ${chatModel} and ${embedModel} at ${host ?? '127.0.0.1:11434'} (from ${hostFrom}); test them with --deep`;
}

function builtInText({ lines, filesWithout }: CodesOverview): string {
  const waiting = filesWithout === 1 ? '1 file is not read yet' : `${filesWithout} files are not read yet`;
  const rest = filesWithout === 0 ? '' : `; ${waiting}: openclaw memory index`;
  return `${lines} lines by the model that comes with this program${rest}`;
}

function vectorsText({ model, current, missing, refused, other }: VectorOverview): string {
  const parts = [
    `${current} by ${model}`,
    ...(missing === 0 ? [] : [`${missing} missing (make them: openclaw memory index --embed)`]),
    ...(refused === 0 ? [] : [`${refused} refused`]),
    ...(other === 0 ? [] : [`${other} of another model, not used`]),
  ];
  return parts.join('; ');
}

const { signal: _, ...CHECKS } = HEALTH_REQUEST;

const doctor = defineVerb({
  takes: {
    ...CHECKS,
    pull: { type: 'boolean', doc: 'download missing models with Ollama, from the internet' },
  },
  more: 'Ends with exit code 4 if a check fails. A missing model is only a warning,\nbecause no command needs one.',
  examples: ['doctor --fix', 'doctor --pull'],
  run: async (context, { pull, ...request }) => {
    const pulled = pull ? await pullModels(context) : null;
    await testUntestedModel(context);
    const report = await checkHealth(buildWorkspaceOptions(context), { ...request, signal: context.signal });
    context.out.answer(healthText(report, context.out.colour), { ...report, pulled });
    return report.ok ? ExitCode.done : ExitCode.problemsFound;
  },
});

export const commands = { status, doctor };

/** Tests the chat model if it is installed and was never tested, so that the report can say what it may do. */
async function testUntestedModel(context: CommandContext): Promise<void> {
  try {
    const chat = await (await openAnyWorkspace(context)).chatModels(context.signal);
    const known = await chat.levels();
    if (!known.ok || known.value.isWhole || known.value.isForced) return;
    context.out.note(`note: testing ${known.value.name}, for two minutes at most`);
    await chat.test();
  } catch (error) {
    // The report says what is wrong with the workspace or the model.
    if (toFailure(error).type === 'interrupted') throw error;
  }
}

async function pullModels(context: CommandContext): Promise<readonly string[]> {
  const workspace = await openAnyWorkspace(context);
  const line = createPullProgressBar(context.io);
  const pulled = await workspace.pullModels({ signal: context.signal, onProgress: line.show }).finally(line.end);
  for (const name of pulled) context.out.note(`note: downloaded ${name}`);
  return pulled;
}

function healthText({ checks }: HealthReport, colour: boolean): string {
  const style = createStyleMarkers(colour);
  const lines: string[] = [];
  for (const { check, state, message, hint, mended } of checks) {
    const sign = state === 'ok' ? (mended ? 'mended ' : 'ok     ') : state === 'warning' ? 'warning' : 'PROBLEM';
    lines.push(`${state === 'ok' ? sign : style.bold(sign)}  ${check.padEnd(12)} ${message}`);
    if (hint !== undefined) lines.push(`${' '.repeat(22)}${style.dim(hint)}`);
  }
  return lines.join('\n');
}
