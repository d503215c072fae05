import type { ServerResponse } from 'node:http';
import { Random } from '../random.js';
import type { FaultSwitches } from './faults.js';
import type { FakeModel } from './model.js';
import { countTokens, firstTokens } from './prompt.js';

import { record } from './reply.js';
import { BUSY, keepAliveMs, runnerOptions, type Slot } from './runner.js';
import type { Stage } from './stage.js';
import { goJson, metric, type ServerError, sendError, sendJson } from './wire.js';

interface Embedded {
  readonly embeddings: readonly (readonly (number | null)[])[];
  readonly tokens: number;
}

/** `POST /api/embed`: one vector for each input; one failing input fails all. */
export async function embed(
  body: Readonly<Record<string, unknown>>,
  stage: Stage,
  response: ServerResponse,
): Promise<void> {
  const name = typeof body.model === 'string' ? body.model : '';
  const model = stage.find(name);
  if (model === undefined || stage.faults.strikes('model-vanishes')) {
    return sendError(response, { status: 404, message: `model "${name}" not found, try pulling it first` });
  }
  const options = runnerOptions(model, record(body.options) ?? {}, true);
  const slot = await stage.scheduler.acquire(model, options, keepAliveMs(body.keep_alive), stage.gone);
  if (slot === undefined) return sendError(response, BUSY);
  try {
    const error = embedFault(model, stage.faults);
    const result = error ?? embedAll(inputsOf(body.input), body, model, slot, stage);
    if ('status' in result) return sendError(response, result);
    const embeddings = spoilVectors(result.embeddings, stage.faults);
    const metrics = { ...metric('total_duration', 1_000_000), ...metric('load_duration', slot.loadMs * 1e6) };
    const answer = { model: name, embeddings, ...metrics, ...metric('prompt_eval_count', result.tokens) };
    if (!(await brokeOffHalf(answer, stage, response))) sendJson(response, 200, answer);
  } finally {
    slot.release();
  }
}

/** Whether a fault of the connection ended an answer before or inside its body. */
async function brokeOffHalf(
  answer: Readonly<Record<string, unknown>>,
  { faults, hang, reset }: Stage,
  response: ServerResponse,
): Promise<boolean> {
  const hangs = faults.strikes('hang-after-headers');
  const halts = faults.strikes('idle-mid-stream');
  if (!hangs && !halts && !faults.strikes('reset-mid-line')) return false;
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
  const text = goJson(answer);
  if (!hangs) await new Promise((resolve) => response.write(text.slice(0, text.length >> 1), resolve));
  if (hangs || halts) await hang();
  else reset();
  return true;
}

function inputsOf(input: unknown): readonly string[] {
  if (typeof input === 'string') return input === '' ? [] : [input];
  return Array.isArray(input) ? input.map(String) : [];
}

function embedAll(
  inputs: readonly string[],
  { truncate, dimensions }: Readonly<Record<string, unknown>>,
  model: FakeModel,
  { options }: Slot,
  stage: Stage,
): Embedded | ServerError {
  const limit = Math.min(options.contextLength, options.batch);
  const embeddings: number[][] = [];
  let tokens = 0;
  for (const input of inputs) {
    if (input === '') return { status: 400, message: 'Input content cannot be empty' };
    const needed = countTokens(input);
    if (needed > limit && truncate === false)
      return { status: 400, message: 'the input length exceeds the context length' };
    tokens += Math.min(needed, limit);
    const vector = stage.vector(needed > limit ? firstTokens(input, limit) : input, model.dimension);
    embeddings.push(typeof dimensions === 'number' ? normalised(vector, dimensions) : vector);
  }
  return { embeddings, tokens };
}

function embedFault(model: FakeModel, faults: FaultSwitches): ServerError | undefined {
  if (model.kind !== 'embedding' || faults.strikes('embed-501')) {
    return { status: 501, message: 'This server does not support embeddings. Start it with `--embeddings`' };
  }
  if (faults.strikes('embed-nan-400')) return { status: 400, message: 'embedding contains NaN or Inf values' };
  if (faults.strikes('embed-eof-400')) {
    return { status: 400, message: 'do embedding request: Post "http://127.0.0.1:40123/v1/embeddings": EOF' };
  }
  return undefined;
}

function spoilVectors(vectors: Embedded['embeddings'], faults: FaultSwitches): Embedded['embeddings'] {
  const [first = [], ...rest] = vectors;
  if (vectors.length === 0) return vectors;
  if (faults.strikes('embed-short-count')) return rest;
  if (faults.strikes('embed-zero-vector')) return [first.map(() => 0), ...rest];
  if (faults.strikes('embed-null-element')) return [[null, ...first.slice(1)], ...rest];
  if (faults.strikes('embed-wrong-dimension')) return [...vectors.slice(0, -1), (vectors.at(-1) ?? []).slice(1)];
  return vectors;
}

const words = new Map<string, Float64Array>();
const MOST_WORDS = 20_000;

/**
 * Returns the vector of a text: the sum of a seeded vector for each word, of length 1. Texts with common words are near each
 * other.
 * @param synonyms words that count as another one
 */
export function vectorOf(text: string, dimension: number, synonyms: Readonly<Record<string, string>> = {}): number[] {
  const sum = new Float64Array(dimension);
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    const vector = wordVector(synonyms[word] ?? word, dimension);
    for (let i = 0; i < dimension; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0);
  }
  return normalised(sum.every((number) => number === 0) ? wordVector('', dimension) : sum);
}

/** Returns the first dimensions, scaled to length 1, as the server does for any model. */
function normalised(vector: ArrayLike<number>, dimension = vector.length): number[] {
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
