import { basename } from 'node:path';
import type { Failure } from '../base/failure.js';
import { valueOrThrow } from '../base/result.js';
import { storedLanguageGroups } from '../index/vectors/overview.js';
import { LANGUAGE_GROUP_NAMES } from '../language/language-group.js';
import { readAllowedModels } from '../model/file/allowed-models.js';
import { checkModelFileAllowed } from '../model/file/check.js';
import { findEngine } from '../model/file/engine.js';
import { type KnownLanguageGroups, languageProbes, probeLanguageGroups } from '../model/language-probes.js';
import type { Embedder } from '../model/model.js';
import type { OllamaServer } from '../model/ollama/ollama.js';
import type { ModelSettings } from '../workspace/model-settings.js';
import { realpathOrSame } from '../workspace/permissions.js';

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
