import { Random } from '../random.js';
import { understood } from '../understood.js';

const words = new Map<string, Float64Array>();
const MOST_WORDS = 20_000;

/**
 * Returns the vector of a text: the sum of a seeded vector for each word, of length 1. Texts with common words are near each
 * other.
 * @param synonyms words that count as another one
 */
export function vectorOf(text: string, dimension: number, synonyms: Readonly<Record<string, string>> = {}): number[] {
  const sum = new Float64Array(dimension);
  for (const [word] of understood(text)
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+/gu)) {
    const vector = wordVector(synonyms[word] ?? word, dimension);
    for (let i = 0; i < dimension; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0);
  }
  return normalised(sum.every((number) => number === 0) ? wordVector('', dimension) : sum);
}

/** Returns the first dimensions, scaled to length 1, as the server does for any model. */
export function normalised(vector: ArrayLike<number>, dimension = vector.length): number[] {
  const cut = Array.from({ length: Math.min(dimension, vector.length) }, (_, i) => vector[i] ?? 0);
  const length = Math.hypot(...cut) || 1;
  return cut.map((number) => Math.fround(number / length));
}

function wordVector(word: string, dimension: number): Float64Array {
  const key = `${dimension} ${word}`;
  const known = words.get(key);
  if (known !== undefined) return known;
  let seed = 7;
  for (const char of word) seed = (Math.imul(seed, 31) + (char.codePointAt(0) ?? 0)) | 0;
  const random = new Random(seed);
  const vector = Float64Array.from({ length: dimension }, () => random.next() - 0.5);
  if (words.size >= MOST_WORDS) words.clear();
  words.set(key, vector);
  return vector;
}
