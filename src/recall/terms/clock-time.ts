/** A time of the day. */
export interface ClockTime {
  /** Since midnight; of `8:05` without a half of the day, as on a clock of 24 hours. */
  readonly minutes: number;
  /** Whether AM or PM was written. */
  readonly isHalved: boolean;
}

const CLOCK = /(?<![\d.:,/-])([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?(?!\d|:\d)(?:\s?([ap])\.?m\b)?/gi;

/** The times of the day in a text: 8:05 PM is 20:05, and no part of other digits is one. Pure. */
export function clockTimesIn(text: string): readonly ClockTime[] {
  if (!text.includes(':')) return [];
  return Array.from(text.matchAll(CLOCK), ([, hour = '', minute = '', half]) => {
    const isHalved = half !== undefined && Number(hour) > 0 && Number(hour) <= 12;
    const hours = isHalved ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour);
    return { minutes: 60 * hours + Number(minute), isHalved };
  });
}

/** Whether two are the same: of one without a half of the day, the other's is not known to differ. */
export function isSameClockTime(asked: ClockTime, said: ClockTime): boolean {
  if (asked.minutes === said.minutes) return true;
  return !asked.isHalved && said.isHalved && asked.minutes < 720 && asked.minutes + 720 === said.minutes;
}
