import { Command } from 'commander';
import type { CommandEntry, CommandGroup, Run } from './command.js';
import { addGlobalOptions } from './options.js';

const GROUPS: readonly CommandGroup[] = ['Memory', 'Bank', 'Sessions', 'Upkeep', 'For agents'];

/**
 * The commander tree. Only the command that `wanted` names gets its arguments, options and action; the others are
 * there by name and summary, so that `--help` and "did you mean" know them and start-up does not pay for them.
 */
export async function buildProgram(
  name: string,
  version: string,
  entries: readonly CommandEntry[],
  wanted: string | undefined,
  run: Run,
): Promise<Command> {
  const program = new Command(name)
    .description('Offline-first long-term memory for agents over a Markdown workspace.')
    .version(version, '-v, --version', 'print the version')
    .option('-V', 'print the version')
    .exitOverride()
    .showHelpAfterError(false)
    .helpCommand(false);
  addGlobalOptions(program);
  program.on('option:V', () => program.parse(['--version'], { from: 'user' }));
  for (const group of GROUPS) {
    for (const entry of entries.filter((candidate) => candidate.group === group)) {
      const command = program
        .command(entry.name)
        .summary(entry.summary)
        .description(entry.summary)
        .helpGroup(`${group}:`);
      if (entry.name === wanted) (await entry.load()).define(command, run);
    }
  }
  return program;
}

/** The first argument that is not an option or the value of one: the command's name. */
export function wantedCommand(argv: readonly string[]): string | undefined {
  const takesValue = new Set(['-w', '--workspace', '--agent', '--profile', '--now', '--tz']);
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i] ?? '';
    if (takesValue.has(argument)) i++;
    else if (!argument.startsWith('-')) return argument;
  }
  return undefined;
}
