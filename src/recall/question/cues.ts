import { HAN } from '../../language/scripts.js';
import { hasAny } from '../../language/tokens.js';
import {
  type CuePattern,
  DECISION,
  EXPERIENCE,
  HOW_MANY,
  LIKING,
  NOT_LIKING,
  OPINION,
  type QuestionCue,
  RECENT,
  STATES_DECISION,
  TITLE,
  WHEN,
  WHERE,
  WHO,
} from '../../language/words/question-cues.js';
import { toSimplified } from '../../language/words/traditional.js';
import type { QuestionReading } from './reading.js';

const HAS_HAN = new RegExp(`[${HAN}]`);

/** Reads which kind of memory and which kind of answer a question asks for. */
export function readCues(text: string): Pick<QuestionReading, 'wishes' | 'cues'> {
  const plain = toSimplified(text.toLowerCase()).replace(/[’ʼ]/g, "'").replace(/\s+/g, ' ').trim();
  const english = /[a-z]/.test(plain);
  const chinese = HAS_HAN.test(plain);
  const says = (cue: QuestionCue): boolean =>
    (english && cue.english.some((sign) => hasSign(sign, plain))) ||
    (chinese && cue.chinese.some((pattern) => pattern.test(plain))) ||
    cue.others?.test(plain) === true;
  return {
    wishes: { opinion: says(OPINION) || likes(plain), experience: says(EXPERIENCE) },
    cues: {
      when: says(WHEN),
      howMany: says(HOW_MANY),
      where: says(WHERE),
      who: says(WHO),
      title: says(TITLE),
      decision: says(DECISION),
      recent: says(RECENT),
    },
  };
}

/** Whether a line states a decision. */
export function statesDecision(text: string): boolean {
  const plain = toSimplified(text.toLowerCase());
  return STATES_DECISION.test(plain) || DECISION.chinese.some((pattern) => pattern.test(plain));
}

/** Whether a text shows a sign. */
export function hasSign([words, pattern]: CuePattern, plain: string): boolean {
  return hasAny(plain, words.split('|')) && pattern.test(plain);
}

function likes(plain: string): boolean {
  const before = plain.includes(' like') ? LIKING.exec(plain)?.[1] : undefined;
  return before !== undefined && !NOT_LIKING.has(before);
}
