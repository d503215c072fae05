import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CliResult, Surroundings } from '../cli.js';
import { removeTree } from '../remove-tree.js';

/** The fault, and whether it is permanent. */
export interface DiskFault {
  /** The number of the first failing call among those that change something, from 1; 0 only counts them. */
  readonly at: number;
  /** `KILLED`: the process is killed at that call. */
  readonly error: 'EIO' | 'ENOSPC' | 'EACCES' | 'EROFS' | 'EMFILE' | 'KILLED';
  /** Whether every later call fails too, as on a full or broken disk. */
  readonly lasting: boolean;
}

/** A command for a failing disk. */
export interface DiskCommand {
  readonly args: readonly string[];
  readonly options: Surroundings;
}

/** Whether a C compiler exists, and a loader that can preload a library. */
export function canFail(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A disk that fails on request, for real processes: see failing-disk.c. Needs Linux and a C compiler. */
export class FailingDisk {
  private readonly folder = mkdtempSync(join(tmpdir(), 'failing-disk-'));
  private readonly library = join(this.folder, 'failing-disk.so');
  private readonly log = join(this.folder, 'calls');
  private readonly control = join(this.folder, 'control');
  private runner: ChildProcess | undefined;

  constructor() {
    const source = fileURLToPath(new URL('failing-disk.c', import.meta.url));
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', this.library, source, '-ldl']);
    for (const path of [this.log, this.control]) writeFileSync(path, '');
    this.fail(undefined);
  }

  /** Returns the environment of a process whose disk fails below `root`. */
  env(root: string, fault: DiskFault): NodeJS.ProcessEnv {
    this.fail(root, fault);
    return { LD_PRELOAD: this.library, FAULT_LOG: this.log, FAULT_CONTROL: this.control };
  }

  /**
   * Runs a command line in a process that is kept for the next one: starting one costs ten times as much as most commands.
   * If the process dies, the result is `signal: 'died'`.
   */
  async run(root: string, fault: DiskFault, command: DiskCommand): Promise<CliResult> {
    const runner = await this.ready(root, fault);
    this.fail(root, fault);
    try {
      return await new Promise((resolve) => {
        const died = () => resolve({ code: null, signal: 'SIGABRT', stdout: '', stderr: '' });
        runner.once('exit', died);
        runner.once('message', (result: CliResult) => {
          runner.off('exit', died);
          resolve(result);
        });
        runner.send({ ...command, options: { ...command.options, input: String(command.options.input ?? '') } });
      });
    } finally {
      this.fail(undefined);
    }
  }

  /** Returns the calls of the last process, in order. A failed call begins with an exclamation mark. */
  calls(): readonly string[] {
    const text = readFileSync(this.log, 'utf8').trimEnd();
    return text === '' ? [] : text.split('\n');
  }

  dispose(): void {
    this.runner?.kill();
    removeTree(this.folder);
  }

  private async ready(root: string, fault: DiskFault): Promise<ChildProcess> {
    if (this.runner?.exitCode === null && this.runner.signalCode === null) return this.runner;
    const program = fileURLToPath(new URL('runner.ts', import.meta.url));
    const runner = fork(program, { execArgv: ['--import', 'tsx'], env: { ...process.env, ...this.env(root, fault) } });
    this.fail(undefined);
    await new Promise((resolve) => runner.once('message', resolve));
    this.runner = runner;
    return runner;
  }

  /** Writes struct control of failing-disk.c. The file must stay the same, since it is shared memory. */
  private fail(root: string | undefined, { at, error, lasting }: DiskFault = NOTHING): void {
    if (root !== undefined) truncateSync(this.log);
    const numbers = new Int32Array([0, at, error === 'KILLED' ? 0 : constants.errno[error], lasting ? 1 : 0]);
    const bytes = Buffer.alloc(4_096);
    Buffer.from(numbers.buffer).copy(bytes);
    bytes.write(root === undefined ? '' : `${root}/`, 16);
    writeFileSync(this.control, bytes, { flag: 'r+' });
  }
}

const NOTHING: DiskFault = { at: 0, error: 'EIO', lasting: false };
