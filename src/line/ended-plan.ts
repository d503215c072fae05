import type { Day } from '../base/clock.js';
import { LETTER_RANGES } from '../language/scripts.js';
import type { TimeMention } from '../language/time/policy.js';
import { AnyWordTest, blankRanges, type RangeInText } from '../language/tokens.js';
import { CJK_NEGATION_PATTERN, NEGATION_PATTERN } from '../language/words/stop.js';
import { findWordsForNow } from '../language/words/time-words.js';
import { CUES_OF_CANCELLATIONS } from './statement/ended-value.js';
import { contentTerms } from './statement/terms.js';

/** The first and the last day of something ahead. A null day: this end is open. One alone: it is both. */
export type AnnouncedDays = readonly [from: Day | null, to?: Day | null];

/** An appointment that a line cancels or moves to another day. */
export interface EndedPlan {
  /** Terms of the appointment. */
  readonly terms: readonly string[];
  /** The days that are over, if the line names them. */
  readonly days: readonly AnnouncedDays[];
}

/** A plan that a sentence cancels or moves, and its times that still apply. */
interface PlanChange {
  readonly ends: EndedPlan | undefined;
  readonly open: readonly TimeMention[];
}

const CUES = new AnyWordTest(
  `${CUES_OF_CANCELLATIONS.join('|')}|entfällt|fällt|falls through|moved|rescheduled|postponed|pushed|brought forward|verschoben|verlegt|vorgezogen|instead|rather than|statt|anstelle|changed|switched`,
);
const CANCELS = new RegExp(
  `(?<![${LETTER_RANGES}])(?:(?:${CUES_OF_CANCELLATIONS.join('|')})[${LETTER_RANGES}]*|entfällt|fällt(?=\\s(?:.{0,40}\\s)?aus$)|falls through)`,
  'giu',
);
const MOVES =
  /(?<!\p{L})(?:moved|rescheduled|postponed|pushed(?: back)?|brought forward|verschoben|verlegt|vorgezogen)(?!\p{L})/giu;
/** The new day of something stands beside it: "comes on Monday instead". */
const OTHERWISE = /(?<!\p{L})(?:instead(?!\s+of)|stattdessen)(?!\p{L})/giu;
const TO_DAY = { before: /(?<!\p{L})(?:to|until|till|auf)\s+(?:the|den)?\s*$/iu, own: /^(?:to|until|till|auf)\s/iu };
const INSTEAD = /(?<!\p{L})(?:instead of|rather than|statt|anstatt|anstelle)\s+(?:\p{L}{1,4}\s+){0,2}$/iu;
const INSTEAD_WORDS = /(?<!\p{L})(?:instead|rather|statt|anstatt|anstelle)(?!\p{L})/giu;
const UNSURE =
  /(?<!\p{L})(?:not|never|if|whether|might|may|nicht|falls(?! through)|wenn|ob|vielleicht|si|s['’]ils?)(?!\p{L})|n['’]t(?!\p{L})|如果|要是/iu;
const DENIED = new RegExp(
  `(?<![\\p{L}'])(?:${NEGATION_PATTERN})(?![\\p{L}'])|(?<!\\p{L})n['’](?=\\p{L})|${CJK_NEGATION_PATTERN}`,
  'iu',
);
/** The ends of clauses: not the point of an ordinal (`5. Dezember`). */
const CLAUSE_END = /(?<!\d)[.:!?](?=\s|$)|[,;]\s|[，。；！？()]/giu;

/** A quick test whether a line may cancel or move something. */
export function mayChangePlan(text: string): boolean {
  return CUES.isIn(text);
}

/**
 * Reads what a sentence cancels or moves. Pure.
 * @param held the times of the sentence that it does not say are over
 * @param old the days of which it says so
 * @param before the sentences before it, which may say what "It is moved to Friday" means
 */
export function readPlanChange(
  text: string,
  held: readonly TimeMention[],
  old: readonly Day[],
  before: string,
): PlanChange {
  // "Is now on Friday": it was on another day.
  const now = held.length === 0 ? [] : findWordsForNow(text);
  if (now.length === 0 && !mayChangePlan(text)) return { ends: undefined, open: held };
  const clauses = clausesOf(text, held);
  const cancels = clauses.find((clause) => isSure(text, clause) && matchesIn(text, clause, CANCELS).length > 0);
  const moves = clauses.find((clause) => {
    const targets = held.filter(isIn(clause)).filter(isDay);
    if (targets.length === 0 || !isSure(text, clause)) return false;
    if (now.some(isIn(clause)) || matchesIn(text, clause, OTHERWISE).length > 0) return true;
    return matchesIn(text, clause, MOVES).length > 0 && targets.some((mention) => isTarget(text, clause, mention));
  });
  const replaced = held.filter(({ start }) => INSTEAD.test(text.slice(0, start)));
  // "He has cancelled and rings in January": a whole month is no day of an appointment.
  const gone = [...replaced, ...(cancels === undefined ? [] : held.filter(isIn(cancels)).filter(isDay))];
  const days = [
    ...old.map((day): AnnouncedDays => [day]),
    ...gone.map(({ span }): AnnouncedDays => [span.since, span.until]),
  ];
  const clause = cancels ?? moves ?? (days.length > 0 ? { start: 0, end: text.length } : undefined);
  if (clause === undefined) return { ends: undefined, open: held };
  const verbs = [...[CANCELS, MOVES, OTHERWISE].flatMap((verb) => matchesIn(text, clause, verb)), ...now];
  const instead = matchesIn(text, clause, INSTEAD_WORDS);
  const said = blankRanges(text, [...held, ...verbs, ...instead]);
  // "She moved it to Friday": what it is stands before.
  const isPronoun = verbs.some(({ start }) => contentTerms(said.slice(clause.start, start)).length === 0);
  const own = isPronoun ? [] : contentTerms(said.slice(clause.start, clause.end));
  const words = [own, contentTerms(said), contentTerms(before)].find(({ length }) => length > 0) ?? [];
  const terms = words.filter((term) => /\p{L}/u.test(term));
  return {
    ends: terms.length === 0 ? undefined : { terms, days },
    open: held.filter((mention) => !gone.includes(mention)),
  };
}

function isDay({ span }: TimeMention): boolean {
  return span.since !== null && span.since === span.until;
}

/** The clauses of a text. Signs inside of a time end none. */
function clausesOf(text: string, times: readonly RangeInText[]): readonly RangeInText[] {
  const clauses: RangeInText[] = [];
  let start = 0;
  for (const { index, 0: sign } of text.matchAll(CLAUSE_END)) {
    if (times.some((time) => index > time.start && index < time.end - 1)) continue;
    clauses.push({ start, end: index });
    start = index + sign.length;
  }
  return [...clauses, { start, end: text.length }];
}

function isIn(clause: RangeInText): (range: RangeInText) => boolean {
  return ({ start, end }) => start >= clause.start && end <= clause.end + 1;
}

/** Whether a sentence, up to the end of a clause, says neither "not" nor "if", and the clause denies nothing. */
function isSure(text: string, { start, end }: RangeInText): boolean {
  return !UNSURE.test(text.slice(0, end)) && !DENIED.test(text.slice(start, end));
}

function matchesIn(text: string, { start, end }: RangeInText, pattern: RegExp): readonly RangeInText[] {
  return [...text.slice(start, end).matchAll(pattern)].map(({ index, 0: found }) => ({
    start: start + index,
    end: start + index + found.length,
  }));
}

/** Whether something is moved to a time: `to the 9th`, `auf den 9. Dezember`. */
function isTarget(text: string, clause: RangeInText, { start, end }: RangeInText): boolean {
  return TO_DAY.before.test(text.slice(clause.start, start)) || TO_DAY.own.test(text.slice(start, end));
}
