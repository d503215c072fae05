import { basename } from 'node:path';
import type { Failure } from '../base/failure.js';
import { err, ok, type Result, valueOrThrow } from '../base/failure.js';
import { mayMeanDamage } from '../db/open.js';
import { storedLanguageGroups, unknownLanguageGroups } from '../index/vectors/overview.js';
import { LANGUAGE_GROUP_NAMES } from '../language/language-group.js';
import { withTimeLimit } from '../model/call.js';
import { findEngine } from '../model/file/engine.js';
import type { AllowedModelFile } from '../model/file/model-file.js';
import { checkModelFileAllowed, readAllowedModels } from '../model/file/model-file.js';
import { type KnownLanguageGroups, languageProbes, probeLanguageGroups } from '../model/language-probes.js';
import type { Embedder } from '../model/model.js';
import type { ModelInfo, OllamaServer } from '../model/ollama.js';
import { isCloudModel, modelNameWithTag } from '../model/ollama.js';
import { chooseContextWindow } from '../model/open-chat.js';
import type { ModelSettings } from '../workspace/model-settings.js';
import type { UserFolders } from '../workspace/openclaw-config.js';
import { realpathOrSame } from '../workspace/read-scope.js';
import type { Finding } from './doctor.js';

/** Information about a configured model. Unknown values are null. */
export interface ModelReport {
  readonly name: string;
  readonly capabilities: readonly string[];
  /** Size of the context window that the model was trained for, in tokens. */
  readonly contextLength: number | null;
  /** Why the model can't be used, and how to fix that. */
  readonly problem: Failure | null;
}

interface ChatModelReport extends ModelReport {
  /** Size of the context window that the server really gives, in tokens. */
  readonly window: number | null;
  readonly loadMs: number | null;
  /** Time of an answer of 20 tokens by the loaded model. */
  readonly answerMs: number | null;
}

interface EmbedModelReport extends ModelReport {
  readonly dimension: number | null;
  /** Time of one short embedding by the loaded model. */
  readonly embeddingMs: number | null;
}

/** The field `models` of `status --deep --json`. */
export interface ModelsReport {
  readonly host: string;
  /** The setting, environment variable or file that `host` was taken from, for messages. */
  readonly hostFrom: string;
  /** Version of the server; null when it does not answer. */
  readonly version: string | null;
  readonly problem: Failure | null;
  readonly installed: readonly string[];
  readonly chat: ChatModelReport;
  readonly embedding: EmbedModelReport;
}

interface ModelsContext {
  readonly models: ModelSettings;
  readonly server: OllamaServer;
  readonly embedder: Embedder;
  readonly signal?: AbortSignal | undefined;
}

const SHORT_ANSWER = 20;

/**
 * Asks the server for its version and models. Runs a short test of the chat model and of the embedding model, which
 * loads both.
 */
export async function probeModels(context: ModelsContext): Promise<ModelsReport> {
  const { server, models, signal } = context;
  const version = await server.version(signal);
  const installed: Result<readonly string[]> = version.ok ? await server.installed(signal) : version;
  const mayEmbed = version.ok || models.embedFile !== undefined;
  return {
    host: server.base.host,
    hostFrom: models.hostFrom,
    version: version.ok ? version.value : null,
    problem: installed.ok ? null : installed.error,
    installed: installed.ok ? installed.value : [],
    chat: version.ok ? await probeChat(context) : { ...unknown(models.chatModel), ...NO_ANSWER },
    embedding: mayEmbed ? await probeEmbedding(context) : { ...unknown(models.embedModel), ...NO_VECTOR },
  };
}

const NO_ANSWER = { window: null, loadMs: null, answerMs: null };
const NO_VECTOR = { dimension: null, embeddingMs: null };

/**
 * Checks the configured models for `doctor`, and names the command that fixes each problem. Loads no model. A missing
 * server is only a problem if its address was configured, because everything works without one.
 */
export async function findModelProblems(context: Omit<ModelsContext, 'embedder'>): Promise<readonly Finding[]> {
  const { models, signal } = context;
  const refused = models.refusedHost === undefined ? [] : [refusal(models.refusedHost)];
  const ofFile = models.embedFile === undefined ? [] : await fileChecks(models.embedFile, models.folders, signal);
  return [...refused, ...(await serverChecks(context)), ...ofFile];
}

/** Reports languages that the embedding model does not know. Their lines have no vectors. */
export function findUnknownLanguages(stateFolder: string, embedder: Embedder): readonly Finding[] {
  try {
    return unknownLanguageGroups(stateFolder, embedder).map(({ tongue, texts }) => {
      const message = `${embedder.name} does not know ${LANGUAGE_GROUP_NAMES[tongue]}, so ${texts} texts are searched by words only`;
      return warning('vectors', { message, hint: 'choose an embedding model that knows more languages' });
    });
  } catch (error) {
    if (!mayMeanDamage(error)) throw error;
    const message = 'the vectors are damaged, so recall searches by words only';
    return [warning('vectors', { message, hint: 'make them again: openclaw memory index --embed' })];
  }
}

/**
 * The warning that a server on another machine is not asked, because this user has not allowed it. The workspace with the
 * setting may come from another person.
 */
function refusal(server: string): Finding {
  const message = `the setting ollamaHost names another machine (${server}); it is not used, because you have not allowed it`;
  return warning('ollamaHost', { message, hint: 'if you trust this server: openclaw memory doctor --allow-host' });
}

async function serverChecks({ server, models, signal }: Omit<ModelsContext, 'embedder'>): Promise<readonly Finding[]> {
  const version = await server.version(signal);
  if (!version.ok) {
    const { message } = version.error;
    if (models.host !== undefined)
      return [warning('ollama', { ...version.error, message: `${message} (from ${models.hostFrom})` })];
    return [{ check: 'ollama', state: 'ok', message: `${message}; everything works without a model` }];
  }
  const message = `${version.value} at ${server.base.host} (from ${models.hostFrom})`;
  const check = async (check: string, setting: ModelSetting): Promise<Finding> => {
    const { problem } = await checkModelFitness(server, models[setting], setting, signal);
    return problem === undefined ? { check, state: 'ok', message: models[setting] } : warning(check, problem);
  };
  const chat = await check('chat model', 'chatModel');
  const embedding = models.embedFile === undefined ? [await check('embeddings', 'embedModel')] : [];
  return [{ check: 'ollama', state: 'ok', message }, chat, ...embedding];
}

async function probeChat({ server, models, signal }: ModelsContext): Promise<ChatModelReport> {
  const name = models.chatModel;
  const { shown, problem } = await checkModelFitness(server, name, 'chatModel', signal);
  if (!shown.ok || problem !== undefined) return { ...modelReport(shown, name, problem), ...NO_ANSWER };
  const fit = { set: models.numCtx, trained: shown.value.contextLength };
  const runner = { num_ctx: await chooseContextWindow(server, name, fit, signal) };
  const tried = await withTimeLimit(server.deadlines.totalMs, signal, async (limit) => {
    const started = performance.now();
    await server.load(name, runner, limit);
    const loaded = performance.now();
    const granted = await server.loadedWindow(name, limit);
    const asked = performance.now();
    const messages = [{ role: 'user', content: 'Count in words from one to thirty.' }];
    await server.chat({ model: name, messages, runner, maxTokens: SHORT_ANSWER, seed: 0 }, limit);
    const answered = performance.now();
    return {
      window: granted.ok ? (granted.value ?? null) : null,
      loadMs: Math.round(loaded - started),
      answerMs: Math.round(answered - asked),
    };
  });
  const report = modelReport(shown, name, tried.ok ? undefined : tried.error.failure);
  return { ...report, ...(tried.ok ? tried.value : NO_ANSWER) };
}

async function probeEmbedding({ server, models, embedder, signal }: ModelsContext): Promise<EmbedModelReport> {
  const name = models.embedModel;
  const { shown, problem } =
    models.embedFile === undefined
      ? await checkModelFitness(server, name, 'embedModel', signal)
      : fileInfo(await checkModelFileAllowed(models.folders.config, models.embedFile, signal));
  const identity = problem === undefined ? await embedder.identify(signal) : err(problem);
  if (!identity.ok) return { ...modelReport(shown, name, identity.error), ...NO_VECTOR };
  const started = performance.now();
  const vectors = await embedder.embedQueries(['what is the weather like?'], signal);
  const embeddingMs = vectors.ok ? Math.round(performance.now() - started) : null;
  const report = modelReport(shown, name, vectors.ok ? undefined : vectors.error);
  return { ...report, dimension: identity.value.dimension, embeddingMs };
}

function modelReport(shown: Result<ModelInfo>, name: string, problem: Failure | undefined): ModelReport {
  if (!shown.ok) return { ...unknown(name), problem: problem ?? shown.error };
  const { capabilities, contextLength } = shown.value;
  return { name, capabilities, contextLength: contextLength ?? null, problem: problem ?? null };
}

function unknown(name: string): ModelReport {
  return { name, capabilities: [], contextLength: null, problem: null };
}

/** Checks of the configured model file, with the command that fixes each problem. Loads nothing. */
async function fileChecks(path: string, folders: UserFolders, signal?: AbortSignal): Promise<readonly Finding[]> {
  const known = await checkModelFileAllowed(folders.config, path, signal);
  const engine = findEngine(folders.data);
  const size = known.ok ? Math.max(1, Math.round(known.value.size / 1_000_000)) : 0;
  return [
    known.ok
      ? { check: 'embeddings', state: 'ok', message: `${basename(path)}, a file of ${size} MB` }
      : warning('embeddings', known.error),
    engine.ok
      ? { check: 'engine', state: 'ok', message: `${engine.value.version} in ${engine.value.folder}` }
      : warning('engine', engine.error),
  ];
}

/** The information in a model file, in the form of a server's answer. */
function fileInfo(known: Result<AllowedModelFile>): Fitness {
  if (!known.ok) return { shown: known, problem: known.error };
  const { path, window } = known.value;
  const shown = ok({ name: basename(path), capabilities: ['embedding'], contextLength: window, isBase: false });
  return { shown, problem: undefined };
}

function warning(check: string, { message, hint }: Pick<Failure, 'message' | 'hint'>): Finding {
  return { check, state: 'warning', message, ...(hint && { hint }) };
}

/** The information about a model, and why it can't be used for its purpose. */
interface Fitness {
  readonly shown: Result<ModelInfo>;
  readonly problem: Failure | undefined;
}

/** The capability that a model needs for each setting. */
const CAPABILITY = { chatModel: 'completion', embedModel: 'embedding' } as const;
type ModelSetting = keyof typeof CAPABILITY;

/**
 * The server's information about a model, and why it can't be used for its purpose. If another installed model could be
 * used, the hint names it.
 */
export async function checkModelFitness(
  server: OllamaServer,
  name: string,
  setting: ModelSetting,
  signal?: AbortSignal,
): Promise<Fitness> {
  const shown = await server.show(name, signal);
  const problem = unfitness(shown, name, setting);
  if (problem === undefined) return { shown, problem };
  const installed = await server.installed(signal);
  if (!installed.ok || (!shown.ok && installed.value.includes(modelNameWithTag(name)))) return { shown, problem };
  const other = await firstThatCan(CAPABILITY[setting], server, installed.value, signal);
  if (other === undefined) return { shown, problem };
  const pull = shown.ok || isCloudModel(name) ? '' : `, or run: ollama pull ${name}`;
  return { shown, problem: { ...problem, hint: `set "${setting}" to ${other}, which is installed${pull}` } };
}

/**
 * Finds the first installed model that has a capability. Asks the server about each model, because only new servers
 * list capabilities.
 */
async function firstThatCan(
  capability: string,
  server: OllamaServer,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  for (const name of names) {
    const shown = isCloudModel(name) ? undefined : await server.show(name, signal);
    if (shown?.ok && shown.value.capabilities.includes(capability)) return name.replace(/:latest$/, '');
  }
  return undefined;
}

function unfitness(shown: Result<ModelInfo>, name: string, setting: ModelSetting): Failure | undefined {
  if (isCloudModel(name)) {
    const message = `${name} runs in a cloud, but memories must not leave this machine`;
    return { type: 'model_unavailable', message, hint: `set "${setting}" to a local model` };
  }
  if (!shown.ok) return shown.error;
  const { capabilities } = shown.value;
  // An old server reports no capabilities of a model. Then assume that the model can be used.
  if (capabilities.length === 0 || capabilities.includes(CAPABILITY[setting])) return undefined;
  const message = `${modelNameWithTag(name)} can't do this; it can do: ${capabilities.join(', ')}`;
  return { type: 'model_unavailable', message, hint: `set "${setting}" to another model` };
}

/** A language, or all languages of a script, and how well a model knows it: 0..1. */
export interface KnownLanguage {
  readonly name: string;
  readonly share: number;
}

/** A model that can be listed: one of the server, or a model file that the user once allowed. */
export interface ListedModel {
  /** The name of the model, as `models use` takes it. */
  readonly name: string;
  readonly from: 'ollama' | 'file';
  /** Capabilities that the server reports; empty if it reports none. */
  readonly capabilities: readonly string[];
  readonly bytes: number | null;
  /** Whether this model is the configured embedding model. */
  readonly isSet: boolean;
  /** Why the model can't be used; null if it can. */
  readonly problem: Failure | null;
  /** The languages that the model knows. Null if this workspace has no vectors from it. */
  readonly languages: readonly KnownLanguage[] | null;
}

export interface ModelList {
  readonly models: readonly ListedModel[];
  /** Why the models of the server are missing from the list; null if they are in it. */
  readonly server: Failure | null;
  /** The version of the engine that runs model files, or why there is none. */
  readonly engine: { readonly version: string | null; readonly problem: Failure | null };
}

/** Results of a test of a model on this machine: times in ms, and the languages that it knows. */
export interface ModelTrial {
  readonly name: string;
  readonly dimension: number;
  /** Time to the first vector, including loading if the model was not loaded. */
  readonly firstMs: number;
  readonly questionMs: number;
  readonly thousandLinesMs: number;
  readonly languages: readonly KnownLanguage[];
}

interface Context {
  readonly models: ModelSettings;
  readonly server: OllamaServer;
  readonly stateFolder: string;
  readonly signal?: AbortSignal | undefined;
}

/** Lists the available models. Loads none of them. */
export async function listModels({ models, server, stateFolder, signal }: Context): Promise<ModelList> {
  const languagesOf = (name: string): readonly KnownLanguage[] | null => {
    const known = storedLanguageGroups(stateFolder, name);
    return known === undefined ? null : languages(known);
  };
  const installed = await server.installed(signal);
  const listed: ListedModel[] = [];
  for (const tagged of installed.ok ? installed.value : []) {
    const name = tagged.replace(/:latest$/, '');
    const shown = await server.show(name, signal);
    const capabilities = shown.ok ? shown.value.capabilities : [];
    const isSet = models.embedFile === undefined && models.embedModel.replace(/:latest$/, '') === name;
    const problem = shown.ok ? null : shown.error;
    listed.push({ name, from: 'ollama', capabilities, bytes: null, isSet, problem, languages: languagesOf(name) });
  }
  for (const { path, size } of readAllowedModels(models.folders.config)) {
    const checked = await checkModelFileAllowed(models.folders.config, path, signal);
    listed.push({
      name: `file:${path}`,
      from: 'file',
      capabilities: ['embedding'],
      bytes: size,
      isSet: models.embedFile !== undefined && realpathOrSame(models.embedFile) === path,
      problem: checked.ok ? null : checked.error,
      languages: languagesOf(basename(path)),
    });
  }
  const engine = findEngine(models.folders.data);
  const found = engine.ok ? { version: engine.value.version, problem: null } : { version: null, problem: engine.error };
  return { models: listed, server: installed.ok ? null : installed.error, engine: found };
}

/**
 * Sample lines for measuring the speed, like those of a log, each with its context. They are in Latin letters, which
 * every model supports.
 */
const sample = () =>
  ['english', 'latin', 'english'].flatMap((tongue) => {
    const probes = languageProbes().get(tongue) ?? [];
    return probes.map(([question, answer], i) => {
      return { title: null, text: answer, before: [probes[i - 1]?.[1] ?? '', question] };
    });
  });
const QUESTIONS = 5;

/**
 * Measures which languages a model knows and how long it takes. Loads the model.
 * @throws MemoryError `model_unavailable`, `interrupted`
 */
export async function tryModel(embedder: Embedder, signal?: AbortSignal): Promise<ModelTrial> {
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const started = performance.now();
    await work();
    return Math.round(performance.now() - started);
  };
  let dimension = 0;
  const firstMs = await timed(async () => {
    dimension = valueOrThrow(await embedder.identify(signal)).dimension;
  });
  const known = languages(valueOrThrow(await probeLanguageGroups(embedder, signal)).known);
  const questions = await timed(async () => {
    for (let i = 0; i < QUESTIONS; i++)
      valueOrThrow(await embedder.embedQueries([`what did they say about the weather on day ${i}?`], signal));
  });
  const lines = sample();
  const ms = await timed(async () => valueOrThrow(await embedder.embedDocuments(lines, signal)));
  const questionMs = Math.round(questions / QUESTIONS);
  const thousandLinesMs = Math.round((ms / lines.length) * 1_000);
  return { name: embedder.name, dimension, firstMs, questionMs, thousandLinesMs, languages: known };
}

function languages(known: KnownLanguageGroups): readonly KnownLanguage[] {
  return [...known].flatMap(([tongue, share]) =>
    tongue === 'other' ? [] : { name: LANGUAGE_GROUP_NAMES[tongue], share },
  );
}
