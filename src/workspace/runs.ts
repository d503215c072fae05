import { join } from 'node:path';
import { createFolder, namesIn, readTextIfThere, removeFolder } from './files.js';

/** Which of the runs it is: a copy of the files has other times, and a clock may be put back. */
const NUMBER = 'number';

/** The runs that are kept in a folder, each in one of its own, the one that was stored last first. */
export function listRuns(folder: string): readonly string[] {
  return numbered(folder).map(({ run }) => run);
}

/** Keeps a run with its files, all or none of them. The oldest runs beyond `most` are dropped. */
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

/** 0 for one of before runs had numbers: their names say when they were. */
function numberOf(folder: string): number {
  const text = readTextIfThere(join(folder, NUMBER)) ?? '';
  return /^\d{1,15}$/.test(text.trim()) ? Number(text) : 0;
}
