import type { Command, CommanderError } from 'commander';
import type { Failure } from '../base/failure.js';
import { wantedCommand } from './arguments.js';

/** What the parser found wrong, in our words, with a hint for the command that was meant. */
export function usageFailure(error: CommanderError, program: Command, args: readonly string[]): Failure {
  const command = innermost(program, args);
  const name = fullName(command);
  return { type: 'usage', message: message(error, name), hint: hint(error, command, name) };
}

/** The command that the arguments lead to, through subcommands. */
function innermost(program: Command, args: readonly string[]): Command {
  const first = wantedCommand(args);
  let command = program.commands.find((candidate) => candidate.name() === first);
  if (first === undefined || command === undefined) return program;
  for (const argument of args.slice(args.indexOf(first) + 1)) {
    if (argument === '--') break;
    command = command.commands.find((candidate) => candidate.name() === argument) ?? command;
  }
  return command;
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

const LONGEST_MESSAGE = 200;
/** How commander ends a message when it knows something similar. */
const SUGGESTION = /\n\(Did you mean ([^\n]*)\?\)$/;

function message(error: CommanderError, name: string): string {
  // commander's word for "a group of commands was called without one".
  if (error.code === 'commander.help') return `${name} needs a command`;
  const text = error.message
    .replace(/^error: /, '')
    .replace(SUGGESTION, '')
    .replace(/^option '(.*)' argument missing$/, '$1 needs a value')
    .replace(/^missing required argument '(.*)'$/, '<$1> is missing')
    .replace(/^required option '(.*)' not specified$/, '$1 is missing')
    .replace(/\. Expected (\d+) arguments? but got (\d+)\.$/, ': $2 instead of $1')
    .replace(/'([^']*)'/, '"$1"');
  return text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE - 1)}…` : text;
}

function hint(error: CommanderError, command: Command, name: string): string {
  const help = `${name} --help`;
  const meant = SUGGESTION.exec(error.message)?.[1] ?? longFlag(error, command);
  if (meant !== undefined) return `did you mean ${meant}? See ${help}`;
  if (error.code === 'commander.unknownOption' && command.registeredArguments.some(({ variadic }) => variadic)) {
    return `write text that starts with a dash after two dashes: ${name} -- "-…"; see ${help}`;
  }
  const wantsCommand = error.code === 'commander.help' || error.code === 'commander.unknownCommand';
  if (wantsCommand && command.parent !== null) {
    return `known: ${command.commands.map((candidate) => candidate.name()).join(', ')}; see ${help}`;
  }
  return `see ${help}`;
}

/** `--k` for an unknown `-k`: commander makes no suggestions for short flags. */
function longFlag(error: CommanderError, command: Command): string | undefined {
  const short = /unknown option '-([\w-]+)'/.exec(error.message)?.[1];
  return command.options.find(({ long }) => short !== undefined && long === `--${short}`)?.long ?? undefined;
}
