import * as z from 'zod';
import type { Day } from '../base/clock.js';
import { type Failure, toFailure } from '../base/failure.js';
import type { Result } from '../base/result.js';
import type { Proposal } from '../memory/proposals.js';
import type { ToolAnswer, ToolModel, ToolTurn } from '../model/model.js';
import { renderPrompt } from '../model/prompts.js';
import { addProposals } from '../retain/proposals.js';
import type { RetainReport } from '../retain/retain.js';
import { redactSecrets } from '../text/redact.js';
import { stripInjected } from '../text/strip.js';
import { estimateTokens } from '../text/tokens.js';
import { renderTranscript } from '../wm/transcript.js';
import type { FileChange } from '../workspace/changes.js';
import { today } from '../workspace/clock.js';
import { begun, gaveUp, settled, whySkipped } from './flush/cycle.js';
import { isSilent, type MemoryWrite, type SortedWrites, sortWrites } from './flush/writes.js';
import { settledMeta } from './log/append.js';
import type { SessionMeta } from './log/meta.js';
import { sessionPaths } from './log/paths.js';
import { readLogTail } from './log/read.js';
import { toTranscript } from './memory/transcript.js';
import type { SessionMessage } from './message.js';
import { type SessionPlace, withLog } from './place.js';
import { Session } from './session.js';
import { FLUSH_DEADLINE_MS } from './status.js';

/** What a flush works with. */
export interface FlushTools {
  /** The setting `enableMemoryFlush`. */
  readonly enabled: boolean;
  readonly retain: (facts: readonly string[]) => Promise<RetainReport>;
  /** The text of `templates/prompts/flush.md`. */
  readonly template: string;
}

export type FlushEvent =
  | { readonly type: 'memory_flush_start'; readonly session: string }
  | ({ readonly type: 'memory_flush_end' } & Omit<FlushReport, 'failure' | 'changes'>);

export interface FlushReport {
  readonly session: string;
  /** `silent`: there was nothing worth saving. */
  readonly status: 'done' | 'silent' | 'skipped' | 'failed';
  /** Facts that this flush has put into the file. */
  readonly saved: number;
  /** Lines that were meant for the core, and wait in `bank/proposals/`. */
  readonly proposed: number;
  readonly warnings: readonly string[];
  readonly changes: readonly FileChange[];
  /** Of a failed one. */
  readonly failure?: Failure;
}

const ANSWER_TOKENS = 1_500;
/** The rules, the tool and the form of a prompt, generously. */
const PROMPT_TOKENS = 1_200;
/** The conversation's end that an agent's own model is shown, in tokens; ours is shown what fits into its window. */
const SHOWN_TOKENS = 60_000;
const BYTES_PER_TOKEN = 6;

const WRITE = z.strictObject({ content: z.string(), target: z.string().optional() });

/** The turn in which a model saves what must outlive the messages: those of the end that fit into `window` tokens. */
export function flushTurn(
  place: SessionPlace,
  session: string,
  template: string,
  window = SHOWN_TOKENS,
): ToolTurn<MemoryWrite> {
  const room = Math.max(500, window - ANSWER_TOKENS - PROMPT_TOKENS);
  const shown = newest(recent(place, session, room * BYTES_PER_TOKEN), room);
  const transcript = stripInjected(renderTranscript(shown.map(toTranscript)));
  return {
    prompt: renderPrompt(template, { data: { transcript }, text: { today: `memory/${today(place.clock)}.md` } }),
    tools: [{ name: 'memory_write', description: 'Append facts to the memory of the day.', schema: WRITE }],
    maxTokens: ANSWER_TOKENS,
  };
}

/**
 * Saves memories before a compaction: one turn of the model, once a compaction cycle, whose number is taken before the
 * turn. What goes wrong is in the report: it never stands in the way of the compaction.
 * @throws MemoryError `not_found` for a session that is not there, `interrupted`
 */
export async function runFlush(
  place: SessionPlace,
  session: string,
  model: () => Promise<Result<ToolModel>>,
  tools: FlushTools,
  emit: (event: FlushEvent) => void,
): Promise<FlushReport> {
  Session.open(place.root, session);
  if (!tools.enabled) return skipped(session, 'the memory flush is switched off in the settings');
  const cycle = await begin(place, session);
  if (typeof cycle === 'string') return skipped(session, cycle);
  emit({ type: 'memory_flush_start', session });
  let report: FlushReport;
  try {
    report = await turn(place, session, model, tools);
  } catch (error) {
    report = failed(session, toFailure(error));
  }
  const closed = await settle(place, session, cycle, report);
  if (report.status === 'failed' && gaveUp(closed)) {
    const notice = 'saving memories is not tried again before the next compaction';
    report = { ...report, warnings: [...report.warnings, notice] };
  }
  const { failure: _, changes: __, ...said } = report;
  emit({ type: 'memory_flush_end', ...said });
  return report;
}

/** Whether an agent's model answered, as the prompt allows, that nothing is worth saving. No answer is none. */
export function saysNothing(text: string): boolean {
  return text.trim() !== '' && isSilent(text);
}

/** Writes what the calling agent's model wants to save; that closes the cycle as a flush of our own does. */
export async function applyFlush(
  place: SessionPlace,
  session: string,
  calls: ToolAnswer<MemoryWrite>['calls'],
  tools: FlushTools,
): Promise<FlushReport> {
  const { compaction_count } = Session.open(place.root, session).meta;
  const report = await save(place, session, { calls, text: '' }, tools, today(place.clock));
  await settle(place, session, compaction_count, report);
  return report;
}

async function turn(
  place: SessionPlace,
  session: string,
  open: Parameters<typeof runFlush>[2],
  tools: FlushTools,
): Promise<FlushReport> {
  const deadline = AbortSignal.timeout(FLUSH_DEADLINE_MS);
  const signal = place.signal === undefined ? deadline : AbortSignal.any([deadline, place.signal]);
  const model = await open();
  if (!model.ok) return failed(session, model.error);
  const day = today(place.clock);
  const answer = await model.value.act(flushTurn(place, session, tools.template, model.value.window), signal);
  if (answer.ok) return save(place, session, answer.value, tools, day);
  const isLate = deadline.aborted && place.signal?.aborted !== true;
  return failed(session, isLate ? tooLate(model.value.name) : answer.error);
}

function tooLate(model: string): Failure {
  const message = `${model} did not answer within ${FLUSH_DEADLINE_MS / 1_000} seconds`;
  return { type: 'model_unavailable', message, hint: 'use a smaller model, or flush prompt with your own' };
}

/** `day`: the user's day when the model was asked, which may have ended since. */
async function save(
  place: SessionPlace,
  session: string,
  answer: ToolAnswer<MemoryWrite>,
  { retain }: FlushTools,
  day: Day,
): Promise<FlushReport> {
  const sorted = sortWrites(
    answer.calls.map((call) => call.arguments),
    [day, today(place.clock)],
  );
  const facts = sorted.facts.map((fact) => redactSecrets(fact).text);
  const written = facts.length === 0 ? undefined : await retain(facts);
  const proposed = await propose(place, session, sorted.proposals);
  const saved = written?.retained.length ?? 0;
  const isQuiet = answer.calls.length === 0 && isSilent(answer.text);
  const warnings = [...warningsOf(sorted, written)];
  if (answer.calls.length === 0 && !isQuiet) warnings.push('the model said something but saved nothing');
  const changes = [...(written?.changes ?? []), ...proposed];
  return { session, status: isQuiet ? 'silent' : 'done', saved, proposed: sorted.proposals.length, warnings, changes };
}

function warningsOf(sorted: SortedWrites, written: RetainReport | undefined): readonly string[] {
  return [
    ...(written?.warnings ?? []),
    ...(written?.skipped ?? []).filter(({ duplicate }) => !duplicate).map(({ reason }) => `not saved: ${reason}`),
    ...sorted.refused.map((target) => `not saved: a flush does not write to ${JSON.stringify(target)}`),
    ...(sorted.tooMany > 0 ? [`not saved: ${sorted.tooMany} lines more than one flush may write`] : []),
  ];
}

/** The core is a person's to change: what was meant for it waits in `bank/proposals/`. */
async function propose(place: SessionPlace, session: string, lines: readonly string[]): Promise<readonly FileChange[]> {
  if (lines.length === 0) return [];
  const proposals = lines.map(
    (text): Proposal => ({ action: 'add', text, reason: `flush of ${session}`, citations: [] }),
  );
  return [await addProposals(place, proposals)];
}

function skipped(session: string, reason: string): FlushReport {
  return { session, status: 'skipped', saved: 0, proposed: 0, warnings: [reason], changes: [] };
}

function failed(session: string, failure: Failure): FlushReport {
  const warnings = [`memories were not saved: ${failure.message}`];
  return { session, status: 'failed', saved: 0, proposed: 0, warnings, changes: [], failure };
}

/** Takes the flush of this cycle, unless somebody has it: its number, or why not. */
function begin(place: SessionPlace, session: string): Promise<number | string> {
  return withLog(place, session, 'flush', (at) => {
    const meta = settledMeta(at);
    const messages = readLogTail(at.paths.log, SHOWN_TOKENS).messages;
    const reason = whySkipped(meta, messages, place.clock.now());
    if (reason !== undefined) return reason;
    at.save(begun(meta, place.clock.now()));
    return meta.compaction_count;
  });
}

function settle(place: SessionPlace, session: string, cycle: number, report: FlushReport): Promise<SessionMeta> {
  const outcome =
    report.failure?.type === 'interrupted' ? 'interrupted' : report.status === 'failed' ? 'failed' : 'done';
  return withLog({ ...place, signal: undefined }, session, 'flush', (at) =>
    at.save(settled(settledMeta(at), cycle, outcome, place.clock.now())),
  );
}

function recent({ root }: SessionPlace, session: string, bytes: number): readonly SessionMessage[] {
  return readLogTail(sessionPaths(root, session).log, bytes).messages;
}

/** The newest messages that fit, in their order. At least one, whatever its size. */
function newest(messages: readonly SessionMessage[], tokens: number): readonly SessionMessage[] {
  let used = 0;
  let first = messages.length;
  while (first > 0) {
    const message = messages[first - 1];
    used += message === undefined ? 0 : estimateTokens(renderTranscript([toTranscript(message)]));
    if (used > tokens && first < messages.length) break;
    first--;
  }
  return messages.slice(first);
}
