import { otherForms } from './forms.js';
import type { QuestionWord, WordRole } from './reading.js';
import { FRAME_PHRASES, FRAME_WORDS } from './tables/english-frames.js';
import { ENGLISH_STOP_WORDS } from './tables/english-stop.js';
import { type Range, type Token, within } from './tokens.js';

/** What a word counts by its role: a log may literally say "last week" or "the kind of", but that is not what is asked. */
export const ROLE_WEIGHTS: Readonly<Record<WordRole, number>> = { content: 1, name: 1, frame: 0.3, time: 0.3 };

const FRAME = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${FRAME_PHRASES.join('|').replaceAll(' ', '\\s{1,3}')})(?![\\p{L}\\p{N}])`,
  'giu',
);

export interface WordPlaces {
  readonly names: readonly Range[];
  readonly times: readonly Range[];
  /** Quoted: meant literally, so neither stop word nor frame. */
  readonly quotes: readonly Range[];
}

/** The keywords of a question, stop words left out. */
export function keywords(text: string, tokens: readonly Token[], places: WordPlaces): QuestionWord[] {
  const frames = [...text.matchAll(FRAME)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
  const shouting = !/\p{Ll}/u.test(text);
  const roles = new Map<string, WordRole>();
  for (const token of tokens) {
    if (token.kind !== 'word' || isStopped(token, places, shouting)) continue;
    const role = roleOf(token, places, frames);
    for (const piece of token.lower.split("'")) if (piece !== '') roles.set(piece, stronger(roles.get(piece), role));
  }
  return [...roles].map(([word, role]) => toWord(word, role, ROLE_WEIGHTS[role]));
}

/** Every word of a question that holds nothing but stop words, frames or times, with full weight. */
export function everyWord(tokens: readonly Token[]): QuestionWord[] {
  const words = new Set(tokens.filter(({ kind }) => kind === 'word').flatMap(({ lower }) => lower.split("'")));
  words.delete('');
  return [...words].map((word) => toWord(word, 'content', 1));
}

function toWord(text: string, role: WordRole, weight: number): QuestionWord {
  return { text, weight, forms: role === 'name' || role === 'time' ? [] : otherForms(text), role };
}

function isStopped(token: Token, { names, quotes }: WordPlaces, shouting: boolean): boolean {
  if (!ENGLISH_STOP_WORDS.has(token.lower) || within(token, names)) return false;
  // "US", "IT": written in capitals in a sentence that is not, a stop word is an abbreviation.
  const abbreviation = !shouting && /^\p{Lu}{2,}$/u.test(token.text);
  return !abbreviation || within(token, quotes);
}

function roleOf(token: Token, { names, times, quotes }: WordPlaces, frames: readonly Range[]): WordRole {
  if (within(token, names)) return 'name';
  if (within(token, times)) return 'time';
  if (within(token, quotes)) return 'content';
  return within(token, frames) || FRAME_WORDS.has(token.lower) ? 'frame' : 'content';
}

function stronger(a: WordRole | undefined, b: WordRole): WordRole {
  return a !== undefined && ROLE_WEIGHTS[a] >= ROLE_WEIGHTS[b] ? a : b;
}
