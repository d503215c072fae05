import { Readable, Writable } from 'node:stream';
import { runCommandLine } from '../../src/cli/run.js';
import { type CliResult, childEnv } from './cli.js';
import { NOW, type TemporaryWorkspace } from './workspace.js';

/** Runs the command line on a workspace as {@link TemporaryWorkspace.run} does, in this process: for tables of hundreds. */
export async function cliHere(
  workspace: TemporaryWorkspace,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<CliResult> {
  const stdout = new Collected();
  const stderr = new Collected();
  const io = {
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: childEnv({ ...workspace.env, ...env }),
    cwd: workspace.base,
  };
  const argv = ['memory', '-w', workspace.root, '--now', NOW, '--tz', 'UTC', ...args];
  const code = await runCommandLine({ bin: 'openclaw', argv }, io);
  return { code, signal: null, stdout: stdout.text, stderr: stderr.text };
}

class Collected extends Writable {
  private readonly chunks: Buffer[] = [];

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.chunks.push(chunk);
    done();
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }
}
