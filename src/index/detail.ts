import type { UnitDetail } from '../memory/unit.js';

/** What is kept of a unit as JSON: what the index wrote itself is as it was written. */
export function parseDetail(json: string): UnitDetail {
  return JSON.parse(json);
}
