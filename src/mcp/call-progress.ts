import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { OnProgress } from '../base/request.js';

/** A call whose work says nothing of itself is at work all the same: so often a client hears of it, in ms. */
const BEAT_MS = 1_000;
/** What a beat counts of a step: the figures of the protocol must rise. */
const BEAT = 1e-6;

/** What a call tells of itself, and its end. */
export interface CallProgress {
  readonly onProgress: OnProgress;
  readonly stop: () => void;
}

/**
 * Tells a client that asked for it the steps of a call, so that its patience does not end. Work in several parts, each
 * with a count of its own, is one that goes on.
 */
export function callProgress({
  _meta,
  sendNotification,
}: Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, '_meta' | 'sendNotification'>): CallProgress {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return { onProgress: () => {}, stop: () => {} };
  const began = performance.now();
  /** Steps of the parts before this one, the step that this one is at, and how many it has. */
  let [before, done, all] = [0, 0, 0];
  let counted: string | undefined;
  let progress = 0;
  let message = '';
  const send = (next: number) => {
    progress = Math.max(next, progress + BEAT);
    const total = all === 0 ? {} : { total: Math.max(before + all, progress) };
    const params = { progressToken, progress, ...total, message };
    sendNotification({ method: 'notifications/progress', params }).catch(() => {});
  };
  const timer = setInterval(() => {
    if (counted === undefined) message = `at work for ${Math.round((performance.now() - began) / 1_000)} s`;
    send(progress);
  }, BEAT_MS);
  return {
    onProgress: (...step) => {
      if (step[2] !== counted) before += all;
      [done, all, counted] = step;
      message = `${done} of ${all} ${counted}`;
      send(before + done);
    },
    stop: () => clearInterval(timer),
  };
}
