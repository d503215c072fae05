import type { Result } from '../base/failure.js';
import { type Failure, fail, toFailure } from '../base/failure.js';
import { groupBy } from '../base/order.js';
import { nullable, number, type ReportFields, type ReportOf, text } from '../base/report.js';
import { joinSignals, timeoutSignal } from '../model/call.js';
import type { ToolAnswer, ToolModel, ToolTurn } from '../model/model.js';
import { redactSecrets } from '../text/redact.js';
import { estimateTokens } from '../text/tokens.js';
import { today } from '../workspace/clock.js';
import { saveChosenFacts } from './flush/choose.js';
import {
  beginFlush,
  endFlush,
  hasFlushGivenUp,
  messagesSince,
  recordLastReadMessage,
  splitMessagesByDay,
} from './flush/cycle.js';
import {
  BASE_PROMPT_TOKENS,
  emptyFlushReport,
  type FlushPrompts,
  type FlushReport,
  type FlushServices,
  failedFlush,
  MAX_ANSWER_TOKENS,
  makeAnswerCheck,
  makeDayFlushTurn,
  saveFlushAnswer,
} from './flush/turn.js';
import { bulletsOf, factsByRules, hasNothingToSave, type MemoryWrite } from './flush/writes.js';
import { metaForLog } from './log/append.js';
import { toTranscript } from './memory/update.js';
import type { SessionMessage } from './message.js';
import { dayOfMessage } from './message.js';
import type { FlushOptions } from './requests.js';
import type { SessionWorkspace } from './session.js';
import { FLUSH_DEADLINE_MS, Session, withLogLock } from './session.js';

export type { FlushReport, FlushServices };

export type FlushEvent =
  | { readonly type: 'memory_flush_start'; readonly session: string }
  | ({ readonly type: 'memory_flush_end' } & Omit<FlushReport, 'failure' | 'changes'>);

/**
 * Saves memories before a compaction, once per compaction cycle. Marks the flush as running before it asks the model, so
 * that no other process flushes at the same time. First saves what the rules find, so that a model which answers badly, late
 * or not at all loses none of it. Then reads all messages since the last flush with the model, day by day, in as many parts
 * as the model's window requires. Facts go to the log of the day on which they were said. Errors are reported and never
 * block the compaction.
 * @throws MemoryError `not_found` for a session that does not exist, `interrupted`
 */
export async function runFlush(
  place: SessionWorkspace,
  session: string,
  model: () => Promise<Result<ToolModel>>,
  tools: FlushServices,
  emit: (event: FlushEvent) => void,
  options: FlushOptions = {},
): Promise<FlushReport> {
  Session.open(place.root, session);
  if (!tools.enabled) return emptyFlushReport(session, 'skipped', [SWITCHED_OFF]);
  const begun = await beginFlush(place, session);
  if (typeof begun === 'string') return emptyFlushReport(session, 'skipped', [begun]);
  let report = emptyFlushReport(session, 'silent', []);
  try {
    emit({ type: 'memory_flush_start', session });
    const facts = factsByRules(session, begun.messages);
    report = await saveFactsOfRules(place, session, facts, tools);
    report = await flushByModel({ ...begun, place, session, facts, tools }, report, model, options);
  } catch (error) {
    report = together(report, failedFlush(session, toFailure(error)));
  }
  const closed = await endFlush(place, session, begun.cycle, report);
  if (report.status === 'failed' && hasFlushGivenUp(closed)) {
    const notice = 'memories will not be saved before the next compaction';
    report = { ...report, warnings: [...report.warnings, notice] };
  }
  const { failure: _, changes: __, ...said } = report;
  emit({ type: 'memory_flush_end', ...said });
  return report;
}

const SWITCHED_OFF = 'the memory flush is switched off in the settings';

/** One run of a flush. */
interface FlushRun {
  readonly place: SessionWorkspace;
  readonly session: string;
  readonly messages: readonly SessionMessage[];
  /** The facts that the rules found in the messages, and saved. */
  readonly facts: ReturnType<typeof factsByRules>;
  readonly tools: FlushServices;
}

/** Adds the facts that the model finds to those of the rules. @param report what the rules saved */
async function flushByModel(
  { place, session, messages, facts, tools }: FlushRun,
  byRules: FlushReport,
  open: Parameters<typeof runFlush>[2],
  { maxCalls = Number.POSITIVE_INFINITY, maxWait }: FlushOptions,
): Promise<FlushReport> {
  const limit = Math.min(FLUSH_DEADLINE_MS, (maxWait ?? Number.POSITIVE_INFINITY) * 1_000);
  const deadline = timeoutSignal(limit);
  const signal = joinSignals(deadline, place.signal);
  const factsFrom = (from: number, end = messages.length): typeof facts => {
    const some = new Set(messages.slice(from, end));
    return facts.filter(({ message }) => some.has(message));
  };
  /** Ends after a failure. Messages in which the rules found facts do not count as failed: those facts are saved. */
  const ended = (before: FlushReport, from: number, failure: Failure): FlushReport => {
    if (failure.type === 'interrupted' || factsFrom(from).length === 0)
      return together(before, failedFlush(session, failure));
    const why = `${failure.message}; the rules saved what they could`;
    return { ...before, warnings: [...before.warnings, why] };
  };
  /** Ends without a model. If the rules found facts in the rest of the messages, no later flush reads these. */
  const withoutModel = async (before: FlushReport, from: number, failure: Failure): Promise<FlushReport> => {
    const report = ended(before, from, failure);
    if (report.status !== 'failed') await recordLastReadMessage(place, session, messages.at(-1)?.id);
    return report;
  };
  const model = await Promise.race([open(), noneBy(deadline, limit)]);
  if (!model.ok) return withoutModel(byRules, 0, model.error);
  const room = Math.max(500, model.value.window - MAX_ANSWER_TOKENS - BASE_PROMPT_TOKENS);
  const parts = splitMessagesByDay(messages, room, place.clock);
  const cut = messages.filter((message) => estimateTokens(toTranscript(message).body) > room).length;
  const notice = cut === 0 ? [] : [`${cut} of ${messages.length} messages were too long, so their middle was not read`];
  let report: FlushReport = { ...byRules, warnings: [...byRules.warnings, ...notice] };
  for (const [index, { day, transcript, end }] of parts.entries()) {
    const from = parts[index - 1]?.end ?? 0;
    const remaining = messages.length - from;
    if (index >= maxCalls) {
      const left = `${remaining} messages are left for the next run`;
      return { ...report, remaining, warnings: [...report.warnings, left] };
    }
    const some = { session, messages: messages.slice(from, end), day, known: factsFrom(from, end) };
    const chosen = await saveChosenFacts(some, model.value, tools, { signal: place.signal, limit: deadline });
    if (chosen !== undefined) {
      report = together(report, chosen);
      await recordLastReadMessage(place, session, messages[end - 1]?.id);
      continue;
    }
    const turn = makeDayFlushTurn(day, transcript, tools.prompts);
    const answer = await model.value.act(turn, signal);
    const isLate = !answer.ok && deadline.aborted && place.signal?.aborted !== true;
    if (isLate && maxWait !== undefined) return withoutModel(report, from, tooLate(model.value.name, limit));
    const part = answer.ok
      ? await saveFlushAnswer(
          place,
          session,
          answer.value,
          tools,
          day,
          factsFrom(from, end),
          makeAnswerCheck(model.value.name, turn, day, transcript),
        )
      : failedFlush(session, isLate ? tooLate(model.value.name, limit) : answer.error);
    if (part.failure !== undefined) return { ...ended(report, 0, part.failure), failure: part.failure, remaining };
    report = together(report, part);
    await recordLastReadMessage(place, session, messages[end - 1]?.id);
  }
  return report;
}

/** Saves the facts of the rules in the logs of their days. */
async function saveFactsOfRules(
  { clock }: SessionWorkspace,
  session: string,
  facts: FlushRun['facts'],
  { retain }: FlushServices,
): Promise<FlushReport> {
  let report = emptyFlushReport(session, facts.length === 0 ? 'silent' : 'done', []);
  for (const [day, said] of groupBy(facts, ({ message }) => dayOfMessage(message, clock))) {
    const { retained, warnings, changes } = await retain(
      said.map(({ fact }) => redactSecrets(fact).text),
      day,
    );
    report = together(report, { ...emptyFlushReport(session, 'done', warnings), saved: retained.length, changes });
  }
  return report;
}

function together(before: FlushReport, part: FlushReport): FlushReport {
  const status = part.status === 'silent' ? before.status : part.status;
  const failure = part.failure === undefined ? {} : { failure: part.failure };
  return {
    ...before,
    ...failure,
    status,
    saved: before.saved + part.saved,
    proposed: before.proposed + part.proposed,
    ...(part.refused === undefined ? {} : { refused: [...(before.refused ?? []), ...part.refused] }),
    warnings: [...before.warnings, ...part.warnings],
    changes: [...before.changes, ...part.changes],
  };
}

/** A promise that gives an error when the deadline passes. */
function noneBy(deadline: AbortSignal, limit: number): Promise<Result<ToolModel>> {
  return new Promise((resolve) => {
    const late = () => resolve({ ok: false, error: tooLate('the model server', limit) });
    if (deadline.aborted) late();
    else deadline.addEventListener('abort', late, { once: true });
  });
}

function tooLate(model: string, limit: number): Failure {
  const message = `${model} did not answer within ${limit / 1_000} seconds`;
  return { type: 'model_unavailable', message, hint: 'use a smaller model, or your own model with flush prompt' };
}

export { FLUSH_REPORT, makeDayFlushTurn } from './flush/turn.js';

/** A part of the messages that no flush has read. The model of the calling agent reads it. */
export const FLUSH_PART = {
  session: text(),
  /** Number of this part among the remaining parts; the first is 1. */
  part: number(),
  parts: number(),
  /** Path of the log that gets the saved facts: the log of the day of the messages. */
  target: text(),
  /** Id of the last message of the part. `flush apply` requires it, so that an answer is not applied to another part. */
  until: nullable<string>(),
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
