import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GENERATOR_VERSION, generateWorkspace } from './generate.js';

const SEED = 7;
const MANY_WORDS = 100_000;

/** A generated workspace, kept in the temporary folder for the next run. */
export interface BenchWorkspace {
  readonly root: string;
  readonly files: number;
}

/** @param words size of its vocabulary: in a small one each word is common */
export function benchWorkspace(files: number, words = MANY_WORDS): BenchWorkspace {
  const of = words === MANY_WORDS ? '' : `-words${words}`;
  const root = join(tmpdir(), `openclaw-memory-bench-v${GENERATOR_VERSION}-seed${SEED}-${files}${of}`);
  if (!existsSync(root)) {
    // An interrupted run must not leave an incomplete workspace under this name.
    const unfinished = `${root}.${process.pid}`;
    generateWorkspace(unfinished, files, SEED, words);
    renameSync(unfinished, root);
  }
  return { root, files };
}

/** The newest daily log. */
export function newestLog({ root }: BenchWorkspace): string {
  const name = readdirSync(join(root, 'memory')).sort().at(-1);
  if (name === undefined) throw new Error('the workspace is empty');
  return join(root, 'memory', name);
}

export function indexFile({ root }: BenchWorkspace): string {
  return join(root, '.memory', 'index.sqlite');
}

export function removeIndex({ root }: BenchWorkspace): void {
  rmSync(join(root, '.memory'), { recursive: true, force: true });
}

/** Bytes of the index with its sidecars. */
export function indexBytes({ root }: BenchWorkspace): number {
  const folder = join(root, '.memory');
  const own = readdirSync(folder).filter((name) => name.startsWith('index.sqlite'));
  return own.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** Paths of all pages. */
function pages({ root }: BenchWorkspace): readonly string[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.md') && !name.startsWith('.')).map((name) => join(root, name));
}

export function textBytes(workspace: BenchWorkspace): number {
  return pages(workspace).reduce((sum, path) => sum + statSync(path).size, 0);
}

/** Returns lines of daily logs from every year. */
export function sampleLines(workspace: BenchWorkspace, count: number): readonly string[] {
  const logs = pages(workspace).filter((path) => path.includes(join('memory', '')));
  const step = Math.max(1, Math.floor(logs.length / count));
  const lines: string[] = [];
  for (let i = 0; lines.length < count; i = (i + step) % logs.length) {
    const all = readFileSync(logs[i] ?? '', 'utf8').split('\n');
    const long = all.filter((line) => line.length > 80);
    lines.push(long[lines.length % Math.max(1, long.length)] ?? '');
  }
  return lines;
}
