import { lazy } from '../base/cache.js';
import { addTo } from '../base/order.js';
import { err, ok, type Result } from '../base/result.js';
import { LANGUAGE_GROUPS, type LanguageGroup } from '../language/language-group.js';
import { readTemplate } from '../workspace/templates.js';
import type { Embedder } from './model.js';

/** A question and its answer, in other words. */
export type Probe = readonly [question: string, answer: string];

/**
 * The same six questions in many tongues. Question and answer have no word in common: a model that puts an answer
 * nearer to its question than to the other five knows the tongue, one that only compares signs does not. German stands
 * for all languages in Latin letters but English.
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

/** How far the vectors of a model may be believed, by tongue, 0..1. */
export type KnownLanguageGroups = ReadonlyMap<LanguageGroup, number>;

/** What asking the probes tells of a model. */
export interface ProbeResult {
  readonly known: KnownLanguageGroups;
  /** The vectors of the answers: texts that no question is about, where there are too few others to compare with. */
  readonly answers: readonly ProbeVector[];
}

export interface ProbeVector {
  readonly tongue: LanguageGroup;
  readonly vector: Float32Array;
}

/** Of all comparisons, chance gets half right and a model without the tongue two thirds; a good one hardly errs. */
const RIGHT = { from: 0.8, to: 0.95 };

/**
 * Which tongues an embedding model knows: whether it puts the answer to a question nearer than the answers to others.
 * What is not probed is known as little as the least known of the others. Asks the model for some hundred short texts.
 * Failures: those of the embedder.
 */
export async function probeLanguageGroups(embedder: Embedder, signal?: AbortSignal): Promise<Result<ProbeResult>> {
  const known = new Map<LanguageGroup, number>();
  const answers: ProbeVector[] = [];
  for (const tongue of LANGUAGE_GROUPS) {
    if (tongue === 'other') continue;
    const asked = await ask(languageProbes().get(tongue) ?? [], embedder, signal);
    // A model may fall over signs that it has never seen: then it does not know them. Over English it falls when ill.
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

/** Of all pairs of a question and a wrong answer, how often the right one is nearer to either; 0..1. */
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

/** Of two vectors of length 1. A text that the model refuses is near to nothing. */
function cosine(one: Float32Array | null, other: Float32Array | null): number {
  if (one === null || other === null) return -1;
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += (one[i] ?? 0) * (other[i] ?? 0);
  return sum;
}
