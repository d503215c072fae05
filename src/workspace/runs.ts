import { join } from 'node:path';
import { createFolder, namesIn, readTextIfThere, removeFolder } from './files.js';

/**
 * Name of the file with the number of a run. Runs are sorted by this number and not by time: copying files changes their
 * times, and a clock may be set back.
 */
const NUMBER = 'number';

/** Lists the runs that are stored in a folder, each in a subfolder. The last stored comes first. */
export function listRuns(folder: string): readonly string[] {
  return numbered(folder).map(({ run }) => run);
}

/** Stores a run with its files, completely or not at all. If there are more than `most` runs, the oldest are removed. */
export function storeRun(folder: string, run: string, files: Readonly<Record<string, string>>, most: number): void {
  const number = (numbered(folder)[0]?.number ?? 0) + 1;
  createFolder(join(folder, run), { ...files, [NUMBER]: `${number}\n` });
  for (const old of listRuns(folder).slice(most)) removeFolder(join(folder, old));
}

function numbered(folder: string): readonly { readonly run: string; readonly number: number }[] {
  const names = namesIn(folder).filter((name) => !name.startsWith('.'));
  const runs = names.map((run) => ({ run, number: numberOf(join(folder, run)) }));
  return runs.sort((a, b) => b.number - a.number || b.run.localeCompare(a.run, 'en', { numeric: true }));
}

/**
 * The number of a run. The number is 0 for runs of earlier versions of the program, which stored no number. They are
 * sorted by name, which contains the time.
 */
function numberOf(folder: string): number {
  const text = readTextIfThere(join(folder, NUMBER)) ?? '';
  return /^\d{1,15}$/.test(text.trim()) ? Number(text) : 0;
}
