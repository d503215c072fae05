import { fail } from '../base/failure.js';
import type { ToolAnswer, ToolTurn } from '../model/model.js';
import { today } from '../workspace/clock.js';
import { readUpTo, settle, since } from './flush/cycle.js';
import {
  ANSWER_TOKENS,
  type FlushPrompts,
  type FlushReport,
  type FlushTools,
  PROMPT_TOKENS,
  saveAnswer,
  turnFor,
} from './flush/turn.js';
import { bulletsOf, isSilent, type MemoryWrite } from './flush/writes.js';
import { settledMeta } from './log/append.js';
import { chunksOf } from './memory/chunks.js';
import { type SessionPlace, withLog } from './place.js';
import { Session } from './session.js';

/** A part of what nobody has read for a flush yet, for the calling agent's own model. */
export interface FlushPart {
  readonly session: string;
  /** From 1, of what is left. */
  readonly part: number;
  readonly parts: number;
  /** Id of its last message: `flush apply` is told it, so that no answer is taken for another part. */
  readonly until: string | null;
}

/** Most tokens of a prompt. */
const MAX_TOKENS = 16_000;

/** The turn in which an agent's own model saves what must outlive the messages: the oldest that nobody has read. */
export function flushTurn(
  place: SessionPlace,
  id: string,
  prompts: FlushPrompts,
): { readonly turn: ToolTurn<MemoryWrite>; readonly part: FlushPart } {
  const session = Session.open(place.root, id);
  const { chunks, messages } = unread(session);
  const [first] = chunks;
  const until = messages[(first?.end ?? 0) - 1]?.id ?? null;
  return {
    turn: turnFor(place, first?.transcript ?? [], prompts),
    part: { session: id, part: 1, parts: Math.max(1, chunks.length), until },
  };
}

function unread(session: Session) {
  const messages = since(session, session.meta.memory_flush_to);
  return { messages, chunks: chunksOf(messages, 0, MAX_TOKENS - ANSWER_TOKENS - PROMPT_TOKENS) };
}

/**
 * Whether an agent's model answered in words, as the prompt allows, that nothing is worth saving, or in plain bullets. No
 * answer is none.
 */
export function isInWords(text: string): boolean {
  return text.trim() !== '' && (isSilent(text) || (!text.includes('{') && bulletsOf(text).length > 0));
}

/**
 * Writes what the calling agent's model wants to save of a part. The last part closes the cycle as a flush of our own
 * does.
 * @param until as the prompt said; needed where there are several parts
 * @throws MemoryError `usage` when it does not say which part it is for, `conflict` when that was read already
 */
export async function applyFlush(
  place: SessionPlace,
  id: string,
  answer: ToolAnswer<MemoryWrite>,
  tools: FlushTools,
  until?: string,
): Promise<FlushReport> {
  const { cycle, upTo, remaining } = await withLog(place, id, 'flush', (session) => {
    const meta = session.save(settledMeta(session));
    const { messages, chunks } = unread(session);
    const next = `ask for it: openclaw memory flush prompt --session ${id} --json`;
    if (until === undefined && chunks.length > 1) fail('usage', 'the answer does not say which part it is for', next);
    const end = until === undefined ? messages.length : messages.findIndex((message) => message.id === until) + 1;
    if (end === 0 && until !== undefined) fail('conflict', 'another part waits for an answer', next);
    return { cycle: meta.compaction_count, upTo: messages[end - 1]?.id, remaining: messages.length - end };
  });
  const report = await saveAnswer(place, id, answer, tools, today(place.clock));
  await readUpTo(place, id, upTo);
  const whole = remaining === 0 ? report : { ...report, remaining };
  await settle(place, id, cycle, whole);
  return whole;
}
