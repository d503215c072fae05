import type { Command } from 'commander';
import { ExitCode, fail } from '../../../base/failure.js';
import type { CoreEdit, InsertPlace } from '../../../memory/core-edit.js';
import type { CommandContext, DefineCommand, Run } from '../../command.js';
import { readAll } from '../../io.js';
import { openFor } from '../../open.js';
import { addWriteOptions, finishWrite, type WriteOptions } from '../../writing.js';
import { defineProposals, defineSettle } from './proposals.js';

export const define: DefineCommand = (command, run) => {
  command.addHelpText('after', '\nExample:\n  openclaw memory core append "- Peter lives in Vienna" --section People');
  defineShow(command, run);
  defineAppend(command, run);
  defineReplace(command, run);
  defineInsert(command, run);
  defineProposals(command, run);
  defineSettle(command, run, 'accept');
  defineSettle(command, run, 'reject');
};

function defineShow(command: Command, run: Run): void {
  command
    .command('show')
    .summary('print the core file')
    .addHelpText('after', '\nExample:\n  openclaw memory core show')
    .action(() =>
      run(async (context) => {
        const workspace = await openFor(context);
        const view = await workspace.core();
        for (const warning of view.warnings) context.out.warn(warning);
        context.out.note(`${view.path}: ${view.chars} of ${view.budget} characters`);
        context.out.answer(view.text, view);
        return ExitCode.done;
      }),
    );
}

function defineAppend(command: Command, run: Run): void {
  addWriteOptions(
    command
      .command('append')
      .summary('add lines at the end, or at the end of a section')
      .argument('[text...]', 'the lines to add')
      .option('--stdin', 'read the lines from standard input')
      .option('--section <heading>', 'at the end of this heading instead of the file'),
  )
    .addHelpText('after', '\nExample:\n  openclaw memory core append "- Peter lives in Vienna" --section People')
    .action((words: string[], options: WriteOptions & { stdin?: boolean; section?: string }) =>
      run(async (context) =>
        change(context, options, {
          type: 'append',
          text: await textOf(context, words, options.stdin),
          section: options.section,
        }),
      ),
    );
}

function defineReplace(command: Command, run: Run): void {
  addWriteOptions(
    command
      .command('replace')
      .summary('replace a text that stands there exactly once')
      .requiredOption('--old <text>', 'the text as it is')
      .requiredOption('--new <text>', 'the text as it should be; empty to remove it'),
  )
    .addHelpText('after', '\nExample:\n  openclaw memory core replace --old "in Graz" --new "in Vienna" --dry-run')
    .action((options: WriteOptions & { old: string; new: string }) =>
      run((context) => change(context, options, { type: 'replace', old: options.old, text: options.new })),
    );
}

interface InsertOptions extends WriteOptions {
  readonly stdin?: boolean;
  readonly after?: string;
  readonly before?: string;
  readonly line?: string;
}

function defineInsert(command: Command, run: Run): void {
  addWriteOptions(
    command
      .command('insert')
      .summary('insert lines after or before a line')
      .argument('[text...]', 'the lines to insert')
      .option('--stdin', 'read the lines from standard input')
      .option('--after <text>', 'after the line with this text')
      .option('--before <text>', 'before the line with this text')
      .option('--line <n>', 'before this line'),
  )
    .addHelpText('after', '\nExample:\n  openclaw memory core insert "- Anna plays chess" --after "- Peter"')
    .action((words: string[], options: InsertOptions) =>
      run(async (context) =>
        change(context, options, {
          type: 'insert',
          text: await textOf(context, words, options.stdin),
          place: placeOf(options),
        }),
      ),
    );
}

function placeOf({ after, before, line }: InsertOptions): InsertPlace {
  const given = [after, before, line].filter((value) => value !== undefined).length;
  if (given !== 1)
    fail('usage', 'insert needs one of --after, --before and --line', 'see openclaw memory core insert --help');
  if (after !== undefined) return { after };
  if (before !== undefined) return { before };
  return { line: Number(line) };
}

async function textOf({ io }: CommandContext, words: readonly string[], stdin: boolean | undefined): Promise<string> {
  if (stdin && words.length > 0)
    fail('usage', 'the text comes from the arguments or from --stdin, not from both', 'leave one out');
  const text = stdin ? await readAll(io.stdin) : words.join(' ');
  if (text.trim() === '') fail('usage', 'there is no text', 'give it as an argument, or use --stdin');
  return text;
}

async function change(context: CommandContext, options: WriteOptions, edit: CoreEdit): Promise<ExitCode> {
  const workspace = await openFor(context);
  const report = await workspace.changeCore(edit, options.dryRun === true);
  for (const warning of report.warnings) context.out.warn(warning);
  const { changes, ...json } = report;
  const written = await finishWrite(context, workspace, options, {
    changes,
    subject: `memory: ${edit.type} in ${report.path}`,
  });
  const text = written.diff ?? `${report.path}: ${report.chars} of ${report.budget} characters`;
  context.out.answer(text, { ...json, ...written });
  return ExitCode.done;
}
