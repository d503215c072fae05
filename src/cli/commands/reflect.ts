import type { Command } from 'commander';
import type { Workspace } from '../../app/api/workspace.js';
import {
  REFLECT,
  REFLECT_APPLY,
  REFLECT_PROMPT,
  type ReflectApplyRequest,
  type ReflectOptions,
  type ReflectPromptRequest,
} from '../../app/requests.js';
import type { Day } from '../../base/clock.js';
import { ExitCode, fail } from '../../base/failure.js';
import { readDayOptions } from '../../recall/day-options.js';
import type { ReflectPrompt } from '../../reflect/by-agent.js';
import type { OpinionReport } from '../../reflect/opinions.js';
import type { ReflectReport } from '../../reflect/reflect.js';
import type { RetainReport } from '../../retain/retain.js';
import type { CommandContext, DefineCommand, Run } from '../command.js';
import { readFlags } from '../flags.js';
import { readInput } from '../io.js';
import { openFor } from '../open.js';
import { count } from '../text/count.js';
import { promptText } from '../text/prompt-text.js';
import { addWriteOptions, finishWrite, type WriteOptions } from '../writing.js';

interface RunOptions extends WriteOptions {
  readonly since?: string;
  readonly maxMinutes?: string;
  readonly maxCalls?: string;
  readonly rejudge?: boolean;
  readonly undo?: string | true;
  readonly infer?: boolean;
}

interface PromptOptions {
  readonly since?: string;
  readonly maxTokens?: string;
  readonly part?: string;
}

interface ApplyOptions extends WriteOptions, Omit<PromptOptions, 'part'> {
  readonly answer: string;
}

/** What `--infer` looks at when no day is given: what was written since the last nights. */
const INFERRED_DAYS = '7d';

const SINCE = ['--since <date>', 'only facts from this day on: a date, 30d, or words'] as const;

export const define: DefineCommand = (command, run) => {
  command
    .option(...SINCE)
    .option('--max-minutes <n>', 'how long a model may be asked; the rest waits for the next run')
    .option('--max-calls <n>', 'most calls of a model; 0: by rules alone')
    .option('--rejudge', 'have the model judge again what the rules alone have judged')
    .option('--infer', 'first make facts of what the logs of these days say (default: the last 7 days)')
    .option('--undo [run]', 'take the last run back, or the one that is named');
  addWriteOptions(command)
    .addHelpText(
      'after',
      '\nLooks at every fact that no run has looked at: beliefs follow the evidence in\nsmall steps, the pages of entities and of durable facts are brought up to date,\nand edits of the core are proposed. Without a model the rules judge.\n\n' +
        'Example:\n  openclaw memory reflect --dry-run\n  openclaw memory reflect --commit\n  openclaw memory reflect --undo',
    )
    .action((options: RunOptions) =>
      run((context) => (options.undo === undefined ? reflect(context, options) : undo(context, options))),
    );
  definePrompt(command, run);
  defineApply(command, run);
};

async function reflect(context: CommandContext, options: RunOptions): Promise<ExitCode> {
  const flags = readFlags<ReflectOptions>('reflect', REFLECT, options);
  const workspace = await openFor(context);
  const since = await dayOf(workspace, flags);
  const inferred = options.infer ? await inferFirst(context, workspace, since, options) : undefined;
  const report = await (await workspace.reflection(context.signal)).run({ ...flags, since });
  return finish(context, report, options, inferred);
}

async function inferFirst(
  { signal }: CommandContext,
  workspace: Workspace,
  since: Day | undefined,
  { maxCalls, dryRun }: RunOptions,
): Promise<RetainReport> {
  const extraction = await workspace.extraction(signal);
  return extraction.infer({ since: since ?? INFERRED_DAYS, byRules: maxCalls === '0', dryRun });
}

/** @param inferred what was made of the logs before */
async function finish(
  context: CommandContext,
  report: ReflectReport,
  options: WriteOptions,
  inferred?: RetainReport,
): Promise<ExitCode> {
  const { out } = context;
  const workspace = await openFor(context);
  const warnings = [...(inferred?.warnings ?? []), ...report.warnings];
  for (const warning of warnings) out.warn(warning);
  const { changes: made, ...json } = report;
  const changes = [...(inferred?.changes ?? []), ...made];
  const subject = `memory: reflect on ${count(report.facts, 'fact')}`;
  const isShown = options.dryRun || report.isOfThePast;
  const written = await finishWrite(
    context,
    workspace,
    { ...options, dryRun: isShown },
    { changes, subject, warnings },
  );
  const facts = (inferred?.retained ?? []).map(({ id, source, content }) => `${id}  ${source}  ${content}`);
  const text = isShown ? (written.diff ?? '') : [...facts, inWords(report)].join('\n');
  out.answer(text, { ...json, ...(inferred && { inferred: inferred.retained }), commit: null, ...written });
  return ExitCode.done;
}

async function undo(context: CommandContext, options: RunOptions): Promise<ExitCode> {
  const { since, maxCalls, maxMinutes, rejudge } = options;
  if ([since, maxCalls, maxMinutes, rejudge].some((given) => given !== undefined))
    if (
      options.infer ||
      options.since !== undefined ||
      options.maxCalls !== undefined ||
      options.maxMinutes !== undefined
    )
      fail('usage', '--undo takes a run back; it looks at no facts', 'leave out the other options');
  const workspace = await openFor(context);
  const name = options.undo === true ? undefined : options.undo;
  const { run, changes } = await (await workspace.reflection()).undo(name, options.dryRun);
  const made = changes.filter(({ before, after }) => before !== after);
  const subject = `memory: take back ${run}`;
  const written = await finishWrite(context, workspace, options, { changes, subject });
  const text = options.dryRun ? (written.diff ?? '') : `${run} is taken back: ${count(made.length, 'file')}`;
  context.out.answer(text, { run, written: made.map(({ path }) => path), commit: null, ...written });
  return ExitCode.done;
}

function definePrompt(reflectCommand: Command, run: Run): void {
  reflectCommand
    .command('prompt')
    .description("print what a model would be asked, for the calling agent's own, in parts")
    .option(...SINCE)
    .option('--max-tokens <n>', 'most tokens of the prompt; more pairs come in parts (default 16000)')
    .option('--part <n>', 'this part of the pairs (default: the next that waits for an answer)')
    .addHelpText('after', '\nExample:\n  openclaw memory reflect prompt --json')
    .action((_: unknown, command: Command) =>
      run(async (context) => {
        const options = command.optsWithGlobals<PromptOptions>();
        const flags = readFlags<ReflectPromptRequest>('reflect prompt', REFLECT_PROMPT, options);
        const workspace = await openFor(context);
        const request = { ...flags, since: await dayOf(workspace, flags) };
        const form = await (await workspace.reflection()).prompt(request);
        context.out.note(promptNote(form));
        context.out.answer(form.pairs === 0 ? '' : promptText(form), form);
        return ExitCode.done;
      }),
    );
}

function promptNote({ pairs, part, parts }: ReflectPrompt): string {
  if (pairs === 0) return 'there is nothing to judge: openclaw memory reflect needs no answer';
  const which = parts === 1 ? '' : `part ${part} of ${parts}; `;
  return `${which}answer with: openclaw memory reflect apply --answer FILE`;
}

function defineApply(reflectCommand: Command, run: Run): void {
  addWriteOptions(
    reflectCommand
      .command('apply')
      .description("reflect with what the calling agent's own model answered to reflect prompt")
      .requiredOption('--answer <file>', 'the answer; - for stdin')
      .option(...SINCE)
      .option('--max-tokens <n>', 'as it was given to reflect prompt'),
  )
    .addHelpText('after', '\nExample:\n  openclaw memory reflect apply --answer answer.json --commit')
    .action((_: unknown, command: Command) =>
      run(async (context) => {
        const options = command.optsWithGlobals<ApplyOptions>();
        const flags = readFlags<ReflectApplyRequest>('reflect apply', REFLECT_APPLY, options);
        const text = await readInput(options.answer, context.io);
        const workspace = await openFor(context);
        const request = { ...flags, since: await dayOf(workspace, flags) };
        const reflection = await workspace.reflection(context.signal);
        const report = await reflection.apply(text, request);
        const next = 'openclaw memory reflect prompt';
        if (report.partsLeft > 0) context.out.note(`${count(report.partsLeft, 'part')} left to answer: ${next}`);
        return finish(context, report, options);
      }),
    );
}

async function dayOf(
  { clock }: Workspace,
  { since }: { readonly since?: string | undefined },
): Promise<Day | undefined> {
  return (await readDayOptions({ since }, clock)).since;
}

function inWords(report: ReflectReport): string {
  const { facts, awaited, written, opinions, promoted, proposals, conflicts, entities } = report;
  if (written.length === 0) return facts === 0 ? 'Nothing new.' : `${count(facts, 'fact')} looked at; nothing changed.`;
  const lines = [`${count(facts, 'fact')} looked at, ${count(written.length, 'file')} written (${report.run}).`];
  if (awaited > 0) lines.push(`${count(awaited, 'fact')} judged by rules alone, open for the model.`);
  for (const opinion of opinions) lines.push(opinionLine(opinion));
  if (entities.length > 0) lines.push(`${count(entities.length, 'entity page')} brought up to date.`);
  lines.push(...nowLines(report.now));
  for (const { statement, reason, source } of promoted) lines.push(`durable: ${statement} (${reason}; ${source})`);
  if (proposals.length > 0) lines.push(`${proposals.length} proposed for the core: openclaw memory core proposals`);
  for (const { path, block, reason } of conflicts)
    lines.push(`left alone: block "${block}" of ${path}: ${reason}; see bank/proposals/`);
  return lines.join('\n');
}

const MOST_SHOWN = 20;

/** What came to hold, or holds no more. */
function nowLines(changes: ReflectReport['now']): readonly string[] {
  const shown = changes.slice(0, MOST_SHOWN).map(({ path, change, line, why, by }) => {
    const name = path.replace(/^bank\/entities\/|\.md$/g, '');
    return `${change === 'entered' ? '+' : '-'} ${name}: ${line} (${why}${by === undefined ? '' : ` by ${by}`})`;
  });
  const left = changes.length - shown.length;
  return left > 0 ? [...shown, `and ${left} more lines: --json shows all`] : shown;
}

function opinionLine({ statement, before, after, reason, evidence }: OpinionReport): string {
  const [from, to] = [before?.toFixed(2), after.toFixed(2)];
  const change = from === undefined || from === to ? to : `${from} → ${to}`;
  const [last] = evidence.slice(-1);
  return `${change}  ${statement} (${reason}${last === undefined ? '' : `; ${last.source}`})`;
}
