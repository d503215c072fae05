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
export type ModelSettings = ReturnType<typeof modelSettings>;

/**
 * Our own settings, then `$OLLAMA_HOST`, then openclaw.json, then the defaults. Pure.
 * @param mayAsk whether the server that the settings of the workspace name may be asked
 */
export function modelSettings(
  settings: Settings,
  host: HostEnvironment,
  config: Pick<OpenClawConfig, 'ollama'> | undefined,
  mayAsk: (server: string) => boolean,
) {
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
    /** As it was given; undefined means this machine. */
    host: server ?? undefined,
    /** What said so, for messages. */
    hostFrom,
    /** The server that the workspace names, where it is not used because nobody has allowed it. */
    refusedHost: isRefused ? ollamaHost : undefined,
    chatModel: settings.chatModel ?? DEFAULT_CHAT_MODEL,
    /** Whether somebody has named it: then it is missed when it is away. */
    isChatModelNamed: settings.chatModel !== null,
    /** Its name at Ollama, or the name of its file. */
    embedModel: embedFile === undefined ? named : basename(embedFile),
    /** Where it is a file. */
    embedFile,
    /** Context window of the chat model, in tokens; null means as the server and its memory have it. */
    numCtx,
    folders,
  };
}
