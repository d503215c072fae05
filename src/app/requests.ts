import { DRY_RUN, type OnProgress, type RequestFields, type RequestOf, WHOLE } from '../base/request.js';
import type { PullProgress } from '../model/ollama/ollama.js';
import { MODE, TIMES } from '../recall/request.js';
import type { WatchEvent } from '../upkeep/watch.js';

export const ENTITY = {
  name: { type: 'text', required: true, doc: '' },
  facts: { ...WHOLE, doc: 'so many of the newest facts, and of each part of `holds` (default: all)' },
} as const satisfies RequestFields;

const SIGNAL = { type: 'signal', doc: 'ends it' } as const;

export const PROGRESS_OPTION = {
  signal: SIGNAL,
  onProgress: { type: 'function', doc: 'is told how far it is' },
} as const satisfies RequestFields;

export interface ProgressOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export interface PullOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((model: string, progress: PullProgress) => void) | undefined;
}

export const INDEX = {
  force: { type: 'boolean', doc: 'build all of it anew' },
  verify: { type: 'boolean', doc: 'prove that it equals the files; exit 4 when it does not' },
} as const satisfies RequestFields;

export type IndexOptions = ProgressOptions & RequestOf<typeof INDEX>;

export const EMBED = {
  retryRefused: { type: 'boolean', doc: 'ask also for what the model has refused before' },
} as const satisfies RequestFields;

export type EmbedOptions = ProgressOptions & RequestOf<typeof EMBED>;

export const WATCH = {
  signal: { ...SIGNAL, required: true },
  onEvent: { type: 'function', required: true, doc: 'is told what was indexed' },
} as const satisfies RequestFields;

export interface WatchOptions {
  readonly signal: AbortSignal;
  readonly onEvent: (event: WatchEvent) => void;
}

export const USE_MODEL = {
  model: { type: 'text', required: true, place: 'argument', doc: "a model of Ollama's, or a model file (GGUF)" },
  dryRun: DRY_RUN,
} as const satisfies RequestFields;

export type UseModelRequest = RequestOf<typeof USE_MODEL>;

export const EVAL = {
  explain: { type: 'boolean', doc: 'say how the questions of failed cases were read' },
  mode: { ...MODE, doc: 'lexical, hybrid or auto, as for recall' },
  signal: SIGNAL,
} as const satisfies RequestFields;

export type EvalOptions = RequestOf<typeof EVAL>;

/** Of the arguments that methods take one by one. */
export const TEXT = { type: 'text', required: true, doc: '' } as const;
export const TEXTS = { type: 'list', of: { type: 'text' }, required: true, doc: '' } as const;
export const YES_NO = { type: 'boolean', doc: '' } as const;

const SINCE = { type: 'time', doc: 'only facts from this day on: a date, 30d, or words' } as const;

export const REFLECT = {
  since: SINCE,
  maxMinutes: {
    type: 'number',
    least: 0,
    example: 20,
    doc: 'how long a model may be asked; the rest waits for the next run',
  },
  maxCalls: { type: 'number', whole: true, least: 0, example: 20, doc: 'most calls of a model; 0: by rules alone' },
  rejudge: { type: 'boolean', doc: 'have the model judge again what the rules alone have judged' },
  dryRun: DRY_RUN,
} as const satisfies RequestFields;

export type ReflectOptions = RequestOf<typeof REFLECT>;

export const REFLECT_PROMPT = {
  since: SINCE,
  maxTokens: { ...WHOLE, example: 16_000, doc: 'most tokens of the prompt; more pairs come in parts (default 16000)' },
  part: { ...WHOLE, example: 2, doc: 'this part of the pairs (default: the next that waits for an answer)' },
} as const satisfies RequestFields;

export type ReflectPromptRequest = RequestOf<typeof REFLECT_PROMPT>;

export const REFLECT_APPLY = {
  since: SINCE,
  maxTokens: { ...WHOLE, example: 16_000, doc: 'as it was given to reflect prompt' },
  dryRun: DRY_RUN,
} as const satisfies RequestFields;

export type ReflectApplyRequest = RequestOf<typeof REFLECT_APPLY>;

export const HEALTH = {
  fix: { type: 'boolean', doc: 'mend what is safe to mend' },
  allowHost: {
    type: 'boolean',
    doc: 'let the server be asked that the setting ollamaHost names, though it is another machine',
  },
  allowFolders: {
    type: 'boolean',
    doc: 'let the folders outside of the workspace be read that the setting extraFolders names',
  },
  signal: SIGNAL,
} as const satisfies RequestFields;

export type HealthOptions = RequestOf<typeof HEALTH>;

/** What to extract from: a session, or a text. */
export const EXTRACT_FROM = {
  session: {
    type: 'text',
    isNeverEmpty: true,
    value: 'id',
    doc: 'from what was said in this session since the last time',
  },
  text: { type: 'text', doc: 'messages as JSON or JSON lines, or a log' },
  name: { type: 'text', isNeverEmpty: true, doc: 'the file of the text, relative to the workspace, for citations' },
  types: { type: 'list', of: { type: 'text' }, doc: 'only this memory type (again for more)' },
  since: { ...TIMES.since, doc: 'only what was said from this day on: a date, 30d, or words' },
} as const satisfies RequestFields;

export type ExtractFrom = RequestOf<typeof EXTRACT_FROM>;

export const EXTRACT = { ...EXTRACT_FROM, dryRun: DRY_RUN } as const satisfies RequestFields;

export type ExtractRequest = RequestOf<typeof EXTRACT>;

export const EXTRACT_PROMPT = {
  ...EXTRACT_FROM,
  part: { ...WHOLE, example: 2, doc: 'this part of the conversation (default: the next that was not extracted)' },
  maxTokens: {
    type: 'number',
    whole: true,
    least: 2_000,
    example: 16_000,
    doc: 'most tokens of prompt and answer; longer conversations come in parts (default 16000)',
  },
} as const satisfies RequestFields;

export type ExtractPromptRequest = RequestOf<typeof EXTRACT_PROMPT>;

/** Whose narrative becomes facts: one day, all since one, or today. */
export const INFER = {
  date: { type: 'time', doc: 'with --infer: that day (default: today)' },
  since: { type: 'time', doc: 'with --infer: all days from this one on: a date, 7d, or words' },
  byRules: { type: 'boolean', doc: 'ask no model' },
  dryRun: DRY_RUN,
} as const satisfies RequestFields;

export type InferRequest = RequestOf<typeof INFER>;
