import { Readable, Writable } from 'node:stream';
import { runCommandLine } from '../../src/cli/run.js';
import { type CliResult, childEnv } from './cli.js';
import { NOW, type TemporaryWorkspace } from './workspace.js';

/**
 * Runs the command line on a workspace as {@link TemporaryWorkspace.run} does, in this process: for tables of hundreds.
 * @param typed what somebody types at a terminal; without it there is none
 */
export async function cliHere(
  workspace: TemporaryWorkspace,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  typed?: string,
): Promise<CliResult> {
  const isTTY = typed !== undefined;
  const stdout = new Collected();
  const stderr = Object.assign(new Collected(), { isTTY });
  const io = {
    stdin: Object.assign(Readable.from(isTTY ? [typed] : []), { isTTY }),
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
