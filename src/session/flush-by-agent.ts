import { fail } from '../base/failure.js';
import type { ToolAnswer, ToolTurn } from '../model/model.js';
import { today } from '../workspace/clock.js';
import { endFlush, messagesSince, readUpTo } from './flush/cycle.js';
import { partsByDay } from './flush/parts.js';
import {
  ANSWER_TOKENS,
  type FlushPrompts,
  type FlushReport,
  type FlushTools,
  flushTurnFor,
  PROMPT_TOKENS,
  saveAnswer,
} from './flush/turn.js';
import { bulletsOf, type MemoryWrite, savesNothing } from './flush/writes.js';
import { settledMeta } from './log/append.js';
import { dayOfMessage } from './message-day.js';
import { type SessionPlace, withLog } from './place.js';
import { Session } from './session.js';

/** A part of what nobody has read for a flush yet, for the calling agent's own model. */
export interface FlushPart {
  readonly session: string;
  /** From 1, of what is left. */
  readonly part: number;
  readonly parts: number;
  /** The log that gets what is saved of it: that of the day on which it was said. */
  readonly target: string;
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
  const { parts, messages } = unread(place, Session.open(place.root, id));
  const [first] = parts;
  const day = first?.day ?? today(place.clock);
  const until = messages[(first?.end ?? 0) - 1]?.id ?? null;
  return {
    turn: flushTurnFor(day, first?.transcript ?? [], prompts),
    part: { session: id, part: 1, parts: Math.max(1, parts.length), target: `memory/${day}.md`, until },
  };
}

function unread({ clock }: SessionPlace, session: Session) {
  const messages = messagesSince(session, session.meta.memory_flush_to);
  return { messages, parts: partsByDay(messages, MAX_TOKENS - ANSWER_TOKENS - PROMPT_TOKENS, clock) };
}

/**
 * Whether an agent's model answered in words, as the prompt allows, that nothing is worth saving, or in plain bullets. No
 * answer is none.
 */
export function isInWords(text: string): boolean {
  return text.trim() !== '' && (savesNothing(text) || (!text.includes('{') && bulletsOf(text).length > 0));
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
  const { cycle, upTo, remaining, day } = await withLog(place, id, 'flush', (session) => {
    const meta = session.save(settledMeta(session));
    const { messages, parts } = unread(place, session);
    const next = `ask for it: openclaw memory flush prompt --session ${id} --json`;
    if (until === undefined && parts.length > 1) fail('usage', 'the answer does not say which part it is for', next);
    const end = until === undefined ? messages.length : messages.findIndex((message) => message.id === until) + 1;
    if (end === 0 && until !== undefined) fail('conflict', 'another part waits for an answer', next);
    const last = messages[end - 1];
    const day = last === undefined ? today(place.clock) : dayOfMessage(last, place.clock);
    return { cycle: meta.compaction_count, upTo: last?.id, remaining: messages.length - end, day };
  });
  const report = await saveAnswer(place, id, answer, tools, day);
  await readUpTo(place, id, upTo);
  const whole = remaining === 0 ? report : { ...report, remaining };
  await endFlush(place, id, cycle, whole);
  return whole;
}
