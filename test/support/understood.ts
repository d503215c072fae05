import { languageProbes } from '../../src/model/language-probes.js';

/** What the answers of the probes mean to a model that knows every tongue: the questions. */
export const PROBE_MEANINGS: ReadonlyMap<string, string> = new Map(
  [...languageProbes().values()].flatMap((pairs) => pairs.map(([question, answer]) => [answer, question] as const)),
);

/** The answers by which a model shows that it knows a tongue. */
export const PROBE_ANSWERS: ReadonlySet<string> = new Set(PROBE_MEANINGS.keys());

/** A text as a model reads it that knows every tongue: the answer of a probe means what its question asks. */
export function understood(text: string): string {
  for (const [answer, question] of PROBE_MEANINGS) if (text.endsWith(answer)) return question;
  return text;
}

/** A number in letters: texts that differ in numbers alone share a vector. */
export function inLetters(number: number): string {
  return [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}
