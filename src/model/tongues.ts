import { err, ok, type Result } from '../base/result.js';
import { TONGUES, type Tongue } from '../language/tongue.js';
import type { Embedder } from './model.js';
import { type Probe, TONGUE_PROBES } from './tongue-probes.js';

/** How far the vectors of a model may be believed, by tongue, 0..1. */
export type KnownTongues = ReadonlyMap<Tongue, number>;

/** Of all comparisons, chance gets half right and a model without the tongue two thirds; a good one hardly errs. */
const RIGHT = { from: 0.8, to: 0.95 };

/**
 * Which tongues an embedding model knows: whether it puts the answer to a question nearer than the answers to others.
 * What is not probed is known as little as the least known of the others. Asks the model for some hundred short texts.
 * Failures: those of the embedder.
 */
export async function knownTongues(embedder: Embedder, signal?: AbortSignal): Promise<Result<KnownTongues>> {
  const known = new Map<Tongue, number>();
  for (const tongue of TONGUES) {
    if (tongue === 'other') continue;
    const right = await rightOf(TONGUE_PROBES[tongue], embedder, signal);
    if (!right.ok) {
      // A model may fall over signs that it has never seen: then it does not know them. Over English it falls when ill.
      const isThere = tongue === 'english' ? right : await embedder.identify(signal);
      if (!isThere.ok) return err(isThere.error);
    }
    const share = right.ok ? (right.value - RIGHT.from) / (RIGHT.to - RIGHT.from) : 0;
    known.set(tongue, Math.min(1, Math.max(0, share)));
  }
  return ok(known.set('other', Math.min(...known.values())));
}

async function rightOf(
  probes: readonly Probe[],
  embedder: Embedder,
  signal: AbortSignal | undefined,
): Promise<Result<number>> {
  const questions = await embedder.embedQueries(
    probes.map(([question]) => question),
    signal,
  );
  if (!questions.ok) return err(questions.error);
  const documents = probes.map(([, answer]) => ({ title: null, text: answer }));
  const answers = await embedder.embedDocuments(documents, signal);
  return answers.ok ? ok(shareOfRight(questions.value, answers.value)) : err(answers.error);
}

type Vectors = readonly (Float32Array | null)[];

/** Of all pairs of a question and a wrong answer, how often the right one is nearer to either; 0..1. */
function shareOfRight(questions: Vectors, answers: Vectors): number {
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
