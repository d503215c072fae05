import { type Command, CommanderError } from 'commander';
import { ExitCode, exitCodeOf, type Failure, fail, systemCode, toFailure, withPath } from '../base/failure.js';
import { VERSION } from '../base/version.js';
import * as words from './arguments.js';
import { FOR_HOST, type Route, routeOf } from './host/route.js';
import { type Io, processIo } from './io.js';
import { openOutput } from './output.js';
import { buildProgram } from './program.js';
import { progressBar } from './progress.js';
import { COMMANDS } from './registry.js';
import type { RunAction } from './verb.js';

export interface MainInput {
  /** `openclaw` expects the word `memory` first; `openclaw-memory` does without. */
  readonly bin: words.Bin;
  readonly argv: readonly string[];
}

/** Runs one command line to its end and sets the exit code: the only place that does. */
export async function main(input: MainInput): Promise<void> {
  const io = processIo();
  process.on('uncaughtException', (error) => endOn(error, input.argv, io));
  endOnClosedOutput(io);
  process.exitCode = await runCommandLine(input, io);
  endSoon();
}

/** What the threads run that read files for the index. */
export function loadReader() {
  return import('../index/read/thread.js');
}

/** What is left running of a command that is done, and what ignores a signal, ends this much later, in ms. */
const REST_MS = 500;

/** Ends the process when it does not end by itself: a command is over when its answer is written, whatever still waits. */
function endSoon(): void {
  setTimeout(() => {
    if (process.stdout.writableLength > 0) endSoon();
    else process.exit();
  }, REST_MS).unref();
}

/** What nobody has foreseen is said like everything that goes wrong; Node itself would print the line of our bundle. */
function endOn(error: unknown, argv: readonly string[], io: Io): never {
  const options = { json: words.hasFlag(argv, '--json'), verbose: words.hasFlag(argv, '--verbose') };
  openOutput(io, options).failure(toFailure(error), traceOf(error));
  process.exit(ExitCode.failed);
}

/** The same on other streams than the process's own, with the exit code as its answer. */
export async function runCommandLine({ bin, argv }: MainInput, io: Io): Promise<number> {
  const names = COMMANDS.map(({ name }) => name);
  const route: Route = bin === 'openclaw' ? routeOf(argv, names) : { to: 'us', args: argv };
  if (route.to === 'host') {
    const code = await ofHost(route.args, argv, io);
    if (code !== undefined) return code;
  }
  const given = route.to === 'us' ? route.args : words.toolArguments(bin, argv);
  if (given === undefined) {
    const message = `this openclaw only knows "memory"${argv[0] === undefined ? '' : `, not "${argv[0]}"`}`;
    const hint = 'this is openclaw-memory, the local memory tool; try: openclaw memory --help';
    return refused({ type: 'usage', message, hint }, argv, io);
  }
  const asked = words.settleHelp(given, names);
  const interrupt = new AbortController();
  const onSignal = () => {
    interrupt.abort();
    io.onInterrupt?.();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  let exit: ExitCode = ExitCode.done;
  const run: RunAction = async (action) => {
    const global = program.opts<words.GlobalOptions>();
    const bar = progressBar(io);
    const out = openOutput(io, global, bar.clear);
    const { signal } = interrupt;
    try {
      exit = (await action({ io, out, global, commands: COMMANDS, signal, onProgress: bar.show })) ?? exit;
    } catch (error) {
      if (error instanceof CommanderError) throw error;
      const failure = toFailure(error);
      out.failure(failure, traceOf(error));
      exit = exitCodeOf(failure);
    } finally {
      bar.clear();
    }
  };
  const wanted = words.wantedCommand(asked);
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
  const args = words.settleGroupHelp(asked, members);
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync([...args], { from: 'user' });
    return exit;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return ExitCode.done;
    // What the parser found wrong, in our words, with a hint for the command that was meant.
    const command = innermost(program, args);
    const name = fullName(command);
    return refused({ type: 'usage', message: message(error, name), hint: hint(error, command, name) }, args, io);
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

/** What the host of the same name makes of a command line; undefined where there is none. */
async function ofHost(args: readonly string[], argv: readonly string[], io: Io): Promise<number | undefined> {
  try {
    const { delegate } = await import('./host/route.js');
    const code = await delegate(args, io.env);
    if (code === undefined && argv.includes(FOR_HOST))
      fail('usage', 'there is no other openclaw on PATH', `leave ${FOR_HOST} out to use this one`);
    return code;
  } catch (error) {
    return refused(toFailure(error), argv, io);
  }
}

/** Says why a command line is not run. */
function refused(failure: Failure, args: readonly string[], io: Io): ExitCode {
  openOutput(io, { json: words.hasFlag(args, '--json') }).failure(failure);
  return exitCodeOf(failure);
}

// `recall … | head -1` closes our stdout early: that is the reader's right, not an error. A full disk is one.
function endOnClosedOutput(io: Io): void {
  process.stdout.on('error', (error) => {
    if (systemCode(error) === 'EPIPE') process.exit(ExitCode.done);
    openOutput(io, {}).problem(toFailure(withPath(error, 'standard output')));
    process.exit(ExitCode.failed);
  });
}

/** A trace of more calls says nothing more. */
const MOST_CALLS = 12;

/**
 * How an error came about, for `--verbose`: what it says and who called whom, innermost first, without the places in
 * our bundle; then the same of what caused it. Undefined for what is no error.
 */
function traceOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const calls = [...(error.stack ?? '').matchAll(/^ +at (?:async |new )?([^\s(]+) \(/gm)].slice(0, MOST_CALLS);
  const own = [`${error.name}: ${error.message}`, ...calls.map(([, name]) => `    at ${name}`)].join('\n');
  const cause = traceOf(error.cause);
  return cause === undefined ? own : `${own}\ncaused by ${cause}`;
}

/** The command that the arguments lead to, through subcommands. */
function innermost(program: Command, args: readonly string[]): Command {
  const first = words.wantedCommand(args);
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
