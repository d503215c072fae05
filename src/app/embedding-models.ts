import { basename, join, relative, resolve, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { fail, valueOrThrow } from '../base/failure.js';
import { asRecord } from '../base/json.js';
import { readTypedRequest } from '../base/request.js';
import { deadlinesOf } from '../model/call.js';
import { openEmbedder, prefixScheme } from '../model/embed.js';
import { fileEmbedServer } from '../model/file/embed.js';
import { findEngine } from '../model/file/engine.js';
import { examineModelFile, recordAllowedModel } from '../model/file/model-file.js';
import type { FileChange } from '../workspace/changes.js';
import { editFile, readTextIfThere } from '../workspace/files.js';
import { chooseModelSettings, modelFilePath } from '../workspace/model-settings.js';
import { parseJson5 } from '../workspace/openclaw-config.js';
import { parseSettings } from '../workspace/read-settings.js';
import { checkSettings, DEFAULT_SETTINGS, SETTINGS_FILE } from '../workspace/settings.js';
import { embedderOf, type ModelConfig, serverOf } from './embedding.js';
import type { FoundWorkspace } from './find.js';
import { throwIfInterrupted } from './index-access.js';
import { embeddingProblem, explainEmbeddingFailure } from './models.js';
import { USE_MODEL_REQUEST, type UseModelRequest } from './requests.js';

interface UsedModel {
  /** As it stands in the settings. */
  readonly embedModel: string;
  readonly changes: readonly FileChange[];
  /** What is missing before it answers. */
  readonly warnings: readonly string[];
}

/** The models of recall by meaning. */
export class EmbeddingModels {
  constructor(
    private readonly configured: ModelConfig,
    private readonly place: { readonly root: string; readonly stateFolder: string },
    private readonly signal: AbortSignal | undefined,
  ) {}

  /**
   * The models that are there: those of the server, and the files that were allowed. Loads none of them.
   * @throws MemoryError `interrupted`
   * @example
   * const { models } = await embeddingModels.list();
   * models.find(({ isSet }) => isSet)?.name; // => 'embeddinggemma'
   */
  async list() {
    const { configured, place, signal } = this;
    const { listModels } = await import('../upkeep/models.js');
    const found = await listModels({ ...place, models: configured.models, server: serverOf(configured), signal });
    throwIfInterrupted(signal, 'the models were');
    return found;
  }

  /**
   * Sets the embedding model: a name of the server's, or `file:` and a path from the root. That file is then allowed to be
   * opened, on this machine and as it is now.
   * @throws MemoryError `refused` for a file that is no embedding model, `model_unavailable`, `settings`, `interrupted`
   * @example
   * const { embedModel } = await embeddingModels.use({ model: 'embeddinggemma', dryRun: true });
   * embedModel; // => 'embeddinggemma'
   */
  async use(given: UseModelRequest): Promise<UsedModel> {
    const { model, dryRun = false } = readTypedRequest('use', USE_MODEL_REQUEST, given);
    checkSettings({ embedModel: model });
    const path = modelFilePath(model, this.configured.models.folders);
    const { embedModel, problem } =
      path === undefined
        ? { embedModel: model, problem: await embeddingProblem(this.configured, model, this.signal) }
        : await useFile(this.configured, path, dryRun, this.signal);
    const warnings = problem === undefined ? [] : [`${problem.message} (${problem.hint})`];
    return { embedModel, warnings, changes: [await writeSetting(this.place.root, 'embedModel', embedModel, dryRun)] };
  }

  /**
   * What the embedding model that is set knows, and costs on this machine. Loads it.
   * @throws MemoryError `model_unavailable`, `interrupted`
   * @example
   * const { dimension } = await embeddingModels.test();
   * dimension; // => 768
   */
  async test() {
    const { tryModel } = await import('../upkeep/models.js');
    try {
      return await tryModel(embedderOf(this.configured), this.signal);
    } catch (error) {
      throw await explainEmbeddingFailure(error, this.configured, this.signal);
    }
  }
}

/** The models as they are where no workspace has settings: what there is, and what it knows, needs none. */
export function openDefaultEmbeddingModels({ host, located: { root }, config }: FoundWorkspace, signal?: AbortSignal) {
  const settings = DEFAULT_SETTINGS;
  const models = chooseModelSettings(settings, host, config, () => false);
  return new EmbeddingModels({ settings, models }, { root, stateFolder: join(root, '.memory') }, signal);
}

/** The file is looked at first, and tried where there is an engine; then it may be opened, as it is now. */
async function useFile(
  { settings, models: { folders } }: ModelConfig,
  path: string,
  dryRun: boolean,
  signal?: AbortSignal,
) {
  const known = await examineModelFile(path, signal);
  const engine = findEngine(folders.data);
  if (engine.ok) {
    const server = fileEmbedServer(path, folders, deadlinesOf(settings), known);
    const name = basename(path);
    valueOrThrow(await openEmbedder(server, name, prefixScheme(name, known)).identify(signal));
  }
  if (!dryRun) recordAllowedModel(folders.config, known);
  const below = relative(folders.home, path);
  const isBelow = !below.startsWith('..') && resolve(folders.home, below) === path;
  const embedModel = `file:${isBelow ? `~/${below.split(sep).join('/')}` : path}`;
  return { embedModel, problem: engine.ok ? undefined : engine.error };
}

/**
 * Sets one setting to a text, and leaves every other character of the file as a person wrote it.
 * @returns the change, made unless it is only shown
 * @throws MemoryError `settings` when the file can't be read, or none of its places takes it
 */
async function writeSetting(root: string, key: string, value: string, dryRun = false): Promise<FileChange> {
  const path = join(root, SETTINGS_FILE);
  const before = readTextIfThere(path) ?? null;
  const after = before === null ? `{\n  ${key}: ${JSON.stringify(value)},\n}\n` : await edited(before, key, value);
  if (!dryRun && after !== before)
    editFile(path, (current) => {
      if ((current?.toString('utf8') ?? null) === before) return after;
      return fail('conflict', `another program changed ${SETTINGS_FILE} during this command`, 'run the command again');
    });
  return { path: SETTINGS_FILE, before, after };
}

/** Where the key or a brace seems to stand may be a comment: the first place counts that makes what is wanted. */
async function edited(before: string, key: string, value: string): Promise<string> {
  const { text, value: found } = await parseSettings(before);
  const old = asRecord(found);
  const wanted = { ...old, [key]: value };
  if (isDeepStrictEqual(old, wanted)) return before;
  const said = JSON.stringify(value);
  const texts = `"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*'|null`;
  const places = new RegExp(`((["']?)\\b${key}\\2\\s*:\\s*)(?:${texts})|\\{`, 'g');
  for (const { 0: there, 1: label, index } of text.matchAll(places)) {
    const put = label === undefined ? `{\n  "${key}": ${said},` : label + said;
    const made = text.slice(0, index) + put + text.slice(index + there.length);
    if (isDeepStrictEqual(await parseJson5(made).catch(() => undefined), wanted)) return made;
  }
  return fail('settings', `${SETTINGS_FILE} could not be changed`, `write this line into it yourself: ${key}: ${said}`);
}
