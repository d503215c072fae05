import { type RequestFields, type RequestOf, WHOLE } from '../base/request.js';
import { CONTEXT_WINDOW } from './context/fit.js';
import { DEFAULT_RESERVE_TOKENS, DEFAULT_SOFT_TOKENS } from './flush-decision.js';
import { type MessageDraft, ROLE_NAMES } from './message.js';

const NUMBER = { type: 'number' } as const;
/**
 * A field for a number that a hook passes on exactly as the host gave it. An empty value, "null" and "NaN" mean that the
 * number is not known.
 */
const FIGURE = { ...NUMBER, loose: true } as const;
const PART = { ...WHOLE, doc: 'another part than the next that waits for an answer' } as const;

/** The session id, as the host or `session list` names it. */
export const SESSION = {
  session: { type: 'text', required: true, place: 'argument', doc: 'id of the session' },
} as const satisfies RequestFields;

const ARCHIVE = { type: 'text', value: 'id', doc: 'archive_001, or its number' } as const;

export const CONTEXT = {
  ...SESSION,
  budget: {
    ...WHOLE,
    value: 'tokens',
    example: CONTEXT_WINDOW,
    required: true,
    default: String(CONTEXT_WINDOW),
    doc: "the model's window",
  },
} as const satisfies RequestFields;

export const EXPAND = {
  ...SESSION,
  archive: { ...ARCHIVE, required: true, place: 'argument' },
} as const satisfies RequestFields;

export const SEARCH = {
  ...SESSION,
  query: { type: 'text', required: true, place: 'words', doc: 'words that must all stand in a message' },
} as const satisfies RequestFields;

export const SEARCH_OPTIONS = {
  archive: { type: 'text', isNeverEmpty: true, value: 'archive', doc: 'only this archive, or live' },
  k: { ...WHOLE, doc: 'most matches, the newest first (default 12)' },
  offset: { type: 'number', whole: true, least: 0, doc: 'pass over so many of the newest' },
} as const satisfies RequestFields;

export type SearchOptions = RequestOf<typeof SEARCH_OPTIONS>;

const AS_SESSION = {
  type: 'text',
  isNeverEmpty: true,
  value: 'id',
  doc: 'id of the session (default: as the transcript says)',
} as const;

export const IMPORT = {
  text: { type: 'text', required: true, doc: 'JSON lines' },
  session: AS_SESSION,
} as const satisfies RequestFields;

/** The field for the function that is called with each event of a flush or a compaction. */
export const EVENTS = { emit: { type: 'function', doc: 'is told what happens' } } as const satisfies RequestFields;

export const STORE = {
  path: { type: 'text', required: true, doc: 'the file of the store' },
} as const satisfies RequestFields;

/** The fields of `session import` for the store of a host. */
export const IMPORT_STORE = {
  session: AS_SESSION,
  key: { type: 'text', isNeverEmpty: true, doc: 'of a store: one session, as the host calls it (default: all)' },
} as const satisfies RequestFields;

export type StoreOptions = RequestOf<typeof IMPORT_STORE>;

/** The field for the answer of the calling agent's own model. */
export const ANSWER_ARGUMENT = {
  answer: { type: 'text', required: true, value: 'file', doc: 'the answer of the model' },
} as const satisfies RequestFields;

/** The fields of `wm prompt` for a session. */
export const WM_PROMPT = {
  maxTokens: { ...WHOLE, doc: 'most tokens of the prompt; a longer archive comes in parts (default 16000)' },
  part: PART,
} as const satisfies RequestFields;

export type WmPromptOptions = RequestOf<typeof WM_PROMPT>;

export const WM_APPLY = {
  archive: { ...ARCHIVE, doc: 'refuse when another archive is the oldest that waits' },
  part: { ...WHOLE, doc: 'the part that the answer is for (default: as the answer says)' },
  maxTokens: { ...WHOLE, doc: 'as it was given for the prompt' },
} as const satisfies RequestFields;

export type WmApplyOptions = RequestOf<typeof WM_APPLY>;

/** Time limit of a model in an interactive command, in seconds. */
export const MODEL_SECONDS = 300;

const MESSAGE = {
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
} as const satisfies RequestFields;

export const ADD = {
  messages: { type: 'list', of: { type: 'object', keys: MESSAGE }, required: true, doc: 'what was said' },
  idempotencyKey: {
    type: 'text',
    isNeverEmpty: true,
    value: 'key',
    doc: 'adding again under the same key adds nothing twice',
  },
  onlyNewSources: { type: 'boolean', doc: 'pass over messages that are there already, by id, or by words and time' },
  history: {
    type: 'boolean',
    doc: 'they are all of the conversation: those up to the last that is there are passed over',
  },
} as const satisfies RequestFields;

export type AddRequest = Omit<RequestOf<typeof ADD>, 'messages'> & { readonly messages: readonly MessageDraft[] };

export const COMMIT = {
  keepRecent: {
    ...NUMBER,
    whole: true,
    instead: ['keep'],
    doc: 'how many of the newest messages stay (default: the setting, 10)',
  },
  threshold: {
    type: 'either',
    of: [NUMBER, { type: 'boolean' }],
    value: 'tokens',
    doc: 'only when so many tokens are pending; without a number: the setting',
  },
  defer: { type: 'boolean', doc: 'archive only: finish with wm prompt and wm apply, or session resume' },
  maxWait: {
    ...NUMBER,
    least: 0,
    value: 'seconds',
    doc: `how long the model has (default ${MODEL_SECONDS}); a later commit goes on`,
  },
} as const satisfies RequestFields;

export type CommitOptions = RequestOf<typeof COMMIT>;

export const COMPACT = {
  tokens: { ...NUMBER, doc: 'tokens in the conversation now (default: those of the log); with --context-window' },
  contextWindow: { ...NUMBER, doc: "tokens of the model's context window" },
  defer: { type: 'boolean', doc: 'archive only: another command finishes the archive' },
} as const satisfies RequestFields;

export const BRIEF = {
  budget: { ...WHOLE, value: 'tokens', doc: 'most tokens of it (default 2000)' },
  compacted: {
    type: 'boolean',
    doc: 'only for a session that was compacted: its Working Memory as the last commit left it, without the core file',
  },
} as const satisfies RequestFields;

export type BriefOptions = RequestOf<typeof BRIEF>;

export type CompactRequest = RequestOf<typeof COMPACT>;

export const FLUSH = {
  maxCalls: { ...WHOLE, doc: 'most questions to the model in this run; the rest is for the next run of the cycle' },
  maxWait: { ...NUMBER, least: 0, value: 'seconds', doc: 'how long the model has; then the rules save what they can' },
} as const satisfies RequestFields;

export type FlushOptions = RequestOf<typeof FLUSH>;

export const FLUSH_APPLY = {
  until: {
    type: 'text',
    value: 'id',
    doc: 'the last message of the part, as flush prompt says it; needed where there are several',
  },
} as const satisfies RequestFields;

export type FlushApplyOptions = RequestOf<typeof FLUSH_APPLY>;

export const FLUSH_CHECK = {
  tokens: { ...FIGURE, doc: 'tokens in the conversation now' },
  contextWindow: { ...COMPACT.contextWindow, ...FIGURE },
  reserve: { ...FIGURE, doc: `tokens kept free for the compaction (default ${DEFAULT_RESERVE_TOKENS})` },
  soft: { ...FIGURE, doc: `how many tokens before the compaction (default ${DEFAULT_SOFT_TOKENS})` },
  compactionCount: { ...FIGURE, doc: 'compactions of this session so far (default 0)' },
  lastFlush: { ...FIGURE, doc: 'the compaction count at the last flush (default: never flushed)' },
  transcriptBytes: { ...FIGURE, doc: 'size of the conversation, for when its tokens are not known' },
  forceBytes: { ...FIGURE, doc: 'flush from this size on; 0: never for its size (default 2 MiB)' },
} as const satisfies RequestFields;

export { CONTEXT_WINDOW };
