import type { Result } from '../base/result.js';
import { openChatModel } from '../model/ask.js';
import { deadlinesOf } from '../model/deadlines.js';
import { serverUrl } from '../model/host.js';
import type { ToolModel } from '../model/model.js';
import { OllamaServer, type PullProgress } from '../model/ollama.js';
import type { Finding } from '../upkeep/doctor/check.js';
import type { ModelsReport } from '../upkeep/models.js';
import type { ModelSettings } from '../workspace/model-settings.js';
import type { Settings } from '../workspace/settings.js';
import { embedderOf } from './embedding.js';

/** What says which models are used, and where they run. */
export interface Configured {
  readonly settings: Settings;
  readonly models: ModelSettings;
}

export function serverOf({ settings, models }: Configured): OllamaServer {
  return new OllamaServer(serverUrl(models.host), deadlinesOf(settings));
}

/** The chat model that is set, when it is there. */
export async function chatModelOf(configured: Configured, signal?: AbortSignal): Promise<Result<ToolModel>> {
  const { chatModel: name, numCtx } = configured.models;
  return openChatModel({ server: serverOf(configured), name, numCtx }, signal);
}

/** What the server and both models can do, tried out. */
export async function probe(configured: Configured, signal?: AbortSignal): Promise<ModelsReport> {
  const { probeModels } = await import('../upkeep/models.js');
  const { models } = configured;
  return probeModels({ models, server: serverOf(configured), embedder: embedderOf(configured), signal });
}

/** What is missing for the models, for `doctor`. */
export async function checkModels(configured: Configured, signal?: AbortSignal): Promise<readonly Finding[]> {
  const { modelChecks } = await import('../upkeep/models.js');
  return modelChecks({ models: configured.models, server: serverOf(configured), signal });
}

/** Fetches a model over the net, because a user asked for it. */
export async function pullModel(
  configured: Configured,
  name: string,
  onProgress: (progress: PullProgress) => void,
  signal?: AbortSignal,
): Promise<Result<void>> {
  return serverOf(configured).pull(name, onProgress, signal);
}
