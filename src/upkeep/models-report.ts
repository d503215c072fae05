import type { Failure } from '../base/failure.js';

/** What is known of a model that is set. What could not be learned is null. */
export interface ModelReport {
  readonly name: string;
  readonly capabilities: readonly string[];
  /** The context window that it was trained for, in tokens. */
  readonly contextLength: number | null;
  /** Why it can't be used, and what mends that. */
  readonly problem: Failure | null;
}

export interface ChatModelReport extends ModelReport {
  /** The window that the server really grants, in tokens. */
  readonly window: number | null;
  readonly loadMs: number | null;
  /** Time of an answer of 20 tokens by the loaded model. */
  readonly answerMs: number | null;
}

export interface EmbedModelReport extends ModelReport {
  readonly dimension: number | null;
  /** Time of one short embedding by the loaded model. */
  readonly embeddingMs: number | null;
}

/** `status --deep --json`: `models` */
export interface ModelsReport {
  readonly host: string;
  /** What said that it is this one. */
  readonly hostFrom: string;
  /** Null when nothing answers there. */
  readonly version: string | null;
  readonly problem: Failure | null;
  readonly installed: readonly string[];
  readonly chat: ChatModelReport;
  readonly embedding: EmbedModelReport;
}
