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

/** The file that the name of an embedding model means, if it means one, with the home folder in place of `~`. */
export function modelFile(name: string, { home }: UserFolders): string | undefined {
  return FILE.test(name) ? expandHome(name.replace(FILE, ''), home) : undefined;
}

/** Which models are used, and where they run. */
export interface ModelSettings {
  /** As it was given; undefined means this machine. */
  readonly host: string | undefined;
  /** What said so, for messages. */
  readonly hostFrom: string;
  /** The server that the workspace names, where it is not used because nobody has allowed it. */
  readonly refusedHost?: string | undefined;
  readonly chatModel: string;
  /** Whether somebody has named it: then it is missed when it is away. */
  readonly isChatModelNamed: boolean;
  /** Its name at Ollama, or the name of its file. */
  readonly embedModel: string;
  /** Where it is a file. */
  readonly embedFile?: string | undefined;
  /** Context window of the chat model, in tokens; null means as the server and its memory have it. */
  readonly numCtx: number | null;
  readonly folders: UserFolders;
}

/**
 * Our own settings, then `$OLLAMA_HOST`, then openclaw.json, then the defaults. Pure.
 * @param isHostAllowed whether the server that the settings of the workspace name may be asked
 */
export function modelSettings(
  settings: Settings,
  host: HostEnvironment,
  config: Pick<OpenClawConfig, 'ollama'> | undefined,
  mayAsk: (server: string) => boolean,
): ModelSettings {
  const { numCtx, ollamaHost } = settings;
  const isRefused = ollamaHost !== null && !mayAsk(ollamaHost);
  const named = settings.embedModel ?? config?.ollama?.embedModel ?? DEFAULT_EMBED_MODEL;
  const places = [
    [isRefused ? undefined : ollamaHost, 'the setting ollamaHost'],
    [host.env.OLLAMA_HOST, '$OLLAMA_HOST'],
    [config?.ollama?.host, 'openclaw.json'],
  ] as const;
  const [server, hostFrom] = places.find(([given]) => Boolean(given)) ?? [undefined, 'the default'];
  const folders = userFolders(host);
  const embedFile = modelFile(named, folders);
  return {
    host: server ?? undefined,
    hostFrom,
    refusedHost: isRefused ? ollamaHost : undefined,
    chatModel: settings.chatModel ?? DEFAULT_CHAT_MODEL,
    isChatModelNamed: settings.chatModel !== null,
    embedModel: embedFile === undefined ? named : basename(embedFile),
    embedFile,
    numCtx,
    folders,
  };
}
