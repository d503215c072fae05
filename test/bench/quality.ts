import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askCases } from './cases.js';
import { COLUMNS, type LabelledSet, readSets, type Score, scoreOf } from './labelled.js';
import { byMeaning, byWords, plainSearch } from './rankers.js';

export interface QualityOptions {
  /** The folder with the labelled data; without it only the cases are asked, with a note. */
  readonly shared: string;
  /** Fewer questions of larger sets; see {@link readSets}. */
  readonly most?: number | undefined;
  readonly only?: readonly string[] | undefined;
}

const WIDTH = { set: 13, kind: 25, how: 9, figure: 7 } as const;

/**
 * Recall on labelled data that is not part of the project, in one process: every set by words and, where a model server
 * answers, with vectors, beside SQLite's plain full-text search over the same lines. The last line is the worst
 * difference between the two.
 * @param say takes a line of the report
 */
export async function quality({ shared, ...which }: QualityOptions, say: (text: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'quality-'));
  try {
    if (!existsSync(shared)) say(`${shared} holds no labelled data: only the cases are asked`);
    const sets = readSets({ shared, folder, ...which });
    const model = (await answers()) ? (process.env.OPENCLAW_BENCH_EMBED ?? 'all-minilm') : undefined;
    if (model === undefined) say('with vectors: skipped, no model server answers ($OLLAMA_HOST)');
    say(row('set', 'kind', '', [...COLUMNS]));
    const differences: Difference[] = [];
    for (const set of sets) differences.push(...(await report(set, model, say)));
    const { asked, failed } = await askCases(join(folder, 'cases'));
    say(`${'cases'.padEnd(WIDTH.set)}${'notes'.padEnd(WIDTH.kind)}${asked - failed} of ${asked}`);
    const [worst] = differences.sort((a, b) => a.by - b.by);
    if (worst !== undefined)
      say(`worst against plain search: ${worst.set} ${worst.column} ${worst.by < 0 ? '' : '+'}${worst.by.toFixed(1)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Difference {
  readonly set: string;
  readonly column: keyof Score;
  readonly by: number;
}

async function report(
  { name, kind, rooms }: LabelledSet,
  model: string | undefined,
  say: (text: string) => void,
): Promise<readonly Difference[]> {
  const show = (how: string, score: Score): void =>
    say(
      row(
        name,
        kind,
        how,
        COLUMNS.map((column) => score[column].toFixed(1)),
      ),
    );
  const words = await scoreOf(rooms, byWords());
  show('words', words);
  if (model !== undefined) show('vectors', await scoreOf(rooms, byMeaning(model)));
  const plain = await scoreOf(rooms, plainSearch);
  show('plain', plain);
  return (['R@10', 'MRR'] as const).map((column) => ({ set: name, column, by: words[column] - plain[column] }));
}

function row(set: string, kind: string, how: string, figures: readonly string[]): string {
  const cells = figures.map((figure) => figure.padStart(WIDTH.figure)).join('');
  return `${set.padEnd(WIDTH.set)}${kind.padEnd(WIDTH.kind)}${how.padEnd(WIDTH.how)}${cells}`;
}

async function answers(): Promise<boolean> {
  const host = process.env.OLLAMA_HOST ?? '127.0.0.1:11434';
  const url = /^https?:/.test(host) ? host : `http://${host}`;
  return fetch(`${url}/api/version`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}
