import { INDEX_REQUEST } from '../../app/requests.js';
import type { Workspace } from '../../app/workspace.js';
import { ExitCode } from '../../base/failure.js';
import type { IndexReport } from '../../index/run.js';
import type { FillReport } from '../../index/vectors/fill.js';
import type { WatchEvent } from '../../upkeep/watch.js';
import { formatNumberOf } from '../text.js';
import { type CommandContext, defineVerb } from '../verb.js';
import { openMemoryWorkspace } from '../workspace.js';

const index = defineVerb({
  takes: {
    ...INDEX_REQUEST,
    embed: { type: 'boolean', doc: 'make vectors with the embedding model; recall by meaning needs them' },
  },
  examples: ['index --verify'],
  run: async (context, { embed, ...request }) => {
    const workspace = await openMemoryWorkspace(context);
    const report = await workspace.index({ ...request, signal: context.signal });
    for (const notice of report.notices) context.out.note(`note: ${notice.path} ${notice.reason}`);
    const vectors = embed ? await makeVectors(context, workspace, request.force === true) : null;
    context.out.answer([indexText(report), ...vectorLines(vectors)].join('\n'), { ...report, vectors });
    return report.verify !== null && report.verify.differences.length > 0 ? ExitCode.problemsFound : ExitCode.done;
  },
});

async function makeVectors(context: CommandContext, workspace: Workspace, retryRefused: boolean): Promise<FillReport> {
  const report = await workspace.embed({ retryRefused, signal: context.signal });
  for (const warning of report.warnings) context.out.warn(warning);
  if (report.refused > 0) context.out.note(`note: ${report.model} refused ${report.refused} texts`);
  if (report.missing > 0) context.out.note(`note: ${report.missing} texts changed during the run; run it again`);
  return report;
}

function vectorLines(report: FillReport | null): readonly string[] {
  if (report === null) return [];
  const by = `with ${report.model} (${report.dimension} numbers each)`;
  return [report.embedded === 0 ? `No vectors were missing ${by}.` : `Made ${report.embedded} vectors ${by}.`];
}

function indexText({ added, changed, removed, files, verify }: IndexReport): string {
  const none = added + changed + removed === 0;
  const first = none
    ? `Nothing changed in ${formatNumberOf(files, 'file')}.`
    : `Indexed ${formatNumberOf(files, 'file')}: ${added} new, ${changed} changed, ${removed} removed.`;
  if (verify === null) return first;
  const away =
    verify.away.length === 0 ? '' : `\nAway, and so not compared: ${formatNumberOf(verify.away.length, 'file')}.`;
  if (verify.differences.length === 0)
    return `${first}\nVerified: all ${verify.units} units of ${verify.files} files are right.${away}`;
  const lines = verify.differences.map(({ path, what }) => `  ${path}: ${what}`);
  return `${first}\nThe index differs from the files:\n${lines.join('\n')}${away}\nRepair it: openclaw memory index --force`;
}

const watch = defineVerb({
  takes: {},
  more: `Runs until Ctrl-C. With --json, every event is one line of JSON. If you have
made vectors with "index --embed", this keeps them up to date too.
You do not need it: recall always reads changed files first. It only makes the
next recall faster.`,
  examples: ['watch'],
  run: async (context) => {
    const workspace = await openMemoryWorkspace(context);
    const onEvent = (event: WatchEvent) =>
      context.out.line(context.out.json ? JSON.stringify(event) : eventText(event));
    await workspace.watch({ signal: context.signal, onEvent });
  },
});

export const commands = { index, watch };

function eventText(event: WatchEvent): string {
  if (event.event === 'ready') return `Watching ${event.files} files.`;
  if (event.event === 'failed') return `failed: ${event.message}`;
  if (event.event === 'embedded') return `embedded: ${event.texts} ${event.texts === 1 ? 'text' : 'texts'}`;
  return `${event.event}: ${event.path}`;
}
