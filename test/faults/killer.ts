import type { CliResult, Surroundings } from '../support/cli.js';
import { FailingDisk } from '../support/failing-disk/failing-disk.js';
import type { Random } from '../support/random.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

/** What several killed commands left. */
export interface KillReport {
  readonly rounds: number;
  readonly killed: number;
  /** What is not as promised. */
  readonly broken: readonly string[];
  /** Counts that show what was tested: without them the report proves nothing. */
  readonly counts: Readonly<Record<string, number>>;
}

interface KilledRun extends CliResult {
  readonly killed: boolean;
}

interface KillOptions extends Surroundings {
  readonly isSpared?: boolean;
  /** The folder of the writing call at which it is killed: such calls may be rare. */
  readonly below?: string;
}

/** Some commands are told to die after their last call, so that some finish. */
const BEYOND_THE_LAST = 1.15;

/**
 * Starts commands and kills each with SIGKILL in the middle of a random writing call. Files do not change between two such
 * calls, so this covers every state that a kill can leave; killed by the clock, nearly all would die while the program
 * starts. Needs the same as {@link FailingDisk}.
 */
export class Killer {
  /** Number of runs that it killed. */
  killed = 0;
  private readonly disk = new FailingDisk();
  /** How often each kind of command wrote when it last finished, if it wrote. */
  private readonly calls = new Map<string, number>();

  constructor(
    private readonly workspace: TemporaryWorkspace,
    private readonly random: Random,
  ) {}

  /** Runs a command. The first of its kind finishes, as does one with `isSpared`. */
  async run(args: readonly string[], { isSpared, below = '', ...options }: KillOptions = {}): Promise<KilledRun> {
    const kind = [...args.filter((word) => /^[a-z-]+$/.test(word)), below].join(' ');
    const calls = isSpared ? 0 : (this.calls.get(kind) ?? 0);
    const at = Math.ceil(this.random.next() * calls * BEYOND_THE_LAST);
    const env = this.disk.env(this.workspace.path(below), { at, error: 'KILLED', lasting: false });
    const result = await this.workspace.start(args, { ...options, env: { ...options.env, ...env } });
    const killed = result.signal === 'SIGKILL';
    if (killed) this.killed++;
    const done = this.disk.calls().length;
    if (!killed && done > 0) this.calls.set(kind, done);
    return { ...result, killed };
  }

  dispose(): void {
    this.disk.dispose();
  }
}

/** Kills commands in a workspace, which is removed afterwards. */
export async function killing<T>(
  workspace: TemporaryWorkspace,
  random: Random,
  work: (killer: Killer, workspace: TemporaryWorkspace) => Promise<T>,
): Promise<T> {
  const killer = new Killer(workspace, random);
  try {
    return await work(killer, workspace);
  } finally {
    killer.dispose();
    workspace.dispose();
  }
}

/** Returns what a command says that must succeed and does not. */
export async function failureOf(workspace: TemporaryWorkspace, ...args: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await workspace.run(args);
  return code === 0 ? [] : [`${args.join(' ')} ended with ${code}: ${stdout}${stderr}`];
}

/** Returns the values that stand in a list more than once. */
export function repeated(values: readonly string[]): readonly string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}
