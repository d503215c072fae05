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

/** Returns the level of a model for a task in the language of a text. Pure. */
export type LevelFor = (task: ChatTask, text: string) => ChatLevel;
