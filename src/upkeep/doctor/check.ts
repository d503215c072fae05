import type { Clock } from '../../base/clock.js';
import { toFailure } from '../../base/failure.js';
import type { LocatedWorkspace } from '../../workspace/locate.js';
import type { HostEnvironment } from '../../workspace/openclaw-config.js';
import type { WorkspaceContext } from '../../workspace/read-scope.js';
import type { Settings } from '../../workspace/settings.js';
import type { StateFolder } from '../../workspace/state-folder.js';

/** The result of a check, with advice in `hint`. */
export interface CheckResult {
  readonly state: 'ok' | 'warning' | 'problem';
  readonly message: string;
  readonly hint?: string;
}

/** The result of one check in the report, with the name of the check. */
export interface Finding extends CheckResult {
  /** Name of the check. It stays the same, so that scripts can use it. */
  readonly check: string;
  /** True if `--fix` repaired what the check found. */
  readonly mended?: true;
}

/** The objects that are checked. An object that could not be opened is undefined, and its own check says why. */
export interface DoctorContext {
  readonly host: HostEnvironment;
  readonly located: LocatedWorkspace;
  /** Time zone of the option `--tz`. `userTimezone` is the one in openclaw.json. */
  readonly timezone: string | undefined;
  readonly userTimezone: string | undefined;
  readonly state: StateFolder | undefined;
  readonly settings: Settings | undefined;
  /** The workspace, when it and its settings could be opened. */
  readonly place: WorkspaceContext | undefined;
  readonly clock: Clock;
}

/** The message of an error, for a finding. */
export function toErrorFinding(error: unknown): Pick<Finding, 'message' | 'hint'> {
  const { message, hint } = toFailure(error);
  return { message, ...(hint === undefined ? {} : { hint }) };
}
