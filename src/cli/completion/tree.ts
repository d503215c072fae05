import type { Command, Option } from 'commander';
import { addGlobalOptions } from '../arguments.js';
import type { CommandEntry } from '../command.js';
import { TextCommand } from '../program.js';

/** A command as completion sees it. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  readonly subcommands: readonly CompletedCommand[];
}

export interface CompletedOption {
  /** `-w`, `--workspace` */
  readonly flags: readonly string[];
  readonly summary: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** The whole command line, with the arguments of every command. */
export async function commandTree(commands: readonly CommandEntry[]): Promise<CompletedCommand> {
  const root = addGlobalOptions(new TextCommand('memory'));
  for (const { name, summary, load } of commands) {
    (await load()).define(root.command(name).summary(summary), async () => {});
  }
  return toTree(root);
}

function toTree(command: Command): CompletedCommand {
  return {
    name: command.name(),
    summary: command.summary(),
    options: command.options.filter(({ hidden }) => !hidden).map(toOption),
    subcommands: command.commands.map(toTree),
  };
}

function toOption({ short, long, description, required, optional, argChoices }: Option): CompletedOption {
  return {
    flags: [short, long].filter((flag) => flag !== undefined && flag !== null),
    summary: description,
    takesValue: required || optional,
    choices: argChoices ?? [],
  };
}
