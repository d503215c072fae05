import type { Command } from 'commander';
import type { ExitCode } from '../base/failure.js';
import type { OnProgress } from '../base/request.js';
import type { GlobalOptions } from './arguments.js';
import type { Io } from './io.js';
import type { Output } from './output.js';

/** What a command's action works with. */
export interface CommandContext {
  readonly io: Io;
  readonly out: Output;
  readonly global: GlobalOptions;
  /** Every command there is. */
  readonly commands: readonly CommandEntry[];
  /** Aborted by Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** Shows how far long work is, where somebody watches. */
  readonly onProgress?: OnProgress;
}

/** What an action returns: the exit code, or nothing when all is done. */
export type Ends = Promise<ExitCode> | Promise<void> | ExitCode;

/** Runs an action and ends the process with its exit code. Failures that it throws are printed. */
export type Run = (action: (context: CommandContext) => Ends) => Promise<void>;

/** Adds one command's arguments, options and action. Lives in `commands/<name>.ts`, loaded only when it is asked for. */
export type DefineCommand = (command: Command, run: Run) => void;

export interface CommandEntry {
  readonly name: string;
  readonly group: CommandGroup;
  /** One line for `--help`. */
  readonly summary: string;
  readonly load: () => Promise<{ readonly define: DefineCommand }>;
}

/** Who uses it; `hidden` is another name, and in no list. */
export type CommandGroup = 'Every day' | 'Upkeep' | 'Hosts and agents' | 'hidden';
