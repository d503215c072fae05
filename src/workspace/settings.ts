import type { DateOrder } from '../base/clock.js';

/** The settings of a workspace, all with values. docs/settings.md says what each does. */
export interface Settings {
  /** IANA zone of the user's days; null means openclaw.json's, then the system's. */
  readonly timezone: string | null;
  /** How 03/04/2026 is meant. */
  readonly dateOrder: DateOrder;
  /** Folders that are read as `memory/topics/` is and never written: relative to the workspace, or absolute. */
  readonly extraFolders: readonly string[];
  /** Globs of paths that are not read. */
  readonly ignore: readonly string[];
  /** Whether `recall` also finds `resources/`. */
  readonly recallResources: boolean;
  /** Results of a `recall` without `--k`. */
  readonly recallLimit: number;
  /** How far back `retain` looks for near-duplicates, in days. */
  readonly nearDuplicateDays: number;
  /** Tokens of the window of the model that conversations are held with; null means what the host says, else 128,000. */
  readonly contextWindow: number | null;
  /** Pending tokens from which a session is due for a commit; null means half of the model's window. */
  readonly commitTokenThreshold: number | null;
  /** How many of the newest messages a `session commit` keeps. */
  readonly commitKeepRecentCount: number;
  /** Whether memories are saved before a conversation is compacted. */
  readonly enableMemoryFlush: boolean;
  /** How many tokens before the compaction they are saved. */
  readonly memoryFlushSoftTokens: number;
  /** Texts in the place of the flush's own; its safety rules stay. */
  readonly memoryFlush: { readonly systemPrompt: string | null; readonly prompt: string | null };
  /** Lessons of earlier tasks before a prompt. */
  readonly agentExperience: {
    readonly enabled: boolean;
    readonly recallLimit: number;
    /** 0..1, of a page's score. */
    readonly scoreThreshold: number;
    readonly maxInjectedChars: number;
    readonly minQueryChars: number;
    /** Whether pages of cases, tools and skills count, too. */
    readonly typedPages: boolean;
  };
  /** Other memories before a prompt; its time limit is that of both. */
  readonly autoRecall: {
    readonly enabled: boolean;
    readonly timeoutMs: number;
    readonly recallLimit: number;
    readonly scoreThreshold: number;
    readonly maxInjectedChars: number;
  };
  /** Sessions that get no memories, by their keys. */
  readonly bypassSessionPatterns: readonly string[];
  /** Whether a commit of a session extracts long-term memories from what it archives, when there is a model. */
  readonly extractOnCommit: boolean;
  /** How often a model may ask to see more before it extracts memories. */
  readonly extractRounds: number;
  /** Most characters of the core file. */
  readonly coreBudgetChars: number;
  /** Most lines of each section of an entity's page. */
  readonly pageLines: {
    readonly now: number;
    readonly lately: number;
    readonly preferences: number;
    readonly before: number;
    readonly seeAlso: number;
  };
  /** A page is made for whoever so many facts mention; one fact that is told of somebody is enough. */
  readonly pageMentions: number;
  /** What opens the links of the page of `view`: the browser, VS Code, or Obsidian. */
  readonly viewLinks: 'plain' | 'vscode' | 'obsidian';
  /** Address of the Ollama server; null means `$OLLAMA_HOST`, then this machine. */
  readonly ollamaHost: string | null;
  /** Null means openclaw.json's, then {@link DEFAULT_EMBED_MODEL}. */
  readonly embedModel: string | null;
  /** Null means {@link DEFAULT_CHAT_MODEL}, which nobody misses when it is away. */
  readonly chatModel: string | null;
  /** Context window of the chat model, in tokens; null means what it is loaded with, else what the memory allows. */
  readonly numCtx: number | null;
  /** Deadlines of a model server in ms; see `model/deadlines.ts`. */
  readonly modelConnectMs: number;
  readonly modelFirstTokenMs: number;
  readonly modelIdleMs: number;
  readonly modelTotalMs: number;
  /** How long a `recall` waits for the vector of its question, in ms. */
  readonly recallEmbedBudgetMs: number;
}

export const DEFAULT_EMBED_MODEL = 'embeddinggemma';
export const DEFAULT_CHAT_MODEL = 'qwen3:4b-instruct';

export const DEFAULT_SETTINGS: Settings = {
  timezone: null,
  dateOrder: 'auto',
  extraFolders: [],
  ignore: [],
  recallResources: false,
  recallLimit: 10,
  nearDuplicateDays: 30,
  contextWindow: null,
  commitTokenThreshold: null,
  commitKeepRecentCount: 10,
  enableMemoryFlush: true,
  memoryFlushSoftTokens: 4_000,
  memoryFlush: { systemPrompt: null, prompt: null },
  agentExperience: {
    enabled: false,
    recallLimit: 3,
    scoreThreshold: 0.35,
    maxInjectedChars: 6_000,
    minQueryChars: 12,
    typedPages: false,
  },
  autoRecall: { enabled: true, timeoutMs: 5_000, recallLimit: 6, scoreThreshold: 0.15, maxInjectedChars: 4_000 },
  bypassSessionPatterns: [],
  extractOnCommit: true,
  extractRounds: 3,
  coreBudgetChars: 12_000,
  pageLines: { now: 12, lately: 8, preferences: 10, before: 8, seeAlso: 12 },
  pageMentions: 2,
  viewLinks: 'plain',
  ollamaHost: null,
  embedModel: null,
  chatModel: null,
  numCtx: null,
  modelConnectMs: 2_000,
  modelFirstTokenMs: 600_000,
  modelIdleMs: 60_000,
  modelTotalMs: 1_800_000,
  recallEmbedBudgetMs: 1_500,
};

export const SETTINGS_FILE = 'memory.config.json5';
