import { lazy } from '../base/cache.js';
import { err, ok, type Result } from '../base/failure.js';
import { addToGroup } from '../base/order.js';
import { LANGUAGE_GROUPS, type LanguageGroup } from '../language/language-group.js';
import { readTemplate } from '../workspace/templates.js';
import type { Embedder } from './model.js';

/** A question, and an answer that uses other words. */
type Probe = readonly [question: string, answer: string];

/**
 * The same six questions for each language group. Question and answer have no word in common. A model that ranks the
 * right answer above the other five knows the language. A model that only compares characters can't do this. German
 * stands for all languages in Latin script except English.
 */
export const languageProbes = lazy((): ReadonlyMap<string, readonly Probe[]> => {
  const found = new Map<string, Probe[]>();
  for (const line of readTemplate('probes.txt').split('\n')) {
    const [tongue = '', question, answer] = line.split(' | ');
    if (question !== undefined && answer !== undefined && !line.startsWith('#'))
      addToGroup(found, tongue, [question, answer]);
  }
  return found;
});

/** How reliable the vectors of a model are for each language group: 0 (useless) to 1. */
export type KnownLanguageGroups = ReadonlyMap<LanguageGroup, number>;

/** Result of testing which languages a model knows. */
export interface ProbeResult {
  readonly known: KnownLanguageGroups;
  /** Vectors of the test answers. They serve as unrelated texts for comparison while there are few others. */
  readonly answers: readonly ProbeVector[];
}

interface ProbeVector {
  readonly tongue: LanguageGroup;
  readonly vector: Float32Array;
}

/**
 * Turns the share of right comparisons into a result from 0 to 1. A share of at most `from` gives 0, a share of at least
 * `to` gives 1. Random answers would have a share of 0.5. A model that does not know the language has about 2/3, a good
 * model nearly 1.
 */
const RIGHT = { from: 0.8, to: 0.95 };

/**
 * Tests which language groups an embedding model knows: whether it ranks the right answer to a question above other answers.
 * The group `other` is not tested and gets the lowest result. Embeds about a hundred short texts. Failures: those of the
 * embedder.
 */
export async function probeLanguageGroups(embedder: Embedder, signal?: AbortSignal): Promise<Result<ProbeResult>> {
  const known = new Map<LanguageGroup, number>();
  const answers: ProbeVector[] = [];
  for (const tongue of LANGUAGE_GROUPS) {
    if (tongue === 'other') continue;
    const asked = await ask(languageProbes().get(tongue) ?? [], embedder, signal);
    // If a model fails on the texts of one script, but still embeds another text, it does not know this script. If it fails
    // on English, it is broken.
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

/** Share of comparisons in which a question is more similar to its own answer than to another one, 0 to 1. */
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

/** Cosine of the angle between two vectors of length 1. -1 if the model refused one of the texts. */
function cosine(one: Float32Array | null, other: Float32Array | null): number {
  if (one === null || other === null) return -1;
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += (one[i] ?? 0) * (other[i] ?? 0);
  return sum;
}
