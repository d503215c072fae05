import { Command, type HelpConfiguration, Option } from 'commander';
import { addGlobalOptions } from './arguments.js';
import type { CommandEntry, HelpSection, RunAction } from './verb.js';

const GROUPS: readonly HelpSection[] = ['Every day', 'Upkeep', 'Hosts and agents', 'hidden'];

interface ProgramInput {
  /** The command as the user types it: `openclaw memory` or `openclaw-memory`. */
  readonly name: string;
  readonly version: string;
  readonly entries: readonly CommandEntry[];
  /** Name of the command that the user called. Only this command is loaded and gets its arguments, options and action. */
  readonly wanted: string | undefined;
  readonly run: RunAction;
  /** Receives the text that `--help` or `--version` prints. */
  readonly write: (text: string) => void;
  /** Width of the terminal, if known. */
  readonly columns: number | undefined;
}

/**
 * Builds the commands for the parser (commander). Only the command that `wanted` names gets its arguments, options and
 * action. The others have only a name and a summary, so that `--help` and "did you mean" know them without start-up
 * cost. Errors are thrown, not printed.
 */
export async function buildProgram(input: ProgramInput): Promise<Command> {
  const { name, version, entries, wanted, run } = input;
  // A subcommand takes over the settings of the program when it is created. So make these settings before any
  // subcommand is created.
  const program = new TextCommand(name)
    .exitOverride()
    .configureOutput({
      writeOut: input.write,
      writeErr: () => {},
      getOutHelpWidth: () => Math.min(input.columns || 80, 100),
    })
    .configureHelp(HELP)
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .description('Long-term memory for agents in Markdown files. Works offline.')
    .version(version, '-v, --version', 'print the version')
    .addOption(new Option('-V').hideHelp())
    .addHelpText('after', `\nHelp for one command: ${name} help recall`);
  addGlobalOptions(program);
  program.on('option:V', () => program.parse(['--version'], { from: 'user' }));
  for (const group of GROUPS) {
    for (const entry of entries.filter((candidate) => candidate.group === group)) {
      const command = program
        .command(entry.name, { hidden: group === 'hidden' })
        .summary(entry.summary)
        .description(entry.summary)
        .helpCommand(false)
        .helpGroup(`${group}:`);
      if (entry.name === wanted) (await entry.load())(command, run);
    }
  }
  return program;
}

const HELP: HelpConfiguration = {
  showGlobalOptions: true,
  // In the help of a subcommand, list only the options of the whole program as global options. A group such as
  // `extract` is also a command itself; its options do not apply to its subcommands.
  visibleGlobalOptions: (command) =>
    command.parent === null ? [] : rootOf(command).options.filter(({ hidden }) => !hidden),
  minWidthToWrap: 30,
  commandDescription: (command) => sentence(command.description() || command.summary()),
  optionDescription: ({ description, defaultValue }) =>
    typeof defaultValue === 'string' ? `${description} (default ${defaultValue})` : description,
  styleTitle: (title) => (title === 'Global Options:' ? 'Global options:' : title),
};

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

function sentence(text: string): string {
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/**
 * Mark that is put before an argument such as `- a list item`, which the parser would read as an option. A command line
 * can't contain this character.
 */
const MARK = '\u0000';

/** A command that accepts `- a list item` as text. An argument that begins with a dash and a space is not an option. */
export class TextCommand extends Command {
  override createCommand(name?: string): TextCommand {
    return new TextCommand(name);
  }

  override parseOptions(args: string[]): { operands: string[]; unknown: string[] } {
    const { operands, unknown } = super.parseOptions(args.map((arg) => (/^-\s/.test(arg) ? MARK + arg : arg)));
    return { operands: operands.map(unmark), unknown: unknown.map(unmark) };
  }

  override setOptionValueWithSource(...[key, value, source]: Parameters<Command['setOptionValueWithSource']>): this {
    return super.setOptionValueWithSource(key, typeof value === 'string' ? unmark(value) : value, source);
  }
}

function unmark(text: string): string {
  return text.startsWith(MARK) ? text.slice(1) : text;
}
