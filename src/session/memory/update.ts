import type { Failure } from '../../base/failure.js';
import { MemoryError } from '../../base/failure.js';
import type { ChatModel } from '../../model/model.js';
import { estimateTokens } from '../../text/tokens.js';
import { type Merge, mergeWorkingMemory } from '../../wm/merge.js';
import { type Operations, readOperations } from '../../wm/operations.js';
import type { WmTemplates } from '../../wm/prompt.js';
import type { Message } from '../../wm/transcript.js';
import type { MadeBy } from '../archive/meta.js';
import type { SessionMessage } from '../message.js';
import type { Ledger } from './ledger/ledger.js';
import { keptLedger, ledgerStep } from './rules.js';
import { toTranscript, withoutMiddle } from './transcript.js';

/** A new Working Memory, and the account of each merge that led to it. */
export interface WmStep {
  readonly document: string;
  readonly madeBy: MadeBy;
  readonly merges: readonly Merge[];
  /** What the rules know of their lines in it. */
  readonly ledger: Ledger;
  /** Why it is less than a model would have made of it. */
  readonly notes: readonly string[];
}

export interface WmStepInput {
  /** The Working Memory so far, an older free-form summary, or null. */
  readonly old: string | null;
  readonly messages: readonly SessionMessage[];
  /** What the rules know of their lines in `old`. */
  readonly ledger: Ledger;
  /** How many of the first messages `old` covers already, without a model: a model reads them again. */
  readonly covered?: number | undefined;
  readonly templates: WmTemplates;
  readonly model: ChatModel;
  readonly signal?: AbortSignal | undefined;
}

/** Most tokens of an answer, and the least that a transcript gets of a small window. */
const ANSWER_TOKENS = 8_000;
const LEAST_TRANSCRIPT = 1_000;
/** A commit longer than so many prompts is summed up by its oldest and deterministically: better than for hours. */
const MOST_PROMPTS = 24;

/**
 * Updates a Working Memory by some messages: through the model in as many prompts as its window takes, always under the
 * guards. Where the model gives nothing usable the operations are deterministic, under the same guards.
 * @throws MemoryError `interrupted`
 */
export async function updateWorkingMemory(input: WmStepInput): Promise<WmStep> {
  const { model } = input;
  let document = input.old;
  const merges: Merge[] = [];
  for (let at = 0; at < input.messages.length; ) {
    const chunk = nextChunk(input.messages, at, await roomFor(document, input.templates, model));
    const asked = merges.length < MOST_PROMPTS ? await askFor(document, chunk.transcript, input, model) : TOO_LONG;
    if (!asked.ok) {
      const left = input.messages.slice(Math.max(at, input.covered ?? 0));
      const rest = deterministicStep({ old: document, messages: left, ledger: input.ledger }, asked.why);
      return { ...rest, merges: [...merges, ...rest.merges] };
    }
    const merge = mergeWorkingMemory(document, asked.operations);
    merges.push(merge);
    document = merge.document;
    at = chunk.end;
  }
  if (document === null || merges.length === 0) return deterministicStep(input, 'no messages');
  return { document, madeBy: 'model', merges, ledger: kept(input, document), notes: [] };
}

/** The same without a model. */
export function deterministicStep({ old, messages, ledger: before }: LedgerInput, why: string): WmStep {
  const { merge, ledger } = ledgerStep(old, before, messages);
  const notes = [`without a model: ${why}`];
  return { document: merge.document, madeBy: 'deterministic', merges: [merge], ledger, notes };
}

type LedgerInput = Pick<WmStepInput, 'old' | 'messages' | 'ledger'>;

/** What the rules still know of a document that somebody else wrote. */
function kept(
  { ledger, messages, covered = 0 }: LedgerInput & { covered?: number | undefined },
  document: string,
): Ledger {
  return keptLedger(ledger, document, messages.length - covered);
}

/** A Working Memory by operations that somebody else has chosen: the calling agent's own model. */
export function appliedStep({ old, messages, ledger }: LedgerInput, operations: Operations): WmStep {
  const merge = mergeWorkingMemory(old, operations);
  const { document } = merge;
  return { document, madeBy: 'agent', merges: [merge], ledger: kept({ old, messages, ledger }, document), notes: [] };
}

type Asked = { readonly ok: true; readonly operations: Operations } | { readonly ok: false; readonly why: string };

const TOO_LONG: Asked = { ok: false, why: `the rest did not fit into ${MOST_PROMPTS} prompts` };

async function askFor(
  old: string | null,
  transcript: readonly Message[],
  { templates, signal }: WmStepInput,
  model: ChatModel,
): Promise<Asked> {
  // The schema library is loaded only where a model is asked.
  const { wmQuestion } = await import('../../wm/prompt.js');
  const question = wmQuestion(old, transcript, templates);
  const answer = await model.ask({ ...question, maxTokens: answerTokens(model) }, signal);
  if (!answer.ok) return refused(answer.error);
  const operations = readOperations(answer.value);
  if (!operations.ok) return { ok: false, why: operations.error.message };
  const usable = Object.values(operations.value).some(({ problem }) => problem === undefined);
  return usable
    ? { ok: true, operations: operations.value }
    : { ok: false, why: 'no operation of the answer is usable' };
}

function refused(failure: Failure): Asked {
  if (failure.type === 'interrupted') throw new MemoryError(failure);
  return { ok: false, why: failure.message };
}

function answerTokens({ window }: ChatModel): number {
  return Math.min(ANSWER_TOKENS, Math.floor(window / 4));
}

/** Tokens that are left for the transcript. */
async function roomFor(old: string | null, templates: WmTemplates, model: ChatModel): Promise<number> {
  const { wmQuestion } = await import('../../wm/prompt.js');
  const { system, user } = wmQuestion(old, [], templates).prompt;
  const fixed = estimateTokens(system) + estimateTokens(user);
  // The estimate is one: a tenth of the window is kept for what it is wrong by.
  return Math.max(LEAST_TRANSCRIPT, Math.floor(model.window * 0.9) - fixed - answerTokens(model));
}

function nextChunk(
  messages: readonly SessionMessage[],
  from: number,
  room: number,
): { readonly transcript: readonly Message[]; readonly end: number } {
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
