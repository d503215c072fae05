import { fail } from '../base/failure.js';
import { any, number, type ReportFields, type ReportOf, text } from '../base/report.js';
import type { ToolAnswer, ToolTurn } from '../model/model.js';
import { today } from '../workspace/clock.js';
import { endFlush, messagesSince, recordLastReadMessage } from './flush/cycle.js';
import { splitMessagesByDay } from './flush/parts.js';
import {
  BASE_PROMPT_TOKENS,
  type FlushPrompts,
  type FlushReport,
  type FlushServices,
  MAX_ANSWER_TOKENS,
  makeDayFlushTurn,
  saveFlushAnswer,
} from './flush/turn.js';
import { bulletsOf, hasNothingToSave, type MemoryWrite } from './flush/writes.js';
import { metaForLog } from './log/append.js';
import { dayOfMessage } from './message-day.js';
import { type SessionWorkspace, withLogLock } from './place.js';
import { Session } from './session.js';

export { FLUSH_REPORT } from './flush/turn.js';

/** A part of the messages that no flush has read. The model of the calling agent reads it. */
export const FLUSH_PART = {
  session: text(),
  /** Number of this part among the remaining parts; the first is 1. */
  part: number(),
  parts: number(),
  /** Path of the log that gets the saved facts: the log of the day of the messages. */
  target: text(),
  /** Id of the last message of the part. `flush apply` requires it, so that an answer is not applied to another part. */
  until: any<string | null>(),
} satisfies ReportFields;

export type FlushPart = ReportOf<typeof FLUSH_PART>;

/** Maximum number of tokens of a prompt. */
const MAX_TOKENS = 16_000;

/** The turn in which an agent's own model saves durable facts from the oldest unread messages. */
export function makeAgentFlushTurn(
  place: SessionWorkspace,
  id: string,
  prompts: FlushPrompts,
): { readonly turn: ToolTurn<MemoryWrite>; readonly part: FlushPart } {
  const { parts, messages } = unread(place, Session.open(place.root, id));
  const [first] = parts;
  const day = first?.day ?? today(place.clock);
  const until = messages[(first?.end ?? 0) - 1]?.id ?? null;
  return {
    turn: makeDayFlushTurn(day, first?.transcript ?? [], prompts),
    part: { session: id, part: 1, parts: Math.max(1, parts.length), target: `memory/${day}.md`, until },
  };
}

function unread({ clock }: SessionWorkspace, session: Session) {
  const messages = messagesSince(session, session.meta.memory_flush_to);
  return { messages, parts: splitMessagesByDay(messages, MAX_TOKENS - MAX_ANSWER_TOKENS - BASE_PROMPT_TOKENS, clock) };
}

/**
 * True if an agent's model answered in plain text instead of JSON. The prompt allows two such answers: that nothing is worth
 * saving, or a list of bullets. An empty text is not an answer.
 */
export function isPlainTextAnswer(text: string): boolean {
  return text.trim() !== '' && (hasNothingToSave(text) || (!text.includes('{') && bulletsOf(text).length > 0));
}

/**
 * Saves the answer of the calling agent's model for a part. The last part ends the cycle, as a flush with our own model
 * does.
 * @param until the value of `until` that came with the prompt; required if there are several parts
 * @throws MemoryError `usage` if `until` is missing although there are several parts, `conflict` if that part was applied
 * already
 */
export async function applyFlushAnswer(
  place: SessionWorkspace,
  id: string,
  answer: ToolAnswer<MemoryWrite>,
  tools: FlushServices,
  until?: string,
): Promise<FlushReport> {
  const { cycle, upTo, remaining, day } = await withLogLock(place, id, 'flush', (session) => {
    const meta = session.save(metaForLog(session));
    const { messages, parts } = unread(place, session);
    const next = `get the part: openclaw memory flush prompt --session ${id} --json`;
    if (until === undefined && parts.length > 1) fail('usage', 'the answer does not name its part', next);
    const end = until === undefined ? messages.length : messages.findIndex((message) => message.id === until) + 1;
    if (end === 0 && until !== undefined) fail('conflict', 'this part does not wait for an answer', next);
    const last = messages[end - 1];
    const day = last === undefined ? today(place.clock) : dayOfMessage(last, place.clock);
    return { cycle: meta.compaction_count, upTo: last?.id, remaining: messages.length - end, day };
  });
  const report = await saveFlushAnswer(place, id, answer, tools, day);
  await recordLastReadMessage(place, id, upTo);
  const whole = remaining === 0 ? report : { ...report, remaining };
  await endFlush(place, id, cycle, whole);
  return whole;
}
