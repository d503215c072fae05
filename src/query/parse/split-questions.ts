import { HANGUL_RANGES, KANA_RANGES, SOUTH_EAST_ASIAN_RANGES } from '../../language/scripts.js';
import { hasFirstPersonPronoun } from '../../language/speakers.js';
import { blankRanges, type RangeInText } from '../../language/tokens.js';
import { isFactQuestion, isRequest } from '../../language/words/question-cues.js';

/** A sentence with what ends it: `am 3. Mai` and `Dr. Amari` end none. */
const SENTENCE =
  /[^.!?。！？；؟۔।។။\n]+(?:(?:(?<=\d|\b(?:Dr|Mr|Mrs|Ms|St|Prof|No|Nr|vs|ca))\.(?!\s*$)|\.(?!\s|$))[^.!?。！？；؟۔।។။\n]*)*[.!?。！？；؟۔।។။\n]*["'”’»」』)\]]*/g;
/** Thai and its neighbours put a space between sentences, and between some words: it ends one where there are many. */
const THAI_SPACE = new RegExp(`(?<=[${SOUTH_EAST_ASIAN_RANGES}])\\s+(?=[${SOUTH_EAST_ASIAN_RANGES}])`, 'g');
const MANY_SPACES = 5;
const ASKS = /[?？؟\u037e]["'”’»」』)\]]*\s*$|[\u0370-\u03ff];\s*$|(?:吗|呢|か)[。.\s]*$/;
/** A question without its mark, at the end of a message. */
const ASKS_BARE =
  /^\s*(?:(?:and|so|now|but|ok|okay|anyway)[\s,]+)?(?:what|which|who|whose|when|where|how (?:many|much|old|long))\b[^.!]*$|(?:什么|多少|哪[里儿个天]?|谁|几[^，。]{0,3}|来着|อะไร|ที่ไหน|ใคร|เมื่อไร|เมื่อไหร่|เท่าไร|เท่าไหร่|뭐야|누구야|어디야)[^，。！.!]{0,3}$/i;
const QUESTION_WORDS =
  /\b(?:what|which|who|whose|whom|when|where|why|how|did|does?|is|are|was|were|show|tell|find|list|give|remind)\b|什么|哪|谁|几|多少|怎么|为何/i;
const SELF = /\b(?:i|we|my|our)\b(?! (?:need|want|wonder|would like)\b)|[我咱]/i;
/** "Do you know where" asks where. */
const POLITE =
  /\b(?:do|can|could|would) you (?:still |please |perhaps |happen to )?(?:know|remember|recall|tell me|remind me|look up|find)\b|你(?:还|能|可以|知不)*(?:记得|知道|告诉我)/gi;
const TO_YOU = /\byou(?:r|rs)?\b|[你您]/i;

/** A message, split into the sentences that tell and those that ask. */
interface SplitMessage {
  /**
   * The message without the sentences that only tell: the time in "Yesterday I helped a classmate" asks for no day. The
   * whole message if no sentence tells.
   */
  readonly asking: string;
  /** Whether the message tells something in several sentences. */
  readonly tells: boolean;
  /**
   * Whether the message tells something, and begins or ends with a question for a fact. Then the words that ask count more
   * than the words that tell.
   */
  readonly asksFact: boolean;
}

/** Separates the sentences of a message that tell something from those that ask. Pure. */
export function splitQuestions(text: string): SplitMessage {
  const sentences = statingSentences(text);
  const last = sentences.at(-1);
  const isAsking = (sentence: Sentence): boolean =>
    ASKS.test(sentence.text) || (sentence === last && ASKS_BARE.test(sentence.text));
  const telling = sentences.filter((sentence) => !isAsking(sentence));
  const asks = telling.length < sentences.length;
  if (telling.length === 0 || (!asks && !telling.some(isTold))) return { asking: text, tells: false, asksFact: false };
  const [first] = sentences;
  const isFact = (sentence: Sentence | undefined): boolean =>
    sentence !== undefined && isAsking(sentence) && isFactQuestion(sentence.text.replace(POLITE, ' '));
  // "Do you know what my favourite game is? It is …" asks nothing.
  const asksFact = isFact(last) || (isFact(first) && !TO_YOU.test(first?.text ?? ''));
  return { asking: blankRanges(text, telling), tells: sentences.length > 1, asksFact };
}

interface Sentence extends RangeInText {
  readonly text: string;
}

/** The sentences of a text that state something. */
export function statingSentences(text: string): readonly Sentence[] {
  return [...text.matchAll(SENTENCE)]
    .flatMap(({ 0: sentence, index: start }) => clausesOf({ text: sentence, start, end: start + sentence.length }))
    .filter((sentence) => /[^\s.,;:!?。，！？…-]/.test(sentence.text));
}

function clausesOf(sentence: Sentence): readonly Sentence[] {
  const spaces = [...sentence.text.matchAll(THAI_SPACE)].map(({ index }) => index);
  if (spaces.length < MANY_SPACES) return [sentence];
  return [0, ...spaces].map((from, i) => {
    const text = sentence.text.slice(from, spaces[i]);
    return { text, start: sentence.start + from, end: sentence.start + from + text.length };
  });
}

/** A whole sentence that somebody says of himself, and that asks for nothing. Japanese and Korean leave out who speaks. */
function isTold({ text }: Sentence, _: number, { length }: readonly Sentence[]): boolean {
  const isOwn = SELF.test(text) || hasFirstPersonPronoun(text) || (length > 1 && NO_PRONOUNS.test(text));
  return /[.!。！…]["'”’)]*\s*$/.test(text) && isOwn && !QUESTION_WORDS.test(text) && !isRequest(text);
}

const NO_PRONOUNS = new RegExp(`[${KANA_RANGES}${HANGUL_RANGES}]`);
