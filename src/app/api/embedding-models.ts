import type { ModelList, ModelTrial } from '../../upkeep/embedding-models.js';
import type { FileChange } from '../../workspace/changes.js';
import type { UseModelRequest } from '../requests.js';

export interface UsedModel {
  /** As it stands in the settings. */
  readonly embedModel: string;
  readonly changes: readonly FileChange[];
  /** What is missing before it answers. */
  readonly warnings: readonly string[];
}

/** The models of recall by meaning. */
export interface EmbeddingModels {
  /**
   * The models that are there: those of the server, and the files that were allowed. Loads none of them.
   * @throws MemoryError `interrupted`
   * @example
   * const { models } = await embeddingModels.list();
   * models.find(({ isSet }) => isSet)?.name; // => 'embeddinggemma'
   */
  list(): Promise<ModelList>;

  /**
   * Sets the embedding model: a name of the server's, or `file:` and a path from the root. That file is then allowed to be
   * opened, on this machine and as it is now.
   * @throws MemoryError `refused` for a file that is no embedding model, `model_unavailable`, `settings`, `interrupted`
   * @example
   * const { embedModel } = await embeddingModels.use({ model: 'embeddinggemma', dryRun: true });
   * embedModel; // => 'embeddinggemma'
   */
  use(request: UseModelRequest): Promise<UsedModel>;

  /**
   * What the embedding model that is set knows, and costs on this machine. Loads it.
   * @throws MemoryError `model_unavailable`, `interrupted`
   * @example
   * const { dimension } = await embeddingModels.test();
   * dimension; // => 768
   */
  test(): Promise<ModelTrial>;
}
