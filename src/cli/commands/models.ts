import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { EmbeddingModels } from '../../app/models.js';
import { USE_MODEL_REQUEST } from '../../app/requests.js';
import { type Failure, fail, valueOrThrow } from '../../base/failure.js';
import { copyPackage, ENGINE_VERSION, findEngine, installEngine } from '../../model/file/engine.js';
import type {
  KnownLanguage,
  ListedModel,
  ModelList,
  ModelReport,
  ModelsReport,
  ModelTrial,
} from '../../upkeep/models.js';
import { isFolderNamedByUser } from '../../workspace/locate.js';
import { userFolders } from '../../workspace/openclaw-config.js';
import { type CommandContext, defineGroup, defineVerb, WRITE_OPTIONS } from '../verb.js';
import { buildWorkspaceOptions, finishWrite, openAnyWorkspace } from '../workspace.js';

/** Matches the path of a model file. Any other text is the name of an Ollama model. */
const LOOKS_LIKE_FILE = /^(?:[.~]{0,2}[/\\]|[a-z]:[/\\])|\.gguf$/i;

const list = defineVerb({
  summary: 'list the installed models and the languages they know; loads no model',
  takes: {},
  examples: ['models list'],
  run: async (context) => {
    const models = await (await modelsOf(context)).list();
    context.out.answer(formatModelList(models).join('\n'), models);
  },
});

const use = defineVerb({
  summary: 'choose the embedding model, and allow its file to be opened',
  takes: { ...USE_MODEL_REQUEST, ...WRITE_OPTIONS },
  more: 'This allows exactly this file, for your user. If the file changes, it is not\nopened until you run the command again.',
  examples: ['models use embeddinggemma', 'models use ~/models/embeddinggemma-300m-q8_0.gguf'],
  run: async (context, { model, dryRun, commit }) => {
    const workspace = await openAnyWorkspace(context);
    const request = { model: named(model, context.io.cwd), dryRun };
    const models = await workspace.embeddingModels(context.signal);
    const { embedModel, changes, warnings } = await models.use(request);
    const subject = `embed with ${embedModel}`;
    const written = await finishWrite(context, workspace, { dryRun, commit }, changes, subject, warnings);
    const text = `The embedding model is ${embedModel}. Make the vectors: openclaw memory index --embed`;
    context.out.answer(written.diff ?? text, { embedModel, warnings, ...written });
  },
});

const test = defineVerb({
  summary: 'measure the chosen embedding model: languages, and time on this machine',
  takes: {},
  examples: ['models test'],
  run: async (context) => {
    const trial = await (await modelsOf(context)).test();
    context.out.answer(formatModelTrial(trial).join('\n'), trial);
  },
});

const engine = defineVerb({
  summary: 'show where the engine for model files is, or install it',
  takes: {
    install: { type: 'boolean', doc: 'download the engine with npm (30 MB) into your own data folder' },
    from: { type: 'text', value: 'dir', doc: 'with --install: install from this folder, without a network' },
  },
  more: 'The engine is the compiled part of node-llama-cpp, in one exact version.\nNothing is compiled here, and no script of a package runs.',
  examples: ['models engine', 'models engine --install'],
  run: async (context, { install, from }) => {
    if (from !== undefined && !install) fail('usage', '--from needs --install', 'models engine --install --from DIR');
    const { data } = userFolders({ env: context.io.env, profile: context.global.profile });
    const given = from === undefined ? undefined : resolve(context.io.cwd, from);
    const fill = (folder: string, name: string): Promise<void> | void =>
      given === undefined ? fetchPackage(context, folder, name) : copyPackage(given, folder, name);
    const found = install ? await installEngine(data, fill) : valueOrThrow(findEngine(data));
    context.out.answer(`${install ? 'Installed' : 'Found'} ${found.version} in ${found.folder}`, found);
  },
});

const models = defineGroup(['models list', 'models test'], { list, use, test, engine });

export const commands = { models };

/**
 * The embedding models as the workspace sets them. Without a workspace: as this machine sets them. If the user named a
 * workspace explicitly, it must exist.
 */
async function modelsOf(context: CommandContext): Promise<EmbeddingModels> {
  const { findWorkspace } = await import('../../app/open.js');
  const found = await findWorkspace({ ...buildWorkspaceOptions(context), onWarning: undefined });
  if (isFolderNamedByUser(found.located) || existsSync(found.located.root))
    return (await openAnyWorkspace(context)).embeddingModels(context.signal);
  const { openDefaultEmbeddingModels } = await import('../../app/models.js');
  return openDefaultEmbeddingModels(found, context.signal);
}

/**
 * Returns the name of a model as the settings have it. A model file is named by `file:` and its path, which is absolute
 * or begins with `~/`.
 */
function named(model: string, cwd: string): string {
  const path = model.replace(/^file:/i, '');
  if (path === model && !LOOKS_LIKE_FILE.test(model)) return model;
  return `file:${/^~[/\\]/.test(path) ? path : resolve(cwd, path)}`;
}

/**
 * Fetches a package from npm, without its optional dependencies and without install scripts. The package works without
 * them, and a script might run a build.
 */
async function fetchPackage({ io, out, signal }: CommandContext, folder: string, name: string): Promise<void> {
  const words = 'install --ignore-scripts --omit=optional --no-save --no-audit --no-fund --prefix .'.split(' ');
  out.note(`note: npm downloads ${name} ${ENGINE_VERSION}`);
  // On Windows npm is a script, which needs a shell.
  const how = { cwd: folder, env: io.env, signal, shell: process.platform === 'win32' };
  try {
    await promisify(execFile)('npm', [...words, `${name}@${ENGINE_VERSION}`], how);
  } catch (error) {
    if (signal.aborted) fail('interrupted', 'nothing was installed', 'run it again');
    const [first = ''] = String(error).split('\n');
    const why = /^npm (?:error|ERR!) (?!code)(.+)$/m.exec(String(error))?.[1] ?? first;
    const hint = 'to install from a folder: openclaw memory models engine --install --from DIR; see docs/models.md';
    fail('model_unavailable', `npm could not download ${name}: ${why}`, hint);
  }
}

/** Formats the lines of `status --deep` about the models. */
export function formatModels({ host, hostFrom, version, problem, installed, chat, embedding }: ModelsReport): string[] {
  const { window, loadMs, answerMs } = chat;
  const { dimension, embeddingMs, capabilities } = embedding;
  const isThere = version !== null;
  const lines = [row('ollama', `${version ?? 'no answer'} at ${host} (from ${hostFrom})`), ...problemLines(problem)];
  if (isThere) {
    lines.push(row('installed', installed.join(', ') || 'no models'));
    const answers = [told('window of ', window, ' tokens'), told('loaded in ', loadMs, ' ms')];
    lines.push(...modelRow('chat', chat, [...answers, told('20 tokens in ', answerMs, ' ms')]));
  }
  if (isThere || capabilities.length > 0 || embedding.problem !== null)
    lines.push(
      ...modelRow('embeddings', embedding, [told('dimension ', dimension), told('one in ', embeddingMs, ' ms')]),
    );
  return lines;
}

/** Formats a value with a label before it and a unit after it; undefined if the value is unknown. */
function told(before: string, value: number | null, after = ''): string | undefined {
  return value === null ? undefined : `${before}${value}${after}`;
}

/** Formats the lines of `models list`. */
export function formatModelList({ models, server, engine }: ModelList): string[] {
  const said = engine.version === null ? [] : [row('engine', `${engine.version}, for model files`)];
  return [
    ...models.flatMap((model) => [listedLine(model), ...problemLines(model.problem)]),
    ...problemLines(server, 'ollama'),
    ...said,
    ...problemLines(engine.problem, 'engine'),
  ];
}

function listedLine({ name, from, isSet, bytes, capabilities, languages }: ListedModel): string {
  const size = told('', bytes && Math.round(bytes / 1e6), ' MB');
  return factsRow(from, [name, size, can(capabilities), languages ? knows(languages) : '', isSet ? 'chosen' : '']);
}

function can(capabilities: readonly string[]): string {
  return capabilities.length === 0 ? '' : `can ${capabilities.join(', ')}`;
}

function factsRow(label: string, facts: readonly (string | undefined)[]): string {
  return row(label, facts.filter(Boolean).join('; '));
}

/** Formats the lines of `models test`. */
export function formatModelTrial({
  name,
  dimension,
  firstMs,
  questionMs,
  thousandLinesMs,
  languages,
}: ModelTrial): string[] {
  return [
    row('model', `${name}, ${dimension} numbers a vector`),
    row('first', `${firstMs} ms for the first vector, including loading`),
    row('question', `${questionMs} ms each`),
    row('lines', `${(thousandLinesMs / 1000).toFixed(1)} s for 1,000`),
    row('languages', knows(languages)),
  ];
}

function knows(languages: readonly KnownLanguage[]): string {
  const said = (how: string, isSo: (share: number) => boolean): string => {
    const names = languages.filter(({ share }) => isSo(share)).map(({ name }) => name);
    return names.length === 0 ? '' : `${how} ${names.join(', ')}`;
  };
  const parts = [said('knows', (share) => share >= 0.5), said('a little', (share) => share > 0 && share < 0.5)];
  return parts.filter(Boolean).join('; ') || 'knows none of the tested languages';
}

function modelRow(label: string, report: ModelReport, figures: readonly (string | undefined)[]): string[] {
  const { name, capabilities, contextLength, problem } = report;
  const facts = [name, can(capabilities), told('made for ', contextLength, ' tokens'), ...figures];
  return [factsRow(label, facts), ...problemLines(problem)];
}

function problemLines(problem: Failure | null, label = ''): string[] {
  if (problem === null) return [];
  return [row(label, problem.message), ...(problem.hint === undefined ? [] : [row('', problem.hint)])];
}

function row(label: string, value: string): string {
  return `${label.padEnd(10)} ${value}`;
}
