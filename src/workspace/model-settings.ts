import type { OpenClawConfig } from './openclaw-config.js';
import { DEFAULT_EMBED_MODEL, type Settings } from './settings.js';

/** Which models are used, and where they run. */
export interface ModelSettings {
  /** As it was given; undefined means this machine. */
  readonly host: string | undefined;
  /** What said so, for messages. */
  readonly hostFrom: string;
  readonly chatModel: string;
  readonly embedModel: string;
  /** Context window of the chat model, in tokens. */
  readonly numCtx: number;
}

/** Our own settings, then `$OLLAMA_HOST`, then openclaw.json, then the defaults. Pure. */
export function modelSettings(
  settings: Settings,
  env: NodeJS.ProcessEnv,
  config: Pick<OpenClawConfig, 'ollama'> | undefined,
): ModelSettings {
  const { chatModel, numCtx } = settings;
  const embedModel = settings.embedModel ?? config?.ollama?.embedModel ?? DEFAULT_EMBED_MODEL;
  const places = [
    [settings.ollamaHost, 'the setting ollamaHost'],
    [env.OLLAMA_HOST, '$OLLAMA_HOST'],
    [config?.ollama?.host, 'openclaw.json'],
  ] as const;
  const [host, hostFrom] = places.find(([given]) => Boolean(given)) ?? [undefined, 'the default'];
  return { host: host ?? undefined, hostFrom, chatModel, embedModel, numCtx };
}
