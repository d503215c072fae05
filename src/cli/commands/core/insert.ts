import type { Command } from 'commander';
import { fail } from '../../../base/failure.js';
import { type InsertPosition, POSITION } from '../../../memory/core-edit.js';
import type { Run } from '../../command.js';
import { readFlags } from '../../flags.js';
import { addWriteOptions, type WriteOptions } from '../../writing.js';
import { change, textOf } from './change.js';

interface Position {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly line?: number | undefined;
}

interface InsertOptions extends WriteOptions {
  readonly stdin?: boolean;
}

export function defineInsert(command: Command, run: Run): void {
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

function placeOf(options: InsertOptions): InsertPosition {
  const { after, before, line } = readFlags<Position>('core insert', POSITION, options);
  const isOne = [after, before, line].filter((value) => value !== undefined).length === 1;
  if (isOne && after !== undefined) return { after };
  if (isOne && before !== undefined) return { before };
  if (isOne && line !== undefined) return { line };
  return fail('usage', 'insert needs one of --after, --before and --line', 'see openclaw memory core insert --help');
}
