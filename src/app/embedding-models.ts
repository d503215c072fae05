import { basename, relative, resolve, sep } from 'node:path';
import { checkRequest } from '../base/request.js';
import { orThrow } from '../base/result.js';
import { deadlinesOf } from '../model/deadlines.js';
import { openEmbedder, prefixScheme } from '../model/embed.js';
import { keepModel } from '../model/file/allowed-models.js';
import { examineModel } from '../model/file/check.js';
import { fileEmbedServer } from '../model/file/embed.js';
import { findEngine } from '../model/file/engine.js';
import { modelFile } from '../workspace/model-settings.js';
import type { EmbeddingModels } from './api/embedding-models.js';
import { embedderOf } from './embedding.js';
import { type Configured, embeddingFailure, embeddingProblem, endIfInterrupted, serverOf } from './models.js';
import { USE_MODEL, type UseModelRequest } from './requests.js';
import { writeSetting } from './write-setting.js';

/** The embedding models of a workspace. */
export class LocalEmbeddingModels implements EmbeddingModels {
  constructor(
    private readonly configured: Configured,
    private readonly place: { readonly root: string; readonly stateFolder: string },
    private readonly signal: AbortSignal | undefined,
  ) {}

  async list() {
    const { configured, place, signal } = this;
    const { listModels } = await import('../upkeep/embedding-models.js');
    const found = await listModels({ ...place, models: configured.models, server: serverOf(configured), signal });
    endIfInterrupted(signal);
    return found;
  }

  async use(request: UseModelRequest) {
    checkRequest('use', USE_MODEL, request);
    const { model, dryRun = false } = request;
    const path = modelFile(model, this.configured.models.folders);
    const { embedModel, problem } =
      path === undefined
        ? { embedModel: model, problem: await embeddingProblem(this.configured, model, this.signal) }
        : await useFile(this.configured, path, dryRun, this.signal);
    const warnings = problem === undefined ? [] : [`${problem.message} (${problem.hint})`];
    return { embedModel, warnings, changes: [await writeSetting(this.place.root, 'embedModel', embedModel, dryRun)] };
  }

  async test() {
    const { tryModel } = await import('../upkeep/embedding-models.js');
    try {
      return await tryModel(embedderOf(this.configured), this.signal);
    } catch (error) {
      throw await embeddingFailure(error, this.configured, this.signal);
    }
  }
}

/** The file is looked at first, and tried where there is an engine; then it may be opened, as it is now. */
async function useFile(
  { settings, models: { folders } }: Configured,
  path: string,
  dryRun: boolean,
  signal?: AbortSignal,
) {
  const known = await examineModel(path, signal);
  const engine = findEngine(folders.data);
  if (engine.ok) {
    const server = fileEmbedServer(path, folders, deadlinesOf(settings), known);
    const name = basename(path);
    orThrow(await openEmbedder(server, name, prefixScheme(name, known)).identify(signal));
  }
  if (!dryRun) keepModel(folders.config, known);
  const below = relative(folders.home, path);
  const isBelow = !below.startsWith('..') && resolve(folders.home, below) === path;
  const embedModel = `file:${isBelow ? `~/${below.split(sep).join('/')}` : path}`;
  return { embedModel, problem: engine.ok ? undefined : engine.error };
}
