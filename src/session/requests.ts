import { COUNT_FIELD_TYPE, type RequestFields, type RequestOf } from '../base/request.js';
import { DEFAULT_WINDOW_TOKENS } from './context/fit.js';
import { DEFAULT_RESERVE_TOKENS, DEFAULT_SOFT_MARGIN_TOKENS } from './flush-decision.js';
import { type MessageDraft, ROLE_NAMES } from './message.js';

const NUMBER = { type: 'number' } as const;
/**
 * A field for a number that a hook passes on exactly as the host gave it. An empty value, "null" and "NaN" mean that the
 * number is not known.
 */
const FIGURE = { ...NUMBER, loose: true } as const;
const PART = { ...COUNT_FIELD_TYPE, doc: 'number of the part (default: the next one without an answer)' } as const;

/** The session id, as the host or `session list` names it. */
export const SESSION_FIELDS = {
  session: { type: 'text', required: true, place: 'argument', doc: 'id of the session' },
} as const satisfies RequestFields;

const ARCHIVE = { type: 'text', value: 'id', doc: 'the archive: archive_001, or its number' } as const;

export const SESSION_CONTEXT_REQUEST = {
  ...SESSION_FIELDS,
  budget: {
    ...COUNT_FIELD_TYPE,
    value: 'tokens',
    example: DEFAULT_WINDOW_TOKENS,
    required: true,
    default: String(DEFAULT_WINDOW_TOKENS),
    doc: 'context window of the model, in tokens',
  },
} as const satisfies RequestFields;

export const SESSION_EXPAND_REQUEST = {
  ...SESSION_FIELDS,
  archive: { ...ARCHIVE, required: true, place: 'argument' },
} as const satisfies RequestFields;

export const SESSION_SEARCH_REQUEST = {
  ...SESSION_FIELDS,
  query: { type: 'text', required: true, place: 'words', doc: 'words that a message must all contain' },
} as const satisfies RequestFields;

export const SEARCH_OPTIONS = {
  archive: { type: 'text', isNeverEmpty: true, value: 'archive', doc: 'only this archive, or "live"' },
  k: { ...COUNT_FIELD_TYPE, doc: 'maximum matches, newest first (default 12)' },
  offset: { type: 'number', whole: true, least: 0, doc: 'skip this many matches' },
} as const satisfies RequestFields;

export type SearchOptions = RequestOf<typeof SEARCH_OPTIONS>;

const AS_SESSION = {
  type: 'text',
  isNeverEmpty: true,
  value: 'id',
  doc: 'id of the session (default: the id in the transcript)',
} as const;

export const SESSION_IMPORT_REQUEST = {
  text: { type: 'text', required: true, doc: 'JSON lines' },
  session: AS_SESSION,
} as const satisfies RequestFields;

/** The field for the function that is called with each event of a flush or a compaction. */
export const EVENT_FUNCTION_FIELD = {
  emit: { type: 'function', doc: 'receives events' },
} as const satisfies RequestFields;

export const STORE_FIELDS = {
  path: { type: 'text', required: true, doc: 'path of the store' },
} as const satisfies RequestFields;

/** The fields of `session import` for the store of a host. */
export const IMPORT_STORE_REQUEST = {
  session: AS_SESSION,
  key: { type: 'text', isNeverEmpty: true, doc: "with a store: the host's key of one session (default: all sessions)" },
} as const satisfies RequestFields;

export type StoreOptions = RequestOf<typeof IMPORT_STORE_REQUEST>;

/** The field for the answer of the calling agent's own model. */
export const AGENT_ANSWER_FIELD = {
  answer: { type: 'text', required: true, value: 'file', doc: "the model's answer" },
} as const satisfies RequestFields;

/** The fields of `wm prompt` for a session. */
export const WM_PROMPT_REQUEST = {
  maxTokens: {
    ...COUNT_FIELD_TYPE,
    doc: 'maximum tokens of the prompt; a longer archive comes in parts (default 16000)',
  },
  part: PART,
} as const satisfies RequestFields;

export type WmPromptOptions = RequestOf<typeof WM_PROMPT_REQUEST>;

export const WM_APPLY_REQUEST = {
  archive: { ...ARCHIVE, doc: 'the archive that you expect; stop if another one waits' },
  part: { ...COUNT_FIELD_TYPE, doc: 'number of the answered part (default: from the answer)' },
  maxTokens: { ...COUNT_FIELD_TYPE, doc: 'the value that you gave for the prompt' },
} as const satisfies RequestFields;

export type WmApplyOptions = RequestOf<typeof WM_APPLY_REQUEST>;

/** Time limit of a model in an interactive command, in seconds. */
export const MAX_MODEL_SECONDS = 300;

const MESSAGE = {
  role: { type: 'choice', noun: 'role', choices: ROLE_NAMES, required: true, doc: 'who wrote the message' },
  parts: {
    type: 'list',
    of: { type: 'record' },
    required: true,
    instead: ['content', 'text'],
    doc: 'texts, tool calls and tool results',
  },
  timestamp: { type: 'any', required: true, doc: 'ISO 8601, or null' },
  source_id: { type: 'text', doc: "the client's id of the message" },
} as const satisfies RequestFields;

export const SESSION_ADD_REQUEST = {
  messages: { type: 'list', of: { type: 'object', keys: MESSAGE }, required: true, doc: 'the messages' },
  idempotencyKey: {
    type: 'text',
    isNeverEmpty: true,
    value: 'key',
    doc: 'a key for retries: the same key adds nothing twice',
  },
  onlyNewSources: { type: 'boolean', doc: 'skip messages that are already in the log, by id, or by text and time' },
  history: {
    type: 'boolean',
    doc: 'the messages are the whole conversation: skip all up to the last known one',
  },
} as const satisfies RequestFields;

export type AddRequest = Omit<RequestOf<typeof SESSION_ADD_REQUEST>, 'messages'> & {
  readonly messages: readonly MessageDraft[];
};

export const SESSION_COMMIT_REQUEST = {
  keepRecent: {
    ...NUMBER,
    whole: true,
    instead: ['keep'],
    doc: 'number of newest messages to keep live (default: the setting, 10)',
  },
  threshold: {
    type: 'either',
    of: [NUMBER, { type: 'boolean' }],
    value: 'tokens',
    doc: 'commit only if this many tokens are pending (without a number: the setting)',
  },
  defer: { type: 'boolean', doc: 'only archive; finish with wm prompt and wm apply, or with session resume' },
  maxWait: {
    ...NUMBER,
    least: 0,
    value: 'seconds',
    doc: `time limit for the model (default ${MAX_MODEL_SECONDS}); a later commit continues`,
  },
} as const satisfies RequestFields;

export type CommitOptions = RequestOf<typeof SESSION_COMMIT_REQUEST>;

export const SESSION_RESUME_REQUEST = {
  maxWait: {
    ...NUMBER,
    least: 0,
    value: 'seconds',
    doc: 'time limit for the model; then the rules finish the archives (default: none)',
  },
} as const satisfies RequestFields;

export type ResumeOptions = RequestOf<typeof SESSION_RESUME_REQUEST>;

export const SESSION_COMPACT_REQUEST = {
  tokens: { ...NUMBER, doc: 'tokens in the conversation now (default: counted from the log); needs --context-window' },
  contextWindow: { ...NUMBER, doc: 'context window of the model, in tokens' },
  defer: { type: 'boolean', doc: 'only archive; another command finishes the archive' },
} as const satisfies RequestFields;

export const SESSION_BRIEF_REQUEST = {
  budget: { ...COUNT_FIELD_TYPE, value: 'tokens', doc: 'maximum tokens of the text (default 2000)' },
  compacted: {
    type: 'boolean',
    doc: 'for a compacted session: print only the Working Memory of the last commit, without the core file',
  },
} as const satisfies RequestFields;

export type BriefOptions = RequestOf<typeof SESSION_BRIEF_REQUEST>;

export type CompactRequest = RequestOf<typeof SESSION_COMPACT_REQUEST>;

export const FLUSH_REQUEST = {
  maxCalls: { ...COUNT_FIELD_TYPE, doc: 'maximum questions to the model in this run; the next run continues' },
  maxWait: {
    ...NUMBER,
    least: 0,
    value: 'seconds',
    doc: 'time limit for the model; then the rules save what they can',
  },
} as const satisfies RequestFields;

export type FlushOptions = RequestOf<typeof FLUSH_REQUEST>;

export const FLUSH_APPLY_REQUEST = {
  until: {
    type: 'text',
    value: 'id',
    doc: "id of the part's last message, from flush prompt; needed if there are several parts",
  },
} as const satisfies RequestFields;

export type FlushApplyOptions = RequestOf<typeof FLUSH_APPLY_REQUEST>;

export const FLUSH_CHECK_REQUEST = {
  tokens: { ...FIGURE, doc: 'tokens in the conversation now' },
  contextWindow: { ...SESSION_COMPACT_REQUEST.contextWindow, ...FIGURE },
  reserve: { ...FIGURE, doc: `tokens to keep free for the compaction (default ${DEFAULT_RESERVE_TOKENS})` },
  soft: { ...FIGURE, doc: `flush this many tokens before the compaction (default ${DEFAULT_SOFT_MARGIN_TOKENS})` },
  compactionCount: { ...FIGURE, doc: 'number of compactions of this session (default 0)' },
  lastFlush: { ...FIGURE, doc: 'compaction count at the last flush (default: never flushed)' },
  transcriptBytes: { ...FIGURE, doc: 'size of the conversation in bytes, if its tokens are not known' },
  forceBytes: { ...FIGURE, doc: 'flush from this size in bytes on; 0 ignores the size (default 2 MiB)' },
} as const satisfies RequestFields;

export { DEFAULT_WINDOW_TOKENS };
