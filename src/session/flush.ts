import type { Result } from '../base/failure.js';
import { type Failure, toFailure } from '../base/failure.js';
import { groupBy } from '../base/order.js';
import { joinSignals } from '../model/call.js';
import type { ToolModel } from '../model/model.js';
import { redactSecrets } from '../text/redact.js';
import { estimateTokens } from '../text/tokens.js';
import { beginFlush, endFlush, hasFlushGivenUp, recordLastReadMessage } from './flush/cycle.js';
import { splitMessagesByDay } from './flush/parts.js';
import {
  BASE_PROMPT_TOKENS,
  emptyFlushReport,
  type FlushReport,
  type FlushServices,
  failedFlush,
  MAX_ANSWER_TOKENS,
  makeDayFlushTurn,
  saveFlushAnswer,
} from './flush/turn.js';
import { factsByRules } from './flush/writes.js';
import { toTranscript } from './memory/chunks.js';
import type { SessionMessage } from './message.js';
import { dayOfMessage } from './message-day.js';
import type { SessionWorkspace } from './place.js';
import type { FlushOptions } from './requests.js';
import { FLUSH_DEADLINE_MS, Session } from './session.js';

export type { FlushReport, FlushServices };

export type FlushEvent =
  | { readonly type: 'memory_flush_start'; readonly session: string }
  | ({ readonly type: 'memory_flush_end' } & Omit<FlushReport, 'failure' | 'changes'>);

/**
 * Saves memories before a compaction, once per compaction cycle. Marks the flush as running before it asks the model, so
 * that no other process flushes at the same time. Reads all messages since the last flush, day by day, in as many parts as
 * the model's window requires. Facts go to the log of the day on which they were said. Without a model, the rules save what
 * they can. Errors are reported and never block the compaction.
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
  let report: FlushReport;
  try {
    emit({ type: 'memory_flush_start', session });
    report = await flushAll(place, session, begun.messages, model, tools, options);
  } catch (error) {
    report = failedFlush(session, toFailure(error));
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

async function flushAll(
  place: SessionWorkspace,
  session: string,
  messages: readonly SessionMessage[],
  open: Parameters<typeof runFlush>[2],
  tools: FlushServices,
  { maxCalls = Number.POSITIVE_INFINITY, maxWait }: FlushOptions,
): Promise<FlushReport> {
  const limit = Math.min(FLUSH_DEADLINE_MS, (maxWait ?? Number.POSITIVE_INFINITY) * 1_000);
  const deadline = AbortSignal.timeout(limit);
  const signal = joinSignals(deadline, place.signal);
  const model = await Promise.race([open(), noneBy(deadline, limit)]);
  if (!model.ok) return flushByRules(place, session, messages, model.error, tools);
  const room = Math.max(500, model.value.window - MAX_ANSWER_TOKENS - BASE_PROMPT_TOKENS);
  const parts = splitMessagesByDay(messages, room, place.clock);
  const cut = messages.filter((message) => estimateTokens(toTranscript(message).body) > room).length;
  const notice = cut === 0 ? [] : [`${cut} of ${messages.length} messages were too long, so their middle was not read`];
  let report = emptyFlushReport(session, 'silent', notice);
  for (const [index, { day, transcript, end }] of parts.entries()) {
    const remaining = messages.length - (parts[index - 1]?.end ?? 0);
    if (index >= maxCalls) {
      const left = `${remaining} messages are left for the next run`;
      return { ...report, remaining, warnings: [...report.warnings, left] };
    }
    const answer = await model.value.act(makeDayFlushTurn(day, transcript, tools.prompts), signal);
    const isLate = deadline.aborted && place.signal?.aborted !== true;
    const part = answer.ok
      ? await saveFlushAnswer(place, session, answer.value, tools, day)
      : failedFlush(session, isLate ? tooLate(model.value.name, limit) : answer.error);
    if (isLate && maxWait !== undefined && !answer.ok) {
      const rest = messages.slice(parts[index - 1]?.end ?? 0);
      return together(report, await flushByRules(place, session, rest, tooLate(model.value.name, limit), tools));
    }
    report = together(report, part);
    if (part.status === 'failed') return { ...report, remaining };
    await recordLastReadMessage(place, session, messages[end - 1]?.id);
  }
  return report;
}

/**
 * Saves facts by the rules, without a model. If the rules find no facts, the flush counts as failed, so that a model may
 * still read the messages.
 */
async function flushByRules(
  place: SessionWorkspace,
  session: string,
  messages: readonly SessionMessage[],
  failure: Failure,
  { retain }: FlushServices,
): Promise<FlushReport> {
  const facts = failure.type === 'interrupted' ? [] : factsByRules(session, messages);
  if (facts.length === 0) return failedFlush(session, failure);
  let report = emptyFlushReport(session, 'done', [
    `without a model: ${failure.message}; the rules saved what they could`,
  ]);
  for (const [day, said] of groupBy(facts, ({ message }) => dayOfMessage(message, place.clock))) {
    const { retained, warnings, changes } = await retain(
      said.map(({ fact }) => redactSecrets(fact).text),
      day,
    );
    report = together(report, { ...emptyFlushReport(session, 'done', warnings), saved: retained.length, changes });
  }
  await recordLastReadMessage(place, session, messages.at(-1)?.id);
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
