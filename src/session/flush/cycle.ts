import type { SessionMeta } from '../log/meta.js';
import { plainText, type SessionMessage } from '../message.js';
import { isFlushing } from '../status.js';

/** So many failures in one compaction cycle, and it is not tried again before the next (OpenClaw's rule). */
const MOST_FAILURES = 3;
/** What a machine says to an agent at fixed times: no conversation. */
const MACHINE = /^\s*(?:\[cron:|Read HEARTBEAT\.md)|\bHEARTBEAT_OK\b/i;

/** Why there is nothing to flush, in words; undefined when there is. Pure. */
export function whySkipped(meta: SessionMeta, messages: readonly SessionMessage[], now: Date): string | undefined {
  if (isFlushing(meta, now)) return 'memories are being saved already by another process';
  if (meta.memoryFlush.compactionCount === meta.compactionCount) {
    return meta.memoryFlush.failures >= MOST_FAILURES
      ? `saving memories failed ${MOST_FAILURES} times: it is tried again after the next compaction`
      : 'memories were saved already in this compaction cycle';
  }
  if (messages.length === 0) return 'there are no messages';
  const asked = messages.findLast(({ role }) => role === 'user');
  return asked !== undefined && MACHINE.test(plainText(asked))
    ? 'the last turn is a heartbeat or a cron job'
    : undefined;
}

/** The meta while a flush runs. Pure. */
export function begun(meta: SessionMeta, now: Date): SessionMeta {
  return { ...meta, memoryFlush: { ...meta.memoryFlush, runningSince: now.getTime() } };
}

/**
 * The meta after a flush that began at compaction `cycle`: success closes the cycle, and so does the third failure in
 * it; one that was interrupted changes nothing. Pure.
 */
export function settled(
  meta: SessionMeta,
  cycle: number,
  outcome: 'done' | 'failed' | 'interrupted',
  now: Date,
): SessionMeta {
  const flush = { ...meta.memoryFlush, runningSince: null };
  if (outcome === 'interrupted') return { ...meta, memoryFlush: flush };
  const failures = outcome === 'done' ? 0 : flush.failures + 1;
  if (outcome === 'failed' && failures < MOST_FAILURES) return { ...meta, memoryFlush: { ...flush, failures } };
  return { ...meta, memoryFlush: { ...flush, failures, at: now.getTime(), compactionCount: cycle } };
}

/** Whether the cycle that was closed was closed by failures. Pure. */
export function gaveUp({ memoryFlush }: SessionMeta): boolean {
  return memoryFlush.failures >= MOST_FAILURES;
}
