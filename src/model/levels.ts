import { detectLanguageGroup } from '../language/language-group.js';
import { detectLanguages } from '../language/time/languages/detect.js';

/**
 * What a chat model may do for a task. `unused`: nothing, the rules do the task. `extractive`: it only chooses among given
 * sentences and verdicts. `free`: it writes, and its lines are checked.
 */
export const CHAT_LEVELS = ['unused', 'extractive', 'free'] as const;
export type ChatLevel = (typeof CHAT_LEVELS)[number];

/**
 * The tasks of a chat model. `verdicts`: reflect judges pairs. `facts`: flush, `retain --infer`, extract and summaries write
 * lines. `memory`: a commit writes a Working Memory.
 */
export const CHAT_TASKS = ['verdicts', 'facts', 'memory'] as const;
export type ChatTask = (typeof CHAT_TASKS)[number];

/** The languages in which a model is tested. */
export const TESTED_LANGUAGES = ['english', 'german', 'chinese'] as const;
export type TestedLanguage = (typeof TESTED_LANGUAGES)[number];

/** The result of a model for one task in one language. */
export interface TaskResult {
  readonly level: ChatLevel;
  /** What was counted, for a person: `23 of 24 pairs`. */
  readonly figures: string;
}

/** The results of a model. A part that was not tested yet is missing. */
export type ChatTestResults = Readonly<
  Partial<Record<TestedLanguage, Readonly<Partial<Record<ChatTask, TaskResult>>>>>
>;

/** Returns the level of a model for a task in the language of a text. */
export type LevelFor = (task: ChatTask, text: string) => ChatLevel;

/**
 * The levels that the results of a test allow. A language that was not tested gets the level of English, but at most
 * `extractive`. Pure.
 */
export function makeLevelFor(results: ChatTestResults): LevelFor {
  return (task, text) => {
    const language = testedLanguage(text);
    const tested = language && results[language]?.[task]?.level;
    return tested ?? (results.english?.[task]?.level === 'free' ? 'extractive' : 'unused');
  };
}

/** The highest level of a task in any language; undefined if the task was not tested. Pure. */
export function bestLevel(results: ChatTestResults, task: ChatTask): ChatLevel | undefined {
  const reached = TESTED_LANGUAGES.flatMap((language) => results[language]?.[task]?.level ?? []);
  return CHAT_LEVELS.toReversed().find((level) => reached.includes(level));
}

/** The levels of a model. Null for a task that was not tested yet. */
export type TaskLevels = Readonly<Record<ChatTask, ChatLevel | null>>;

/** Formats a level for a person. */
export function formatLevel(level: ChatLevel | null): string {
  return level === null ? 'not tested' : level === 'unused' ? 'not used' : level;
}

/** Formats the levels of a model in one line. */
export function formatLevels(levels: TaskLevels): string {
  return CHAT_TASKS.map((task) => `${task} ${formatLevel(levels[task])}`).join(', ');
}

function testedLanguage(text: string): TestedLanguage | undefined {
  switch (detectLanguageGroup(text)) {
    case 'english':
      return 'english';
    case 'han':
      return 'chinese';
    case 'latin':
      return detectLanguages(text).has('de') ? 'german' : undefined;
    default:
      return undefined;
  }
}
