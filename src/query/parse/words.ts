import { startsWithCapital } from '../../language/scripts.js';
import { functionWordTest } from '../../language/time/languages/detect.js';
import { isWithinAnyRange, type RangeInText, type Token } from '../../language/tokens.js';
import { otherWordForms } from '../../language/words/forms.js';
import { DECIDE_VERB } from '../../language/words/question-cues.js';
import { ENGLISH_STOP_WORDS, FRAME_PHRASES, FRAME_WORDS } from '../../language/words/stop.js';
import type { WordOfQuestion, WordRole } from './reading.js';

/**
 * Weight of a word by its role. A log may contain "last week" or "the kind of", but the question does not ask for these
 * words.
 */
const ROLE_WEIGHTS: Readonly<Record<WordRole, number>> = { content: 1, name: 1, frame: 0.3, time: 0.3 };

interface WordRanges {
  readonly names: readonly RangeInText[];
  readonly times: readonly RangeInText[];
  /** Ranges in quotation marks. Their words are meant literally, so they are neither stop words nor frames. */
  readonly quotes: readonly RangeInText[];
  /** Words for the present moment: a wish for what holds, and no keywords. */
  readonly now: readonly RangeInText[];
}

/** The keywords of a question, stop words left out. */
export function readKeywords(text: string, tokens: readonly Token[], places: WordRanges): WordOfQuestion[] {
  const frames = frameRanges(tokens);
  const shouting = text === text.toUpperCase();
  const isFunction = functionWordTest(text);
  const roles = new Map<string, WordRole>();
  for (const token of tokens) {
    if (token.kind !== 'word' || isWithinAnyRange(token, places.now) || isStopped(token, places, shouting)) continue;
    const read = roleOf(token, places, frames);
    const isEmpty =
      read === 'content' &&
      !isWithinAnyRange(token, places.quotes) &&
      (isFunction(token.lower) || DECIDE_VERB.test(token.lower));
    const role = isEmpty ? 'frame' : read;
    for (const piece of token.lower.split("'")) if (piece !== '') roles.set(piece, stronger(roles.get(piece), role));
  }
  const capital = capitals(text, tokens);
  return [...roles].map(([word, role]) => ({
    ...toWord(word, role, ROLE_WEIGHTS[role]),
    ...(role === 'content' && capital.has(word) ? { isCapital: true } : {}),
  }));
}

/** The words with a capital letter inside of a sentence; in a title each word has one. */
function capitals(text: string, tokens: readonly Token[]): ReadonlySet<string> {
  const inside = tokens.filter(
    ({ kind, start }) => kind === 'word' && /[\p{Ll},;:]["“„'‘(]? ["“„'‘(]?$/u.test(text.slice(0, start)),
  );
  const named = inside.filter(({ text: word }) => word.length > 1 && startsWithCapital(word));
  return new Set(named.length > 1 && named.length === inside.length ? [] : named.map(({ lower }) => lower));
}

/** Ranges of the phrases that only frame a question. At each place, the longest phrase. */
function frameRanges(tokens: readonly Token[]): RangeInText[] {
  const ranges: RangeInText[] = [];
  for (let i = 0; i < tokens.length; ) {
    const phrase = framesByWord()
      .get(tokens[i]?.lower ?? '')
      ?.find((words) => words.every((word, k) => tokens[i + k]?.lower === word));
    const first = tokens[i];
    const last = tokens[i + (phrase?.length ?? 1) - 1];
    if (phrase && first && last) ranges.push({ start: first.start, end: last.end });
    i += phrase?.length ?? 1;
  }
  return ranges;
}

let frames: ReadonlyMap<string, readonly (readonly string[])[]> | undefined;

function framesByWord(): ReadonlyMap<string, readonly (readonly string[])[]> {
  if (frames) return frames;
  const byWord = new Map<string, string[][]>();
  for (const words of FRAME_PHRASES.map((phrase) => phrase.split(' ')).sort((a, b) => b.length - a.length))
    byWord.set(words[0] ?? '', [...(byWord.get(words[0] ?? '') ?? []), words]);
  frames = byWord;
  return byWord;
}

/** Every word of a question that holds nothing but stop words, frames or times, with full weight. */
export function readAllWords(tokens: readonly Token[]): WordOfQuestion[] {
  const words = new Set(tokens.filter(({ kind }) => kind === 'word').flatMap(({ lower }) => lower.split("'")));
  words.delete('');
  return [...words].map((word) => toWord(word, 'content', 1));
}

function toWord(text: string, role: WordRole, weight: number): WordOfQuestion {
  return { text, weight, forms: role === 'name' || role === 'time' ? [] : otherWordForms(text), role };
}

function isStopped(token: Token, { names, quotes }: WordRanges, shouting: boolean): boolean {
  if (!ENGLISH_STOP_WORDS.has(token.lower) || isWhole(token, names)) return false;
  // "US", "IT": written in capitals in a sentence that is not, a stop word is an abbreviation.
  const abbreviation = !shouting && token.text.length > 1 && token.text === token.text.toUpperCase();
  return !abbreviation || isWithinAnyRange(token, quotes);
}

/** A name of this one word: "the" in "The Castle" stays a stop word. */
function isWhole(token: RangeInText, names: readonly RangeInText[]): boolean {
  return names.some(({ start, end }) => start === token.start && end === token.end);
}

function roleOf(token: Token, { names, times, quotes }: WordRanges, frames: readonly RangeInText[]): WordRole {
  if (isWithinAnyRange(token, names)) return 'name';
  if (isWithinAnyRange(token, times)) return 'time';
  if (isWithinAnyRange(token, quotes)) return 'content';
  return isWithinAnyRange(token, frames) || FRAME_WORDS.has(token.lower) ? 'frame' : 'content';
}

function stronger(a: WordRole | undefined, b: WordRole): WordRole {
  return a !== undefined && ROLE_WEIGHTS[a] >= ROLE_WEIGHTS[b] ? a : b;
}
