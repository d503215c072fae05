import type { OpenClawConfig } from './openclaw-config.js';
import { DEFAULT_CHAT_MODEL, DEFAULT_EMBED_MODEL, type Settings } from './settings.js';

/** Which models are used, and where they run. */
export interface ModelSettings {
  /** As it was given; undefined means this machine. */
  readonly host: string | undefined;
  /** What said so, for messages. */
  readonly hostFrom: string;
  /** The server that the workspace names, where it is not used because nobody has allowed it. */
  readonly refusedHost?: string;
  readonly chatModel: string;
  /** Whether somebody has named it: then it is missed when it is away. */
  readonly isChatModelNamed: boolean;
  readonly embedModel: string;
  /** Context window of the chat model, in tokens. */
  readonly numCtx: number;
}

/**
 * Our own settings, then `$OLLAMA_HOST`, then openclaw.json, then the defaults. Pure.
 * @param mayAsk whether the server that the settings of the workspace name may be asked
 */
export function modelSettings(
  settings: Settings,
  env: NodeJS.ProcessEnv,
  config: Pick<OpenClawConfig, 'ollama'> | undefined,
  mayAsk: (server: string) => boolean,
): ModelSettings {
  const { numCtx, ollamaHost } = settings;
  const chatModel = settings.chatModel ?? DEFAULT_CHAT_MODEL;
  const isChatModelNamed = settings.chatModel !== null;
  const isRefused = ollamaHost !== null && !mayAsk(ollamaHost);
  const embedModel = settings.embedModel ?? config?.ollama?.embedModel ?? DEFAULT_EMBED_MODEL;
  const places = [
    [isRefused ? undefined : ollamaHost, 'the setting ollamaHost'],
    [env.OLLAMA_HOST, '$OLLAMA_HOST'],
    [config?.ollama?.host, 'openclaw.json'],
  ] as const;
  const [host, hostFrom] = places.find(([given]) => Boolean(given)) ?? [undefined, 'the default'];
  const refused = isRefused ? { refusedHost: ollamaHost } : {};
  return { host: host ?? undefined, hostFrom, ...refused, chatModel, isChatModelNamed, embedModel, numCtx };
}
