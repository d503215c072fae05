/**
 * Codes of vectors: two bits a number, four numbers a byte. A vector of 192 numbers takes 48 bytes. Each number is
 * rounded to one of four values that fit a normal distribution best (Max, 1960).
 */

/** Number of numbers in a byte. */
const IN_BYTE = 4;
/** The limit between the inner and the outer values, in deviations. */
const LIMIT = 0.9816;
const VALUES = [-1.51, -0.4528, 0.4528, 1.51] as const;
/** Number of values that a byte has. */
const OF_BYTE = 256;

/** Number of bytes of the code of a vector. */
export function codeBytes(dimension: number): number {
  return dimension / IN_BYTE;
}

/**
 * Writes the code of a vector of length 1.
 * @param spread the usual size of each number
 */
export function writeCode(vector: Float32Array, spread: readonly number[], into: Uint8Array, at: number): void {
  for (let i = 0; i < vector.length; i += IN_BYTE) {
    let byte = 0;
    for (let j = 0; j < IN_BYTE; j++) {
      const number = vector[i + j] ?? 0;
      const isOuter = Math.abs(number) > LIMIT * (spread[i + j] ?? 0);
      const value = number < 0 ? (isOuter ? 0 : 1) : isOuter ? 3 : 2;
      byte |= value << (2 * j);
    }
    into[at + i / IN_BYTE] = byte;
  }
}

// The functions below run once in most processes, before V8 has optimised them. So they are plain loops without calls.

/** Adds the vector that a code stands for, nearly, to a sum. */
export function addCode(sum: Float32Array, codes: Uint8Array, at: number, spread: readonly number[]): void {
  for (let i = 0; i < sum.length; i += IN_BYTE) {
    const byte = codes[at + i / IN_BYTE] ?? 0;
    for (let j = 0; j < IN_BYTE; j++)
      sum[i + j] = (sum[i + j] ?? 0) + (spread[i + j] ?? 0) * (VALUES[(byte >> (2 * j)) & 3] ?? 0);
  }
}

/** Makes a table for one question: it says how much each possible byte, at each place of a code, adds to the similarity. */
export function codeTable(question: Float32Array, spread: readonly number[]): Float32Array {
  const table = new Float32Array(codeBytes(question.length) * OF_BYTE);
  for (let i = 0, at = 0; i < question.length; i += IN_BYTE)
    for (let byte = 0; byte < OF_BYTE; byte++, at++) {
      let sum = 0;
      for (let j = 0; j < IN_BYTE; j++)
        sum += (question[i + j] ?? 0) * (spread[i + j] ?? 0) * (VALUES[(byte >> (2 * j)) & 3] ?? 0);
      table[at] = sum;
    }
  return table;
}

/** The similarity of a code to the question of a table: nearly the cosine. */
export function codeSimilarity(table: Float32Array, codes: Uint8Array, at: number, bytes: number): number {
  let sum = 0;
  for (let byte = 0, row = 0; byte < bytes; byte++, row += OF_BYTE) sum += table[row + (codes[at + byte] ?? 0)] ?? 0;
  return sum;
}

/** The similarities of codes of `bytes` bytes each to the question of a table, by the first `compared` bytes only. */
export function partialSimilarities(
  table: Float32Array,
  codes: Uint8Array,
  bytes: number,
  compared: number,
): Float32Array {
  const similarities = new Float32Array(codes.length / bytes);
  for (let i = 0, at = 0; i < similarities.length; i++, at += bytes) {
    let sum = 0;
    for (let byte = 0, row = 0; byte < compared; byte++, row += OF_BYTE)
      sum += table[row + (codes[at + byte] ?? 0)] ?? 0;
    similarities[i] = sum;
  }
  return similarities;
}
