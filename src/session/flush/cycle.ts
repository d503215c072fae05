import type { Clock, Day } from '../../base/clock.js';
import { isMachineTurn } from '../../text/machine-text.js';
import type { TranscriptMessage } from '../../wm/prompt.js';
import { logSourcesOf, messagesByNewest } from '../context/timeline.js';
import { metaForLog } from '../log/append.js';
import type { SessionMeta } from '../log/meta.js';
import { makeMessageChunks } from '../memory/update.js';
import { dayOfMessage, messageText, type SessionMessage } from '../message.js';
import { isFlushing, type Session, type SessionWorkspace, withLogLock } from '../session.js';
import type { FlushReport } from './turn.js';

/**
 * After this number of failures in one compaction cycle, a flush is not tried again until the next cycle. OpenClaw does the
 * same.
 */
const MOST_FAILURES = 3;

/** The reason to skip a flush; undefined if the flush should run. Pure. */
function whySkipped(meta: SessionMeta, messages: readonly SessionMessage[], now: Date): string | undefined {
  if (isFlushing(meta, now)) return 'another process is already saving memories';
  if (meta.memory_flush_compaction_count === meta.compaction_count) {
    return meta.memory_flush_failures >= MOST_FAILURES
      ? `saving memories failed ${MOST_FAILURES} times; the next try is after the next compaction`
      : 'memories were already saved since the last compaction';
  }
  if (messages.length === 0) return 'there are no messages';
  const asked = messages.findLast(({ role }) => role === 'user');
  return asked !== undefined && isMachineTurn(messageText(asked))
    ? 'the last turn is a heartbeat or a cron job'
    : undefined;
}

/** True if the last cycle ended because of its failures. Pure. */
export function hasFlushGivenUp({ memory_flush_failures }: SessionMeta): boolean {
  return memory_flush_failures >= MOST_FAILURES;
}

/**
 * Claims the flush of this cycle, unless another process has it. Returns the messages that no flush has read, oldest
 * first, or the reason to skip.
 */
export function beginFlush(place: SessionWorkspace, session: string) {
  return withLogLock(place, session, 'flush', (at) => {
    const now = place.clock.now();
    const meta = metaForLog(at);
    const messages = messagesSince(at, meta.memory_flush_to);
    const reason = whySkipped(meta, messages, now);
    if (reason !== undefined) return reason;
    at.save({ ...meta, memory_flush_running_since: now.getTime() });
    return { cycle: meta.compaction_count, messages };
  });
}

/**
 * The messages after the message with the id `last`, oldest first, including archived messages. If no message has that id,
 * returns all messages. If no message comes after it, returns all live messages.
 */
export function messagesSince(session: Session, last: string | null): readonly SessionMessage[] {
  const { open, covered } = logSourcesOf(session);
  const found: SessionMessage[] = [];
  for (const { message } of messagesByNewest([...open, ...covered])) {
    if (message.id === last) break;
    found.push(message);
  }
  return found.length === 0 ? session.live : found.reverse();
}

/** Records the last message that a flush has read. */
export function recordLastReadMessage(
  place: SessionWorkspace,
  session: string,
  id: string | undefined,
): Promise<SessionMeta> {
  return withLogLock({ ...place, signal: undefined }, session, 'flush', (at) =>
    at.save({ ...metaForLog(at), ...(id === undefined ? {} : { memory_flush_to: id }) }),
  );
}

/**
 * Ends a flush that began at the compaction count `cycle`. The cycle is over when all messages are read. It is also over
 * after its third failure, but then the recorded time and result of the last flush stay unchanged. After an interrupted or
 * incomplete flush the cycle goes on. A flush failed if it has a failure, also if the rules saved facts before.
 */
export function endFlush(
  place: SessionWorkspace,
  session: string,
  cycle: number,
  { failure, saved, remaining = 0 }: FlushReport,
): Promise<SessionMeta> {
  return withLogLock({ ...place, signal: undefined }, session, 'flush', (at) => {
    const meta = metaForLog(at);
    const over = { ...meta, memory_flush_running_since: null };
    if (failure?.type === 'interrupted') return at.save(over);
    const isFailed = failure !== undefined;
    const memory_flush_failures = isFailed ? meta.memory_flush_failures + 1 : 0;
    const isOpen = isFailed ? memory_flush_failures < MOST_FAILURES : remaining > 0;
    if (isOpen) return at.save({ ...over, memory_flush_failures });
    const closed = { ...over, memory_flush_failures, memory_flush_compaction_count: cycle };
    if (isFailed) return at.save(closed);
    return at.save({ ...closed, memory_flush_at: place.clock.now().getTime(), memory_flush_saved: saved });
  });
}

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
