import { isMachineTurn } from '../../text/machine-text.js';
import type { SessionMeta } from '../log/meta.js';
import { plainText, type SessionMessage } from '../message.js';
import { isFlushing } from '../status.js';

/** So many failures in one compaction cycle, and it is not tried again before the next (OpenClaw's rule). */
const MOST_FAILURES = 3;

/** Why there is nothing to flush, in words; undefined when there is. Pure. */
export function whySkipped(meta: SessionMeta, messages: readonly SessionMessage[], now: Date): string | undefined {
  if (isFlushing(meta, now)) return 'memories are being saved already by another process';
  if (meta.memory_flush_compaction_count === meta.compaction_count) {
    return meta.memory_flush_failures >= MOST_FAILURES
      ? `saving memories failed ${MOST_FAILURES} times: it is tried again after the next compaction`
      : 'memories were saved already in this compaction cycle';
  }
  if (messages.length === 0) return 'there are no messages';
  const asked = messages.findLast(({ role }) => role === 'user');
  return asked !== undefined && isMachineTurn(plainText(asked))
    ? 'the last turn is a heartbeat or a cron job'
    : undefined;
}

/** The meta while a flush runs. Pure. */
export function begun(meta: SessionMeta, now: Date): SessionMeta {
  return { ...meta, memory_flush_running_since: now.getTime() };
}

/** How a flush ended: `partly` when messages are left that it has not read. */
export type FlushOutcome = 'done' | 'partly' | 'failed' | 'interrupted';

/**
 * The meta after a flush that began at compaction `cycle`: having read everything closes the cycle, and so does the third
 * failure in it, which counts as no flush; what was interrupted or is not over leaves it open. Pure.
 * @param saved how many facts it put into the log
 */
export function settled(
  meta: SessionMeta,
  cycle: number,
  { outcome, saved }: { readonly outcome: FlushOutcome; readonly saved: number },
  now: Date,
): SessionMeta {
  const over = { ...meta, memory_flush_running_since: null };
  if (outcome === 'interrupted') return over;
  if (outcome === 'partly') return { ...over, memory_flush_failures: 0 };
  const memory_flush_failures = outcome === 'done' ? 0 : meta.memory_flush_failures + 1;
  if (outcome === 'failed' && memory_flush_failures < MOST_FAILURES) return { ...over, memory_flush_failures };
  const closed = { ...over, memory_flush_failures, memory_flush_compaction_count: cycle };
  return outcome === 'failed' ? closed : { ...closed, memory_flush_at: now.getTime(), memory_flush_saved: saved };
}

/** Whether the cycle that was closed was closed by failures. Pure. */
export function gaveUp({ memory_flush_failures }: SessionMeta): boolean {
  return memory_flush_failures >= MOST_FAILURES;
}
