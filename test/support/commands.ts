import type { Argument, Command } from 'commander';
import { buildProgram } from '../../src/cli/program.js';
import { COMMANDS } from '../../src/cli/registry.js';

/** A command as shown by its help and the README. */
interface KnownCommand {
  /** `entity show` */
  readonly name: string;
  /** `entity show <name>` */
  readonly usage: string;
  /** Its own long flags. */
  readonly options: readonly string[];
  readonly summary: string;
  /** Whether it only contains other commands. */
  readonly isGroup: boolean;
}

/** Returns every command and subcommand of the program. */
export async function knownCommands(): Promise<readonly KnownCommand[]> {
  const found: KnownCommand[] = [];
  for (const { name } of COMMANDS) {
    const top = (await program(name)).commands.find((command) => command.name() === name);
    if (top !== undefined) found.push(...withSubcommands(top, ''));
  }
  return found;
}

/** Returns the flags of the global options, short and long. */
export async function globalFlags(): Promise<readonly string[]> {
  const { options } = await program(undefined);
  return options.filter(({ hidden }) => !hidden).flatMap(({ short, long }) => [short ?? [], long ?? []].flat());
}

function program(wanted: string | undefined): Promise<Command> {
  return buildProgram({
    name: 'openclaw memory',
    version: '0',
    entries: COMMANDS,
    wanted,
    run: async () => {},
    write: () => {},
    columns: undefined,
  });
}

function withSubcommands(command: Command, prefix: string): readonly KnownCommand[] {
  const name = `${prefix}${command.name()}`;
  const options = command.options.filter(({ hidden }) => !hidden).map(({ long, short }) => long ?? short ?? '');
  const own: KnownCommand = {
    name,
    usage: [name, ...command.registeredArguments.map(argumentTerm)].join(' '),
    options,
    summary: command.summary() || command.description(),
    isGroup: command.commands.length > 0 && options.length === 0 && command.registeredArguments.length === 0,
  };
  return [own, ...command.commands.flatMap((sub) => withSubcommands(sub, `${name} `))];
}

function argumentTerm(argument: Argument): string {
  const term = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${term}>` : `[${term}]`;
}

/**
 * Returns the parser's object of a command or subcommand.
 * @param name `session commit`
 */
export async function commandNamed(name: string): Promise<Command> {
  const [first, ...rest] = name.split(' ');
  let command = (await program(first)).commands.find((one) => one.name() === first);
  for (const word of rest) command = command?.commands.find((one) => one.name() === word);
  if (command === undefined) throw new Error(`there is no command "${name}"`);
  return command;
}
