import { blank, type Range } from '../../language/tokens.js';

/** A sentence with what ends it: `am 3. Mai` and `Dr. Amari` end none. */
const SENTENCE =
  /[^.!?。！？；\n]+(?:(?:(?<=\d|\b(?:Dr|Mr|Mrs|Ms|St|Prof|No|Nr|vs|ca))\.(?!\s*$)|\.(?!\s|$))[^.!?。！？；\n]*)*[.!?。！？；\n]*["'”’»」』)\]]*/g;
const ASKS = /[?？]["'”’»」』)\]]*\s*$|(?:吗|呢|か)[。.\s]*$/;
const QUESTION_WORDS =
  /\b(?:what|which|who|whose|whom|when|where|why|how|did|does?|is|are|was|were|show|tell|find|list|give|remind)\b|什么|哪|谁|几|多少|怎么|为何/i;
const SELF = /\b(?:i|we|my|our)\b(?! (?:need|want|wonder|would like)\b)|[我咱]/i;
const FACT =
  /\b(?:what|which|who|whose|whom|when|where|how (?:many|much|old|long|far|big|tall))\b|什么|哪|谁|几|多少|何时/i;
const ADVICE =
  /\b(?:should|shall|can|could|would|might|any (?:advice|suggestions?|ideas?)|what if|what about|how about|do you)\b|应该|怎么办|建议|可以|能不能|你|该/i;

/** A message in its sentences. */
export interface Message {
  /**
   * It without the sentences that only tell: a time in "Yesterday I helped a classmate" asks for no day. All of it where
   * nothing tells.
   */
  readonly asking: string;
  /** It tells something in several sentences. */
  readonly tells: boolean;
  /** It tells something, and ends in a question of fact: what was told matters less than what is asked. */
  readonly endsInFact: boolean;
}

/** Tells apart what a message tells and what it asks. Pure. */
export function readMessage(text: string): Message {
  const sentences = sentencesOf(text);
  const isAsking = ([sentence]: RegExpMatchArray): boolean => ASKS.test(sentence.trim());
  const telling = sentences.filter((sentence) => !isAsking(sentence));
  const last = sentences.at(-1);
  const asks = telling.length < sentences.length;
  if (telling.length === 0 || (!asks && !telling.some(([sentence]) => isTold(sentence))))
    return { asking: text, tells: false, endsInFact: false };
  const ranges = telling.map(({ 0: sentence, index = 0 }): Range => ({ start: index, end: index + sentence.length }));
  const endsInFact = last !== undefined && isAsking(last) && FACT.test(last[0]) && !ADVICE.test(last[0]);
  return { asking: blank(text, ranges), tells: sentences.length > 1, endsInFact };
}

/** The sentences of a text that say something. */
export function sentencesOf(text: string): readonly RegExpMatchArray[] {
  return [...text.matchAll(SENTENCE)].filter(([sentence]) => /[^\s.,;:!?。，！？…-]/.test(sentence));
}

/** A whole sentence that somebody says of himself, and that asks for nothing. */
function isTold(sentence: string): boolean {
  return /[.!。！…]["'”’)]*\s*$/.test(sentence) && SELF.test(sentence) && !QUESTION_WORDS.test(sentence);
}
