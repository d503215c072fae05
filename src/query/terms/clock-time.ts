/** A time of day that a text names, such as `8:05 PM`. */
export interface ClockTime {
  /** Minutes since midnight. `8:05` without AM or PM is read as on a 24-hour clock. */
  readonly minutes: number;
  /** Whether the time was written with AM or PM. */
  readonly isHalved: boolean;
}

const CLOCK = /(?<![\d.:,/-])([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?(?!\d|:\d)(?:\s?([ap])\.?m\b)?/gi;

/** The times of day in a text: 8:05 PM is 20:05. A part of a longer number is not a time. Pure. */
export function clockTimesIn(text: string): readonly ClockTime[] {
  if (!text.includes(':')) return [];
  return Array.from(text.matchAll(CLOCK), ([, hour = '', minute = '', half]) => {
    const isHalved = half !== undefined && Number(hour) > 0 && Number(hour) <= 12;
    const hours = isHalved ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour);
    return { minutes: 60 * hours + Number(minute), isHalved };
  });
}

/** Whether two times of day may be the same. If the question has no AM or PM, 8:05 matches both 8:05 AM and 8:05 PM. */
export function isSameClockTime(asked: ClockTime, said: ClockTime): boolean {
  if (asked.minutes === said.minutes) return true;
  return !asked.isHalved && said.isHalved && asked.minutes < 720 && asked.minutes + 720 === said.minutes;
}
