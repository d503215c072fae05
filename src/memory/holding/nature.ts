import { durationDays } from '../../language/statements/durations.js';
import { overIn } from '../../language/statements/endings.js';
import { tellsOfBecoming } from '../../language/statements/tenses.js';
import { hasSign, isHan, tenseOf } from '../../language/words/states.js';
import { tellsOfPast } from '../supersession/states.js';
import { mattersOf } from './matters.js';
import { passesByGrammar } from './passing.js';

/** How long what a statement says may hold, as far as its words tell. */
export interface Nature {
  /** How something is; what has made it so; what happened and is over; what was once. */
  readonly type: 'state' | 'change' | 'event' | 'past';
  /** It passes by nature: illness, mood, weather, "currently". */
  readonly isPassing: boolean;
  /** It is planned: it happens later, if it does. */
  readonly isPlan: boolean;
  /** It is only thought of. */
  readonly isWish: boolean;
  /** It comes back: every week, each birthday. */
  readonly isHabit: boolean;
  /** It waits for something that has not happened. */
  readonly isUnfinished: boolean;
  /** It says only what it is called: no verb, so a date in it is its own. */
  readonly isName: boolean;
  /** How long it says that it holds, in days. */
  readonly lasts: number | undefined;
}

/** Reads how a statement, or a part of one, holds. Pure. */
export function natureOf(text: string): Nature {
  const isHabit = hasSign('habit', text);
  const isUnfinished = hasSign('unfinished', text);
  const isWish = hasSign('wish', text);
  const isPassing =
    isUnfinished ||
    isWish ||
    (hasSign('passing', text) && !/\b(?:allerg|fear)/i.test(text)) ||
    (!isHabit && passesByGrammar(text));
  const lasts = durationDays(text);
  return {
    // 感冒了 and `swamped this week` are so still.
    type:
      isUnfinished ||
      (isPassing && (isHan(text) || passesByGrammar(text) || /^\w+ed (?!the|a|an|his|her|my)/i.test(text)))
        ? 'state'
        : typeOf(text),
    isPassing: isPassing || (lasts !== undefined && !isHabit),
    isPlan: hasSign('plan', text),
    isWish,
    isHabit,
    isUnfinished,
    isName: tenseOf(text) === 'none' && !isHan(text),
    lasts,
  };
}

/** Who stopped something is without it since; a rule is none that happened. */
const STOPPED_FOR_GOOD =
  /\b(?:stopped|quit|gave up|given up|divorced|getrennt|gestopt|smesso|closed down|shut down|expired|(?:is|are) (?:cancell?ed|sold|completed|finished))\b|бросил|перестал|развел|やめた|辞めた|戒|停|不[养租开用吃喝学练干做]了/i;
const MUST = /必须|不得|不能|禁止|应该|务必|需要|要先/;

function typeOf(text: string): Nature['type'] {
  if (tellsOfPast(text)) return 'past';
  const tense = tenseOf(text);
  const isChinese = isHan(text);
  if (hasSign('change', text) || tellsOfBecoming(text) || mattersOf(text).some(({ own }) => own?.test(text)))
    return 'change';
  if (tense === 'past') return 'event';
  const isEvent = overIn(text) !== undefined && !STOPPED_FOR_GOOD.test(text);
  if (isEvent || (isChinese && tense === 'none' && hasSign('chineseEvent', text) && !MUST.test(text))) return 'event';
  return 'state';
}
