import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readQuestion } from '../../src/query/parse/read.js';
import type { RecallSource } from '../../src/query/query.js';
import { WEIGHTS, type Weights } from '../../src/query/rank/weights.js';
import { definitionLines } from '../../src/query/retrieve/definitions.js';
import { gatherCandidates } from '../../src/query/retrieve/gather.js';
import { findPagesByName } from '../../src/query/retrieve/page-names.js';
import { rankCandidates } from '../../src/query/search-pass.js';
import { entitySlug } from '../../src/text/slug.js';
import { askCases } from './cases.js';
import { type LabelledQuestion, type Room, readSets, scored } from './labelled.js';
import type { QualityOptions } from './quality.js';
import { opened } from './rankers.js';

const FIGURES = ['R@10', 'MRR'] as const;

/** Weights that multiply or are exponents have no effect as 1, all others as 0. */
const NEUTRAL: Partial<Weights> = { rarity: 1, capital: 1 };

/** Number of results compared, out of the candidates for the first ten. */
const LOOKED_AT = 10;
const CANDIDATES = 140;

/** One change of the weights, with the sums of its figures on a set. */
interface Variant {
  readonly name: string;
  readonly weights: Weights;
}

/**
 * Measures the worth of each weight on each kind of text: the points of R@10 and MRR lost without it, as the mean of the
 * sets of a kind, and the fixture cases that fail without it. Each question is read only once.
 * @param say takes a line of the report
 */
export async function ablation(options: QualityOptions, say: (text: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ablation-'));
  try {
    const sets = readSets({ ...options, folder }).filter(({ name }) => !/^LoCoMo [BC]/.test(name));
    const kinds = [...new Set(sets.map(({ kind }) => kind))];
    const names = Object.keys(WEIGHTS).filter(isWeight);
    const without = names.map((name) => ({ name, weights: { ...WEIGHTS, [name]: NEUTRAL[name] ?? 0 } }));
    const variants: readonly Variant[] = [{ name: 'all', weights: WEIGHTS }, ...without];
    const figures = variants.map(() => new Map<string, number[]>());
    for (const { name, kind, rooms } of sets) {
      const means = await meansOf(rooms, variants);
      process.stderr.write(`${name}\n`);
      const share = 1 / sets.filter((set) => set.kind === kind).length;
      for (const [i, mean] of means.entries()) {
        const known = figures[i]?.get(kind) ?? FIGURES.map(() => 0);
        figures[i]?.set(
          kind,
          known.map((sum, at) => sum + share * (mean[at] ?? 0)),
        );
      }
    }
    const all = kinds.flatMap((kind) => figures[0]?.get(kind) ?? []);
    say(`| ${['weight', ...kinds.flatMap((kind) => [`${kind} R@10`, 'MRR']), 'cases failed'].join(' | ')} |`);
    for (const [i, { name, weights }] of variants.entries()) {
      const own = kinds.flatMap((kind) => figures[i]?.get(kind) ?? []);
      const shown = own.map((figure, at) => (i === 0 ? figure : (all[at] ?? 0) - figure).toFixed(1));
      const root = join(folder, `cases-${name}`);
      say(`| ${[name, ...shown, (await askCases(root, weights)).failed].join(' | ')} |`);
      rmSync(root, { recursive: true });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the mean figures of each variant over all questions of a set, in percent. */
async function meansOf(rooms: readonly Room[], variants: readonly Variant[]): Promise<readonly (readonly number[])[]> {
  const sums = variants.map(() => FIGURES.map(() => 0));
  const count = rooms.reduce((sum, { questions }) => sum + questions.length, 0);
  for (const room of rooms)
    await opened(room.root, room.now, undefined, async (source) => {
      for (const question of room.questions)
        for (const [i, lines] of (await linesOf(source, question, variants)).entries()) {
          const score = scored(question, lines, room.names);
          for (const [at, figure] of FIGURES.entries()) {
            const sum = sums[i];
            if (sum !== undefined) sum[at] = (sum[at] ?? 0) + (100 * score[figure]) / count;
          }
        }
    });
  return sums;
}

/** Returns the lines that each variant finds for a question, best first. */
async function linesOf(
  source: RecallSource,
  { question }: LabelledQuestion,
  variants: readonly Variant[],
): Promise<readonly (readonly string[])[]> {
  const { search, clock } = source;
  const reading = await readQuestion(question, {
    now: clock.now(),
    zone: clock.zone,
    dateOrder: clock.dateOrder,
    entities: { lookup: (name) => search.entity(entitySlug(name))?.slug },
  });
  const named = findPagesByName(search, question, source);
  const defining = definitionLines(search, reading.names, source);
  const request = { query: question };
  const found: string[][] = [];
  for (const { weights } of variants) {
    const gathered = await gatherCandidates({ ...source, named, defining, weights }, request, reading, CANDIDATES);
    const results = rankCandidates(
      { limit: LOOKED_AT, gathered },
      { source: { ...source, weights }, request, reading, named, defining, alike: undefined },
      undefined,
    );
    found.push(
      results
        .slice(0, LOOKED_AT)
        .flatMap(({ item: { unit } }) =>
          Array.from({ length: unit.endLine - unit.line + 1 }, (_, i) => `${unit.file.path}#${unit.line + i}`),
        ),
    );
  }
  return found;
}

/** The weight of meaning has no effect on a search by words. */
function isWeight(name: string): name is Exclude<keyof Weights, 'vector'> {
  return name in WEIGHTS && name !== 'vector';
}
