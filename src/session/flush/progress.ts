import { newestFirst, sourcesOf } from '../context/timeline.js';
import { settledMeta } from '../log/append.js';
import type { SessionMeta } from '../log/meta.js';
import type { SessionMessage } from '../message.js';
import { type SessionPlace, withLog } from '../place.js';
import type { Session } from '../session.js';
import { begun, settled, whySkipped } from './cycle.js';
import type { FlushReport } from './turn.js';

export interface BegunFlush {
  readonly cycle: number;
  /** What nobody has read for this yet, oldest first. */
  readonly messages: readonly SessionMessage[];
}

/** Takes the flush of this cycle, unless somebody has it: what there is to read, or why not. */
export function begin(place: SessionPlace, session: string): Promise<BegunFlush | string> {
  return withLog(place, session, 'flush', (at) => {
    const meta = settledMeta(at);
    const messages = since(at, meta.memory_flush_to);
    const reason = whySkipped(meta, messages, place.clock.now());
    if (reason !== undefined) return reason;
    at.save(begun(meta, place.clock.now()));
    return { cycle: meta.compaction_count, messages };
  });
}

/** The messages behind one, archived ones too; the live ones when there is nothing behind it. */
export function since(session: Session, last: string | null): readonly SessionMessage[] {
  const { open, covered } = sourcesOf(session);
  const found: SessionMessage[] = [];
  for (const { message } of newestFirst([...open, ...covered])) {
    if (message.id === last) break;
    found.push(message);
  }
  return found.length === 0 ? session.live : found.reverse();
}

/** Notes how far a flush has read. */
export function readUpTo(place: SessionPlace, session: string, id: string | undefined): Promise<SessionMeta> {
  return withLog({ ...place, signal: undefined }, session, 'flush', (at) =>
    at.save({ ...settledMeta(at), ...(id === undefined ? {} : { memory_flush_to: id }) }),
  );
}

export function settle(place: SessionPlace, session: string, cycle: number, report: FlushReport): Promise<SessionMeta> {
  const { failure, status, saved, remaining = 0 } = report;
  const ended = remaining > 0 ? 'partly' : 'done';
  const outcome = failure?.type === 'interrupted' ? 'interrupted' : status === 'failed' ? 'failed' : ended;
  return withLog({ ...place, signal: undefined }, session, 'flush', (at) =>
    at.save(settled(settledMeta(at), cycle, { outcome, saved }, place.clock.now())),
  );
}
