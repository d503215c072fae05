import type { Clock } from '../../base/clock.js';
import { toFailure } from '../../base/failure.js';
import type { Located } from '../../workspace/locate.js';
import type { HostEnvironment } from '../../workspace/openclaw-config.js';
import type { WorkspaceContext } from '../../workspace/read-scope.js';
import type { Settings } from '../../workspace/settings.js';
import type { StateFolder } from '../../workspace/state-folder.js';

/** What there is to say of what was looked at. */
export interface CheckResult {
  readonly state: 'ok' | 'warning' | 'problem';
  readonly message: string;
  readonly hint?: string;
}

/** What one check found. */
export interface Finding extends CheckResult {
  /** Stable name, for scripts. */
  readonly check: string;
  /** Whether `--fix` has mended it. */
  readonly mended?: true;
}

/** What the checks look at. What could not be opened is missing, and its own check says why. */
export interface DoctorContext {
  readonly host: HostEnvironment;
  readonly located: Located;
  /** A zone that was asked for with `--tz`, and the one of openclaw.json. */
  readonly timezone: string | undefined;
  readonly userTimezone: string | undefined;
  readonly state: StateFolder | undefined;
  readonly settings: Settings | undefined;
  /** The workspace, when it and its settings could be opened. */
  readonly place: WorkspaceContext | undefined;
  readonly clock: Clock;
}

/** What an error says, for a finding. */
export function errorFinding(error: unknown): Pick<Finding, 'message' | 'hint'> {
  const { message, hint } = toFailure(error);
  return { message, ...(hint === undefined ? {} : { hint }) };
}
