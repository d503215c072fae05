import type { Command } from 'commander';
import type { Run } from '../../command.js';
import { addWriteOptions, type WriteOptions } from '../../writing.js';
import { change, textOf } from './change.js';

export function defineAppend(command: Command, run: Run): void {
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
