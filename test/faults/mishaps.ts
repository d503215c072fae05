import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { WITHOUT_RIGHTS } from '../support/cli.js';
import type { TemporaryWorkspace } from '../support/workspace.js';
import { inputOf, type WritingCommand } from './writing-commands.js';
import { copyOf, differing, pagesOf, samePages, startOf, verifyFailure, wrongWords } from './writing-state.js';

/**
 * Runs a command in a read-only workspace: no page changes, and it reports why it did nothing, unless it needs no page. With
 * restored rights it does its work.
 * @returns the errors found
 */
export async function withoutRights(command: WritingCommand): Promise<readonly string[]> {
  const start = await startOf(command);
  const clean = copyOf(start);
  try {
    const input = inputOf(command, start);
    const whole = await clean.run(command.args, { input: inputOf(command, clean) });
    const before = pagesOf(start);
    setRights(start, 0o555, 0o444);
    const run = await start.start(command.args, { input, launcher: WITHOUT_RIGHTS });
    setRights(start, 0o755, 0o644);
    const broken = [...wrongWords(run, command, whole.code)];
    if (!samePages(pagesOf(start), before)) broken.push(`wrote: ${differing(pagesOf(start), before)}`);
    const needsPages = !samePages(pagesOf(clean), before);
    if (run.code === 0 && needsPages && !(command.onlyWarns && run.stderr.includes('warning: ')))
      broken.push('said that it did what it could not do');
    const again = await start.run(command.args, { input });
    if (again.code !== whole.code) broken.push(`with rights it ended with ${again.code}: ${again.stderr}`);
    if (!samePages(pagesOf(start), pagesOf(clean))) broken.push(differing(pagesOf(start), pagesOf(clean)));
    return [...broken, ...(await verifyFailure(start))];
  } finally {
    start.dispose();
    clean.dispose();
  }
}

/** Sets the rights of files below a folder, then of the folders, which must be entered before. */
function setRights({ root }: TemporaryWorkspace, folderMode: number, fileMode: number): void {
  chmodSync(root, 0o755);
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  for (const entry of entries) chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : fileMode);
  for (const entry of entries) if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), folderMode);
  chmodSync(root, folderMode);
}

/**
 * Runs a command under a clock that is years off, then under the right one: it exits normally, every line stays or is where
 * the command moved it, and the index verifies each time.
 * @returns the errors found
 */
export async function underClock(command: WritingCommand, now: string): Promise<readonly string[]> {
  const start = await startOf(command);
  const clean = copyOf(start);
  try {
    const input = inputOf(command, start);
    const whole = await clean.run(command.args, { input: inputOf(command, clean) });
    const run = await start.run([...command.args, '--now', now], { input });
    const broken = [...wrongWords(run, command, whole.code)];
    // lint reports pages of the future.
    if (run.code !== whole.code && run.code !== 4)
      broken.push(`ended with ${run.code} instead of ${whole.code}: ${run.stderr}`);
    broken.push(...(await verifyFailure(start)));
    const after = await start.run(['retain', 'W @Clock: was put right']);
    if (after.code !== 0) broken.push(`retain afterwards: ${after.stderr}`);
    // Pages show the facts current on the day of the run: the next run with the right clock shows all.
    if (command.args[0] === 'reflect') await start.run(command.args, { input });
    const kept = linesOf(start);
    const lost = linesOf(clean).filter((line) => !kept.includes(line));
    if (lost.length > 0) broken.push(`lost: ${lost.join(' | ')}`);
    return [...broken, ...(await verifyFailure(start))];
  } finally {
    start.dispose();
    clean.dispose();
  }
}

/** Returns the lines of pages without days and times from a clock. */
function linesOf(workspace: TemporaryWorkspace): readonly string[] {
  return [...pagesOf(workspace).values()].flatMap((text) => text.split('\n')).map(withoutTime);
}

function withoutTime(line: string): string {
  return line.replace(/\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g, '…');
}
