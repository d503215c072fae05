import { Readable, Writable } from 'node:stream';
import { BIN, type CliResult, childEnv, type Surroundings } from './cli.js';

/** Runs `openclaw memory …` in this process, from the sources: a separate process costs ten times as much. */
export async function cliHere(args: readonly string[], options: Surroundings = {}): Promise<CliResult> {
  // The program starts the built version of itself, and writes that into hooks.
  process.argv.splice(1, Number.POSITIVE_INFINITY, BIN, 'memory');
  const { runCommandLine } = await import('../../src/cli/run.js');
  const isTTY = options.typed !== undefined;
  const { columns } = options;
  const stdout = Object.assign(new Collected(options.stopAt), columns === undefined ? {} : { isTTY: true, columns });
  const stderr = Object.assign(new Collected(), { isTTY });
  const io = {
    stdin: Object.assign(Readable.from([Buffer.from(options.typed ?? options.input ?? '')]), { isTTY }),
    stdout,
    stderr,
    env: childEnv(options.env),
    cwd: options.cwd ?? process.cwd(),
  };
  const code = await runCommandLine({ bin: 'openclaw', argv: ['memory', ...args] }, io);
  return { code, signal: null, stdout: stdout.text, stderr: stderr.text };
}

class Collected extends Writable {
  private readonly chunks: Buffer[] = [];

  constructor(private readonly stopAt?: string) {
    super();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.chunks.push(chunk);
    done();
    if (this.stopAt !== undefined && chunk.includes(this.stopAt)) process.emit('SIGINT');
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }
}
