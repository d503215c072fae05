import type { DateOrder } from '../../base/clock.js';
import { noonOf } from './calendar.js';
import { QUESTION_POLICY, STATEMENT_POLICY } from './policy.js';
import { openTimeReader, type TimeReader } from './times.js';

/**
 * Two days with different weekdays, months and years. A line is read twice: as if it were written on the first day, and
 * on the second. If the two readings give different days, the meaning of the line depends on its day.
 */
const ANY_DAYS = ['2021-03-10', '2024-10-26'] as const;

/**
 * Makes a test for lines that name a time whose meaning depends on the day of the line: "yesterday", "on Friday", "until the
 * 5th of March".
 */
export async function makeRelativeTimeTest(text: string, dateOrder?: DateOrder): Promise<(line: string) => boolean> {
  const times = await openTimeReader(text, dateOrder);
  return (line) => {
    if (!times.mayRead(line)) return false;
    const [one, other] = ANY_DAYS.map((day) => spansOn(line, day, times));
    return one !== other;
  };
}

function spansOn(line: string, day: (typeof ANY_DAYS)[number], times: TimeReader): string {
  // The policy for statements ignores a weekday alone, and the policy for questions ignores a duration in the future. The
  // meaning of both depends on the day, so the line is read with both policies.
  const mentions = [QUESTION_POLICY, STATEMENT_POLICY].flatMap((policy) =>
    times.read(line, { ...noonOf(day), policy }),
  );
  return JSON.stringify(mentions.map(({ span }) => span));
}
