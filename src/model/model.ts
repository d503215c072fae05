import type { Failure } from '../base/failure.js';
import type { Result } from '../base/result.js';

/**
 * What checks an answer. It is a zod schema; said in words of our own, so that our declarations need none of zod's types.
 */
export interface AnswerSchema<T> {
  safeParse(value: unknown): CheckedAnswer<T>;
}

export type CheckedAnswer<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error: { readonly issues: readonly AnswerIssue[] } };

export interface AnswerIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** What was expected there, of a value of another type. */
  readonly expected?: string | undefined;
  /** Keys that nobody knows. */
  readonly keys?: readonly string[] | undefined;
  /** Of a union, the issues of each branch, their paths below its own. */
  readonly errors?: readonly (readonly AnswerIssue[])[] | undefined;
}

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
  readonly schema: AnswerSchema<T>;
  /** Most tokens of the answer. */
  readonly maxTokens?: number;
  /** What an answer that the schema refuses is worth all the same; undefined: nothing. Asked before giving up. */
  readonly recover?: (text: string) => T | undefined;
}

/** Something that a model may do in its turn, or leave. */
export interface ModelTool<T> {
  /** For example `memory_write`. */
  readonly name: string;
  readonly description: string;
  readonly schema: AnswerSchema<T>;
}

/** A turn in which a model may call tools. What must be answered is a {@link Question}: a call can't be forced. */
export interface ToolTurn<T> {
  readonly prompt: Prompt;
  readonly tools: readonly ModelTool<T>[];
  /** Most tokens of the answer. */
  readonly maxTokens?: number;
}

export interface ToolCall<T> {
  readonly tool: string;
  /** Checked by the tool's schema. */
  readonly arguments: T;
}

/** What a model did in its turn; nothing is fine too. */
export interface ToolAnswer<T> {
  readonly calls: readonly ToolCall<T>[];
  /** What it said beside. */
  readonly text: string;
  /** Calls that can't be carried out, and why; the others can. */
  readonly refused?: readonly string[];
}

/** Why there is no answer. */
export interface AnswerFailure extends Failure {
  /** The text of an answer that is not usable. */
  readonly raw?: string;
}

/**
 * A chat model behind the door: it answers in the asked form within its deadlines, or says why not. Never throws but for
 * bugs. Failures: `model_unavailable` (away, slow, missing, or it can't do this), `invalid_answer` (also after one repair
 * question; with the raw text), `refused` (the prompt does not fit into the window), `interrupted`.
 */
export interface ChatModel {
  readonly name: string;
  /** Context window in tokens, for prompt and answer together. */
  readonly window: number;
  ask<T>(question: Question<T>, signal?: AbortSignal): Promise<Result<T, AnswerFailure>>;
}

/** One that can use tools as well, or says in a form what it would have called. */
export interface ToolModel extends ChatModel {
  /** Failures as of {@link ChatModel}. Calls that come as text are calls too. */
  act<T>(turn: ToolTurn<T>, signal?: AbortSignal): Promise<Result<ToolAnswer<T>, AnswerFailure>>;
}

/** A text to find by its meaning. */
export interface EmbedDocument {
  /** What it stands under: page and heading. */
  readonly title: string | null;
  readonly text: string;
  /** What it was said after, the nearest last: left out where there is no room for it. */
  readonly before?: readonly string[];
}

/** What a vector was made by: vectors of different identities are never compared. */
export interface EmbedIdentity {
  readonly name: string;
  readonly digest: string;
  readonly dimension: number;
  /** How queries and documents are prefixed. */
  readonly scheme: string;
}

/** An embedding model behind the door. Vectors have the length 1. Failures: `model_unavailable`, `interrupted`. */
export interface Embedder {
  readonly name: string;
  readonly scheme: string;
  /** The digest of the model as the server has it now. */
  digest(signal?: AbortSignal): Promise<Result<string>>;
  /** Asks for the digest, and for one embedding to see the dimension. */
  identify(signal?: AbortSignal): Promise<Result<EmbedIdentity>>;
  /** One vector a question, in order. All of them or a failure. */
  embedQueries(texts: readonly string[], signal?: AbortSignal): Promise<Result<readonly Float32Array[]>>;
  /** One vector a document, in order; null for one that the model refuses. */
  embedDocuments(
    documents: readonly EmbedDocument[],
    signal?: AbortSignal,
  ): Promise<Result<readonly (Float32Array | null)[]>>;
}
