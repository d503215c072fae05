import {
  COUNT_FIELD_TYPE,
  DRY_RUN_FIELD,
  type OnProgress,
  type RequestFields,
  type RequestOf,
} from '../base/request.js';
import type { PullProgress } from '../model/ollama.js';
import { MODE_FIELD, TIME_FIELDS } from '../query/request.js';
import type { WatchEvent } from '../upkeep/watch.js';

export const ENTITY_REQUEST = {
  name: { type: 'text', required: true, doc: '' },
  facts: {
    ...COUNT_FIELD_TYPE,
    doc: 'maximum number of facts, newest first, and of each part of `holds` (default: all)',
  },
  asOf: { type: 'time', doc: 'what was known and held on this day' },
} as const satisfies RequestFields;

const SIGNAL = { type: 'signal', doc: 'stops the call' } as const;

export const PROGRESS_OPTION = {
  signal: SIGNAL,
  onProgress: { type: 'function', doc: 'receives the progress' },
} as const satisfies RequestFields;

export interface ProgressOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export interface PullOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((model: string, progress: PullProgress) => void) | undefined;
}

export const INDEX_REQUEST = {
  force: { type: 'boolean', doc: 'rebuild the whole index' },
  verify: { type: 'boolean', doc: 'check that the index equals the files; exit with code 4 if it does not' },
} as const satisfies RequestFields;

export type IndexOptions = ProgressOptions & RequestOf<typeof INDEX_REQUEST>;

export const EMBED_REQUEST = {
  retryRefused: { type: 'boolean', doc: 'also try the texts that the model refused before' },
} as const satisfies RequestFields;

export type EmbedOptions = ProgressOptions & RequestOf<typeof EMBED_REQUEST>;

export const WATCH_REQUEST = {
  signal: { ...SIGNAL, required: true },
  onEvent: { type: 'function', required: true, doc: 'receives what was indexed' },
  onChange: { type: 'function', doc: 'called after a change, also if another process has indexed it first' },
} as const satisfies RequestFields;

export interface WatchOptions {
  readonly signal: AbortSignal;
  readonly onEvent: (event: WatchEvent) => void;
  readonly onChange?: () => void;
}

export const USE_MODEL_REQUEST = {
  model: {
    type: 'text',
    required: true,
    place: 'argument',
    doc: 'an Ollama model, or the path of a model file (GGUF)',
  },
  dryRun: DRY_RUN_FIELD,
} as const satisfies RequestFields;

export type UseModelRequest = RequestOf<typeof USE_MODEL_REQUEST>;

export const CHAT_TEST_REQUEST = {
  again: { type: 'boolean', doc: 'measure again what was measured before' },
  maxSeconds: { ...COUNT_FIELD_TYPE, most: 120, doc: 'maximum time; the next test goes on (default: 120)' },
} as const satisfies RequestFields;

export type ChatTestRequest = RequestOf<typeof CHAT_TEST_REQUEST>;

export const EVAL_REQUEST = {
  explain: { type: 'boolean', doc: 'show how the questions of failed cases were read' },
  mode: { ...MODE_FIELD, doc: 'lexical, hybrid or auto, as for recall' },
  signal: SIGNAL,
} as const satisfies RequestFields;

export type EvalOptions = RequestOf<typeof EVAL_REQUEST>;

/** Of the arguments that methods take one by one. */
export const TEXT_FIELD = { type: 'text', required: true, doc: '' } as const;
export const TEXTS_FIELD = { type: 'list', of: { type: 'text' }, required: true, doc: '' } as const;
export const YES_NO_FIELD = { type: 'boolean', doc: '' } as const;

const SINCE = { type: 'time', doc: 'only facts from this day on: a date, 30d, or words' } as const;

const MAX_MINUTES = {
  type: 'number',
  least: 0,
  example: 20,
  doc: 'time limit for a model, in minutes (default: 10); the rest waits for the next run',
} as const;

export const REFLECT_REQUEST = {
  since: SINCE,
  maxMinutes: MAX_MINUTES,
  maxCalls: {
    type: 'number',
    whole: true,
    least: 0,
    example: 20,
    doc: 'maximum calls to a model; 0 uses only the rules',
  },
  rejudge: { type: 'boolean', doc: 'let the model judge again what only the rules or other models judged' },
  by: {
    type: 'text',
    isNeverEmpty: true,
    value: 'judge',
    doc: 'with --rejudge: only what this judge said, such as model:qwen3:4b',
  },
  observe: {
    type: 'boolean',
    doc: 'also write lines that count what the last week says, or each week from --since on',
  },
  dryRun: DRY_RUN_FIELD,
} as const satisfies RequestFields;

export type ReflectOptions = RequestOf<typeof REFLECT_REQUEST>;

export const REFLECT_PROMPT_REQUEST = {
  since: SINCE,
  maxTokens: {
    ...COUNT_FIELD_TYPE,
    example: 16_000,
    doc: 'maximum tokens of the prompt; a longer prompt comes in parts (default 16000)',
  },
  maxPairs: { ...COUNT_FIELD_TYPE, example: 20, doc: 'maximum number of pairs; the newest come first (default: all)' },
  rejudge: { type: 'boolean', doc: 'ask again about what only the rules have judged' },
  part: { ...COUNT_FIELD_TYPE, example: 2, doc: 'number of the part (default: the next one without an answer)' },
} as const satisfies RequestFields;

export type ReflectPromptRequest = RequestOf<typeof REFLECT_PROMPT_REQUEST>;

export const REFLECT_APPLY_REQUEST = {
  since: SINCE,
  maxTokens: { ...COUNT_FIELD_TYPE, example: 16_000, doc: 'the value that you gave to reflect prompt' },
  maxPairs: { ...COUNT_FIELD_TYPE, example: 20, doc: 'the value that you gave to reflect prompt' },
  rejudge: { type: 'boolean', doc: 'give it if you gave it to reflect prompt' },
  dryRun: DRY_RUN_FIELD,
} as const satisfies RequestFields;

export type ReflectApplyRequest = RequestOf<typeof REFLECT_APPLY_REQUEST>;

export const HEALTH_REQUEST = {
  fix: { type: 'boolean', doc: 'fix what can be fixed safely' },
  allowHost: {
    type: 'boolean',
    doc: 'allow the server of the setting ollamaHost, even if it is another machine',
  },
  allowFolders: {
    type: 'boolean',
    doc: 'allow folders of the setting extraFolders that are outside of the workspace',
  },
  signal: SIGNAL,
} as const satisfies RequestFields;

export type HealthOptions = RequestOf<typeof HEALTH_REQUEST>;

/** What to extract from: a session, or a text. */
export const EXTRACT_SOURCE_REQUEST = {
  session: {
    type: 'text',
    isNeverEmpty: true,
    value: 'id',
    doc: 'extract from the new messages of this session',
  },
  text: { type: 'text', doc: 'messages as JSON or JSON lines, or a log' },
  name: { type: 'text', isNeverEmpty: true, doc: "path of the text's file in the workspace, for citations" },
  types: { type: 'list', of: { type: 'text' }, doc: 'only this memory type (repeatable)' },
  since: { ...TIME_FIELDS.since, doc: 'only messages from this day on: a date, 30d, or words' },
} as const satisfies RequestFields;

export type ExtractFrom = RequestOf<typeof EXTRACT_SOURCE_REQUEST>;

export const EXTRACT_REQUEST = { ...EXTRACT_SOURCE_REQUEST, dryRun: DRY_RUN_FIELD } as const satisfies RequestFields;

export type ExtractRequest = RequestOf<typeof EXTRACT_REQUEST>;

export const EXTRACT_PROMPT_REQUEST = {
  ...EXTRACT_SOURCE_REQUEST,
  part: { ...COUNT_FIELD_TYPE, example: 2, doc: 'number of the part (default: the next one that was not extracted)' },
  maxTokens: {
    type: 'number',
    whole: true,
    least: 2_000,
    example: 16_000,
    doc: 'maximum tokens of prompt and answer; a longer conversation comes in parts (default 16000)',
  },
} as const satisfies RequestFields;

export type ExtractPromptRequest = RequestOf<typeof EXTRACT_PROMPT_REQUEST>;

/** Whose narrative becomes facts: one day, all since one, or today. */
export const INFER_REQUEST = {
  date: { type: 'time', doc: 'with --infer: the day of the log (default: today)' },
  since: { type: 'time', doc: 'with --infer: all logs from this day on: a date, an age such as 7d, or words' },
  byRules: { type: 'boolean', doc: 'use only the rules, no model' },
  maxMinutes: { ...MAX_MINUTES, doc: `with --infer: ${MAX_MINUTES.doc}` },
  dryRun: DRY_RUN_FIELD,
} as const satisfies RequestFields;

export type InferRequest = RequestOf<typeof INFER_REQUEST>;
