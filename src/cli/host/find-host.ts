import { execFileSync } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fail } from '../../base/failure.js';
import { isRecord, parseJson } from '../../base/json.js';
import { isLauncher } from '../../upkeep/launcher.js';
import { readBytes } from '../../workspace/files.js';
import type { CommandContext } from '../command.js';

/** The first `openclaw` on the path that is not ours, by whatever name or link. */
export function findHost(path: string | undefined): string | undefined {
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, 'openclaw')).find((file) => canRun(file) && !isOurs(file));
}

/** A program that is found by its name. */
export function findOnPath(name: string, path: string | undefined): string | undefined {
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(canRun);
}

export function isOnPath(name: string, path: string | undefined): boolean {
  return findOnPath(name, path) !== undefined;
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a program starts this package. */
export function isOurs(file: string): boolean {
  try {
    const real = realpathSync(file);
    if (isLauncher(readBytes(real).toString('latin1'))) return true;
    const manifest = parseJson(readBytes(join(dirname(dirname(real)), 'package.json')).toString('utf8'));
    return isRecord(manifest) && manifest.name === 'openclaw-memory';
  } catch {
    // A program without a package around it is none of ours.
    return false;
  }
}

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

/** The last line with words of what a program said when it failed. */
function saidBy(error: unknown): string {
  const said = isRecord(error) ? `${String(error.stderr ?? '')}${String(error.stdout ?? '')}`.trim() : '';
  const line = said.split('\n').findLast((text) => /\p{L}/u.test(text)) ?? '';
  return line.replace(/^[│\s]+|[│\s]+$/gu, '') || (error instanceof Error ? error.message : String(error));
}
