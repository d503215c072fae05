import { basename, join, relative, resolve, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { fail, MemoryError, valueOrThrow } from '../base/failure.js';
import { asRecord } from '../base/json.js';
import { readTypedRequest } from '../base/request.js';
import { withIndexRepair } from '../index/heal.js';
import { openIndex } from '../index/open.js';
import { IndexSearch } from '../index/search.js';
import type { Notice } from '../index/tree.js';
import { type FillReport, fillVectors } from '../index/vectors/fill.js';
import { hasVectors } from '../index/vectors/path.js';
import { deadlinesOf } from '../model/call.js';
import { openEmbedder, prefixScheme } from '../model/embed.js';
import { fileEmbedServer } from '../model/file/embed.js';
import { findEngine } from '../model/file/engine.js';
import { examineModelFile, recordAllowedModel } from '../model/file/model-file.js';
import type { PullProgress } from '../model/ollama.js';
import { modelNameWithTag } from '../model/ollama.js';
import { builtInModel } from '../model/word-vectors.js';
import type { Finding } from '../upkeep/doctor.js';
import type { ModelsReport } from '../upkeep/models.js';
import type { FileChange } from '../workspace/changes.js';
import { editFile, readTextIfThere } from '../workspace/files.js';
import { chooseModelSettings, findOwnChoice, modelFilePath } from '../workspace/model-settings.js';
import { parseJson5 } from '../workspace/openclaw-config.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { parseSettings } from '../workspace/read-settings.js';
import { checkSettings, DEFAULT_SETTINGS, SETTINGS_FILE } from '../workspace/settings.js';
import { indexContext, throwIfInterrupted, withIndex } from './asking.js';
import { embedderOf, type ModelConfig, serverOf } from './embedding.js';
import type { FoundWorkspace, WorkspaceParts } from './open.js';
import { type ProgressOptions, USE_MODEL_REQUEST, type UseModelRequest } from './requests.js';

/** The models, and the workspace that they are used for. */
export interface ModelParts extends ModelConfig {
  readonly context: Pick<WorkspaceContext, 'root' | 'stateFolder' | 'signal' | 'onProgress'>;
}

/** What the server and both models can do, tried out. */
export async function probeConfiguredModels(parts: ModelParts): Promise<ModelsReport> {
  const { probeModels } = await import('../upkeep/models.js');
  const { signal } = parts.context;
  const { models } = parts;
  const report = await probeModels({ models, server: serverOf(parts), embedder: embedderOf(parts), signal });
  throwIfInterrupted(signal, 'the models were');
  return report;
}

/** The same failure of the embedding model, where it could be another one that is there with a hint that names it. */
async function explainEmbeddingFailure(error: unknown, parts: ModelParts): Promise<unknown> {
  if (!(error instanceof MemoryError) || error.failure.type !== 'model_unavailable') return error;
  const { embedFile, embedModel } = parts.models;
  const problem = embedFile === undefined ? await embeddingProblem(parts, embedModel) : undefined;
  return problem === undefined ? error : new MemoryError(problem);
}

/** Why a model of the server can't be used to embed, with a hint that names another where there is one. */
async function embeddingProblem(parts: ModelParts, model: string) {
  const { checkModelFitness } = await import('../upkeep/models.js');
  return (await checkModelFitness(serverOf(parts), model, 'embedModel', parts.context.signal)).problem;
}

/**
 * Makes the vectors that are missing.
 * @throws MemoryError `model_unavailable`, `busy`, `interrupted`
 */
export async function fillMissingVectors(parts: WorkspaceParts, retryRefused = false): Promise<FillReport> {
  try {
    return await withIndex(parts, 'index', async ({ search }, { tree, warnings }) => {
      const report = await fill(parts, search, tree.notices, retryRefused);
      return { ...report, warnings: [...warnings, ...report.warnings] };
    });
  } catch (error) {
    throw await explainEmbeddingFailure(error, parts);
  }
}

async function fill(
  parts: WorkspaceParts,
  search: IndexSearch,
  notices: readonly Notice[],
  retryRefused = false,
): Promise<FillReport> {
  const { recallResources: withResources } = parts.settings;
  const texts = { ...parts.context, search, notices, withResources, retryRefused };
  return valueOrThrow(await fillVectors(texts, embedderOf(parts)));
}

/**
 * The same for texts as they are indexed, without looking for changed files: `watch` does that, and tells of them.
 * Nothing where no vectors are wanted. Returns how many it made.
 * @throws MemoryError as {@link fillMissingVectors}
 */
export async function fillVectorsOfIndexedTexts(parts: WorkspaceParts, notices: readonly Notice[]): Promise<number> {
  const { stateFolder } = parts.context;
  return withIndexRepair(indexContext(parts, 'watch'), async () => {
    const opened = hasVectors(stateFolder) ? openIndex(stateFolder) : undefined;
    if (opened?.state !== 'ready') return 0;
    try {
      return (await fill(parts, new IndexSearch([{ db: opened.db, masked: new Set() }]), notices)).embedded;
    } finally {
      opened.db.close();
    }
  });
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
    : [
        ...findings,
        meaningFinding(configured, stateFolder),
        ...findUnknownLanguages(stateFolder, embedderOf(configured)),
      ];
}

/** Which model finds lines in other words than those of the question. */
function meaningFinding({ models: { meaning, embedModel } }: ModelConfig, stateFolder: string): Finding {
  const say = (message: string): Finding => ({ check: 'meaning', state: 'ok', message });
  if (meaning === 'none') return say('off: the setting embedModel is "none"');
  if (meaning === 'named' || (meaning === 'default' && hasVectors(stateFolder)))
    return say(`by ${embedModel}, where its vectors were made`);
  if (builtInModel() !== undefined) return say('by the model that comes with this program');
  const message = 'the model that comes with this program is missing or damaged; lines are found by words only';
  return { check: 'meaning', state: 'warning', message, hint: 'install openclaw-memory again' };
}

/**
 * Fetches the models that are set and not there over the net, because a user asked for it.
 * @throws MemoryError `model_unavailable`, `interrupted`
 */
export async function pullMissingModels(
  parts: ModelParts,
  onProgress: (model: string, progress: PullProgress) => void = () => {},
): Promise<readonly string[]> {
  const { signal } = parts.context;
  const server = serverOf(parts);
  const installed = valueOrThrow(await server.installed(signal));
  const { chatModel, embedModel, embedFile } = parts.models;
  const needed = embedFile === undefined ? [chatModel, embedModel] : [chatModel];
  const missing = needed.filter((name) => !installed.includes(modelNameWithTag(name)));
  for (const name of missing) valueOrThrow(await server.pull(name, (progress) => onProgress(name, progress), signal));
  return missing;
}

interface UsedModel {
  /** The value written to the settings. */
  readonly embedModel: string;
  readonly changes: readonly FileChange[];
  /** Problems that keep the model from answering, for example that it must be pulled first. */
  readonly warnings: readonly string[];
}

/** The models of recall by meaning. */
export class EmbeddingModels {
  constructor(private readonly parts: ModelParts) {}

  /**
   * The models that are there: those of the server, and the files that were allowed. Loads none of them.
   * @throws MemoryError `interrupted`
   * @example
   * const { models } = await embeddingModels.list();
   * models.find(({ isSet }) => isSet)?.name; // => 'embeddinggemma'
   */
  async list() {
    const { models, context } = this.parts;
    const { listModels } = await import('../upkeep/models.js');
    const found = await listModels({ ...context, models, server: serverOf(this.parts) });
    throwIfInterrupted(context.signal, 'the models were');
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
    const { parts } = this;
    const path = modelFilePath(model, parts.models.folders);
    const { embedModel, problem } =
      path === undefined
        ? { embedModel: model, problem: findOwnChoice(model) ? undefined : await embeddingProblem(parts, model) }
        : await useFile(parts, path, dryRun);
    const warnings = problem === undefined ? [] : [`${problem.message} (${problem.hint})`];
    return {
      embedModel,
      warnings,
      changes: [await writeSetting(parts.context.root, 'embedModel', embedModel, dryRun)],
    };
  }

  /**
   * Loads the embedding model in the settings, and measures which languages it knows and how long it takes on this machine.
   * @throws MemoryError `model_unavailable`, `interrupted`
   * @example
   * const { dimension } = await embeddingModels.test();
   * dimension; // => 768
   */
  async test() {
    const { tryModel } = await import('../upkeep/models.js');
    try {
      return await tryModel(embedderOf(this.parts), this.parts.context.signal);
    } catch (error) {
      throw await explainEmbeddingFailure(error, this.parts);
    }
  }
}

/** The models as they are where no workspace has settings: what there is, and what it knows, needs none. */
export function defaultModelParts(
  { host, located: { root }, config }: FoundWorkspace,
  { signal, onProgress }: ProgressOptions,
): ModelParts {
  const settings = DEFAULT_SETTINGS;
  const models = chooseModelSettings(settings, host, config, () => false);
  return { settings, models, context: { root, stateFolder: join(root, '.memory'), signal, onProgress } };
}

/** The file is looked at first, and tried where there is an engine; then it may be opened, as it is now. */
async function useFile({ models, context: { signal } }: ModelParts, path: string, dryRun: boolean) {
  const { folders } = models;
  const known = await examineModelFile(path, signal);
  const engine = findEngine(folders.data);
  if (engine.ok) {
    const server = fileEmbedServer(path, folders, deadlinesOf(models), known);
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
export async function writeSetting(root: string, key: string, value: string, dryRun = false): Promise<FileChange> {
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
