import { join } from 'node:path';
import { asRecord, isRecord, parseRecord } from '../base/json.js';
import { editFile, makeFolder, readTextIfThere } from '../workspace/files.js';
import {
  CHAT_LEVELS,
  CHAT_TASKS,
  type ChatTask,
  type ChatTestResults,
  type TaskResult,
  TESTED_LANGUAGES,
  type TestedLanguage,
} from './levels.js';

/** The model, the prompts and the server that results hold for. If one of them changes, the model is tested again. */
export interface TestedModel {
  readonly name: string;
  /** Digest of the model; '' if the server tells none. */
  readonly digest: string;
  /** Hash of the prompts and of the samples. */
  readonly prompts: string;
  /** Address and version of the server. */
  readonly server: string;
}

const FILE = 'chat-levels.json';

/** Reads the results of a model's test from the user's cache. Empty if it was not tested. */
export function readTestResults(cacheFolder: string, model: TestedModel): ChatTestResults {
  const stored = asRecord(readStore(readTextIfThere(join(cacheFolder, FILE)))[keyOf(model)]);
  return Object.fromEntries(
    TESTED_LANGUAGES.map((language) => {
      const tasks = asRecord(stored[language]);
      const known = CHAT_TASKS.flatMap((task) => {
        const result = readResult(tasks[task]);
        return result === undefined ? [] : [[task, result] as const];
      });
      return [language, Object.fromEntries(known)];
    }),
  );
}

/** Stores the result for one task in one language. Results of other models stay. */
export function storeTestResult(
  cacheFolder: string,
  model: TestedModel,
  { language, task, result }: { language: TestedLanguage; task: ChatTask; result: TaskResult },
): void {
  makeFolder(cacheFolder);
  const key = keyOf(model);
  editFile(join(cacheFolder, FILE), (current) => {
    const store = readStore(current?.toString('utf8'));
    const own = asRecord(store[key]);
    const tasks = { ...asRecord(own[language]), [task]: result };
    return `${JSON.stringify({ ...store, [key]: { ...own, [language]: tasks } }, undefined, 1)}\n`;
  });
}

/** Removes the results of a model, so that it is tested again. */
export function removeTestResults(cacheFolder: string, model: TestedModel): void {
  if (readTextIfThere(join(cacheFolder, FILE)) === undefined) return;
  editFile(join(cacheFolder, FILE), (current) => {
    const { [keyOf(model)]: _, ...others } = readStore(current?.toString('utf8'));
    return `${JSON.stringify(others, undefined, 1)}\n`;
  });
}

function readStore(text: string | undefined) {
  return parseRecord(text ?? '{}') ?? {};
}

function keyOf({ name, digest, prompts, server }: TestedModel): string {
  return [name, digest.replace(/^sha256:/u, '').slice(0, 12), prompts, server].join(' ');
}

function readResult(value: unknown): TaskResult | undefined {
  if (!isRecord(value)) return undefined;
  const level = CHAT_LEVELS.find((one) => one === value.level);
  return level === undefined ? undefined : { level, figures: String(value.figures) };
}
