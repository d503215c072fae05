import { blank, type Range } from '../../language/tokens.js';

/** A sentence with what ends it: `am 3. Mai` and `Dr. Amari` end none. */
const SENTENCE =
  /[^.!?。！？；\n]+(?:(?:(?<=\d|\b(?:Dr|Mr|Mrs|Ms|St|Prof|No|Nr|vs|ca))\.(?!\s*$)|\.(?!\s|$))[^.!?。！？；\n]*)*[.!?。！？；\n]*["'”’»」』)\]]*/g;
const ASKS = /[?？]["'”’»」』)\]]*\s*$|(?:吗|呢|か)[。.\s]*$/;
/** What two sentences say is told; of one, only what somebody says of himself. */
const TELLS =
  /^(?:[^?？]*\b(?:i|we|my|our)\b(?! (?:need|want|wonder|would like)\b)[^?？]*|[我咱][^?？]*)[.!。！…]\s*$/i;

/**
 * A message without the sentences that only tell: a time in "Yesterday I helped a classmate" asks for no day. All of it
 * where nothing tells.
 */
export function askingPart(text: string): string {
  const sentences = [...text.matchAll(SENTENCE)].filter(([sentence]) => /[^\s\p{P}]/u.test(sentence));
  const isTelling = (sentence: string): boolean => !ASKS.test(sentence.trim());
  if (sentences.length < 2) return TELLS.test(text.trim()) ? ' '.repeat(text.length) : text;
  const telling = sentences.filter(([sentence]) => isTelling(sentence));
  const asks = telling.length < sentences.length;
  if (!asks && !telling.some(([sentence]) => TELLS.test(sentence.trim()))) return text;
  return blank(
    text,
    telling.map(({ 0: sentence, index }): Range => ({ start: index, end: index + sentence.length })),
  );
}
