import { UNSPACED } from './scripts.js';

/** A stretch of a text in scripts with, or in scripts without spaces between words. */
export interface Run {
  readonly text: string;
  readonly isUnspaced: boolean;
}

const UNSPACED_RUN = new RegExp(`([${UNSPACED}]+)`, 'u');

/** Whether a text has a character of a script that is read by bigrams. */
export function hasUnspaced(text: string): boolean {
  return UNSPACED_RUN.test(text);
}

/** A text cut where its script changes between spaced and unspaced: `使用redis缓存` has three runs. */
export function scriptRuns(text: string): readonly Run[] {
  if (!hasUnspaced(text)) return text === '' ? [] : [{ text, isUnspaced: false }];
  const runs = text.split(UNSPACED_RUN).map((run, index) => ({ text: run, isUnspaced: index % 2 === 1 }));
  return runs.filter((run) => run.text !== '');
}

/** The pairs of neighbouring characters of a run; a single character stands for itself. */
export function bigrams(run: string): readonly string[] {
  return grams(run, 2);
}

/** Stretches of so many characters of a run; a shorter run stands for itself. */
export function grams(run: string, length: number): readonly string[] {
  const characters = [...run];
  if (characters.length <= length) return run === '' ? [] : [run];
  return Array.from({ length: characters.length - length + 1 }, (_, i) => characters.slice(i, i + length).join(''));
}
