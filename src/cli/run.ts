import { CommanderError } from 'commander';
import { ExitCode, exitCodeOf, type Failure, toFailure } from '../base/failure.js';
import { VERSION } from '../base/version.js';
import type { Run } from './command.js';
import { type Io, processIo } from './io.js';
import type { GlobalOptions } from './options.js';
import { openOutput } from './output.js';
import { buildProgram, wantedCommand } from './program.js';
import { COMMANDS } from './registry.js';

export interface MainInput {
  /** `openclaw` expects the word `memory` first; `openclaw-memory` does without. */
  readonly bin: 'openclaw' | 'openclaw-memory';
  readonly argv: readonly string[];
}

/** Runs one command line to its end and sets the exit code: the only place that does. */
export async function main(input: MainInput): Promise<void> {
  const io = processIo();
  endQuietlyOnClosedPipe();
  process.exitCode = await runCommandLine(input, io);
}

async function runCommandLine({ bin, argv }: MainInput, io: Io): Promise<ExitCode> {
  const args = commandArguments(bin, argv);
  if (args === undefined) {
    openOutput(io, { json: argv.includes('--json') }).failure({
      type: 'usage',
      message: `this openclaw only knows "memory"${argv[0] === undefined ? '' : `, not "${argv[0]}"`}`,
      hint: 'this is openclaw-memory, the local memory tool; try: openclaw memory --help',
    });
    return ExitCode.usage;
  }
  const interrupt = new AbortController();
  const onSignal = () => interrupt.abort();
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  let exit: ExitCode = ExitCode.done;
  const run: Run = async (action) => {
    const global = program.opts<GlobalOptions>();
    const out = openOutput(io, global);
    try {
      exit = await action({ io, out, global, signal: interrupt.signal });
    } catch (error) {
      if (error instanceof CommanderError) throw error;
      const failure = toFailure(error);
      out.failure(failure, error instanceof Error ? causes(error) : undefined);
      exit = exitCodeOf(failure);
    }
  };
  const program = await buildProgram(
    bin === 'openclaw' ? 'openclaw memory' : bin,
    VERSION,
    COMMANDS,
    wantedCommand(args),
    run,
  );
  const quiet = { writeErr: () => {}, writeOut: (text: string) => void io.stdout.write(text) };
  program.configureOutput(quiet);
  for (const command of program.commands) command.exitOverride().configureOutput(quiet);
  try {
    if (args.length === 0) {
      io.stdout.write(program.helpInformation());
      return ExitCode.done;
    }
    await program.parseAsync([...args], { from: 'user' });
    return exit;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return ExitCode.done;
    openOutput(io, { json: args.includes('--json') }).failure(usageFailure(error, wantedCommand(args)));
    return ExitCode.usage;
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

function commandArguments(bin: MainInput['bin'], argv: readonly string[]): readonly string[] | undefined {
  if (bin === 'openclaw-memory') return argv;
  if (argv[0] === 'memory') return argv.slice(1);
  return argv.length === 1 && /^(-v|-V|--version|-h|--help)$/.test(argv[0] ?? '') ? argv : undefined;
}

function usageFailure(error: CommanderError, command: string | undefined): Failure {
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const suggestion = /\(Did you mean ([^?]+)\?\)/.exec(rest.join(' '))?.[1];
  const help = `openclaw memory ${command !== undefined && COMMANDS.some((c) => c.name === command) ? `${command} ` : ''}--help`;
  return {
    type: 'usage',
    message: first,
    hint: suggestion ? `did you mean ${suggestion}? See ${help}` : `see ${help}`,
  };
}

function causes(error: Error): string {
  return error.cause instanceof Error
    ? `${error.stack}\ncaused by ${causes(error.cause)}`
    : (error.stack ?? error.message);
}

// `recall … | head -1` closes our stdout early: that is the reader's right, not an error.
function endQuietlyOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}
