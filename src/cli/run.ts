import { type Command, CommanderError } from 'commander';
import {
  addPathToError,
  ExitCode,
  exitCodeOf,
  type Failure,
  fail,
  systemErrorCode,
  toFailure,
} from '../base/failure.js';
import { VERSION } from '../base/version.js';
import * as words from './arguments.js';
import { type CommandRoute, delegate, findRoute, PASS_TO_HOST_FLAG } from './host.js';
import { type CommandIo, processIo } from './io.js';
import { openOutput } from './output.js';
import { buildProgram } from './program.js';
import { createProgressBar } from './progress.js';
import { COMMANDS, OTHER_NAMES } from './registry.js';
import { HINTS, type RunAction } from './verb.js';

interface CommandLineInput {
  /** `openclaw` expects the word `memory` first; `openclaw-memory` does not. */
  readonly bin: words.ProgramName;
  readonly argv: readonly string[];
}

/** Runs one command line and sets the exit code of the process. No other function sets the exit code. */
export async function main(input: CommandLineInput): Promise<void> {
  const io = processIo();
  process.on('uncaughtException', (error) => endOn(error, input.argv, io));
  endOnClosedOutput(io);
  process.exitCode = await runCommandLine(input, io);
  endSoon();
}

/** Loads the code of the worker threads of the index. `bin/launch.js` calls it by this name. */
export function loadIndexThread() {
  return import('../index/thread.js');
}

/** Time in ms for which a finished or interrupted command may go on with its remaining work. Then the process is ended. */
const REST_MS = 500;

/**
 * Ends the process when it does not end by itself. A command is done once its answer is written, even if timers or open
 * handles remain.
 */
function endSoon(): void {
  setTimeout(() => {
    if (process.stdout.writableLength > 0) endSoon();
    else process.exit();
  }, REST_MS).unref();
}

/**
 * Reports an unexpected error in the same form as any other failure. Without this, Node would print a source line of
 * our bundled program.
 */
function endOn(error: unknown, argv: readonly string[], io: CommandIo): never {
  const options = { json: words.hasFlag(argv, '--json'), verbose: words.hasFlag(argv, '--verbose') };
  openOutput(io, options).failure(toFailure(error), traceOf(error));
  process.exit(ExitCode.failed);
}

/** Runs a command line on the given streams and returns the exit code. */
export async function runCommandLine({ bin, argv }: CommandLineInput, io: CommandIo): Promise<number> {
  const names = COMMANDS.map(({ name }) => name);
  const route: CommandRoute = bin === 'openclaw' ? findRoute(argv, names) : { to: 'us', args: argv };
  if (route.to === 'host') {
    const code = await ofHost(route.args, argv, io);
    if (code !== undefined) return code;
  }
  const given = route.to === 'us' ? route.args : words.findMemoryArguments(bin, argv);
  if (given === undefined) {
    const message = `this openclaw has only the command "memory"${argv[0] === undefined ? '' : `, not "${argv[0]}"`}`;
    const hint = 'this is openclaw-memory, the local memory tool; try: openclaw memory --help';
    return refused({ type: 'usage', message, hint }, argv, io);
  }
  const asked = words.normaliseHelpArguments(given, names);
  const interrupt = new AbortController();
  const onSignal = () => {
    interrupt.abort();
    io.onInterrupt?.();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  let exit: ExitCode = ExitCode.done;
  const run: RunAction = async (action) => {
    const global = program.opts<words.GlobalOptions>();
    const bar = createProgressBar(io);
    const out = openOutput(io, global, bar.clear);
    const { signal } = interrupt;
    try {
      const shown = io.stderr.isTTY === true ? { onProgress: bar.show } : {};
      exit = (await action({ io, out, global, commands: COMMANDS, signal, ...shown })) ?? exit;
    } catch (error) {
      if (error instanceof CommanderError) throw error;
      const failure = toFailure(error);
      out.failure(failure, traceOf(error));
      exit = exitCodeOf(failure);
    } finally {
      bar.clear();
    }
  };
  const wanted = words.findCommandName(asked);
  const program = await buildProgram({
    name: bin === 'openclaw' ? 'openclaw memory' : bin,
    version: VERSION,
    entries: COMMANDS,
    wanted,
    run,
    write: (text) => void io.stdout.write(text),
    columns: io.stdout.columns,
  });
  const group = program.commands.find((command) => command.name() === wanted);
  const members = (group?.commands ?? []).map((command) => command.name());
  const args = words.dropHelpOfUnknownCommand(asked, members);
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync([...args], { from: 'user' });
    return exit;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return ExitCode.done;
    // Report the parser's error in our words, with a hint at the command that was meant.
    const command = innermost(program, args);
    const name = fullName(command);
    return refused({ type: 'usage', message: message(error, name), hint: hint(error, command, name) }, args, io);
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

/** Runs the command line with the host's program `openclaw` and returns its exit code; undefined if there is no host. */
async function ofHost(args: readonly string[], argv: readonly string[], io: CommandIo): Promise<number | undefined> {
  try {
    const code = await delegate(args, io.env);
    if (code === undefined && argv.includes(PASS_TO_HOST_FLAG))
      fail('usage', 'OpenClaw is not on PATH', `leave out ${PASS_TO_HOST_FLAG} to use this program`);
    return code;
  } catch (error) {
    return refused(toFailure(error), argv, io);
  }
}

/** Prints why a command line is refused. */
function refused(failure: Failure, args: readonly string[], io: CommandIo): ExitCode {
  openOutput(io, { json: words.hasFlag(args, '--json') }).failure(failure);
  return exitCodeOf(failure);
}

// Ends the process when stdout can't be written. A closed stdout is no error: `recall … | head -1` closes it early.
// Every other cause, such as a full disk, is reported as an error.
function endOnClosedOutput(io: CommandIo): void {
  process.stdout.on('error', (error) => {
    if (systemErrorCode(error) === 'EPIPE') process.exit(ExitCode.done);
    openOutput(io, {}).problem(toFailure(addPathToError(error, 'standard output')));
    process.exit(ExitCode.failed);
  });
}

/** Maximum number of calls to show in the trace of an error. */
const MOST_CALLS = 12;

/**
 * The trace of an error for `--verbose`: its message, then the names of the calls that led to it, innermost first.
 * Positions in our bundled program are left out. The cause of the error follows in the same form. Undefined if the
 * value is not an error.
 */
function traceOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const calls = [...(error.stack ?? '').matchAll(/^ +at (?:async |new )?([^\s(]+) \(/gm)].slice(0, MOST_CALLS);
  const own = [`${error.name}: ${error.message}`, ...calls.map(([, name]) => `    at ${name}`)].join('\n');
  const cause = traceOf(error.cause);
  return cause === undefined ? own : `${own}\ncaused by ${cause}`;
}

/**
 * Finds the command that the arguments name, such as `commit` in `session commit`. It may be below several parent
 * commands.
 */
function innermost(program: Command, args: readonly string[]): Command {
  const first = words.findCommandName(args);
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
/** Matches the suggestion at the end of an error message of the parser (commander). */
const SUGGESTION = /\n\(Did you mean ([^\n]*)\?\)$/;

function message(error: CommanderError, name: string): string {
  // commander's code for "a group of commands was called without a subcommand".
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
  const { example, otherFlags } = HINTS.get(command) ?? {};
  const unknown = /unknown option '(-[\w-]+)'/.exec(error.message)?.[1] ?? '';
  const meant =
    otherName(error, command) ??
    otherFlags?.get(unknown) ??
    SUGGESTION.exec(error.message)?.[1] ??
    longFlag(unknown, command);
  if (meant !== undefined) return `did you mean ${meant}? See ${help}`;
  if (error.code === 'commander.unknownOption' && command.registeredArguments.some(({ variadic }) => variadic)) {
    return `put -- before a text that starts with a dash: ${name} -- "-…"; see ${help}`;
  }
  const wantsCommand = error.code === 'commander.help' || error.code === 'commander.unknownCommand';
  if (wantsCommand && command.parent !== null) {
    return `use one of: ${command.commands.map((candidate) => candidate.name()).join(', ')}; see ${help}`;
  }
  return example === undefined ? `see ${help}` : `for example: openclaw memory ${example}; see ${help}`;
}

/** Finds the command that other tools call by the unknown name. */
function otherName(error: CommanderError, command: Command): string | undefined {
  const [, word = ''] = /^error: unknown command '([^']*)'/.exec(error.message) ?? [];
  return command.parent === null && Object.hasOwn(OTHER_NAMES, word) ? OTHER_NAMES[word] : undefined;
}

/**
 * Finds the option that a person meant by an unknown short flag: `--k` for `-k`, if the command has the option `--k`.
 * The parser (commander) suggests nothing for short flags.
 */
function longFlag(unknown: string, command: Command): string | undefined {
  return command.options.find(({ long }) => long === `-${unknown}`)?.long ?? undefined;
}
