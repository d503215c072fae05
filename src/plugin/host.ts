/**
 * The API of the host OpenClaw that we use (tried with 2026.9.6). The host calls all of it experimental, so everything that
 * another version may lack is optional. No other file depends on the host's format.
 */
export interface HostApi {
  readonly registrationMode?: string;
  readonly pluginConfig?: unknown;
  readonly config?: unknown;
  readonly runtime?: {
    readonly agent?: { readonly resolveAgentWorkspaceDir?: (config: unknown, agentId: string) => string | undefined };
  };
  readonly logger?: { readonly warn?: (message: string) => void };
  readonly registerTool?: (tool: (context: HostContext) => HostTool | null, options: { readonly name: string }) => void;
  readonly registerMemoryCorpusSupplement?: (corpus: HostCorpus) => void;
  readonly registerMemoryPromptSupplement?: (build: (context: HostContext) => readonly string[]) => void;
  readonly on?: (
    hook: string,
    handler: (event: HostEvent, context: HostContext) => Promise<object | undefined>,
    options?: { readonly timeoutMs?: number },
  ) => void;
}

/** The agent, session and folder that the current turn belongs to. */
export interface HostContext {
  readonly workspaceDir?: string | undefined;
  readonly agentId?: string;
  readonly sessionKey?: string;
  /** The same as `sessionKey`. The host uses this name for it when it calls the memory. */
  readonly agentSessionKey?: string;
  readonly sessionId?: string;
  /** The event that started the turn: `user`, `heartbeat`, `cron` or `memory`. */
  readonly trigger?: string;
  readonly sandboxed?: boolean;
}

export interface HostEvent {
  readonly prompt?: string;
  readonly messages?: readonly unknown[];
  /** The reason why a session ends: `new`, `reset`, `shutdown`, … */
  readonly reason?: string;
}

export interface HostTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: object;
  /** If true, the host puts the tool into every request. Without this, the model must first search for the tool. */
  readonly catalogMode: 'direct-only';
  readonly execute: (id: string, given: unknown, signal?: AbortSignal) => Promise<HostToolResult>;
}

interface HostToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly details: object;
}

export interface HostCorpus {
  readonly search: (asked: HostContext & { readonly query: string; readonly maxResults?: number }) => Promise<object[]>;
  readonly get: (
    asked: HostContext & { readonly lookup: string; readonly fromLine?: number; readonly lineCount?: number },
  ) => Promise<object | null>;
}

/** A page of the host's stored transcript of a session. */
interface TranscriptPage {
  readonly events: readonly { readonly event?: unknown }[];
  readonly cursor?: unknown;
  readonly hasMore?: boolean;
}

const TRANSCRIPTS: string = 'openclaw/plugin-sdk/session-transcript-runtime';
const MOST_PAGES = 500;

/** The records of a session's transcript, or undefined if the host has no such function. */
export async function readHostTranscript(context: HostContext): Promise<readonly unknown[] | undefined> {
  const { agentId, sessionKey, sessionId } = context;
  try {
    const sdk: unknown = await import(TRANSCRIPTS);
    if (!hasReader(sdk)) return undefined;
    const records: unknown[] = [];
    let cursor: unknown;
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const page = await sdk.readSessionTranscriptRawDelta({ agentId, sessionKey, sessionId, cursor });
      for (const { event } of page.events ?? []) records.push(event);
      if (page.hasMore !== true) break;
      cursor = page.cursor;
    }
    return records;
  } catch {
    // The host calls this module private: another version may not have it.
    return undefined;
  }
}

interface Reader {
  readonly readSessionTranscriptRawDelta: (asked: object) => Promise<TranscriptPage>;
}

function hasReader(sdk: unknown): sdk is Reader {
  return typeof sdk === 'object' && sdk !== null && 'readSessionTranscriptRawDelta' in sdk;
}
