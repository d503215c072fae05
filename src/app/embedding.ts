import { toFailure, valueOrThrow } from '../base/failure.js';
import { fileOfError } from '../db/naming.js';
import { type Database, isCorruptError } from '../db/open.js';
import { addVectorFunctions } from '../db/vector-functions.js';
import type { IndexContext } from '../index/fresh.js';
import { renameDamagedVectors, withIndexRepair } from '../index/heal.js';
import type { IndexSearch } from '../index/search.js';
import { type FillContext, type FillReport, fillVectors } from '../index/vectors/fill.js';
import { readStoredModels } from '../index/vectors/models.js';
import { VectorSearch } from '../index/vectors/nearest.js';
import { openVectors } from '../index/vectors/open.js';
import { type VectorOverview, vectorOverview } from '../index/vectors/overview.js';
import { hasVectors } from '../index/vectors/path.js';
import { SimilarityTest } from '../index/vectors/similarity-test.js';
import type { FactSimilarityTest } from '../memory/threads/threads.js';
import { deadlinesOf } from '../model/call.js';
import { openEmbedder, prefixScheme } from '../model/embed.js';
import { fileEmbedServer } from '../model/file/embed.js';
import { findAllowedModel } from '../model/file/model-file.js';
import type { Embedder } from '../model/model.js';
import { OllamaServer, serverUrl } from '../model/ollama.js';
import type { RecallMode } from '../recall/request.js';
import { openSemantic, type SemanticOptions, type SemanticSource } from '../recall/semantic.js';
import type { OpenVectorSearch } from '../reflect/reflect.js';
import type { ModelSettings } from '../workspace/model-settings.js';
import type { Settings } from '../workspace/settings.js';

/** What says which embedding model is used, and where it runs. */
export interface ModelConfig {
  readonly settings: Settings;
  readonly models: ModelSettings;
}

/** The server that is set. Asks nobody yet. */
export function serverOf({ settings, models }: ModelConfig): OllamaServer {
  return new OllamaServer(serverUrl(models.host), deadlinesOf(settings));
}

/** The embedding model that is set. Asks nobody yet. */
export function embedderOf(configured: ModelConfig): Embedder {
  const { embedModel, embedFile, folders } = configured.models;
  if (embedFile === undefined) return openEmbedder(serverOf(configured), embedModel);
  const server = fileEmbedServer(embedFile, folders, deadlinesOf(configured.settings));
  return openEmbedder(server, embedModel, prefixScheme(embedModel, findAllowedModel(folders.config, embedFile)));
}

/**
 * Makes the vectors that are missing.
 * @throws MemoryError `model_unavailable`, `busy`, `interrupted`
 */
export async function fillMissingVectors(
  context: Omit<FillContext, 'withResources'>,
  configured: ModelConfig,
): Promise<FillReport> {
  const withResources = configured.settings.recallResources;
  return valueOrThrow(await fillVectors({ ...context, withResources }, embedderOf(configured)));
}

/**
 * The same for texts as they are indexed, without looking for changed files: `watch` does that, and tells of them.
 * Nothing where no vectors are wanted. Returns how many it made.
 * @throws MemoryError as {@link fillMissingVectors}
 */
export async function fillVectorsOfIndexedTexts(
  context: IndexContext & Pick<FillContext, 'notices'>,
  configured: ModelConfig,
): Promise<number> {
  const [{ openIndex }, { IndexSearch }] = await Promise.all([
    import('../index/open.js'),
    import('../index/search.js'),
  ]);
  return withIndexRepair(context, async () => {
    const opened = hasVectors(context.stateFolder) ? openIndex(context.stateFolder) : undefined;
    if (opened?.state !== 'ready') return 0;
    try {
      const search = new IndexSearch([{ db: opened.db, masked: new Set() }]);
      return (await fillMissingVectors({ ...context, search }, configured)).embedded;
    } finally {
      opened.db.close();
    }
  });
}

/** The vectors of the model that is set, as they are; nobody is asked. Undefined when there are none to use. */
export function openStoredVectors(stateFolder: string, configured: ModelConfig): OpenVectorSearch | undefined {
  let db: Database | undefined;
  try {
    const opened = openVectors(stateFolder);
    if (opened.state !== 'ready') return undefined;
    db = opened.db;
    const { name, scheme } = embedderOf(configured);
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
  stateFolder: string,
  configured: ModelConfig,
  search: IndexSearch,
  work: (alike: FactSimilarityTest | undefined) => T,
): T {
  const vectors = openStoredVectors(stateFolder, configured);
  try {
    return work(vectors && new SimilarityTest(vectors.search, search).alike);
  } finally {
    vectors?.close();
  }
}

/** How many vectors there are of the model that is set. */
export function vectorOverviewOf(
  stateFolder: string,
  search: IndexSearch,
  configured: ModelConfig,
): VectorOverview | null {
  const { settings } = configured;
  return vectorOverview(stateFolder, embedderOf(configured), search, settings.recallResources) ?? null;
}

/** What an answer by meaning needs, or why there is none; `auto` where none were made for the model has nothing to say. */
export function openConfiguredSemanticSource(
  stateFolder: string,
  configured: ModelConfig,
  mode: RecallMode,
  asking: Pick<SemanticOptions, 'signal' | 'chances'>,
): { readonly source?: SemanticSource; readonly warnings: readonly string[] } {
  try {
    const budgetMs = configured.settings.recallEmbedBudgetMs;
    const opened = openSemantic({ stateFolder, embedder: embedderOf(configured), budgetMs, ...asking });
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
