import type { Day } from '../../base/clock.js';
import { addDays, daysBetween, hullOf, type Period } from './calendar.js';
import type { Meaning, Occurrence } from './expression.js';

/**
 * Which of its occurrences a name that comes back means; `announced` is the latest, or one that is near at hand;
 * `announcedDay` the latest, but of a date one that is near at hand.
 */
export type Choice = 'latest' | 'nearest' | 'coming' | 'announced' | 'announcedDay';

/** How a question places a time that comes back; `unsaid` is the latest, as past, without the one before today's. */
export type Tense = 'past' | 'present' | 'future' | 'unsaid';

/** A start is announced at most so many days ahead, else it lies in the past. */
const ANNOUNCED_DAYS = 45;

/** The occurrence of a time that is meant, seen from a day. A weekday that is announced is the one to come. */
export function occurrenceOf(meaning: Meaning, which: Choice, day: Day): Occurrence | undefined {
  const { recurs } = meaning;
  if (!recurs) return meaning;
  const isDate = recurs.cycle > ANNOUNCED_DAYS && meaning.period.since === meaning.period.until;
  if (which === 'latest' || (which === 'announcedDay' && !isDate)) return recurs.at(day);
  if (which.startsWith('announced') && recurs.cycle > ANNOUNCED_DAYS) return recurs.at(addDays(day, ANNOUNCED_DAYS));
  const [latest, next] = [recurs.at(day), recurs.at(addDays(day, recurs.cycle))];
  const around = [latest, next].flatMap((occurrence) => occurrence ?? []);
  if (which !== 'nearest') return around.find(({ period }) => period.until >= day);
  return around.reduce<Occurrence | undefined>(
    (nearest, other) => (nearest && distance(nearest, day) <= distance(other, day) ? nearest : other),
    undefined,
  );
}

/** Days between a day and a time; 0 inside of it. */
function distance({ period: { since, until } }: Occurrence, day: Day): number {
  return Math.max(0, daysBetween(day, since), daysBetween(until, day));
}

/**
 * The days that a question means. Asked of the past, a weekday is the latest one, or both today and the last one when it
 * is asked on that day. Asked of the present, both the latest and the next one are meant, so that neither is hidden;
 * asked of the future, the next.
 * @param named the time before words such as "early" took a part of it
 */
export function periodInTense(meant: Meaning, named: Meaning, tense: Tense, today: Day): Period {
  const periods = anchorsOf(named, tense, today).map((anchor) => meant.recurs?.at(anchor)?.period ?? meant.period);
  return periods.reduce(hullOf);
}

function anchorsOf({ period, recurs }: Meaning, tense: Tense, today: Day): readonly Day[] {
  if (!recurs || tense === 'unsaid') return [today];
  const isToday = period.since === today && period.until === today;
  if (tense === 'past') return isToday && recurs.cycle === 7 ? [today, addDays(today, -1)] : [today];
  const ahead = addDays(today, recurs.cycle);
  const next = recurs.at(ahead)?.period;
  if ((period.until >= today && !(isToday && tense === 'present')) || !next || next.since <= today) return [today];
  return tense === 'future' ? [ahead] : [today, ahead];
}
