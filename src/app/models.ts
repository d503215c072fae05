import { MemoryError, type Result, valueOrThrow } from '../base/failure.js';
import type { ToolModel } from '../model/model.js';
import type { PullProgress } from '../model/ollama.js';
import { modelNameWithTag } from '../model/ollama.js';
import { openChatModel } from '../model/open-chat.js';
import type { Finding } from '../upkeep/doctor.js';
import type { ModelsReport } from '../upkeep/models.js';
import { embedderOf, type ModelConfig, serverOf } from './embedding.js';
import { throwIfInterrupted } from './index-access.js';

/** The chat model that is set, when it is there. */
export async function chatModelOf(configured: ModelConfig, signal?: AbortSignal): Promise<Result<ToolModel>> {
  const { chatModel: name, numCtx } = configured.models;
  return openChatModel(serverOf(configured), name, numCtx, signal);
}

/** What the server and both models can do, tried out. */
export async function probeConfiguredModels(configured: ModelConfig, signal?: AbortSignal): Promise<ModelsReport> {
  const { probeModels } = await import('../upkeep/models.js');
  const { models } = configured;
  const report = await probeModels({ models, server: serverOf(configured), embedder: embedderOf(configured), signal });
  throwIfInterrupted(signal, 'the models were');
  return report;
}

/** The same failure of the embedding model, where it could be another one that is there with a hint that names it. */
export async function explainEmbeddingFailure(
  error: unknown,
  configured: ModelConfig,
  signal?: AbortSignal,
): Promise<unknown> {
  if (!(error instanceof MemoryError) || error.failure.type !== 'model_unavailable') return error;
  const { embedFile, embedModel } = configured.models;
  const problem = embedFile === undefined ? await embeddingProblem(configured, embedModel, signal) : undefined;
  return problem === undefined ? error : new MemoryError(problem);
}

/** Why a model of the server can't be used to embed, with a hint that names another where there is one. */
export async function embeddingProblem(configured: ModelConfig, model: string, signal?: AbortSignal) {
  const { checkModelFitness } = await import('../upkeep/models.js');
  return (await checkModelFitness(serverOf(configured), model, 'embedModel', signal)).problem;
}

/** What is missing for the models, for `doctor`. */
export async function checkModels(
  configured: ModelConfig,
  stateFolder: string | undefined,
  signal?: AbortSignal,
): Promise<readonly Finding[]> {
  const { findModelProblems, findUnknownLanguages } = await import('../upkeep/models.js');
  const findings = await findModelProblems({ models: configured.models, server: serverOf(configured), signal });
  throwIfInterrupted(signal, 'the models were');
  return stateFolder === undefined
    ? findings
    : [...findings, ...findUnknownLanguages(stateFolder, embedderOf(configured))];
}

/**
 * Fetches the models that are set and not there over the net, because a user asked for it.
 * @throws MemoryError `model_unavailable`, `interrupted`
 */
export async function pullMissingModels(
  configured: ModelConfig,
  onProgress: (model: string, progress: PullProgress) => void = () => {},
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const server = serverOf(configured);
  const installed = valueOrThrow(await server.installed(signal));
  const { chatModel, embedModel, embedFile } = configured.models;
  const needed = embedFile === undefined ? [chatModel, embedModel] : [chatModel];
  const missing = needed.filter((name) => !installed.includes(modelNameWithTag(name)));
  for (const name of missing) valueOrThrow(await server.pull(name, (progress) => onProgress(name, progress), signal));
  return missing;
}
