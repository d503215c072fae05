import type { Failure, Result } from '../base/failure.js';
import type { LevelFor } from './levels.js';

/** Checks an answer. In practice a zod schema; declared here so that our published types do not need those of zod. */
export interface AnswerSchema<T> {
  safeParse(value: unknown): CheckedAnswer<T>;
}

export type CheckedAnswer<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error: { readonly issues: readonly AnswerIssue[] } };

export interface AnswerIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** The type that the schema expects, if the value has another one. */
  readonly expected?: string | undefined;
  /** Keys of the value that the schema does not know. */
  readonly keys?: readonly string[] | undefined;
  /**
   * The errors for each branch of a union, if the schema is one. The paths of these errors begin at the value of the union.
   */
  readonly errors?: readonly (readonly AnswerIssue[])[] | undefined;
}

/** A prompt. Text that the program did not write appears only in `user`, between tags that mark it as data. */
export interface Prompt {
  readonly system: string;
  readonly user: string;
}

/**
 * A question to a model, with a schema to check the answer. The same question can be printed for the calling agent, so that
 * its own model answers.
 */
export interface Question<T> {
  /** Name of the schema, for example `wm_operations`. */
  readonly name: string;
  readonly prompt: Prompt;
  readonly schema: AnswerSchema<T>;
  /** Maximum number of tokens of the answer. */
  readonly maxTokens?: number;
  /**
   * Tries to get a value out of an answer that does not match the schema; its keys have the names of the schema. `undefined`
   * if there is nothing usable in it.
   */
  readonly recover?: (text: string) => T | undefined;
  /** Where usable replies are kept. A question with a kept reply is not sent to the model. */
  readonly kept?: ReplyStore;
}

/** A reply of a model to a question, before it is read. */
export interface KeptReply {
  readonly content: string;
  /** Whether the reply was cut at its maximum length. */
  readonly cut: boolean;
}

/** Keeps replies by the text of their question. */
export interface ReplyStore {
  find(question: Pick<Question<unknown>, 'name' | 'prompt'>): KeptReply | undefined;
  add(question: Pick<Question<unknown>, 'name' | 'prompt'>, reply: KeptReply): void;
}

/** A tool that a model may call. */
export interface ModelTool<T> {
  /** Name of the tool, for example `memory_write`. */
  readonly name: string;
  readonly description: string;
  readonly schema: AnswerSchema<T>;
}

/**
 * A prompt with tools that the model may call. It can't be forced to call one: use a {@link Question} if an answer is
 * required.
 */
export interface ToolTurn<T> {
  readonly prompt: Prompt;
  readonly tools: readonly ModelTool<T>[];
  /** Maximum number of tokens of the answer. */
  readonly maxTokens?: number;
}

export interface ToolCall<T> {
  readonly tool: string;
  /** The arguments, checked against the tool's schema. */
  readonly arguments: T;
}

/** The tool calls of a model; there may be none. */
export interface ToolAnswer<T> {
  readonly calls: readonly ToolCall<T>[];
  /** Text that the model wrote beside the calls. */
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
 * A chat model. It answers in the requested form within its deadlines, or returns a failure. It throws only if there is a
 * bug. Failures: `model_unavailable` (not running, slow, not installed, or not able to do it), `invalid_answer` (also after
 * a second try; with the text of the answer), `refused` (the prompt does not fit into the window), `interrupted`.
 */
export interface ChatModel {
  readonly name: string;
  /** Digest of the model on the server; '' if the server tells none. */
  readonly digest: string;
  /** Context window in tokens, for prompt and answer together. */
  readonly window: number;
  readonly levelFor: LevelFor;
  ask<T>(question: Question<T>, signal?: AbortSignal): Promise<Result<T, AnswerFailure>>;
}

/** A chat model that can call tools, natively or as JSON. */
export interface ToolModel extends ChatModel {
  /**
   * Asks the model which tools it wants to call, and returns the calls. Calls that the model writes as text are found, too.
   * Failures: those of {@link ChatModel}.
   */
  act<T>(turn: ToolTurn<T>, signal?: AbortSignal): Promise<Result<ToolAnswer<T>, AnswerFailure>>;
}

/** A text to embed, with the context that shows what it is about. */
export interface EmbedDocument {
  /** Page title and heading above the text. */
  readonly title: string | null;
  readonly text: string;
  /** Lines before the text, in order. They are left out if there is no room. */
  readonly before?: readonly string[];
}

/** Identifies the vectors of a model. Vectors with different identities are never compared. */
export interface EmbedIdentity {
  readonly name: string;
  readonly digest: string;
  readonly dimension: number;
  /** Name of the prefixes that are put before questions and texts. */
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
  /** Returns one vector for each query, in order. A failure if one can't be made. */
  embedQueries(texts: readonly string[], signal?: AbortSignal): Promise<Result<readonly Float32Array[]>>;
  /** Returns one vector for each document, in order; null for a document that the model refuses. */
  embedDocuments(
    documents: readonly EmbedDocument[],
    signal?: AbortSignal,
  ): Promise<Result<readonly (Float32Array | null)[]>>;
}

/** Values for the variables of a prompt template. */
interface PromptValues {
  /** Text that the program did not write. It is allowed only in the user part, and can't close the tags around it. */
  readonly data?: Readonly<Record<string, string>>;
  /** Text that the program wrote. If a value is empty, its line is removed. */
  readonly text?: Readonly<Record<string, string>>;
}

const USER_PART = /^--- user ---$/mu;
const VARIABLE = /\{\{(\w+)\}\}/gu;
const TAG = /<\/?([a-z]+(?:_[a-z]+)*)>/gu;

/**
 * Fills in a file of `templates/prompts/`: the system part, a line `--- user ---`, the user part. Pure.
 * @throws Error for missing or unknown variables, or data in the system part: these are bugs
 */
export function renderPrompt(template: string, { data = {}, text = {} }: PromptValues): Prompt {
  const [system = '', user] = template.split(USER_PART);
  if (user === undefined) throw new Error('a prompt template has a line "--- user ---"');
  const values = { ...data, ...text };
  const missing = [...variablesOf(template)].filter((name) => !(name in values));
  const unknown = Object.keys(values).filter((name) => !variablesOf(template).has(name));
  if (missing.length > 0 || unknown.length > 0) {
    throw new Error(`a prompt template without a value for [${missing}], or without a place for [${unknown}]`);
  }
  const misplaced = Object.keys(data).find((name) => variablesOf(system).has(name));
  if (misplaced !== undefined) throw new Error(`{{${misplaced}}} is somebody's text and stands in the system part`);
  const fence = fenceOf([template, ...Object.values(text)].join('\n'));
  const filled: Readonly<Record<string, string>> = {
    ...text,
    ...Object.fromEntries(Object.entries(data).map(([name, value]) => [name, value.replace(fence, '&lt;')])),
  };
  return { system: fill(system, filled), user: fill(user, filled) };
}

/** Names of the variables of a template. Pure. */
export function variablesOf(template: string): ReadonlySet<string> {
  return new Set([...template.matchAll(VARIABLE)].map(([, name = '']) => name));
}

// All variables are replaced in one step, so that a variable inside of inserted text stays as it is.
function fill(part: string, values: Readonly<Record<string, string>>): string {
  return part
    .replace(/^\{\{(\w+)\}\}\n+/gmu, (line, name: string) => (values[name] === '' ? '' : line))
    .replace(VARIABLE, (variable, name: string) => values[name] ?? variable)
    .trim();
}

/**
 * Matches anything that a model may read as a tag of the prompt, also in capitals, or with blanks or invisible
 * characters in it.
 */
function fenceOf(prompt: string): RegExp {
  const tags = new Set([...prompt.matchAll(TAG)].map(([, name = '']) => name));
  const names = [...tags].map((tag) => [...tag].join('\\p{Cf}{0,3}')).join('|');
  return new RegExp(`<(?=[\\s\\p{Cf}]{0,9}/?[\\s\\p{Cf}]{0,9}(?:${names || '(?!)'}))`, 'giu');
}
