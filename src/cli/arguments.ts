import type { Command } from 'commander';

export type ProgramName = 'openclaw' | 'openclaw-memory';

/**
 * Returns the arguments for our commands, without the word `memory`. Undefined if a command line of `openclaw` is meant
 * for the host program, as `openclaw status` is.
 */
export function findMemoryArguments(bin: ProgramName, argv: readonly string[]): readonly string[] | undefined {
  if (bin === 'openclaw-memory') return argv;
  if (argv[0] === 'memory') return argv.slice(1);
  return argv.length === 1 && /^(-v|-V|--version|-h|--help)$/.test(argv[0] ?? '') ? argv : undefined;
}

/** The name of the command: the first argument that is neither an option nor the value of an option. */
export function findCommandName(args: readonly string[]): string | undefined {
  return args[wantedIndex(args)];
}

/** Whether the arguments contain a flag before `--`. After `--`, everything is text. */
export function hasFlag(args: readonly string[], flag: string): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).includes(flag);
}

/**
 * Converts requests for help to the form that the parser knows: `help recall` becomes `recall --help`. An unknown
 * command loses its `--help`, so that it is reported as unknown. Otherwise the list of commands would be printed.
 */
export function normaliseHelpArguments(args: readonly string[], commands: readonly string[]): readonly string[] {
  const index = wantedIndex(args);
  const asksFor = args[index];
  if (asksFor === undefined) return args;
  if (asksFor === 'help') return normaliseHelpArguments([...args.toSpliced(index, 1), '--help'], commands);
  return commands.includes(asksFor) ? args : withoutHelp(args);
}

/**
 * Removes `--help` after an unknown command of a group, as in `entity shw --help`, so that it is reported as unknown.
 */
export function dropHelpOfUnknownCommand(args: readonly string[], members: readonly string[]): readonly string[] {
  const asksFor = args[wantedIndex(args, wantedIndex(args) + 1)];
  if (members.length === 0 || asksFor === undefined || members.includes(asksFor)) return args;
  return withoutHelp(args);
}

function withoutHelp(args: readonly string[]): readonly string[] {
  return args.filter((argument) => argument !== '--help' && argument !== '-h');
}

function wantedIndex(args: readonly string[], from = 0): number {
  for (let i = from; i < args.length; i++) {
    const argument = args[i] ?? '';
    if (FLAGS_WITH_VALUE.has(argument)) i++;
    else if (!argument.startsWith('-')) return i;
  }
  return -1;
}

/** Options that every command takes. They may stand before or after the name of the command. */
export interface GlobalOptions {
  readonly workspace?: string;
  readonly agent?: string;
  readonly profile?: string;
  readonly json?: boolean;
  readonly now?: string;
  readonly tz?: string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  /** False if `--no-color` was given. The parser (commander) drops the `no-` from the name. */
  readonly color?: boolean;
}

const GLOBAL_OPTIONS: readonly (readonly [flags: string, help: string])[] = [
  ['-w, --workspace <dir>', 'the workspace folder'],
  ['--agent <id>', 'use the workspace of this agent from openclaw.json'],
  ['--profile <name>', 'use this OpenClaw profile'],
  ['--json', 'print one JSON document'],
  ['--now <iso>', 'use this time as the current time'],
  ['--tz <zone>', 'your time zone, for example Europe/Vienna'],
  ['--quiet', 'print no notes on stderr'],
  ['--verbose', 'show stack traces, and the lines of a model that were left out'],
  ['--no-color', 'no colours'],
];

export function addGlobalOptions(program: Command): Command {
  for (const [flags, help] of GLOBAL_OPTIONS) program.option(flags, help);
  return program;
}

/** The global flags whose next argument is their value. */
const FLAGS_WITH_VALUE: ReadonlySet<string> = new Set(
  GLOBAL_OPTIONS.filter(([flags]) => flags.includes('<')).flatMap(([flags]) => flags.match(/-[\w-]+/g) ?? []),
);
