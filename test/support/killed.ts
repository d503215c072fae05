import type { CliResult, Surroundings } from './cli.js';
import { FailingDisk } from './failing-disk/failing-disk.js';
import type { TemporaryWorkspace } from './workspace.js';

/** What became of a command. */
export interface KilledRun extends CliResult {
  readonly killed: boolean;
}

/** How a command is run. */
interface KillOptions extends Surroundings {
  readonly isSpared?: boolean;
  /** It dies at a call that writes into this folder: such may be few among all. */
  readonly below?: string;
}

/** One in so many commands, or fewer, is asked to die after its last call: some must come to their end. */
const BEYOND_THE_LAST = 1.15;

/**
 * Starts commands and kills each with SIGKILL at a random one of its calls that write, in the middle of it. Between two
 * such calls the files do not change, so all that a kill can leave behind is met; by the clock nearly all would die while the
 * program starts. Needs what {@link FailingDisk} needs.
 */
export class Killer {
  private readonly disk = new FailingDisk();
  /** How often each kind of command wrote when it came last to its end, if it wrote. */
  private readonly calls = new Map<string, number>();

  constructor(
    private readonly workspace: TemporaryWorkspace,
    private readonly random: () => number,
  ) {}

  /** Runs a command. The first of its kind is let through, as is one with `isSpared`. */
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
