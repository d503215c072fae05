import { lazy } from '../base/cache.js';
import { addTo } from '../base/order.js';
import { err, ok, type Result } from '../base/result.js';
import { LANGUAGE_GROUPS, type LanguageGroup } from '../language/language-group.js';
import { readTemplate } from '../workspace/templates.js';
import type { Embedder } from './model.js';

/** A question, and its answer in other words. */
export type Probe = readonly [question: string, answer: string];

/**
 * The same six questions per language group. Question and answer share no word: a model that ranks the answer of a
 * question above the other five knows the language; one that only compares characters fails. German stands for all
 * languages in Latin script except English.
 */
export const languageProbes = lazy((): ReadonlyMap<string, readonly Probe[]> => {
  const found = new Map<string, Probe[]>();
  for (const line of readTemplate('probes.txt').split('\n')) {
    const [tongue = '', question, answer] = line.split(' | ');
    if (question !== undefined && answer !== undefined && !line.startsWith('#'))
      addTo(found, tongue, [question, answer]);
  }
  return found;
});

/** How reliable a model's vectors are, by language group, 0..1. */
export type KnownLanguageGroups = ReadonlyMap<LanguageGroup, number>;

/** Result of probing a model. */
export interface ProbeResult {
  readonly known: KnownLanguageGroups;
  /** Vectors of the answers: unrelated texts to compare with if there are too few others. */
  readonly answers: readonly ProbeVector[];
}

export interface ProbeVector {
  readonly tongue: LanguageGroup;
  readonly vector: Float32Array;
}

/**
 * Range of the share of right comparisons that maps to 0..1. Chance gives 0.5, a model without the language about 2/3,
 * a good one nearly 1.
 */
const RIGHT = { from: 0.8, to: 0.95 };

/**
 * Probes which language groups an embedding model knows: whether it ranks the answer of a question above other
 * answers. The group `other` is not probed and gets the lowest result. Embeds about a hundred short texts. Failures:
 * those of the embedder.
 */
export async function probeLanguageGroups(embedder: Embedder, signal?: AbortSignal): Promise<Result<ProbeResult>> {
  const known = new Map<LanguageGroup, number>();
  const answers: ProbeVector[] = [];
  for (const tongue of LANGUAGE_GROUPS) {
    if (tongue === 'other') continue;
    const asked = await ask(languageProbes().get(tongue) ?? [], embedder, signal);
    // A model may crash on unknown scripts: then it does not know them. If it fails on English, it is broken.
    const isThere = asked.ok || tongue === 'english' ? asked : await embedder.identify(signal);
    if (!isThere.ok) return err(isThere.error);
    const right = asked.ok ? shareOfRight(asked.value) : 0;
    known.set(tongue, Math.min(1, Math.max(0, (right - RIGHT.from) / (RIGHT.to - RIGHT.from))));
    const vectors = asked.ok ? asked.value.answers : [];
    answers.push(...vectors.flatMap((vector) => (vector === null ? [] : { tongue, vector })));
  }
  return ok({ known: known.set('other', Math.min(...known.values())), answers });
}

type Vectors = readonly (Float32Array | null)[];

interface Asked {
  readonly questions: Vectors;
  readonly answers: Vectors;
}

async function ask(
  probes: readonly Probe[],
  embedder: Embedder,
  signal: AbortSignal | undefined,
): Promise<Result<Asked>> {
  const texts = probes.map(([question]) => question);
  const questions = await embedder.embedQueries(texts, signal);
  if (!questions.ok) return err(questions.error);
  const documents = probes.map(([, answer]) => ({ title: null, text: answer }));
  const answers = await embedder.embedDocuments(documents, signal);
  return answers.ok ? ok({ questions: questions.value, answers: answers.value }) : err(answers.error);
}

/** Share of comparisons in which the right pair is more similar than a wrong one; 0..1. */
function shareOfRight({ questions, answers }: Asked): number {
  const nearness = questions.map((question) => answers.map((answer) => cosine(question, answer)));
  const own = nearness.map((row, at) => row[at] ?? -1);
  const isRight = nearness.flatMap((row, one) =>
    row.flatMap((value, other) =>
      one === other ? [] : [(own[one] ?? -1) > value, (own[other] ?? -1) > value].map(Number),
    ),
  );
  return isRight.reduce((sum, right) => sum + right, 0) / isRight.length;
}

/** Cosine of two vectors of length 1; -1 if the model refused a text. */
function cosine(one: Float32Array | null, other: Float32Array | null): number {
  if (one === null || other === null) return -1;
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += (one[i] ?? 0) * (other[i] ?? 0);
  return sum;
}
