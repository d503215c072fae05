import { toFailure } from '../base/failure.js';
import { type Database, fileOfError, isCorruptError } from '../db/open.js';
import { addVectorFunctions } from '../db/vector-functions.js';
import { renameDamagedVectors } from '../index/heal.js';
import type { IndexSearch } from '../index/search.js';
import { readStoredModels } from '../index/vectors/models.js';
import { VectorSearch } from '../index/vectors/nearest.js';
import { openVectors } from '../index/vectors/open.js';
import { type VectorOverview, vectorOverview } from '../index/vectors/overview.js';
import { SimilarityTest } from '../index/vectors/similarity-test.js';
import type { FactSimilarityTest } from '../memory/threads/threads.js';
import { deadlinesOf } from '../model/call.js';
import { openEmbedder, prefixScheme } from '../model/embed.js';
import { fileEmbedServer } from '../model/file/embed.js';
import { findAllowedModel } from '../model/file/model-file.js';
import type { Embedder } from '../model/model.js';
import { OllamaServer, serverUrl } from '../model/ollama.js';
import type { RecallMode } from '../query/request.js';
import { openSemantic, type SemanticSource } from '../query/semantic.js';
import type { OpenVectorSearch } from '../reflect/reflect.js';
import type { WorkspaceParts } from './open.js';

/** The settings that say which models are used, and where they run. */
export type ModelConfig = Pick<WorkspaceParts, 'settings' | 'models'>;

/** The model server in the settings. Sends no request yet. */
export function serverOf({ models }: ModelConfig): OllamaServer {
  return new OllamaServer(serverUrl(models.host), deadlinesOf(models));
}

/** The embedding model in the settings. Sends no request yet. */
export function embedderOf(configured: ModelConfig): Embedder {
  const { embedModel, embedFile, folders } = configured.models;
  if (embedFile === undefined) return openEmbedder(serverOf(configured), embedModel);
  const server = fileEmbedServer(embedFile, folders, deadlinesOf(configured.models));
  return openEmbedder(server, embedModel, prefixScheme(embedModel, findAllowedModel(folders.config, embedFile)));
}

/** The vectors of the model that is set, as they are; nobody is asked. Undefined when there are none to use. */
export function openStoredVectors(parts: WorkspaceParts): OpenVectorSearch | undefined {
  let db: Database | undefined;
  try {
    const opened = openVectors(parts.context.stateFolder);
    if (opened.state !== 'ready') return undefined;
    db = opened.db;
    const { name, scheme } = embedderOf(parts);
    const model = readStoredModels(db).find((stored) => stored.name === name && stored.scheme === scheme);
    if (model !== undefined && addVectorFunctions(db) === undefined) {
      const vectors = db;
      return { search: new VectorSearch(vectors, model), close: () => void vectors.close() };
    }
  } catch {
    // Whatever is wrong with the vectors, words still find candidates.
  }
  db?.close();
  return undefined;
}

/** Gives which facts mean much the same, by {@link openStoredVectors}; undefined where there are none to use. */
export function runWithSimilarityTest<T>(
  parts: WorkspaceParts,
  search: IndexSearch,
  work: (alike: FactSimilarityTest | undefined) => T,
): T {
  const vectors = openStoredVectors(parts);
  try {
    return work(vectors && new SimilarityTest(vectors.search, search).alike);
  } finally {
    vectors?.close();
  }
}

/** How many vectors there are of the model that is set. */
export function vectorOverviewOf(parts: WorkspaceParts, search: IndexSearch): VectorOverview | null {
  const { context, settings } = parts;
  return vectorOverview(context.stateFolder, embedderOf(parts), search, settings.recallResources) ?? null;
}

/** What an answer by meaning needs, or why there is none; `auto` where none were made for the model has nothing to say. */
export function openConfiguredSemanticSource(
  parts: WorkspaceParts,
  mode: RecallMode,
): { readonly source?: SemanticSource; readonly warnings: readonly string[] } {
  const { stateFolder, signal } = parts.context;
  try {
    const budgetMs = parts.settings.recallEmbedBudgetMs;
    const chances = parts.shared?.chances;
    const opened = openSemantic({ stateFolder, embedder: embedderOf(parts), budgetMs, signal, chances });
    if (opened.ok) return { source: opened.value, warnings: [] };
    const { type, message, hint } = opened.error;
    const isExpected = mode === 'auto' && type === 'model_unavailable';
    return { warnings: isExpected ? [] : [`searched by words only: ${message} (${hint})`] };
  } catch (error) {
    // Whatever is wrong with the vectors, words still answer.
    if (isCorruptError(error)) return { warnings: [renameDamagedVectors(stateFolder, fileOfError(error)?.inode)] };
    return { warnings: [`searched by words only: ${toFailure(error).message}`] };
  }
}
