import type { Result } from '../base/result.js';
import { openChatModel } from '../model/ask.js';
import type { Deadlines } from '../model/deadlines.js';
import { serverUrl } from '../model/host.js';
import type { ToolModel } from '../model/model.js';
import { OllamaServer } from '../model/ollama.js';
import type { ModelSettings } from '../workspace/model-settings.js';
import type { Settings } from '../workspace/settings.js';

/** What says which models are used, and where they run. */
export interface Configured {
  readonly settings: Settings;
  readonly models: ModelSettings;
}

const INFO_MS = 5_000;
const RETRY_AFTER_MS = 250;

export function serverOf({ settings, models }: Configured): OllamaServer {
  return new OllamaServer(serverUrl(models.host), deadlinesOf(settings));
}

/** The chat model that is set, when it is there. */
export async function chatModelOf(configured: Configured, signal?: AbortSignal): Promise<Result<ToolModel>> {
  const { chatModel: name, numCtx } = configured.models;
  return openChatModel({ server: serverOf(configured), name, numCtx }, signal);
}

function deadlinesOf(settings: Settings): Deadlines {
  return {
    connectMs: settings.modelConnectMs,
    firstMs: settings.modelFirstTokenMs,
    idleMs: settings.modelIdleMs,
    totalMs: settings.modelTotalMs,
    infoMs: INFO_MS,
    retryAfterMs: RETRY_AFTER_MS,
  };
}
