import { setFlagsFromString } from 'node:v8';
import { REFLECT_APPLY_REQUEST, REFLECT_PROMPT_REQUEST, REFLECT_REQUEST } from '../../app/requests.js';
import type { Workspace } from '../../app/workspace.js';
import { fail, toFailure } from '../../base/failure.js';
import type { RequestFields, RequestOf } from '../../base/request.js';
import { formatUnsupportedLines } from '../../memory/supported.js';
import { DEFAULT_MODEL_TIME } from '../../model/time-limit.js';
import type { ReflectPrompt } from '../../reflect/by-agent.js';
import type { OpinionReport } from '../../reflect/opinions.js';
import type { ReflectReport } from '../../reflect/plan.js';
import type { RetainReport } from '../../retain/retain.js';
import { AGENT_ANSWER_FIELD } from '../../session/requests.js';
import type { FileChange } from '../../workspace/changes.js';
import { readInput } from '../io.js';
import { formatReflectMessage } from '../reflect-message.js';
import { formatNumberOf, formatPrompt } from '../text.js';
import { type CommandContext, defineGroup, defineVerb, UNDO_OPTION, WRITE_OPTIONS } from '../verb.js';
import { finishWrite, openMemoryWorkspace, readSinceOption, type WriteOptions } from '../workspace.js';

/** Days that `--infer` reads by default. */
const INFERRED_DAYS = '7d';

const RUN = {
  ...REFLECT_REQUEST,
  infer: { type: 'boolean', doc: 'first find facts in the logs from this day on (default: the last 7 days)' },
  undo: UNDO_OPTION,
  commit: WRITE_OPTIONS.commit,
} as const satisfies RequestFields;

type RunOptions = RequestOf<typeof RUN>;

const run = defineVerb({
  takes: RUN,
  more: 'Reads every fact that is new since the last run. It changes the confidence of\nbeliefs in small steps, updates the pages of entities and durable facts, and\nproposes changes of the core file. Without a model, rules judge the facts.',
  examples: ['reflect --dry-run', 'reflect --commit', 'reflect --undo', 'reflect --undo --by model:qwen3:4b'],
  run: (context, options) => (options.undo === undefined ? runReflection(context, options) : undo(context, options)),
});

const prompt = defineVerb({
  summary: "print the prompt in parts, so that the calling agent's own model can answer it",
  takes: REFLECT_PROMPT_REQUEST,
  examples: ['reflect prompt --json'],
  run: async (context, flags) => {
    const workspace = await openMemoryWorkspace(context);
    const request = { ...flags, since: await readSinceOption(workspace, flags) };
    const form = await (await workspace.reflection()).prompt(request);
    context.out.note(promptNote(form));
    context.out.exact(form.pairs === 0 ? '' : formatPrompt(form), form);
  },
});

const apply = defineVerb({
  summary: "reflect with the calling agent's answer to reflect prompt",
  takes: {
    answer: { ...AGENT_ANSWER_FIELD.answer, doc: 'file with the answer; - for stdin' },
    ...REFLECT_APPLY_REQUEST,
    commit: WRITE_OPTIONS.commit,
  },
  examples: ['reflect apply --answer answer.json --commit'],
  run: async (context, { answer, commit, ...flags }) => {
    const text = await readInput(answer, context.io);
    const workspace = await openMemoryWorkspace(context);
    const request = { ...flags, since: await readSinceOption(workspace, flags) };
    const report = await (await workspace.reflection(context.signal)).apply(text, request);
    const next = 'openclaw memory reflect prompt';
    if (report.partsLeft > 0) context.out.note(`${formatNumberOf(report.partsLeft, 'part')} left to answer: ${next}`);
    return finish(context, report, { dryRun: flags.dryRun, commit });
  },
});

const reflect = defineGroup([], { prompt, apply }, run);

export const commands = { reflect };

async function runReflection(context: CommandContext, options: RunOptions): Promise<void> {
  const { infer, undo: _, commit: __, ...flags } = options;
  // Make Node collect garbage more often. Data that is read for a fact is soon unused; without this flag, the heap
  // grows to four times the data in use.
  setFlagsFromString('--heap-growing-percent=40');
  const workspace = await openMemoryWorkspace(context);
  const since = await readSinceOption(workspace, flags);
  const { maxCalls, maxMinutes = DEFAULT_MODEL_TIME, dryRun } = flags;
  const logs = { since: since ?? INFERRED_DAYS, byRules: maxCalls === 0, maxMinutes, dryRun };
  const started = performance.now();
  const inferred = infer ? await (await workspace.extraction(context.signal)).infer(logs) : undefined;
  const minutesLeft = () => Math.max(0, maxMinutes - (performance.now() - started) / 60_000);
  const request = { ...flags, maxMinutes: minutesLeft(), since };
  const report = await (await workspace.reflection(context.signal)).run(request);
  if (maxCalls === undefined && !dryRun) await testModelInTimeLeft(context, minutesLeft() * 60);
  return finish(context, report, options, inferred);
}

/** Tests a chat model that was not tested yet, so that the next run can ask it. @param seconds time left of the run */
async function testModelInTimeLeft(context: CommandContext, seconds: number): Promise<void> {
  const chat = await (await openMemoryWorkspace(context)).chatModels(context.signal);
  const known = await chat.levels();
  if (!known.ok || known.value.isWhole || known.value.isForced || seconds < 1) return;
  try {
    const { name, levels } = await chat.test({ maxSeconds: Math.min(120, Math.floor(seconds)) });
    const { formatLevels } = await import('../../model/levels.js');
    context.out.note(`note: ${name} was tested for the next run: ${formatLevels(levels)}`);
  } catch (error) {
    const { type, message } = toFailure(error);
    if (type === 'interrupted') throw error;
    context.out.note(`note: the chat model was not tested: ${message}`);
  }
}

/** Warns if the committed pages cite logs that are not in git. */
async function nameMissingLogs({ out }: CommandContext, { root }: Workspace, changes: readonly FileChange[]) {
  const cited = changes.flatMap(({ after }) => [...(after ?? '').matchAll(/\((?:\.\.\/)*(memory\/[^()\s]+\.md)#L/g)]);
  const { filesNotInGit } = await import('../../workspace/git/commit.js');
  const missing = await filesNotInGit(root, [...new Set(cited.map(([, path = '']) => path))].sort());
  if (missing.length > 0) out.warn(`the commit cites logs that are not in git: ${missing.join(', ')}`);
}

/** @param inferred result of inferring facts from the logs before this run */
async function finish(context: CommandContext, report: ReflectReport, options: WriteOptions, inferred?: RetainReport) {
  const { out } = context;
  const workspace = await openMemoryWorkspace(context);
  const warnings = [...(inferred?.warnings ?? []), ...report.warnings];
  const { changes: made, ...json } = report;
  const changes = [...(inferred?.changes ?? []), ...made];
  const isShown = options.dryRun || report.isOfThePast;
  const how = { ...options, dryRun: isShown };
  const message = formatReflectMessage(report);
  for (const line of formatUnsupportedLines(report.refused ?? [])) out.detail(line);
  const written = await finishWrite(context, workspace, how, changes, message, warnings);
  if (written.commit) await nameMissingLogs(context, workspace, changes);
  const facts = (inferred?.retained ?? []).map(({ id, source, content }) => `${id}  ${source}  ${content}`);
  const text = written.diff ?? [...facts, inWords(report)].join('\n');
  out.answer(text, { ...json, warnings, ...(inferred && { inferred: inferred.retained }), commit: null, ...written });
}

async function undo(context: CommandContext, options: RunOptions): Promise<void> {
  const { since, maxCalls, maxMinutes, infer, observe, by, undo: which } = options;
  if ([since, maxCalls, maxMinutes, infer, observe].some((given) => given !== undefined))
    fail('usage', '--undo only undoes a run, or with --by the verdicts of a judge', 'use it without the other options');
  const workspace = await openMemoryWorkspace(context);
  const name = typeof which === 'string' ? which : undefined;
  if (by !== undefined && name !== undefined) fail('usage', '--by undoes no single run', 'leave out the run, or --by');
  const reflection = await workspace.reflection(context.signal);
  const undone = await (by === undefined
    ? reflection.undo(name, options.dryRun)
    : reflection.undoJudge(by, options.dryRun));
  const { run, day, unchangedBy, changes } = undone;
  if (unchangedBy !== null) context.out.note(`the last run (${runText(unchangedBy)}) changed nothing`);
  const made = changes.filter(({ before, after }) => before !== after);
  const what = by === undefined ? runText(undone) : `the verdicts by ${by} (${run})`;
  const written = await finishWrite(context, workspace, options, changes, `take back ${by ?? run}`);
  const text = written.diff ?? `Undone: ${what}, ${formatNumberOf(made.length, 'file')}`;
  context.out.answer(text, { run, day, unchangedBy, written: made.map(({ path }) => path), commit: null, ...written });
}

function runText({ run, day }: { readonly run: string; readonly day: string | null }): string {
  return day === null ? run : `${run} of ${day}`;
}

function promptNote({ pairs, part, parts }: ReflectPrompt): string {
  if (pairs === 0) return 'there is nothing to judge; run reflect without an answer: openclaw memory reflect';
  const which = parts === 1 ? '' : `part ${part} of ${parts}; `;
  return `${which}answer with: openclaw memory reflect apply --answer FILE`;
}

function inWords(report: ReflectReport): string {
  const { facts, awaited, written, opinions, promoted, proposals, conflicts, entities } = report;
  if (written.length === 0)
    return facts === 0 ? 'Nothing new.' : `${formatNumberOf(facts, 'fact')} read, nothing changed.`;
  const lines = [
    `${formatNumberOf(facts, 'fact')} read, ${formatNumberOf(written.length, 'file')} written (${report.run}).`,
  ];
  if (awaited > 0) lines.push(`${formatNumberOf(awaited, 'fact')} judged only by rules, waiting for a model.`);
  for (const opinion of opinions) lines.push(opinionLine(opinion));
  if (entities.length > 0) lines.push(`${formatNumberOf(entities.length, 'entity page')} updated.`);
  lines.push(...nowLines(report.now), ...settledLines(report));
  if (report.proposed > 0)
    lines.push(`${formatNumberOf(report.proposed, 'proposed verdict')} to settle: openclaw memory settle proposed`);
  for (const { statement, reason, source } of promoted) lines.push(`durable: ${statement} (${reason}; ${source})`);
  lines.push(...report.observed.map((line) => `observed: ${line}`));
  if (proposals.length > 0)
    lines.push(`${formatNumberOf(proposals.length, 'proposal')} for the core file: openclaw memory core proposals`);
  for (const { path, block, reason } of conflicts)
    lines.push(`not written: block "${block}" of ${path}, because ${reason}; see bank/proposals/`);
  return lines.join('\n');
}

const MOST_SHOWN = 20;

/**
 * Formats the changes of sections `Now` for a person: `+` for a statement that became current, `-` for a statement that
 * is no longer current.
 */
function nowLines(changes: ReflectReport['now']): readonly string[] {
  const lines = changes.map(({ path, change, line, why, by, settledBy }) => {
    const name = path.replace(/^bank\/entities\/|\.md$/g, '');
    const who = `${by === undefined ? '' : ` by ${by}`}${settledBy === undefined ? '' : `, decided by ${settledBy}`}`;
    return `${change === 'entered' ? '+' : '-'} ${name}: ${line} (${why}${who})`;
  });
  return firstOf(lines, 'lines');
}

/** Formats the verdicts about statements for a person. Leaves out facts that {@link nowLines} already shows. */
function settledLines({ now, settled }: ReflectReport): readonly string[] {
  const told = new Set(now.map(({ fact }) => fact));
  const untold = settled.filter(({ of }) => !told.has(of));
  const lines = untold.map(({ text, relation, over, later, by, source }) => {
    const part = over === undefined ? '' : ` ("${over}")`;
    return `settled: ${text}: ${relation}${part}, decided by ${by}: ${later} (${source})`;
  });
  return firstOf(lines, 'settled statements');
}

function firstOf(lines: readonly string[], what: string): readonly string[] {
  const left = lines.length - MOST_SHOWN;
  return left > 0 ? [...lines.slice(0, MOST_SHOWN), `and ${left} more ${what}; see all with --json`] : lines;
}

function opinionLine({ statement, before, after, reason, evidence }: OpinionReport): string {
  const [from, to] = [before?.toFixed(2), after.toFixed(2)];
  const change = from === undefined || from === to ? to : `${from} → ${to}`;
  const [last] = evidence.slice(-1);
  return `${change}  ${statement} (${reason}${last === undefined ? '' : `; ${last.source}`})`;
}
