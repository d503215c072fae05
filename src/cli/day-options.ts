import type { Day } from '../base/clock.js';
import { fail } from '../base/failure.js';
import type { GlobalOptions } from './options.js';

export interface DayOptions {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly around?: string | undefined;
  readonly asOf?: string | undefined;
}

export async function readDayOptions(
  raw: DayOptions,
  _global: GlobalOptions,
): Promise<{ since?: Day; until?: Day; asOf?: Day }> {
  if (raw.around !== undefined) fail('usage', 'not yet');
  return {
    ...(raw.since ? { since: raw.since } : {}),
    ...(raw.until ? { until: raw.until } : {}),
    ...(raw.asOf ? { asOf: raw.asOf } : {}),
  };
}
