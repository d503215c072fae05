import type { FoundUnit } from '../../index/search.js';
import { BASIC_CJK_RANGES } from '../../language/scripts.js';
import { wordSet } from '../../language/tokens.js';

const UNSPACED = new RegExp(`[${BASIC_CJK_RANGES}]`);

/** Every part of every name of the speakers of some lines, in lower case. */
export function speakerNames(units: readonly FoundUnit[]): ReadonlySet<string> {
  return new Set([...new Set(units.map(({ speaker }) => speaker))].flatMap(nameParts));
}

/** What stands before a name, or joins it, and is no part of it that a person is known by. */
const TITLES = wordSet(
  'dr dr. prof prof. mr mr. mrs mrs. ms ms. herr frau mme madame monsieur señor señora van von der den bin',
);
/** Matches a title after a name in Japanese or Korean. */
const HONORIFIC = /(?<=.)(?:さん|くん|ちゃん|様|先生|氏|\s?씨|님)$/;

/** A name and the words that it is made of, in lower case. */
function nameParts(speaker: string | null): readonly string[] {
  if (speaker === null) return [];
  const name = speaker.toLowerCase().replace(HONORIFIC, '');
  const parts = name
    .split(/[\s・_]/)
    .filter((part) => part.length > (UNSPACED.test(part) ? 1 : 2) && !TITLES.has(part));
  return [...new Set([name, ...parts])];
}

/** Whether a question names a speaker. Names of scripts without spaces stand anywhere in it. */
export function isSpeakerNamed(speaker: string | null, words: ReadonlySet<string>, question: string): boolean {
  return nameParts(speaker).some(
    (part) => words.has(part) || words.has(`${part}s`) || (UNSPACED.test(part) && question.includes(part)),
  );
}
