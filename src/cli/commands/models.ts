import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ChatLevels } from '../../app/chat.js';
import { CHAT_TEST_REQUEST, USE_MODEL_REQUEST } from '../../app/requests.js';
import type { Workspace } from '../../app/workspace.js';
import { err, type Failure, MemoryError, ok, type Result, toFailure } from '../../base/failure.js';
import { CHAT_TASKS, formatLevel, formatLevels, TESTED_LANGUAGES } from '../../model/levels.js';
import type { ListedModel, ModelList, ModelReport, ModelsReport } from '../../upkeep/models.js';
import { isFolderNamedByUser } from '../../workspace/locate.js';
import { findOwnChoice } from '../../workspace/model-settings.js';
import { type CommandContext, defineGroup, defineVerb, WRITE_OPTIONS } from '../verb.js';
import { buildWorkspaceOptions, finishWrite, openAnyWorkspace } from '../workspace.js';
import { engine } from './models/engine.js';
import { get } from './models/get.js';
import { formatKnownLanguages, formatModelTrial, formatRow } from './models/trial.js';

/** Matches the path of a model file. Any other text is the name of an Ollama model. */
const LOOKS_LIKE_FILE = /^(?:[.~]{0,2}[/\\]|[a-z]:[/\\])|\.gguf$/i;

const list = defineVerb({
  summary: 'list the installed models and the languages they know; loads no model',
  takes: {},
  examples: ['models list'],
  run: async (context) => {
    const { embedding, chat } = await modelsOf(context);
    const models = await embedding.list();
    const levels = await chat.levels();
    const said = levels.ok ? levels.value : null;
    context.out.answer(formatModelList(models, said).join('\n'), { ...models, chat: said });
  },
});

const use = defineVerb({
  summary: 'choose the embedding model or the chat model, and allow its file to be opened',
  takes: {
    ...USE_MODEL_REQUEST,
    chat: { type: 'boolean', doc: 'it is the chat model (default: if the server says so)' },
    ...WRITE_OPTIONS,
  },
  more: 'A file is allowed to be opened as it is now, for your user. If it changes, run\nthe command again. A chat model is tested, for two minutes at most.',
  examples: [
    'models use embeddinggemma',
    'models use ~/models/embeddinggemma-300m-q8_0.gguf',
    'models use qwen3:4b-instruct',
  ],
  run: async (context, { model, chat: isChat, dryRun, commit }) => {
    const workspace = await openAnyWorkspace(context);
    const request = { model: named(model, context.io.cwd), dryRun };
    const chat = await workspace.chatModels(context.signal);
    if (isChat || (await chat.canChat(model))) return useChatModel(context, workspace, request, commit);
    const models = await workspace.embeddingModels(context.signal);
    const { embedModel, changes, warnings } = await models.use(request);
    const subject = `embed with ${embedModel}`;
    const written = await finishWrite(context, workspace, { dryRun, commit }, changes, subject, warnings);
    const next = findOwnChoice(embedModel) ? 'openclaw memory index' : 'openclaw memory index --embed';
    const text = `The embedding model is ${embedModel}.${embedModel === 'none' ? '' : ` Make the vectors: ${next}`}`;
    context.out.answer(written.diff ?? text, { embedModel, warnings, ...written });
  },
});

async function useChatModel(
  context: CommandContext,
  workspace: Workspace,
  request: { readonly model: string; readonly dryRun: boolean | undefined },
  commit: boolean | undefined,
): Promise<void> {
  const { chatModel, changes } = await (await workspace.chatModels(context.signal)).use(request);
  const how = { dryRun: request.dryRun, commit };
  const written = await finishWrite(context, workspace, how, changes, `chat with ${chatModel}`);
  // The settings have changed, so the workspace is opened again.
  const chat = request.dryRun ? undefined : await (await openAnyWorkspace(context)).chatModels(context.signal);
  const tested = chat && (await tryToTest(() => chat.test()));
  if (tested?.ok === false) context.out.warn(`it was not tested: ${tested.error.message}`);
  const levels = tested?.ok ? tested.value : null;
  const text = [`The chat model is ${chatModel}.`, ...(levels === null ? [] : formatChatLevels(levels))].join('\n');
  context.out.answer(written.diff ?? text, {
    chatModel,
    warnings: tested?.ok === false ? [tested.error.message] : [],
    ...written,
    chat: levels,
  });
}

const test = defineVerb({
  summary: 'test the chosen models: what the chat model may do, languages, and time on this machine',
  takes: CHAT_TEST_REQUEST,
  more: 'A chat model is used only for what its test allows. The test takes two minutes\nat most; the next one goes on. Each model is tested once.',
  examples: ['models test', 'models test --again'],
  run: async (context, request) => {
    const { embedding, chat } = await modelsOf(context);
    const levels = await tryToTest(() => chat.test(request));
    const trial = await tryToTest(() => embedding.test());
    if (!trial.ok && !levels.ok) throw new MemoryError(trial.error);
    const missing = [trial, levels].flatMap((one) => (one.ok ? [] : [one.error]));
    for (const { message, hint } of missing) context.out.warn(hint === undefined ? message : `${message} (${hint})`);
    const lines = [
      ...(trial.ok ? formatModelTrial(trial.value) : []),
      ...(levels.ok ? formatChatLevels(levels.value) : []),
    ];
    const warnings = missing.map(({ message }) => message);
    const json = { ...(trial.ok && trial.value), chat: levels.ok ? levels.value : null, warnings };
    context.out.answer(lines.join('\n'), json);
  },
});

/** The result of a test, or why the model could not be tested. @throws MemoryError `interrupted`, `busy` */
async function tryToTest<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (error) {
    const failure = toFailure(error);
    if (failure.type !== 'model_unavailable') throw error;
    return err(failure);
  }
}

const models = defineGroup(['models list', 'models test'], { list, use, get, test, engine });

export const commands = { models };

/**
 * The models as the workspace sets them. Without a workspace: as this machine sets them. If the user named a
 * workspace explicitly, it must exist.
 */
async function modelsOf(context: CommandContext) {
  const { findWorkspace } = await import('../../app/open.js');
  const found = await findWorkspace({ ...buildWorkspaceOptions(context), onWarning: undefined });
  if (isFolderNamedByUser(found.located) || existsSync(found.located.root)) {
    const workspace = await openAnyWorkspace(context);
    const { signal } = context;
    return { embedding: await workspace.embeddingModels(signal), chat: await workspace.chatModels(signal) };
  }
  const { defaultModelParts, EmbeddingModels } = await import('../../app/models.js');
  const { ChatModels } = await import('../../app/chat.js');
  const parts = defaultModelParts(found, context);
  return { embedding: new EmbeddingModels(parts), chat: new ChatModels(parts) };
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

/** Formats the lines of `status --deep` about the models. */
export function formatModels(
  { host, hostFrom, version, problem, installed, chat, embedding }: ModelsReport,
  levels: ChatLevels | null,
): string[] {
  const { window, loadMs, answerMs } = chat;
  const { dimension, embeddingMs, capabilities } = embedding;
  const isThere = version !== null;
  const lines = [
    formatRow('ollama', `${version ?? 'no answer'} at ${host} (from ${hostFrom})`),
    ...problemLines(problem),
  ];
  if (isThere) {
    lines.push(formatRow('installed', installed.join(', ') || 'no models'));
    const answers = [told('window of ', window, ' tokens'), told('loaded in ', loadMs, ' ms')];
    lines.push(...modelRow('chat', chat, [...answers, told('20 tokens in ', answerMs, ' ms')]));
    if (levels !== null) lines.push(formatRow('', formatLevels(levels.levels)));
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

/** Formats what a chat model may do: a line for each task, with the figures of the test in each language. */
function formatChatLevels({ name, levels, results, isWhole, isForced }: ChatLevels): string[] {
  const how = isForced
    ? 'as the setting chatLevel says'
    : isWhole
      ? 'tested'
      : 'partly tested: openclaw memory models test';
  return [
    formatRow('chat', `${name}; ${how}`),
    ...CHAT_TASKS.map((task) => formatRow(`  ${task}`, formatLevel(levels[task]))),
    ...TESTED_LANGUAGES.flatMap((language) =>
      CHAT_TASKS.flatMap((task) => {
        const result = results[language]?.[task];
        return result === undefined ? [] : [formatRow('', `${language}, ${task}: ${result.figures}`)];
      }),
    ),
  ];
}

/** Formats the lines of `models list`. */
function formatModelList({ models, server, engine }: ModelList, chat: ChatLevels | null): string[] {
  const said = [
    formatRow('built-in', 'word vectors of eleven languages, used if no other embedding model has vectors'),
    ...(engine.version === null ? [] : [formatRow('engine', `${engine.version}, for model files`)]),
  ];
  return [
    ...models.flatMap((model) => [listedLine(model), ...problemLines(model.problem)]),
    ...(chat === null ? [] : [formatRow('chat', `${chat.name}: ${formatLevels(chat.levels)}`)]),
    ...problemLines(server, 'ollama'),
    ...said,
    ...problemLines(engine.problem, 'engine'),
  ];
}

function listedLine({ name, from, isSet, bytes, capabilities, languages }: ListedModel): string {
  const size = told('', bytes && Math.round(bytes / 1e6), ' MB');
  return factsRow(from, [
    name,
    size,
    can(capabilities),
    languages ? formatKnownLanguages(languages) : '',
    isSet ? 'chosen' : '',
  ]);
}

function can(capabilities: readonly string[]): string {
  return capabilities.length === 0 ? '' : `can ${capabilities.join(', ')}`;
}

function factsRow(label: string, facts: readonly (string | undefined)[]): string {
  return formatRow(label, facts.filter(Boolean).join('; '));
}

function modelRow(label: string, report: ModelReport, figures: readonly (string | undefined)[]): string[] {
  const { name, capabilities, contextLength, problem } = report;
  const facts = [name, can(capabilities), told('made for ', contextLength, ' tokens'), ...figures];
  return [factsRow(label, facts), ...problemLines(problem)];
}

function problemLines(problem: Failure | null, label = ''): string[] {
  if (problem === null) return [];
  return [formatRow(label, problem.message), ...(problem.hint === undefined ? [] : [formatRow('', problem.hint)])];
}
