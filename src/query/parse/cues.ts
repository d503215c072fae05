import type { Day } from '../../base/clock.js';
import { BASIC_HAN_RANGES } from '../../language/scripts.js';
import type { DaySpan } from '../../language/time/calendar.js';
import { containsAnyWord } from '../../language/tokens.js';
import {
  type CueWordsAndPattern,
  DECISION_CUE,
  EXPERIENCE_CUE,
  HOW_MANY_CUE,
  LIKING_PATTERN,
  OPINION_CUE,
  type QuestionCue,
  RECENT_CUE,
  TITLE_CUE,
  WHEN_CUE,
  WHERE_CUE,
  WHO_CUE,
  WORDS_BEFORE_LIKE,
} from '../../language/words/question-cues.js';
import { toSimplified } from '../../language/words/traditional.js';
import type { QuestionReading } from './reading.js';

const HAS_HAN = new RegExp(`[${BASIC_HAN_RANGES}]`);

/** Reads which kind of memory and which kind of answer a question asks for. */
export function readQuestionCues(text: string): Pick<QuestionReading, 'wishes' | 'cues'> {
  const plain = toSimplified(text.toLowerCase()).replace(/[’ʼ]/g, "'").replace(/\s+/g, ' ').trim();
  const english = /[a-z]/.test(plain);
  const chinese = HAS_HAN.test(plain);
  const says = (cue: QuestionCue): boolean =>
    (english && cue.english.some((sign) => matchesCue(sign, plain))) ||
    (chinese && cue.chinese.some((pattern) => pattern.test(plain))) ||
    cue.others?.test(plain) === true;
  return {
    wishes: { opinion: says(OPINION_CUE) || likes(plain), experience: says(EXPERIENCE_CUE) },
    cues: {
      when: says(WHEN_CUE),
      howMany: says(HOW_MANY_CUE),
      where: says(WHERE_CUE),
      who: says(WHO_CUE),
      title: says(TITLE_CUE),
      decision: says(DECISION_CUE),
      recent: says(RECENT_CUE),
    },
  };
}

/** What "where is …?" may say besides a name, in languages without stop words of ours. */
const WHERE =
  /^(?:where|wo|où|ou|dónde|donde|dove|onde|где|находится|живёт|живет|vive|is|ist|est|está|se|trouve|steckt|lives?|living|living|stay(?:s|ing)?|based|home|wohnt|lebt|gerade|grad|habite|vit|vive|住|住在|人|家)$/i;
const ASKS_WHERE = /(?<![\w\u00c0-\u1fff])(?:wo|où|dónde|dove|onde|где)(?![\w\u00c0-\u1fff])/i;

/** Whether a question only asks where somebody is at present. */
export function asksWhere({ tense, entities, window, cues, words, cjk, text }: QuestionReading): boolean {
  if (tense === 'past' || entities.length === 0 || window !== null) return false;
  if (!cues.where && !ASKS_WHERE.test(text)) return false;
  const isName = (word: string): boolean => entities.some((slug) => slug.includes(word.toLowerCase()));
  return [...words.filter(({ role }) => role === 'content').map((word) => word.text), ...cjk].every(
    (word) => WHERE.test(word) || isName(word),
  );
}

/** Whether a text shows a sign. */
export function matchesCue([words, pattern]: CueWordsAndPattern, plain: string): boolean {
  return containsAnyWord(plain, words.split('|')) && pattern.test(plain);
}

function likes(plain: string): boolean {
  const before = plain.includes(' like') ? LIKING_PATTERN.exec(plain)?.[1] : undefined;
  return before !== undefined && !WORDS_BEFORE_LIKE.has(before);
}

/**
 * Whether the question asks for the current or a future state: it is not about the past, and the time that it names (if
 * any) is not over.
 */
export function asksForNow(reading: QuestionReading, window: DaySpan | null, today: Day): boolean {
  if (asksForHistory(reading) || reading.tense === 'past') return false;
  return window === null || (window.until ?? today) >= today;
}

/**
 * Whether the question asks for the first of several states: "what was the first value", "at first". A word that the best
 * line has, too, is a part of what is asked for: "first aid".
 * @param best the text of the best line
 */
export function asksForFirst({ text }: QuestionReading, best = ''): boolean {
  return FIRST.test(text) && !FIRST.test(best);
}

const FIRST =
  /\b(?:first|original(?:ly)?|initial(?:ly)?|at the (?:beginning|start)|zuerst|ursprünglich|anfangs|am anfang|d'abord|initialement|au début|primero|al principio|originalmente)\b|最初|起初|一开始|开始时|はじめ|当初|처음/iu;

/**
 * Whether the question asks for something of the past, which may still be true today: "when did we move", "what did we use
 * before".
 */
function asksForHistory({ cues, text }: QuestionReading): boolean {
  if (HISTORY.test(text)) return true;
  // "At what time is …" does not ask for the past.
  return cues.when && /\b(?:did|was|were|had|have)\b|[了过的]/i.test(text);
}

const HISTORY =
  /\b(?:before|previous(?:ly)?|formerly|used to|at first|originally|initially|back then|ever|how often|why)\b|之前|以前|最初|原来|当时|起初|曾经|为什么|为何|多久一次/i;
