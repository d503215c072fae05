import { execFileSync } from 'node:child_process';
import { fail } from '../../base/failure.js';
import { isRecord } from '../../base/json.js';
import type { CommandContext } from '../command.js';

/** Starting a host takes seconds, on a slow machine many. */
const LIMIT_MS = 180_000;

/**
 * Runs a command line of a host, and says so.
 * @param program its path; its name comes from there
 * @throws MemoryError `io` with what it said last, when it fails
 */
export function runHost(
  { out, io }: CommandContext,
  program: string,
  { args, input = '' }: { readonly args: readonly string[]; readonly input?: string },
): void {
  const line = `${program.slice(program.lastIndexOf('/') + 1)} ${args.join(' ')}`;
  out.note(line);
  try {
    execFileSync(program, [...args], { input, timeout: LIMIT_MS, env: io.env, stdio: ['pipe', 'pipe', 'pipe'] });
  } catch (error) {
    fail('io', `${line} failed: ${saidBy(error)}`, 'run that line yourself to see more');
  }
}

/** The last line of what a program said when it failed. */
function saidBy(error: unknown): string {
  const said = isRecord(error) ? `${String(error.stderr ?? '')}${String(error.stdout ?? '')}`.trim() : '';
  return said.split('\n').at(-1) || (error instanceof Error ? error.message : String(error));
}
