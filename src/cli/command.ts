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

/** Whether somebody sits there who can be asked. */
export function canAsk({ io, out }: CommandContext): boolean {
  return !out.json && io.stdin.isTTY === true && io.stderr.isTTY === true;
}

/**
 * Asks a person for one of some lines by its number.
 * @returns its index; undefined for anything else than one of the numbers, and at the end of the input
 */
export async function choose({ io, signal }: CommandContext, lines: readonly string[]): Promise<number | undefined> {
  const { createInterface } = await import('node:readline');
  io.stderr.write(lines.map((line, i) => `${i + 1}  ${line}\n`).join(''));
  // The terminal itself echoes what is typed, and sends Ctrl-C as a signal.
  const asking = createInterface({ input: io.stdin, output: io.stderr, terminal: false });
  const answer = await new Promise<string>((resolve) => {
    asking.question(`Which one? 1 to ${lines.length}, or Enter for none: `, { signal }, resolve);
    asking.once('close', () => resolve(''));
    signal.addEventListener('abort', () => resolve(''), { once: true });
  });
  asking.close();
  const chosen = /^\d+$/.test(answer.trim()) ? Number(answer) - 1 : -1;
  return lines[chosen] === undefined ? undefined : chosen;
}
