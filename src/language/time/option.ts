import type { Day } from '../../base/clock.js';
import type { Failure } from '../../base/failure.js';
import { err, ok, type Result } from '../../base/result.js';
import { blank, tokenize } from '../tokens.js';
import { AROUND_IT } from './bound.js';
import type { Period } from './calendar.js';
import { shift, type Unit } from './distance.js';
import type { Moment } from './moment.js';
import { readTime } from './read-time.js';

const AGE_UNITS: Readonly<Record<string, Unit>> = { d: 'day', w: 'week', m: 'month', y: 'year' };
const AGE = /^(\d{1,5})\s?(?:([dwmy])|(day|week|month|year)s?)$/i;

/** Days, inclusive. Both are set for a period; one is missing where the text says "since" or "before". */
export interface OptionDays {
  readonly since?: Day;
  readonly until?: Day;
}

/**
 * The days meant by the value of `--since`, `--until`, `--around` or `--as-of`: `30d`, `2w`, `6m`, `1y`, `2 weeks` (that long ago),
 * a day, a month, or anything that is understood in a question.
 * @returns a `usage` failure when the text, or any word of it, is not a time.
 */
export async function parseDayOption(text: string, moment: Moment): Promise<Result<OptionDays>> {
  const trimmed = text.trim();
  const age = AGE.exec(trimmed);
  const unit = AGE_UNITS[(age?.[2] ?? age?.[3])?.charAt(0).toLowerCase() ?? ''];
  if (age && unit) {
    const day = shift(moment.dayOf(moment.now), -Number(age[1]), unit);
    return ok({ since: day, until: day });
  }
  if (trimmed.length > 100) return err(notADate(`${trimmed.slice(0, 40)}…`));
  const { span, ranges } = await readTime(trimmed, { ...moment, lenient: true });
  if (span === null || tokenize(blank(trimmed, ranges)).length > 0) return err(notADate(trimmed));
  return ok({ ...(span.since !== null && { since: span.since }), ...(span.until !== null && { until: span.until }) });
}

/** The window of `--around`: the period that was named, with three days on either side. */
export function around(period: Period): Period {
  return AROUND_IT(period);
}

function notADate(text: string): Failure {
  return {
    type: 'usage',
    message: `"${text}" is not a date`,
    hint: 'use a day (2025-11-27), a month (2025-11), an age (30d, 2w, 6m, 1y) or words such as "last week" or 上个月',
  };
}
