import { fail } from '../base/failure.js';
import { RECALL_MODES, type RecallMode } from '../recall/request.js';

/** The value of `--mode`. */
export function checkMode(mode: string | undefined): RecallMode | undefined {
  const known = RECALL_MODES.find((candidate) => candidate === mode);
  if (known !== undefined || mode === undefined) return known;
  return fail('usage', `unknown mode "${mode}"`, `use ${RECALL_MODES.join(', ')}`);
}
