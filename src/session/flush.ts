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
import { type Message, renderTranscript } from '../wm/transcript.js';
import type { FileChange } from '../workspace/changes.js';
import { today } from '../workspace/clock.js';
import { newestFirst, sourcesOf } from './context/timeline.js';
import { factsByRules } from './flush/by-rules.js';
import { begun, gaveUp, settled, whySkipped } from './flush/cycle.js';
import { type FlushPrompts, flushTemplate } from './flush/prompt.js';
import { bulletsOf, isSilent, type MemoryWrite, type SortedWrites, sortWrites } from './flush/writes.js';
import { settledMeta } from './log/append.js';
import type { SessionMeta } from './log/meta.js';
import { sessionPaths } from './log/paths.js';
import { readLogTail } from './log/read.js';
import { toTranscript } from './memory/transcript.js';
import { chunksOf } from './memory/update.js';
import type { SessionMessage } from './message.js';
import { type SessionPlace, withLog } from './place.js';
import { Session } from './session.js';
import { FLUSH_DEADLINE_MS } from './status.js';

/** What a flush works with. */
export interface FlushTools {
  /** The setting `enableMemoryFlush`. */
  readonly enabled: boolean;
  readonly retain: (facts: readonly string[]) => Promise<RetainReport>;
  readonly prompts: FlushPrompts;
}

export interface FlushOptions {
  /** Most questions to the model in one run; what is left is for the next run of the cycle. */
  readonly maxCalls?: number | undefined;
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
  /** Messages that are left for the next run of this cycle, if any are. */
  readonly remaining?: number;
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

/** The turn in which an agent's own model saves what must outlive the messages: the newest of them. */
export function flushTurn(place: SessionPlace, session: string, prompts: FlushPrompts): ToolTurn<MemoryWrite> {
  const room = SHOWN_TOKENS - ANSWER_TOKENS - PROMPT_TOKENS;
  const { messages } = readLogTail(sessionPaths(place.root, session).log, room * BYTES_PER_TOKEN);
  return turnFor(place, newest(messages, room).map(toTranscript), prompts);
}

function turnFor(place: SessionPlace, messages: readonly Message[], prompts: FlushPrompts): ToolTurn<MemoryWrite> {
  const transcript = stripInjected(renderTranscript(messages));
  const text = { today: `memory/${today(place.clock)}.md` };
  const template = flushTemplate(prompts);
  const used = template.includes('{{today}}') ? text : {};
  return {
    prompt: renderPrompt(template, { data: { transcript }, text: used }),
    tools: [{ name: 'memory_write', description: 'Append facts to the memory of the day.', schema: WRITE }],
    maxTokens: ANSWER_TOKENS,
  };
}

/**
 * Saves memories before a compaction, once a compaction cycle, whose number is taken before the model is asked: all
 * messages since the last flush, in as many parts as the model's window takes. Without a model the rules save what they
 * can. What goes wrong is in the report: it never stands in the way of the compaction.
 * @throws MemoryError `not_found` for a session that is not there, `interrupted`
 */
export async function runFlush(
  place: SessionPlace,
  session: string,
  model: () => Promise<Result<ToolModel>>,
  tools: FlushTools,
  emit: (event: FlushEvent) => void,
  options: FlushOptions = {},
): Promise<FlushReport> {
  Session.open(place.root, session);
  if (!tools.enabled) return skipped(session, 'the memory flush is switched off in the settings');
  const begun = await begin(place, session);
  if (typeof begun === 'string') return skipped(session, begun);
  emit({ type: 'memory_flush_start', session });
  let report: FlushReport;
  try {
    report = await flushAll(place, session, begun.messages, model, tools, options.maxCalls ?? Number.POSITIVE_INFINITY);
  } catch (error) {
    report = failed(session, toFailure(error));
  }
  const closed = await settle(place, session, begun.cycle, report);
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

async function flushAll(
  place: SessionPlace,
  session: string,
  messages: readonly SessionMessage[],
  open: Parameters<typeof runFlush>[2],
  tools: FlushTools,
  maxCalls: number,
): Promise<FlushReport> {
  const deadline = AbortSignal.timeout(FLUSH_DEADLINE_MS);
  const signal = place.signal === undefined ? deadline : AbortSignal.any([deadline, place.signal]);
  const model = await open();
  if (!model.ok) return flushByRules(session, messages, model.error, tools);
  const room = Math.max(500, model.value.window - ANSWER_TOKENS - PROMPT_TOKENS);
  const chunks = chunksOf(messages, 0, room);
  const cut = messages.filter((message) => estimateTokens(toTranscript(message).body) > room).length;
  let report = nothingYet(
    session,
    cut === 0 ? [] : [`${cut} of ${messages.length} messages were read without their middle`],
  );
  for (const [index, { transcript, end }] of chunks.entries()) {
    const remaining = messages.length - (chunks[index - 1]?.end ?? 0);
    if (index >= maxCalls) {
      return {
        ...report,
        remaining,
        warnings: [...report.warnings, `${remaining} messages are left for the next run`],
      };
    }
    const day = today(place.clock);
    const answer = await model.value.act(turnFor(place, transcript, tools.prompts), signal);
    const isLate = deadline.aborted && place.signal?.aborted !== true;
    const part = answer.ok
      ? await save(place, session, answer.value, tools, day)
      : failed(session, isLate ? tooLate(model.value.name) : answer.error);
    report = together(report, part);
    if (part.status === 'failed') return { ...report, remaining };
    await readUpTo(place, session, messages[end - 1]?.id);
  }
  return report;
}

/** Without a model. What the rules find nothing in is not saved: a model may yet. */
async function flushByRules(
  session: string,
  messages: readonly SessionMessage[],
  failure: Failure,
  { retain }: FlushTools,
): Promise<FlushReport> {
  const facts =
    failure.type === 'interrupted' ? [] : factsByRules(session, messages).map((fact) => redactSecrets(fact).text);
  if (facts.length === 0) return failed(session, failure);
  const written = await retain(facts);
  const warnings = [`without a model: ${failure.message}; the rules saved what they could`, ...written.warnings];
  return { ...nothingYet(session, warnings), status: 'done', saved: written.retained.length, changes: written.changes };
}

function nothingYet(session: string, warnings: readonly string[]): FlushReport {
  return { session, status: 'silent', saved: 0, proposed: 0, warnings, changes: [] };
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
  const isQuiet = answer.calls.length === 0 && isSilent(answer.text);
  const salvaged = answer.calls.length === 0 && !isQuiet ? bulletsOf(answer.text) : [];
  if (answer.calls.length === 0 && !isQuiet && salvaged.length === 0) return failed(session, SAVED_NOTHING);
  const facts = [...sorted.facts, ...salvaged].map((fact) => redactSecrets(fact).text);
  const written = facts.length === 0 ? undefined : await retain(facts);
  const proposed = await propose(place, session, sorted.proposals);
  const saved = written?.retained.length ?? 0;
  const warnings = warningsOf(sorted, written);
  const changes = [...(written?.changes ?? []), ...proposed];
  const status = isQuiet ? 'silent' : 'done';
  return { session, status, saved, proposed: sorted.proposals.length, warnings, changes };
}

const SAVED_NOTHING: Failure = {
  type: 'invalid_answer',
  message: 'the model said something but saved nothing',
  hint: 'use a larger model, or flush prompt with your own',
};

function warningsOf(sorted: SortedWrites, written: RetainReport | undefined): readonly string[] {
  return [
    ...(written?.warnings ?? []),
    ...(written?.skipped ?? []).filter(({ duplicate }) => !duplicate).map(({ reason }) => `not saved: ${reason}`),
    ...sorted.refused.map((target) => `a flush does not write to ${JSON.stringify(target)}: saved in the log of today`),
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

interface BegunFlush {
  readonly cycle: number;
  /** What nobody has read for this yet, oldest first. */
  readonly messages: readonly SessionMessage[];
}

/** Takes the flush of this cycle, unless somebody has it: what there is to read, or why not. */
function begin(place: SessionPlace, session: string): Promise<BegunFlush | string> {
  return withLog(place, session, 'flush', (at) => {
    const meta = settledMeta(at);
    const messages = since(at, meta.memory_flush_to);
    const reason = whySkipped(meta, messages, place.clock.now());
    if (reason !== undefined) return reason;
    at.save(begun(meta, place.clock.now()));
    return { cycle: meta.compaction_count, messages };
  });
}

/** The messages behind one, archived ones too; the live ones when there is nothing behind it. */
function since(session: Session, last: string | null): readonly SessionMessage[] {
  const { open, covered } = sourcesOf(session);
  const found: SessionMessage[] = [];
  for (const { message } of newestFirst([...open, ...covered])) {
    if (message.id === last) break;
    found.push(message);
  }
  return found.length === 0 ? session.live : found.reverse();
}

/** Notes how far a flush has read. */
function readUpTo(place: SessionPlace, session: string, id: string | undefined): Promise<SessionMeta> {
  return withLog({ ...place, signal: undefined }, session, 'flush', (at) =>
    at.save({ ...settledMeta(at), ...(id === undefined ? {} : { memory_flush_to: id }) }),
  );
}

function settle(place: SessionPlace, session: string, cycle: number, report: FlushReport): Promise<SessionMeta> {
  const { failure, status, saved, remaining = 0 } = report;
  const ended = remaining > 0 ? 'partly' : 'done';
  const outcome = failure?.type === 'interrupted' ? 'interrupted' : status === 'failed' ? 'failed' : ended;
  return withLog({ ...place, signal: undefined }, session, 'flush', (at) =>
    at.save(settled(settledMeta(at), cycle, { outcome, saved }, place.clock.now())),
  );
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
