import type { Command } from 'commander';
import type { Run } from '../../command.js';
import { addWriteOptions, type WriteOptions } from '../../writing.js';
import { change } from './change.js';

export function defineReplace(command: Command, run: Run): void {
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
