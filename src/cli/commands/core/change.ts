import { ExitCode, fail } from '../../../base/failure.js';
import type { CoreEdit } from '../../../memory/core-edit.js';
import type { CommandContext } from '../../command.js';
import { readText } from '../../io.js';
import { openFor } from '../../open.js';
import { finishWrite, type WriteOptions } from '../../writing.js';

export async function textOf(
  { io }: CommandContext,
  words: readonly string[],
  stdin: boolean | undefined,
): Promise<string> {
  if (stdin && words.length > 0)
    fail('usage', 'the text comes from the arguments or from --stdin, not from both', 'leave one out');
  const text = stdin ? await readText(io) : words.join(' ');
  if (text.trim() === '') fail('usage', 'there is no text', 'give it as an argument, or use --stdin');
  return text;
}

export async function change(context: CommandContext, options: WriteOptions, edit: CoreEdit): Promise<ExitCode> {
  const workspace = await openFor(context);
  const report = await workspace.changeCore(edit, options.dryRun === true);
  for (const warning of report.warnings) context.out.warn(warning);
  const { changes, ...json } = report;
  const written = await finishWrite(context, workspace, options, {
    changes,
    subject: `memory: ${edit.type} in ${report.path}`,
    warnings: report.warnings,
  });
  const text = written.diff ?? `${report.path}: ${report.chars} of ${report.budget} characters`;
  context.out.answer(text, { ...json, ...written });
  return ExitCode.done;
}
