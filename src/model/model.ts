import type { Failure } from '../base/failure.js';
import type { Result } from '../base/result.js';

/** Schema of an answer, implemented by zod. Declared here so that our type declarations do not depend on zod's. */
export interface AnswerSchema<T> {
  safeParse(value: unknown): CheckedAnswer<T>;
}

export type CheckedAnswer<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error: { readonly issues: readonly AnswerIssue[] } };

export interface AnswerIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** The expected type, if the value has another one. */
  readonly expected?: string | undefined;
  /** Unknown keys. */
  readonly keys?: readonly string[] | undefined;
  /** For a union: the issues of each branch, with paths relative to the union. */
  readonly errors?: readonly (readonly AnswerIssue[])[] | undefined;
}

/** A prompt. Text of others appears in `user` only, fenced as data. */
export interface Prompt {
  readonly system: string;
  readonly user: string;
}

/** A question whose answer is checked. The same question can be printed for the calling agent's own model. */
export interface Question<T> {
  /** Name of the answer's schema, for example `wm_operations`. */
  readonly name: string;
  readonly prompt: Prompt;
  readonly schema: AnswerSchema<T>;
  /** Maximum number of tokens of the answer. */
  readonly maxTokens?: number;
  /** Last resort for an answer that does not match the schema; `undefined` if it has no usable value. */
  readonly recover?: (text: string) => T | undefined;
}

/** A tool that a model may call. */
export interface ModelTool<T> {
  /** For example `memory_write`. */
  readonly name: string;
  readonly description: string;
  readonly schema: AnswerSchema<T>;
}

/**
 * A turn in which a model may call tools. Use a {@link Question} if an answer is required, because calls can't be
 * forced.
 */
export interface ToolTurn<T> {
  readonly prompt: Prompt;
  readonly tools: readonly ModelTool<T>[];
  /** Maximum number of tokens of the answer. */
  readonly maxTokens?: number;
}

export interface ToolCall<T> {
  readonly tool: string;
  /** Checked against the tool's schema. */
  readonly arguments: T;
}

/** Tool calls of a turn; may be empty. */
export interface ToolAnswer<T> {
  readonly calls: readonly ToolCall<T>[];
  /** Text beside the calls. */
  readonly text: string;
  /** Reasons for rejected calls. The other calls are valid. */
  readonly refused?: readonly string[];
}

/** Why there is no answer. */
export interface AnswerFailure extends Failure {
  /** Text of the unusable answer. */
  readonly raw?: string;
}

/**
 * A chat model. It answers in the requested form within its deadlines, or returns a failure; it throws only on bugs.
 * Failures: `model_unavailable` (not running, slow, missing, or incapable), `invalid_answer` (after one repair
 * question; with the raw text), `refused` (the prompt does not fit into the window), `interrupted`.
 */
export interface ChatModel {
  readonly name: string;
  /** Context window in tokens, for prompt and answer together. */
  readonly window: number;
  ask<T>(question: Question<T>, signal?: AbortSignal): Promise<Result<T, AnswerFailure>>;
}

/** A chat model that can call tools, natively or as JSON. */
export interface ToolModel extends ChatModel {
  /** Failures as of {@link ChatModel}. Calls that are written as text count, too. */
  act<T>(turn: ToolTurn<T>, signal?: AbortSignal): Promise<Result<ToolAnswer<T>, AnswerFailure>>;
}

/** A text to embed. */
export interface EmbedDocument {
  /** Page title and heading above the text. */
  readonly title: string | null;
  readonly text: string;
  /** Preceding context, nearest last. Dropped if there is no room. */
  readonly before?: readonly string[];
}

/** Identity of an embedding. Vectors of different identities are never compared. */
export interface EmbedIdentity {
  readonly name: string;
  readonly digest: string;
  readonly dimension: number;
  /** How queries and documents are prefixed. */
  readonly scheme: string;
}

/** An embedding model. Vectors have length 1. Failures: `model_unavailable`, `interrupted`. */
export interface Embedder {
  readonly name: string;
  readonly scheme: string;
  /** Current digest of the model on the server. */
  digest(signal?: AbortSignal): Promise<Result<string>>;
  /** Reads the digest, and embeds one text to learn the dimension. */
  identify(signal?: AbortSignal): Promise<Result<EmbedIdentity>>;
  /** One vector per query, in order: all, or a failure. */
  embedQueries(texts: readonly string[], signal?: AbortSignal): Promise<Result<readonly Float32Array[]>>;
  /** One vector per document, in order; null for a document that the model refuses. */
  embedDocuments(
    documents: readonly EmbedDocument[],
    signal?: AbortSignal,
  ): Promise<Result<readonly (Float32Array | null)[]>>;
}
