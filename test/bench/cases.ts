import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Weights } from '../../src/query/rank/weights.js';
import { evaluateCases, readCases } from '../../src/upkeep/eval.js';
import { opened } from './rankers.js';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));

/**
 * Asks the cases of the fixture workspace, the notes of an agent.
 * @param root a folder that is not there yet
 */
export async function askCases(
  root: string,
  weights?: Weights,
): Promise<{ readonly asked: number; readonly failed: number }> {
  cpSync(join(FIXTURES, 'workspace'), root, { recursive: true, filter: (path) => !path.endsWith('.memory') });
  const { cases } = readCases(readFileSync(join(FIXTURES, 'cases.jsonl'), 'utf8'));
  const { failures } = await opened(root, '2026-01-15T12:00:00Z', weights, (source) =>
    evaluateCases(cases, source, {}),
  );
  return { asked: cases.length, failed: failures.length };
}
