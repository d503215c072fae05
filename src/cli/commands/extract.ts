import { relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { EXTRACT_FROM, EXTRACT_PROMPT, type ExtractFrom, type ExtractPromptRequest } from '../../app/requests.js';
import { ExitCode, fail, MemoryError } from '../../base/failure.js';
import { type ApplyReport, notesOf } from '../../extract/apply.js';
import type { FileChange } from '../../workspace/changes.js';
import type { CommandContext, DefineCommand, Run } from '../command.js';
import { readFlags } from '../flags.js';
import { readAll, readInput } from '../io.js';
import { openFor } from '../open.js';
import { count } from '../text/count.js';
import { promptText } from '../text/prompt-text.js';
import { addWriteOptions, finishWrite, type WriteOptions } from '../writing.js';

interface FromOptions {
  readonly session?: string;
  readonly file?: string;
  readonly stdin?: boolean;
  readonly types?: string;
  readonly since?: string;
}

interface RunOptions extends FromOptions, WriteOptions {
  readonly undo?: string | true;
}

export const define: DefineCommand = (command, run) => {
  addFrom(command).option('--undo [run]', 'take the last run back, or the one that is named');
  addWriteOptions(command)
    .addHelpText(
      'after',
      "\nPages, types and rules: openclaw memory types. Without a model of its own, the\ncalling agent's can do it: extract prompt, then extract apply.\n\n" +
        'Example:\n  openclaw memory extract --session chat-1 --commit\n  openclaw memory extract --undo',
    )
    .action((options: RunOptions) =>
      run((context) => (options.undo === undefined ? extract(context, options) : undo(context, options))),
    );
  definePrompt(command, run);
  defineApply(command, run);
};

function addFrom(command: Command): Command {
  return command
    .option('--session <id>', 'from what was said in this session since the last time')
    .option('--file <file>', 'from messages (JSON or JSON lines) or a log in a file')
    .option('--stdin', 'from messages on standard input')
    .option('--types <names>', 'only these memory types, with commas between them')
    .option('--since <date>', 'only what was said from this day on: a date, 30d, or words');
}

async function extract(context: CommandContext, options: RunOptions): Promise<ExitCode> {
  const { out } = context;
  const workspace = await openFor(context);
  const from = await fromOf(context, workspace.root, options);
  const extraction = await workspace.extraction(context.signal);
  const { changes, ...report } = await orHint(extraction.run({ ...from, dryRun: options.dryRun }));
  for (const { message, hint } of report.failures) out.warn(hint === undefined ? message : `${message} (${hint})`);
  for (const run of report.runs) warnOf(context, run);
  const pages = report.runs.flatMap((run) => run.pages);
  const written = await finishWrite(context, workspace, options, {
    changes,
    subject: `memory: extract ${count(pages.length, 'page')}`,
  });
  const nothing = report.parts === report.skipped ? 'Nothing new to extract from.' : 'Nothing to remember.';
  const text = options.dryRun
    ? (written.diff ?? '')
    : report.runs
        .map(inWords)
        .filter((line) => line !== '')
        .join('\n') || nothing;
  out.answer(text, { ...report, ...written });
  const isClean = report.failures.length === 0 && report.runs.every(({ rejected }) => rejected.length === 0);
  return isClean ? ExitCode.done : ExitCode.failed;
}

/** Without a model there is nothing that could be done by rules. */
async function orHint<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof MemoryError) || error.failure.type !== 'model_unavailable') throw error;
    const hint = 'with your own model: openclaw memory extract prompt --json, then extract apply --ops FILE';
    throw new MemoryError({
      ...error.failure,
      hint: [error.failure.hint, hint].filter((part) => part !== undefined).join('; '),
    });
  }
}

async function undo(context: CommandContext, options: RunOptions): Promise<ExitCode> {
  const workspace = await openFor(context);
  const extraction = await workspace.extraction(context.signal);
  const { run, changes } = await extraction.undo(options.undo === true ? undefined : options.undo, options.dryRun);
  const written = await finishWrite(context, workspace, options, { changes, subject: `memory: take back ${run}` });
  const pages = pathsOf(changes);
  const text = options.dryRun ? (written.diff ?? '') : `${run} is taken back: ${count(pages.length, 'page')}`;
  context.out.answer(text, { run, written: pages, ...written });
  return ExitCode.done;
}

function definePrompt(extractCommand: Command, run: Run): void {
  extractCommand
    .command('prompt')
    .description("print what a model would be asked, for the calling agent's own")
    .option('--part <n>', 'this part of the conversation (default: the next that was not extracted)')
    .option('--max-tokens <n>', 'most tokens of prompt and answer; longer conversations come in parts (default 16000)')
    .addHelpText('after', '\nExample:\n  openclaw memory extract prompt --session chat-1 --json')
    .action((_: unknown, command: Command) =>
      run(async (context) => {
        const options = command.optsWithGlobals<FromOptions & { part?: string; maxTokens?: string }>();
        const workspace = await openFor(context);
        const from = await fromOf(context, workspace.root, options);
        const { part, maxTokens } = readFlags<ExtractFrom & ExtractPromptRequest>('extract prompt', EXTRACT_PROMPT, {
          part: options.part,
          maxTokens: options.maxTokens,
        });
        const prompt = await (await workspace.extraction()).prompt({ ...from, part, maxTokens });
        if (prompt === null) context.out.note('there is nothing new to extract from');
        else
          context.out.note(
            `part ${prompt.part} of ${prompt.parts}; answer with: openclaw memory extract apply --ops FILE`,
          );
        context.out.answer(prompt === null ? '' : promptText(prompt), prompt ?? { parts: 0 });
        return ExitCode.done;
      }),
    );
}

function defineApply(extractCommand: Command, run: Run): void {
  addWriteOptions(
    extractCommand
      .command('apply')
      .description("carry out the operations that the calling agent's own model answered, exactly once")
      .requiredOption('--ops <file>', 'the operations, or the whole answer of a model; - for stdin'),
  )
    .addHelpText('after', '\nExample:\n  openclaw memory extract apply --ops answer.json --commit')
    .action((_: unknown, command: Command) =>
      run(async (context) => {
        const options = command.optsWithGlobals<WriteOptions & { readonly ops: string }>();
        const text = await readInput(options.ops, context.io);
        const workspace = await openFor(context);
        const { changes, ...report } = await (await workspace.extraction(context.signal)).apply(text, options.dryRun);
        warnOf(context, report);
        const subject = `memory: extract ${count(report.pages.length, 'page')}`;
        const written = await finishWrite(context, workspace, options, { changes, subject });
        const done = inWords(report) || (report.already.length > 0 ? 'Applied already.' : 'Nothing to do.');
        context.out.answer(options.dryRun ? (written.diff ?? '') : done, { ...report, ...written });
        return report.rejected.length === 0 ? ExitCode.done : ExitCode.failed;
      }),
    );
}

async function fromOf({ io }: CommandContext, root: string, options: FromOptions): Promise<ExtractFrom> {
  const { session, file, stdin, types, since } = options;
  if ([session, file, stdin].filter((one) => one !== undefined).length > 1)
    fail('usage', 'name one of --session, --file and --stdin', 'leave the others out');
  const from = readFlags<ExtractFrom>('extract', EXTRACT_FROM, { session, since });
  const names = types
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const rest = { ...from, ...(names === undefined ? {} : { types: names }) };
  if (stdin) return { ...rest, text: await readAll(io.stdin), name: '-' };
  if (file === undefined) return rest;
  const text = await readInput(file, io);
  const path = file === '-' ? '-' : relative(root, resolve(io.cwd, file)).replaceAll('\\', '/');
  return { ...rest, text, name: path.startsWith('..') ? file : path };
}

function warnOf({ out }: CommandContext, report: Omit<ApplyReport, 'changes'>): void {
  for (const note of notesOf(report)) out.warn(note);
}

const SIGNS = { add: '+', update: '~', delete: '-' } as const;

function inWords({ pages, run }: Pick<ApplyReport, 'pages' | 'run'>): string {
  if (pages.length === 0) return '';
  return [
    ...pages.map(({ path, operation }) => `${SIGNS[operation]} ${path}`),
    ...(run === null ? [] : [`(${run})`]),
  ].join('\n');
}

function pathsOf(changes: readonly FileChange[]): readonly string[] {
  return changes.filter(({ path }) => !/\/\.[^/]*$/u.test(path)).map(({ path }) => path);
}
