import type { Clock, Day } from '../../base/clock.js';
import type { TranscriptMessage } from '../../wm/prompt.js';
import { makeMessageChunks } from '../memory/chunks.js';
import type { SessionMessage } from '../message.js';
import { dayOfMessage } from '../message-day.js';

/** Messages of one day for one prompt. */
interface SingleDayFlushPart {
  /** The day whose log gets the saved facts. */
  readonly day: Day;
  readonly transcript: readonly TranscriptMessage[];
  /** Index of the first message after this part. */
  readonly end: number;
}

/** Splits messages into parts of one day and at most `room` tokens each; each part has at least one message. */
export function splitMessagesByDay(
  messages: readonly SessionMessage[],
  room: number,
  clock: Clock,
): readonly SingleDayFlushPart[] {
  const days = messages.map((message) => dayOfMessage(message, clock));
  const parts: SingleDayFlushPart[] = [];
  for (let from = 0; from < messages.length; ) {
    const day = days[from];
    if (day === undefined) break;
    const next = days.findIndex((each, at) => at > from && each !== day);
    const until = next < 0 ? messages.length : next;
    const start = from;
    const chunks = makeMessageChunks(messages.slice(start, until), 0, room);
    parts.push(...chunks.map(({ transcript, end }) => ({ day, transcript, end: start + end })));
    from = until;
  }
  return parts;
}
