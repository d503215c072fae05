import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TemporaryWorkspace } from './workspace.js';
import { inputOf, type WritingCommand } from './writing-commands.js';
import { copyOf, differing, pagesOf, samePages, startOf, verifyFailure, wrongWords } from './writing-state.js';

/** Root may write anywhere, unless it gives that up. */
export const WITHOUT_RIGHTS =
  process.getuid?.() === 0
    ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search,-fowner', '--inh-caps', '-dac_override']
    : [];

/**
 * Runs a command in a workspace that nobody may write to: no page changes, and it says plainly why it did nothing, unless
 * it needs no page. When the rights are back, it does what it would have done.
 * @returns what went wrong
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

/** The pages of the files below a folder; the folders themselves last, so that they can still be gone through. */
function setRights({ root }: TemporaryWorkspace, folderMode: number, fileMode: number): void {
  chmodSync(root, 0o755);
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  for (const entry of entries) chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : fileMode);
  for (const entry of entries) if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), folderMode);
  chmodSync(root, folderMode);
}

/**
 * Runs a command under a clock that is years off, then under the right one again: it ends as it would have, every line
 * that was there is there still, or is where the command put it, and the index verifies each time.
 * @returns what went wrong
 */
export async function underClock(command: WritingCommand, now: string): Promise<readonly string[]> {
  const start = await startOf(command);
  const clean = copyOf(start);
  try {
    const input = inputOf(command, start);
    const whole = await clean.run(command.args, { input: inputOf(command, clean) });
    const run = await start.run([...command.args, '--now', now], { input });
    const broken = [...wrongWords(run, command, whole.code)];
    // Pages of the future are a finding of lint.
    if (run.code !== whole.code && run.code !== 4)
      broken.push(`ended with ${run.code} instead of ${whole.code}: ${run.stderr}`);
    broken.push(...(await verifyFailure(start)));
    const after = await start.run(['retain', 'W @Clock: was put right']);
    if (after.code !== 0) broken.push(`retain afterwards: ${after.stderr}`);
    // Pages say what held on the day of the run: the next one, by the right clock, has it all.
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

/** What pages say, without the days and times that a clock wrote. */
function linesOf(workspace: TemporaryWorkspace): readonly string[] {
  return [...pagesOf(workspace).values()].flatMap((text) => text.split('\n')).map(withoutTime);
}

function withoutTime(line: string): string {
  return line.replace(/\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g, '…');
}
