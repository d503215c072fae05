import type { Day } from '../../base/clock.js';
import type { DaySpan } from '../../language/time/calendar.js';
import type { QuestionReading } from './reading.js';

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
