import { lazy } from '../base/cache.js';
import { err, type Failure, fail, MemoryError, ok, type Result, valueOrThrow } from '../base/failure.js';
import { readTypedRequest } from '../base/request.js';
import { joinSignals, timeoutSignal } from '../model/call.js';
import { readTestResults, removeTestResults, storeTestResult, type TestedModel } from '../model/level-store.js';
import {
  bestLevel,
  CHAT_TASKS,
  type ChatTask,
  type ChatTestResults,
  formatLevels,
  makeLevelFor,
  type TaskLevels,
  TESTED_LANGUAGES,
} from '../model/levels.js';
import type { ToolModel } from '../model/model.js';
import { openChatModel } from '../model/open-chat.js';
import type { Finding } from '../upkeep/doctor.js';
import type { FileChange } from '../workspace/changes.js';
import { openClock } from '../workspace/clock.js';
import { contentHash, makeFolder } from '../workspace/files.js';
import { type Lock, tryLock } from '../workspace/lock.js';
import { checkSettings } from '../workspace/settings.js';
import { readTemplate } from '../workspace/templates.js';
import { throwIfInterrupted } from './asking.js';
import { serverOf } from './embedding.js';
import { type ModelParts, writeSetting } from './models.js';
import { CHAT_TEST_REQUEST, type ChatTestRequest, USE_MODEL_REQUEST, type UseModelRequest } from './requests.js';

/**
 * The chat model that is set, if it is there and may do a task. A model may do what its test allows, or what the setting
 * `chatLevel` says. Failures: `model_unavailable` with what mends it, `interrupted`.
 * @param task default: any task
 */
export async function chatModelOf(parts: ModelParts, task?: ChatTask): Promise<Result<ToolModel>> {
  const opened = await openTestedModel(parts);
  if (!opened.ok) return opened;
  const { model, results } = opened.value;
  const { chatLevel } = parts.models;
  const levels = (task === undefined ? CHAT_TASKS : [task]).map((one) =>
    chatLevel === 'tested' ? bestLevel(results, one) : chatLevel,
  );
  if (levels.some((level) => level !== undefined && level !== 'unused')) return ok(model);
  return err(levels.includes(undefined) ? notTested(model.name) : notUsed(model.name));
}

function notTested(name: string): Failure {
  const message = `${name} is not used, because it has not been tested`;
  return { type: 'model_unavailable', message, hint: 'test it once: openclaw memory models test' };
}

function notUsed(name: string): Failure {
  const message = `${name} is not used, because it failed its test or the setting chatLevel says so`;
  return { type: 'model_unavailable', message, hint: 'see openclaw memory models list; choose a larger model' };
}

/** Opens the chat model, whatever its level is, with the results of its test. */
async function openTestedModel(parts: ModelParts) {
  const { chatModel: name, numCtx, folders, chatLevel } = parts.models;
  const { signal } = parts.context;
  const server = serverOf(parts);
  // Asked first, so that a server that does not answer is waited for only once.
  const version = await server.version(signal);
  if (!version.ok) return version;
  const digest = await server.chatDigest(name, signal);
  const tested: TestedModel = {
    name,
    digest,
    prompts: testVersion(),
    server: `${server.base.host} ${version.value}`,
  };
  const results = readTestResults(folders.cache, tested);
  const levelFor = chatLevel === 'tested' ? makeLevelFor(results) : () => chatLevel;
  const opened = await openChatModel(server, name, { numCtx, digest, levelFor }, signal);
  return opened.ok ? ok({ model: opened.value, results, tested }) : opened;
}

const PROMPTS = [
  ...(['reflect-judge', 'reflect-settle', 'choose-verdicts', 'choose-relations'] as const),
  ...(['flush', 'wm-create', 'wm-update', 'choose'] as const),
];

/** Hash of the prompts and samples of the test. With other ones, a model is tested again. */
const testVersion = lazy(() =>
  contentHash([...PROMPTS.map(promptOf), ...TESTED_LANGUAGES.map(samplesOf)].join('\n')).slice(0, 8),
);

function promptOf(name: (typeof PROMPTS)[number]): string {
  return readTemplate(`prompts/${name}.md`);
}

function samplesOf(language: (typeof TESTED_LANGUAGES)[number]): string {
  return readTemplate(`chat-test/${language}.json`);
}

/** The levels of a chat model and the results of its test. */
export interface ChatLevels {
  readonly name: string;
  /** The levels that count, the highest of all tested languages. Null for a task that was not tested yet. */
  readonly levels: TaskLevels;
  readonly results: ChatTestResults;
  /** Whether each task was tested in each language. */
  readonly isWhole: boolean;
  /** Whether the setting `chatLevel` decides, and not the test. */
  readonly isForced: boolean;
}

function levelsOf({ models: { chatLevel } }: ModelParts, name: string, results: ChatTestResults): ChatLevels {
  const isForced = chatLevel !== 'tested';
  const levelOf = (task: ChatTask) => (isForced ? chatLevel : (bestLevel(results, task) ?? null));
  const isWhole = TESTED_LANGUAGES.every((language) => CHAT_TASKS.every((task) => results[language]?.[task]));
  const levels = { verdicts: levelOf('verdicts'), facts: levelOf('facts'), memory: levelOf('memory') };
  return { name, levels, results, isWhole, isForced };
}

/** The finding of `doctor` about the levels of an installed chat model. */
export async function checkChatLevels(parts: ModelParts): Promise<Omit<Finding, 'check'> | undefined> {
  const opened = await openTestedModel(parts);
  if (!opened.ok) return undefined;
  const { model, results } = opened.value;
  const { name, levels } = levelsOf(parts, model.name, results);
  const shown = await serverOf(parts).show(name, parts.context.signal);
  const isBase = shown.ok && shown.value.isBase;
  const message = `${name}: ${formatLevels(levels)}${isBase ? '; it has no chat template' : ''}`;
  const isUsed = Object.values(levels).some((level) => level !== null && level !== 'unused');
  if (isUsed && !isBase) return { state: 'ok', message };
  const { hint } = isUsed ? NO_TEMPLATE : Object.values(levels).includes(null) ? notTested(name) : notUsed(name);
  return { state: 'warning', message, ...(hint && { hint }) };
}

const NO_TEMPLATE = { hint: 'it may be a base model, which was not trained to answer; choose an instruct model' };

/** Maximum time of a test, in ms. The next test goes on where this one ended. */
const MOST_MS = 120_000;

interface UsedChatModel {
  /** The value written to the settings. */
  readonly chatModel: string;
  readonly changes: readonly FileChange[];
}

/** The chat model that is set: what it may do, and its test. */
export class ChatModels {
  constructor(private readonly parts: ModelParts) {}

  /**
   * Reads the levels of the chat model. Does not ask the model. Failures: those of `chatModel()`.
   * @example
   * const levels = await chatModels.levels();
   * levels.ok && levels.value.levels.facts; // => 'free'
   */
  async levels(): Promise<Result<ChatLevels>> {
    const opened = await openTestedModel(this.parts);
    return opened.ok ? ok(levelsOf(this.parts, opened.value.model.name, opened.value.results)) : opened;
  }

  /**
   * Tests what the chat model may do, for two minutes at most, and stores each result in the user's cache. Goes on where
   * an earlier test ended.
   * @throws MemoryError `model_unavailable`, `busy` if another process tests it, `interrupted`
   * @example
   * const { name } = await chatModels.test({ maxSeconds: 60 });
   * name; // => 'qwen3:4b-instruct'
   */
  async test(given: ChatTestRequest = {}): Promise<ChatLevels> {
    const request = readTypedRequest('models test', CHAT_TEST_REQUEST, given);
    const { again = false, maxSeconds = MOST_MS / 1_000 } = request;
    const { parts } = this;
    const { signal, onProgress } = parts.context;
    const { model, results, tested } = valueOrThrow(await openTestedModel(parts));
    const { cache } = parts.models.folders;
    const { parseChatTestSamples, testChatModel } = await import('../upkeep/chat-test.js');
    const lock = lockTest(cache);
    try {
      if (again) removeTestResults(cache, tested);
      const done = await testChatModel({
        model,
        templates: {
          reflect: {
            judge: promptOf('reflect-judge'),
            settle: promptOf('reflect-settle'),
            chooseVerdicts: promptOf('choose-verdicts'),
            chooseRelations: promptOf('choose-relations'),
          },
          flush: promptOf('flush'),
          memory: { create: promptOf('wm-create'), update: promptOf('wm-update') },
          choose: promptOf('choose'),
        },
        samplesOf: (language) => parseChatTestSamples(samplesOf(language)),
        known: again ? {} : results,
        onResult: (found) => storeTestResult(cache, tested, found),
        onProgress: (count, all) => onProgress?.(count, all, 'parts of the test'),
        signal: joinSignals(signal, timeoutSignal(Math.min(maxSeconds * 1_000, MOST_MS))),
        isWholeTime: maxSeconds * 1_000 >= MOST_MS,
      });
      throwIfInterrupted(signal, 'the test was');
      if (!done.ok) throw new MemoryError(done.error);
    } finally {
      lock.release();
    }
    return levelsOf(parts, model.name, readTestResults(cache, tested));
  }

  /**
   * Whether the server has a chat model of this name.
   * @example
   * await chatModels.canChat('embeddinggemma'); // => false
   */
  async canChat(model: string): Promise<boolean> {
    const shown = await serverOf(this.parts).show(model, this.parts.context.signal);
    return (
      shown.ok && shown.value.capabilities.includes('completion') && !shown.value.capabilities.includes('embedding')
    );
  }

  /**
   * Sets the chat model. It is used when it has passed its test.
   * @throws MemoryError `settings`
   * @example
   * const { chatModel } = await chatModels.use({ model: 'qwen3:4b-instruct', dryRun: true });
   * chatModel; // => 'qwen3:4b-instruct'
   */
  async use(given: UseModelRequest): Promise<UsedChatModel> {
    const { model, dryRun = false } = readTypedRequest('use', USE_MODEL_REQUEST, given);
    checkSettings({ chatModel: model });
    return { chatModel: model, changes: [await writeSetting(this.parts.context.root, 'chatModel', model, dryRun)] };
  }
}

/** @throws MemoryError `busy` if another process tests a model */
function lockTest(cache: string): Lock {
  makeFolder(cache);
  const lock = tryLock(cache, { name: 'chat-test', command: 'models test', clock: openClock('UTC') });
  return lock ?? fail('busy', 'another process tests a chat model', 'try again when it is done');
}
