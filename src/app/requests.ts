import type { Description, Field } from '../base/request.js';
import type { PullProgress } from '../model/ollama/pull-progress.js';
import { MODE, type RecallMode } from '../recall/request.js';
import type { WatchEvent } from '../upkeep/watch.js';

export interface Progress {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
}

export interface PullOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((model: string, progress: PullProgress) => void) | undefined;
}

export interface IndexOptions extends Progress {
  /** Build all of it anew. */
  readonly force?: boolean | undefined;
  /** Prove that it equals the files. */
  readonly verify?: boolean | undefined;
}

export interface EmbedOptions extends Progress {
  /** Ask also for what the model has refused before. */
  readonly retryRefused?: boolean | undefined;
}

export interface WatchOptions {
  readonly signal: AbortSignal;
  readonly onEvent: (event: WatchEvent) => void;
}

export interface EvalOptions {
  readonly explain?: boolean | undefined;
  readonly mode?: RecallMode | undefined;
  readonly signal?: AbortSignal | undefined;
}

const SIGNAL = { type: 'signal', doc: 'ends it' } as const satisfies Field;

export const PROGRESS: Description<Progress | PullOptions> = {
  signal: SIGNAL,
  onProgress: { type: 'function', doc: 'is told how far it is' },
};

export const INDEX: Description<IndexOptions> = {
  force: { type: 'boolean', doc: 'build all of it anew' },
  verify: { type: 'boolean', doc: 'prove that it equals the files' },
  ...PROGRESS,
};

export const EMBED: Description<EmbedOptions> = {
  retryRefused: { type: 'boolean', doc: 'ask also for what the model has refused before' },
  ...PROGRESS,
};

export const WATCH: Description<WatchOptions> = {
  signal: { ...SIGNAL, required: true },
  onEvent: { type: 'function', required: true, doc: 'is told what was indexed' },
};

export const EVAL: Description<EvalOptions> = {
  explain: { type: 'boolean', doc: 'say how the questions of failed cases were read' },
  mode: MODE,
  signal: SIGNAL,
};
