import type { CliResult, Surroundings } from './cli.js';
import { FailingDisk } from './failing-disk/failing-disk.js';
import type { TemporaryWorkspace } from './workspace.js';

/** The result of a command. */
interface KilledRun extends CliResult {
  readonly killed: boolean;
}

/** Options for running a command. */
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
  private readonly disk = new FailingDisk();
  /** How often each kind of command wrote when it last finished, if it wrote. */
  private readonly calls = new Map<string, number>();

  constructor(
    private readonly workspace: TemporaryWorkspace,
    private readonly random: () => number,
  ) {}

  /** Runs a command. The first of its kind finishes, as does one with `isSpared`. */
  async run(args: readonly string[], { isSpared, below = '', ...options }: KillOptions = {}): Promise<KilledRun> {
    const kind = [...args.filter((word) => /^[a-z-]+$/.test(word)), below].join(' ');
    const calls = isSpared ? 0 : (this.calls.get(kind) ?? 0);
    const at = Math.ceil(this.random() * calls * BEYOND_THE_LAST);
    const env = this.disk.env(this.workspace.path(below), { at, error: 'KILLED', lasting: false });
    const result = await this.workspace.start(args, { ...options, env: { ...options.env, ...env } });
    const killed = result.signal === 'SIGKILL';
    const done = this.disk.calls().length;
    if (!killed && done > 0) this.calls.set(kind, done);
    return { ...result, killed };
  }

  dispose(): void {
    this.disk.dispose();
  }
}
