import { setTimeout as delay } from 'node:timers/promises';
import { CallError } from './call-error.js';

/** Does it, and once more when it failed in a way that may pass. */
export async function withOneRetry<T>(work: () => Promise<T>, afterMs: number, signal: AbortSignal): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CallError) || !error.again || signal.aborted) throw error;
    await delay(afterMs, undefined, { signal }).catch(() => {});
    return work();
  }
}
