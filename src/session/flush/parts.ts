import type { Clock, Day } from '../../base/clock.js';
import type { TranscriptMessage } from '../../wm/prompt.js';
import { chunksOf } from '../memory/chunks.js';
import type { SessionMessage } from '../message.js';
import { dayOfMessage } from '../message-day.js';

/** Messages of one day that one prompt shows. */
export interface FlushPartOfDay {
  /** Whose log gets what is saved of them. */
  readonly day: Day;
  readonly transcript: readonly TranscriptMessage[];
  /** The number of the first message behind them. */
  readonly end: number;
}

/** Messages in parts of one day and at most so many tokens each, at least one message a part. */
export function partsByDay(messages: readonly SessionMessage[], room: number, clock: Clock): readonly FlushPartOfDay[] {
  const days = messages.map((message) => dayOfMessage(message, clock));
  const parts: FlushPartOfDay[] = [];
  for (let from = 0; from < messages.length; ) {
    const day = days[from];
    if (day === undefined) break;
    const next = days.findIndex((each, at) => at > from && each !== day);
    const until = next < 0 ? messages.length : next;
    const start = from;
    const chunks = chunksOf(messages.slice(start, until), 0, room);
    parts.push(...chunks.map(({ transcript, end }) => ({ day, transcript, end: start + end })));
    from = until;
  }
  return parts;
}
