import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchRun, Figure, Group } from './figure.js';
import { medians, memoryArguments, peakMemory, timedFloor, timedMemory } from './measure.js';
import {
  type BenchWorkspace,
  benchWorkspace,
  indexBytes,
  indexFile,
  newestLog,
  removeIndex,
  textBytes,
} from './workspaces.js';

/** `index`: cold, without changes, with one changed file; its memory and its size. */
export const indexing: Group = function* (run) {
  for (const files of run.sizes) {
    const workspace = benchWorkspace(files);
    yield* cold(run, workspace);
    yield* incremental(run, workspace);
  }
};

function* cold({ rounds, note }: BenchRun, workspace: BenchWorkspace): Generator<Figure> {
  const { root, files } = workspace;
  const largest = files >= 10_000;
  const index = memoryArguments(root, 'index');
  note(`cold index of ${files} files`);
  const { cold, floor } = medians(largest ? Math.min(3, rounds) : Math.min(5, rounds), {
    floor: () => floorIndex(root),
    cold: () => {
      removeIndex(workspace);
      return timedMemory(index).ms;
    },
  });
  const goal = largest ? { text: '≤ 3 × floor', most: (floor / 1000) * 3 } : undefined;
  yield { name: 'index, cold', files, measured: cold / 1000, floor: floor / 1000, unit: 's', goal };
  removeIndex(workspace);
  const peak = peakMemory(index);
  yield memory('index, cold: peak memory', files, peak, largest ? 250 : undefined);
  const ratio = indexBytes(workspace) / textBytes(workspace);
  yield { name: 'index: size ÷ text', files, measured: ratio, unit: '×', goal: { text: '≤ 3', most: 3 } };
}

function memory(name: string, files: number, measured: number, most: number | undefined): Figure {
  const goal = most === undefined ? undefined : { text: `≤ ${most} MB`, most };
  return { name, files, measured, unit: 'MB', goal };
}

function* incremental({ rounds, note }: BenchRun, workspace: BenchWorkspace): Generator<Figure> {
  const { root, files } = workspace;
  const index = memoryArguments(root, 'index');
  timedMemory(index);
  note(`index of ${files} files with nothing changed`);
  const { unchanged, walk, start } = medians(rounds, {
    walk: () => walkMs(root),
    start: () => timedFloor('start.mjs', [indexFile(workspace)]).ms,
    unchanged: () => timedMemory(index).ms,
  });
  yield {
    name: 'index, nothing changed',
    files,
    measured: unchanged,
    floor: walk,
    unit: 'ms',
    goal: { text: `≤ 2 × floor + start-up (${Math.round(start)} ms)`, most: 2 * walk + start },
  };
  note(`index of ${files} files with one changed`);
  const log = newestLog(workspace);
  const text = readFileSync(log, 'utf8');
  const one = medians(rounds, {
    unchanged: () => timedMemory(index).ms,
    changed: (round) => {
      rewrite(log, `${text}- W @Rina: round ${round} of the bench\n`);
      return timedMemory(index).ms;
    },
  });
  rewrite(log, text);
  timedMemory(index);
  yield {
    name: 'index, one file changed',
    files,
    measured: one.changed,
    floor: one.unchanged,
    unit: 'ms',
    goal: { text: '≤ nothing changed + 20 ms', most: one.unchanged + 20 },
  };
}

// Sets an old time, like that of most files: a file written just now would be read again next time.
export function rewrite(path: string, text: string): void {
  writeFileSync(path, text);
  const past = Date.now() / 1000 - 60;
  utimesSync(path, past, past);
}

function walkMs(root: string): number {
  const report: unknown = JSON.parse(timedFloor('walk.mjs', [root]).stdout);
  return typeof report === 'object' && report !== null && 'ms' in report ? Number(report.ms) : Number.NaN;
}

export function floorIndex(root: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'openclaw-memory-floor-'));
  try {
    return timedFloor('index.mjs', [root, join(folder, 'floor.sqlite')]).ms;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
