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

export function addGlobalOptions(program: Command): Command {
  return program
    .option('-w, --workspace <dir>', 'the workspace folder')
    .option('--agent <id>', 'the workspace of this agent in openclaw.json')
    .option('--profile <name>', 'the OpenClaw profile')
    .option('--json', 'print one JSON document')
    .option('--now <iso>', 'pretend that it is this instant')
    .option('--tz <zone>', 'your time zone, for example Europe/Vienna')
    .option('--quiet', 'no notes on stderr')
    .option('--verbose', 'show stack traces')
    .option('--no-color', 'no colours');
}
