import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { openSearch } from '../../src/app/answering.js';
import { evaluateCases } from '../../src/app/evaluation.js';
import { openFresh } from '../../src/index/fresh.js';
import { WEIGHTS, type Weights } from '../../src/recall/rank/weights.js';
import { type RecallSource, recall } from '../../src/recall/recall.js';
import { readCases } from '../../src/upkeep/eval-case.js';
import { openClock } from '../../src/workspace/clock.js';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));
const SETS = ['xquad-de', 'xquad-en', 'madial-en'];
const QUESTION = z.object({
  conv: z.string(),
  question: z.string(),
  category: z.number(),
  evidence: z.array(z.object({ dia_id: z.string(), path: z.string().optional(), line: z.number().optional() })),
});
type Evidence = z.infer<typeof QUESTION>['evidence'][number];
const PLACE = z.object({ path: z.string(), line: z.number(), dia_ids: z.array(z.string()) });
const ANSWERED_BY_NOTHING = 5;

/** A workspace with its questions; a line is named by its place, or by what the labels call it. */
interface Room {
  readonly root: string;
  readonly now: string;
  readonly questions: readonly { readonly question: string; readonly wanted: ReadonlySet<string> }[];
  readonly names: ReadonlyMap<string, readonly string[]> | undefined;
}

/**
 * What is lost when a signal is left out of the ranking: R@10 and MRR in points of LoCoMo and some sets of `bench2`, and
 * the cases of the fixtures that fail.
 * @param shared the folder that holds the labelled data; without it only the cases are asked, and it says so
 */
export async function ablation(shared: string, say: (text: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ablation-'));
  try {
    const real = existsSync(join(shared, 'locomo')) ? realpathSync(shared) : undefined;
    if (real === undefined) say(`LoCoMo and bench2: skipped, ${shared} holds no labelled data`);
    const sets = real === undefined ? [] : roomsOf(real, folder);
    const measure = async (weights: Weights): Promise<readonly number[]> => {
      const figures = [];
      for (const [, rooms] of sets) figures.push(...(await scoresOf(rooms, weights)));
      return [...figures, await failingCases(join(folder, 'cases'), weights)];
    };
    const all = await measure(WEIGHTS);
    say(['signal', ...sets.flatMap(([name]) => [`${name} R@10`, 'MRR']), 'cases failed'].join(' | '));
    say(['all', ...all.map((figure) => figure.toFixed(1))].join(' | '));
    for (const signal of Object.keys(WEIGHTS)) {
      if (signal === 'vector') continue;
      const without = await measure({ ...WEIGHTS, [signal]: 0 });
      const lost = without.map((figure, i) => (i < all.length - 1 ? figure - (all[i] ?? 0) : figure));
      say([`without ${signal}`, ...lost.map((figure) => figure.toFixed(1))].join(' | '));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function roomsOf(shared: string, folder: string): readonly (readonly [string, readonly Room[]])[] {
  const made = spawnSync(process.execPath, [join(shared, 'locomo/convert.mjs'), '--out', folder], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr.slice(0, 400));
  const locomo = byRoom(join(folder, 'qa/visible.jsonl')).map(([conv, questions]): Room => {
    const places = linesOf(join(folder, 'maps/A', `${conv}.jsonl`)).map((line) => PLACE.parse(line));
    const names = new Map(places.map(({ path, line, dia_ids }) => [`${path}#${line}`, dia_ids]));
    return { ...roomOf(join(folder, 'A', conv), questions, ({ dia_id }) => dia_id), names };
  });
  const sets = SETS.map((name) => {
    const data = join(shared, 'bench2/data', name);
    const rooms = byRoom(join(data, 'qa/visible.jsonl')).map(([conv, questions]): Room => {
      cpSync(join(data, 'A', conv), join(folder, name, conv), { recursive: true });
      const placeOf = ({ path, line }: Evidence): string => `${path}#${line}`;
      return { ...roomOf(join(folder, name, conv), questions, placeOf), names: undefined };
    });
    return [name, rooms] as const;
  });
  return [['LoCoMo', locomo], ...sets];
}

function linesOf(file: string): readonly unknown[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line): unknown => JSON.parse(line));
}

function byRoom(file: string): readonly (readonly [string, readonly z.infer<typeof QUESTION>[]])[] {
  const rooms = new Map<string, z.infer<typeof QUESTION>[]>();
  for (const line of linesOf(file)) {
    const question = QUESTION.parse(line);
    if (question.category === ANSWERED_BY_NOTHING || question.evidence.length === 0) continue;
    rooms.set(question.conv, [...(rooms.get(question.conv) ?? []), question]);
  }
  return [...rooms];
}

function roomOf(
  root: string,
  asked: readonly z.infer<typeof QUESTION>[],
  nameOf: (evidence: Evidence) => string,
): Omit<Room, 'names'> {
  const logs = existsSync(join(root, 'memory')) ? readdirSync(join(root, 'memory')) : [];
  const last = logs
    .filter((name) => /^\d{4}-\d\d-\d\d\.md$/.test(name))
    .sort()
    .at(-1)
    ?.slice(0, 10);
  const questions = asked.map(({ question, evidence }) => {
    return { question, wanted: new Set(evidence.map(nameOf)) };
  });
  const now = new Date(Date.parse(last ?? '2026-01-14') + 1.5 * 86_400_000).toISOString();
  return { root, now, questions };
}

/** R@10 and MRR in percent; a rank is a line. */
async function scoresOf(rooms: readonly Room[], weights: Weights): Promise<readonly [number, number]> {
  let [found, reciprocal, count] = [0, 0, 0];
  for (const { root, now, questions, names } of rooms)
    await opened(root, now, weights, async (source) => {
      for (const { question, wanted } of questions) {
        const { results } = await recall(source, { query: question, k: 10, mode: 'lexical' });
        const lines = results.flatMap(({ path, startLine, endLine }) =>
          Array.from({ length: endLine - startLine + 1 }, (_, i) => `${path}#${startLine + i}`),
        );
        const named = lines.map((place) => (names?.get(place) ?? [place]).filter((name) => wanted.has(name)));
        found += new Set(named.slice(0, 10).flat()).size / wanted.size;
        const first = named.findIndex((hits) => hits.length > 0);
        reciprocal += first < 0 ? 0 : 1 / (first + 1);
        count++;
      }
    });
  return [(100 * found) / count, (100 * reciprocal) / count];
}

async function failingCases(root: string, weights: Weights): Promise<number> {
  cpSync(join(FIXTURES, 'workspace'), root, { recursive: true, filter: (path) => !path.endsWith('.memory') });
  const cases = readCases(readFileSync(join(FIXTURES, 'cases.jsonl'), 'utf8'));
  if (!cases.ok) throw new Error(cases.error.message);
  const { failures } = await opened(root, '2026-01-15T12:00:00Z', weights, (source) =>
    evaluateCases(cases.value.cases, source, {}),
  );
  return failures.length;
}

async function opened<T>(
  root: string,
  now: string,
  weights: Weights,
  use: (source: RecallSource) => Promise<T>,
): Promise<T> {
  const clock = openClock('UTC', now, 'dmy');
  const fresh = await openFresh({ root, stateFolder: join(root, '.memory'), clock, command: 'bench' });
  try {
    const limits = { withResources: false, defaultLimit: 10 };
    return await use({ ...(await openSearch(fresh, root)), clock, ...limits, weights });
  } finally {
    fresh.close();
  }
}
