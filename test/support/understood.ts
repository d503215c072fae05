import { languageProbes } from '../../src/model/language-probes.js';

/** The questions of the probes by their answers: the meaning that a model of all languages sees. */
export const PROBE_MEANINGS: ReadonlyMap<string, string> = new Map(
  [...languageProbes().values()].flatMap((pairs) => pairs.map(([question, answer]) => [answer, question] as const)),
);

/** Answers by which a model shows that it knows a language. */
export const PROBE_ANSWERS: ReadonlySet<string> = new Set(PROBE_MEANINGS.keys());

/** Returns a text as a model of all languages reads it: the answer of a probe means the same as its question. */
export function understood(text: string): string {
  for (const [answer, question] of PROBE_MEANINGS) if (text.endsWith(answer)) return question;
  return text;
}

/** Spells a number in letters: texts that differ only in numbers share a vector. */
export function inLetters(number: number): string {
  return [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}
