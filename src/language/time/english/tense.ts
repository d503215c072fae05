import type { Day } from '../../../base/clock.js';
import { IRREGULAR_FORMS } from '../../words/irregular.js';
import { addDays, type Period } from '../calendar.js';
import type { Expression } from '../expression.js';

export type Tense = 'past' | 'present' | 'future';

const PAST = /\b(?:did|was|were|had|didn't|wasn't|weren't|hadn't|been)\b/;
const FUTURE = /\b(?:will|won't|shall|going to|gonna|planned|scheduled|upcoming|due)\b|'ll\b/;
const PRESENT =
  /\b(?:is|are|am|isn't|aren't|do|does|don't|doesn't|have|has|can|should|must|(?:what|who|where|when|it|there)'s|(?:i'|what'|who'|we'|you'|they')(?:m|re))\b/;
// "Do you remember …", "what does the log say about …": the verb asks what is known, not what is to come.
const ASKING =
  /\b(?:do|can|could) (?:you|we|i) (?:still )?(?:know|remember|recall|tell|show|find)\b|\b(?:do|does) [^?.!]{0,40}\b(?:say|mention)\b/g;
const PAST_ENDING = /\b(?!planned|scheduled)\w{2,16}[^e\W]ed\b/;
// Plurals among the irregular forms, beside those in -s, -a and -i.
const PLURALS = new Set('children dice feet geese lice men mice oxen people teeth women'.split(' '));
const HABIT = /\b(?:usually|normally|generally|typically|always|regularly|routinely|(?<!how )often|tends? to)\b/;

let pastForms: ReadonlySet<string> | undefined;

/** Whether a question looks back, at what is, or ahead. Without a sign it looks back: that is what a memory is asked. */
export function tenseOf(question: string): Tense {
  const text = question.replace(ASKING, ' ').replace(/’/g, "'");
  if (PAST.test(text)) return 'past';
  if (!FUTURE.test(text) && !PRESENT.test(text)) return 'past';
  if (PAST_ENDING.test(text) || hasPastForm(text)) return 'past';
  return FUTURE.test(text) ? 'future' : 'present';
}

/** "What does Bob usually do on Monday" asks for no Monday in particular. */
export function asksHabit(question: string): boolean {
  return HABIT.test(question);
}

/** The other occurrence that a name which comes back may mean beside the latest one, or in its place. */
export interface Recurrence {
  readonly period: Period;
  readonly instead: boolean;
}

/**
 * Asked of the past, a weekday is the latest one, or both today and the last one when it is asked on that day. Asked of
 * the present, both the latest and the next one are meant, so that neither is hidden; asked of the future, the next.
 */
export function recurrence({ period, recurs }: Expression, tense: Tense, today: Day): Recurrence | undefined {
  if (!recurs) return undefined;
  const isToday = period.since === today && period.until === today;
  if (tense === 'past') {
    const before = isToday && recurs.cycle === 7 ? recurs.at(addDays(today, -1)) : undefined;
    return before && { period: before, instead: false };
  }
  if (period.until >= today && !isToday) return undefined;
  const next = recurs.at(addDays(today, recurs.cycle));
  return next && next.since > today ? { period: next, instead: tense === 'future' && !isToday } : undefined;
}

/** Whether a word is the past form of a verb: "moved", "left". Lower case. */
export function isPastForm(word: string): boolean {
  return PAST_ENDING.test(word) || hasPastForm(word);
}

function hasPastForm(text: string): boolean {
  pastForms ??= readPastForms();
  const forms = pastForms;
  return (text.match(/[a-z]{3,}/g) ?? []).some((word) => forms.has(word));
}

function readPastForms(): Set<string> {
  const groups = IRREGULAR_FORMS.map((group) => group.split(' '));
  const present = new Set(groups.map(([first]) => first));
  const forms = groups.flatMap(([, ...others]) => others);
  return new Set(forms.filter((form) => !present.has(form) && !PLURALS.has(form) && !/[sai]$/.test(form)));
}
