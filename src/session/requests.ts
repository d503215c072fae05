import { type Description, type Field, WHOLE } from '../base/request.js';
import type { AddRequest } from './add.js';
import type { CompactRequest } from './compact.js';
import { CONTEXT_WINDOW } from './context/fit.js';
import type { FlushOptions } from './flush.js';
import type { FlushQuestion } from './flush-decision.js';
import { type MessageDraft, ROLE_NAMES } from './message.js';

/** `session commit` as the library and the command line ask for it. */
export interface CommitOptions {
  /** How many of the newest messages stay; the setting when not given. */
  readonly keep?: number | undefined;
  /** Commit only from so many pending tokens on; `true` takes the setting. */
  readonly threshold?: number | true | undefined;
  /** Archive only: the calling agent, or another process, finishes the archive. */
  readonly phase1Only?: boolean | undefined;
  /** Seconds that the model has; then the rules finish the archive. */
  readonly maxWait?: number | undefined;
}

/** `wm prompt` for a session. */
export interface WmPromptOptions {
  /** Most tokens of the prompt. */
  readonly maxTokens?: number | undefined;
  /** Another part than the next. */
  readonly part?: number | undefined;
}

/** `wm apply`. */
export interface WmApplyOptions {
  /** Id of the archive that the prompt was for: another one is refused. */
  readonly archive?: string | undefined;
  /** The part that the answer is for; needed where there are several. */
  readonly part?: number | undefined;
  /** As the prompt was asked for. */
  readonly maxTokens?: number | undefined;
}

const TEXT = { type: 'text', required: true } as const;
const ARCHIVE = { type: 'text', doc: 'archive_001, or its number' } as const satisfies Field;
const NUMBER = { type: 'number' } as const;

const SESSION = { id: { ...TEXT, doc: 'id of the session' } } as const;

export interface ContextRequest {
  readonly id: string;
  /** Tokens of the model's window. */
  readonly budget: number;
}

export const CONTEXT: Description<ContextRequest> = {
  ...SESSION,
  budget: {
    type: 'number',
    whole: true,
    least: 1,
    example: CONTEXT_WINDOW,
    required: true,
    doc: "tokens of the model's window",
  },
};

export const EXPAND = { ...SESSION, archive: { ...ARCHIVE, required: true } } as const;

export const SEARCH = { ...SESSION, query: { ...TEXT, doc: 'words that must all stand in a message' } } as const;

export interface SearchOptions {
  /** An archive's id or number, or `live`; everything when not given. */
  readonly archive?: string | undefined;
  /** Most matches that are given. */
  readonly k?: number | undefined;
  /** So many of the newest are passed over. */
  readonly offset?: number | undefined;
}

export const SEARCH_OPTIONS: Description<SearchOptions> = {
  archive: ARCHIVE,
  k: { type: 'number', whole: true, least: 1, doc: 'most matches that are given' },
  offset: { type: 'number', whole: true, least: 0, doc: 'so many of the newest are passed over' },
};

export const IMPORT = {
  text: { ...TEXT, doc: 'JSON lines' },
  session: { type: 'text', doc: 'id of the session' },
} as const;

/** Who is told what happens. */
export const EVENTS = { emit: { type: 'function', doc: 'is told what happens' } } as const;

export const STORE = { path: { ...TEXT, doc: 'the file of the store' } } as const;

/** `session import` of a host's store. */
export interface StoreOptions {
  /** One session of the store, as the host calls it. */
  readonly key?: string | undefined;
  /** The session that it becomes; its own id when not given. */
  readonly session?: string | undefined;
}

export const IMPORT_STORE: Description<StoreOptions> = {
  key: { type: 'text', doc: 'one session of the store, as the host calls it' },
  session: { type: 'text', doc: 'id of the session' },
};

export const ANSWER = { ...SESSION, text: { ...TEXT, doc: 'what the model answered' } } as const;

export const WM_PROMPT: Description<WmPromptOptions> = {
  maxTokens: { ...WHOLE, doc: 'most tokens of the prompt' },
  part: { ...WHOLE, doc: 'another part than the next' },
};

export const WM_APPLY: Description<WmApplyOptions> = {
  ...WM_PROMPT,
  archive: { ...ARCHIVE, doc: 'the archive that the prompt was for' },
};

const MESSAGE: Description<MessageDraft> = {
  role: { type: 'choice', noun: 'role', choices: ROLE_NAMES, required: true, doc: 'whose message it is' },
  parts: {
    type: 'list',
    of: { type: 'record' },
    required: true,
    instead: ['content', 'text'],
    doc: 'texts, tool calls, results',
  },
  timestamp: { type: 'any', required: true, doc: 'ISO 8601, or null' },
  source_id: { type: 'text', doc: 'the id that its client knows it by' },
};

export const ADD: Description<AddRequest> = {
  messages: { type: 'list', of: { type: 'object', keys: MESSAGE }, required: true, doc: 'what was said' },
  idempotencyKey: { type: 'text', doc: 'adding again under the same key adds nothing twice' },
  onlyNewSources: { type: 'boolean', doc: 'pass over messages that are there already' },
  history: {
    type: 'boolean',
    doc: 'the messages are all that the host tells: those up to the last that is there are old',
  },
};

export const COMMIT: Description<CommitOptions> = {
  keep: {
    ...NUMBER,
    whole: true,
    flag: '--keep-recent',
    instead: ['keepRecent'],
    doc: 'how many of the newest messages stay',
  },
  threshold: {
    type: 'either',
    of: [NUMBER, { type: 'boolean' }],
    doc: 'only when so many tokens are pending; true: the setting',
  },
  phase1Only: { type: 'boolean', flag: '--defer', doc: 'archive only' },
  maxWait: { ...NUMBER, least: 0, doc: 'seconds that the model has; then the rules finish the archive' },
};

export const COMPACT: Description<CompactRequest> = {
  tokens: { ...NUMBER, doc: 'tokens in the conversation now' },
  contextWindow: { ...NUMBER, doc: "tokens of the model's window" },
};

export const FLUSH: Description<FlushOptions> = {
  maxCalls: { ...WHOLE, doc: 'most questions to the model in one run' },
  maxWait: { ...NUMBER, least: 0, doc: 'seconds that the model has; then the rules save what they can' },
};

/** `flush apply`. */
export interface FlushApplyOptions {
  /** The last message of the part that the answer is for, as `flush prompt` says it. */
  readonly until?: string | undefined;
}

export const FLUSH_APPLY: Description<FlushApplyOptions> = {
  until: { type: 'text', doc: 'the last message of the part, as flush prompt says it' },
};

export const FLUSH_CHECK: Description<FlushQuestion> = {
  ...COMPACT,
  reserve: { ...NUMBER, doc: 'tokens kept free for the compaction' },
  soft: { ...NUMBER, doc: 'how many tokens before the compaction' },
  compactionCount: { ...NUMBER, doc: 'compactions so far' },
  lastFlush: { ...NUMBER, doc: 'the compaction count at the last flush' },
  transcriptBytes: { ...NUMBER, doc: 'size of the conversation' },
  forceBytes: { ...NUMBER, doc: 'flush from this size on; 0: never for its size' },
  enabled: { type: 'boolean', doc: 'whether memories are saved at all' },
};

export { CONTEXT_WINDOW };
