import { estimateTokens } from '../../text/tokens.js';
import type { Message } from '../../wm/transcript.js';
import type { SessionMessage } from '../message.js';
import { toTranscript, withoutMiddle } from './transcript.js';

/** Some messages as a prompt shows them, and the number of the first one behind them. */
export interface Chunk {
  readonly transcript: readonly Message[];
  readonly end: number;
}

/** Messages in parts of at most so many tokens each, at least one message a part. */
export function chunksOf(messages: readonly SessionMessage[], from: number, room: number): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = from; at < messages.length; at = chunks.at(-1)?.end ?? messages.length) {
    chunks.push(nextChunk(messages, at, room));
  }
  return chunks;
}

/** The messages from one on that fit; what is too long to fit alone is shown without its middle. */
export function nextChunk(messages: readonly SessionMessage[], from: number, room: number): Chunk {
  const transcript: Message[] = [];
  let used = 0;
  let end = from;
  for (; end < messages.length; end++) {
    const message = messages[end];
    if (message === undefined) break;
    const { role, body } = toTranscript(message);
    // 1.5 tokens a character at most: what is longer is cut to fit alone.
    const fitting = { role, body: estimateTokens(body) > room ? withoutMiddle(body, Math.floor(room / 1.5)) : body };
    const tokens = estimateTokens(`[${role}]: ${fitting.body}\n`);
    if (transcript.length > 0 && used + tokens > room) break;
    transcript.push(fitting);
    used += tokens;
  }
  return { transcript, end };
}
