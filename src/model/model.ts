import type { ZodType } from 'zod';
import type { Result } from '../base/result.js';

/** What a model is told. Somebody's text stands in `user` only, fenced as data. */
export interface Prompt {
  readonly system: string;
  readonly user: string;
}

/** A question whose answer is checked. The same question can be printed for the calling agent's own model. */
export interface Question<T> {
  /** Name of the answer's schema, for example `wm_operations`. */
  readonly name: string;
  readonly prompt: Prompt;
  readonly schema: ZodType<T>;
  /** Most tokens of the answer. */
  readonly maxTokens?: number;
  /** What an answer that the schema refuses is worth all the same; undefined: nothing. Asked before giving up. */
  readonly recover?: (text: string) => T | undefined;
}

/** A chat model behind the door: it answers in the asked form within its deadlines, or says why not. Never throws but for bugs. */
export interface ChatModel {
  readonly name: string;
  /** Context window in tokens. */
  readonly window: number;
  /** Failures: `model_unavailable` (away, slow, missing), `invalid_answer` (also after one repair question), `interrupted`. */
  ask<T>(question: Question<T>, signal?: AbortSignal): Promise<Result<T>>;
}

/** An embedding model behind the door. */
export interface Embedder {
  /** Model digest, dimension and prefix scheme: vectors of another identity are not compared with these. */
  readonly identity: string;
  embedQuery(text: string, signal?: AbortSignal): Promise<Result<Float32Array>>;
  /** One vector an input, in order; null for an input that the model refuses. */
  embedDocuments(texts: readonly string[], signal?: AbortSignal): Promise<Result<readonly (Float32Array | null)[]>>;
}
