import type { Command } from 'commander';

/** Options that every command takes, before or after its name. */
export interface GlobalOptions {
  readonly workspace?: string;
  readonly agent?: string;
  readonly profile?: string;
  readonly json?: boolean;
  readonly now?: string;
  readonly tz?: string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  /** commander's name for `--no-color`: false when it was given. */
  readonly color?: boolean;
}

const GLOBAL_OPTIONS: readonly (readonly [flags: string, help: string])[] = [
  ['-w, --workspace <dir>', 'the workspace folder'],
  ['--agent <id>', 'the workspace of this agent in openclaw.json'],
  ['--profile <name>', 'the OpenClaw profile'],
  ['--json', 'print one JSON document'],
  ['--now <iso>', 'pretend that it is this instant'],
  ['--tz <zone>', 'your time zone, for example Europe/Vienna'],
  ['--quiet', 'no notes on stderr'],
  ['--verbose', 'show stack traces'],
  ['--no-color', 'no colours'],
];

export function addGlobalOptions(program: Command): Command {
  for (const [flags, help] of GLOBAL_OPTIONS) program.option(flags, help);
  return program;
}

/** The global flags whose next argument is their value. */
export const FLAGS_WITH_VALUE: ReadonlySet<string> = new Set(
  GLOBAL_OPTIONS.filter(([flags]) => flags.includes('<')).flatMap(([flags]) => flags.match(/-[\w-]+/g) ?? []),
);
