import { type Description, type Field, WHOLE } from '../base/request.js';
import type { PullProgress } from '../model/ollama/ollama.js';
import { MODE, type RecallMode } from '../recall/request.js';
import type { ReflectRequest } from '../reflect/reflect.js';
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

/** Of the arguments that methods take one by one. */
export const TEXT = { type: 'text', required: true, doc: '' } as const satisfies Field;
export const TEXTS = { type: 'list', of: { type: 'text' }, required: true, doc: '' } as const satisfies Field;
export const YES_NO = { type: 'boolean', doc: '' } as const satisfies Field;

export interface ReflectOptions extends ReflectRequest {
  /** How long the model may be asked; what is left then waits for the next run. */
  readonly maxMinutes?: number | undefined;
  /** Most calls of the model; 0 asks the rules alone. */
  readonly maxCalls?: number | undefined;
  /** Has the model judge again what the rules alone have judged. */
  readonly rejudge?: boolean | undefined;
}

export interface ReflectPromptRequest extends ReflectRequest {
  /** Most tokens of the prompt, 16,000 by default: more pairs come in parts. */
  readonly maxTokens?: number | undefined;
  /** Another part than the next. */
  readonly part?: number | undefined;
}

export interface ReflectApplyRequest extends ReflectRequest {
  /** As it was given for the prompt. */
  readonly maxTokens?: number | undefined;
}

export const REFLECT_ON: Description<ReflectRequest> = {
  since: { type: 'time', doc: 'only facts from this time on' },
  dryRun: { type: 'boolean', doc: 'write nothing' },
};

export const REFLECT_APPLY: Description<ReflectApplyRequest> = {
  ...REFLECT_ON,
  maxTokens: { ...WHOLE, example: 16_000, doc: 'most tokens of the prompt that it answers' },
};

export const REFLECT_PROMPT: Description<ReflectPromptRequest> = {
  ...REFLECT_ON,
  maxTokens: { ...WHOLE, example: 16_000, doc: 'most tokens of the prompt' },
  part: { ...WHOLE, example: 2, doc: 'another part than the next' },
};

export const REFLECT: Description<ReflectOptions> = {
  ...REFLECT_ON,
  rejudge: { type: 'boolean', doc: 'a model judges again what the rules alone have judged' },
  maxMinutes: { type: 'number', least: 0, example: 20, doc: 'how long a model may be asked' },
  maxCalls: { type: 'number', whole: true, least: 0, example: 20, doc: 'most calls of a model' },
};

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

export interface HealthOptions {
  /** Mend what is safe to mend. */
  readonly fix?: boolean | undefined;
  /** Let the server be asked that the setting `ollamaHost` names, though it is another machine. */
  readonly allowHost?: boolean | undefined;
  /** Let the folders outside of the workspace be read that the setting `extraFolders` names. */
  readonly allowFolders?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export const HEALTH: Description<HealthOptions> = {
  fix: { type: 'boolean', doc: 'mend what is safe to mend' },
  allowHost: { type: 'boolean', doc: 'ask the server that the setting ollamaHost names' },
  allowFolders: { type: 'boolean', doc: 'read the folders outside of the workspace that extraFolders names' },
  signal: SIGNAL,
};

export const EVAL: Description<EvalOptions> = {
  explain: { type: 'boolean', doc: 'say how the questions of failed cases were read' },
  mode: MODE,
  signal: SIGNAL,
};

/** What to extract from: a session, or a text. */
export interface ExtractFrom {
  /** Id of a session: what of it was not extracted yet. */
  readonly session?: string | undefined;
  /** Messages as JSON or JSON lines, or a log as Markdown. */
  readonly text?: string | undefined;
  /** The text's file, relative to the workspace, for citations. */
  readonly name?: string | undefined;
  /** Only what was said from this time on, for example `2026-03-01` or `7d`. */
  readonly since?: string | undefined;
  /** Only these memory types. */
  readonly types?: readonly string[] | undefined;
}

export interface ExtractRequest extends ExtractFrom {
  readonly dryRun?: boolean | undefined;
}

export interface ExtractPromptRequest {
  /** Another part than the next. */
  readonly part?: number | undefined;
  /** Most tokens of prompt and answer. */
  readonly maxTokens?: number | undefined;
}

export const EXTRACT_FROM: Description<ExtractFrom> = {
  session: { type: 'text', doc: 'id of the session' },
  text: { type: 'text', doc: 'messages as JSON or JSON lines, or a log' },
  name: { type: 'text', doc: 'the file of the text, for citations' },
  since: { type: 'time', doc: 'only what was said from this time on' },
  types: { type: 'list', of: { type: 'text' }, doc: 'only these memory types' },
};

export const EXTRACT: Description<ExtractRequest> = {
  ...EXTRACT_FROM,
  dryRun: { type: 'boolean', doc: 'write nothing' },
};

export const EXTRACT_PROMPT: Description<ExtractFrom & ExtractPromptRequest> = {
  ...EXTRACT_FROM,
  part: { ...WHOLE, example: 2, doc: 'another part than the next' },
  maxTokens: { type: 'number', whole: true, least: 2_000, example: 16_000, doc: 'most tokens of prompt and answer' },
};

/** Whose narrative becomes facts: one day, all since one, or today. */
export interface InferRequest {
  readonly date?: string | undefined;
  readonly since?: string | undefined;
  /** Ask no model. */
  readonly byRules?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

export const INFER: Description<InferRequest> = {
  date: { type: 'time', doc: 'only this day' },
  since: { type: 'time', doc: 'all days from this one on' },
  byRules: { type: 'boolean', doc: 'ask no model' },
  dryRun: { type: 'boolean', doc: 'write nothing' },
};
