import { basename } from 'node:path';
import {
  expandHome,
  type HostEnvironment,
  type OpenClawConfig,
  type UserFolders,
  userFolders,
} from './openclaw-config.js';
import { DEFAULT_CHAT_MODEL, DEFAULT_EMBED_MODEL, type Settings } from './settings.js';

const FILE = /^file:/i;
/** Values of the setting `embedModel` that name no model of a server or file: the model of this program, or none at all. */
const OWN_CHOICES = ['built-in', 'none'] as const;
const FORCED_LEVELS = ['unused', 'extractive', 'free'] as const satisfies readonly Settings['chatLevel'][];

/**
 * The path of the file that the name of an embedding model means, with `~` expanded: `file:~/model.gguf`. Undefined if the
 * name means no file.
 */
export function modelFilePath(name: string, { home }: UserFolders): string | undefined {
  return FILE.test(name) ? expandHome(name.replace(FILE, ''), home) : undefined;
}

/** The choice that the name of an embedding model means if it is no model of a server or file. */
export function findOwnChoice(name: string): (typeof OWN_CHOICES)[number] | undefined {
  return OWN_CHOICES.find((choice) => choice === name);
}

/** The models that the settings name, and where they run. */
export interface ModelSettings {
  /** Address of the model server as the settings give it. Undefined means the server on this machine. */
  readonly host: string | undefined;
  /** Where `host` comes from, for messages. */
  readonly hostFrom: string;
  /** The server that the settings of the workspace name, if it is not used because no person has allowed it. */
  readonly refusedHost?: string | undefined;
  readonly chatModel: string;
  /** Whether the user named the chat model. A missing chat model is reported only if the user named it. */
  readonly isChatModelNamed: boolean;
  /** Name of the embedding model at Ollama, or name of its file. */
  readonly embedModel: string;
  /**
   * Which model compares meanings: one that the user named, the default model where it has vectors and else the built-in one,
   * always the built-in one, or none.
   */
  readonly meaning: 'named' | 'default' | (typeof OWN_CHOICES)[number];
  /** Path of the embedding model, if it is a file. */
  readonly embedFile?: string | undefined;
  /** Context window of the chat model in tokens. Null: as large as the server and its memory allow. */
  readonly numCtx: number | null;
  /** What the chat model may do: the setting, or `$OPENCLAW_CHAT_LEVEL`. */
  readonly chatLevel: Settings['chatLevel'];
  /** A time limit in ms for every wait for a model, of `$OPENCLAW_MODEL_WAIT_MS`. Undefined: the usual limits. */
  readonly waitMs: number | undefined;
  readonly folders: UserFolders;
}

/**
 * Chooses the models and their server. Our own settings come first, then `$OLLAMA_HOST`, then openclaw.json, then the
 * defaults. Pure.
 * @param mayAsk whether questions may be sent to the server that the settings of the workspace name
 */
export function chooseModelSettings(
  settings: Settings,
  host: HostEnvironment,
  config: Pick<OpenClawConfig, 'ollama'> | undefined,
  mayAsk: (server: string) => boolean,
): ModelSettings {
  const { numCtx, ollamaHost } = settings;
  const isRefused = ollamaHost !== null && !mayAsk(ollamaHost);
  const chosen = settings.embedModel ?? config?.ollama?.embedModel;
  const named = chosen ?? DEFAULT_EMBED_MODEL;
  const places = [
    [isRefused ? undefined : ollamaHost, 'the setting ollamaHost'],
    [host.env.OLLAMA_HOST, '$OLLAMA_HOST'],
    [config?.ollama?.host, 'openclaw.json'],
  ] as const;
  const [server, hostFrom] = places.find(([given]) => Boolean(given)) ?? [undefined, 'the default'];
  const folders = userFolders(host);
  const embedFile = modelFilePath(named, folders);
  return {
    host: server ?? undefined,
    hostFrom,
    refusedHost: isRefused ? ollamaHost : undefined,
    chatModel: settings.chatModel ?? DEFAULT_CHAT_MODEL,
    isChatModelNamed: settings.chatModel !== null,
    embedModel: embedFile === undefined ? named : basename(embedFile),
    meaning: chosen === undefined ? 'default' : (findOwnChoice(chosen) ?? 'named'),
    embedFile,
    numCtx,
    chatLevel: FORCED_LEVELS.find((level) => level === host.env.OPENCLAW_CHAT_LEVEL) ?? settings.chatLevel,
    waitMs: Number(host.env.OPENCLAW_MODEL_WAIT_MS) || undefined,
    folders,
  };
}
