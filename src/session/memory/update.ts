import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Day } from '../../base/clock.js';
import { type Failure, fail, MemoryError } from '../../base/failure.js';
import type { OnProgress } from '../../base/request.js';
import { joinSignals } from '../../model/call.js';
import type { ChatModel } from '../../model/model.js';
import { makePlaceholderTest } from '../../model/unusable.js';
import { estimateTokens } from '../../text/tokens.js';
import {
  bySectionName,
  hasContent,
  isWorkingMemory,
  itemKey,
  itemOfLine,
  parseDocument,
  SECTION_NAMES,
  SECTION_TOKEN_BUDGET,
  type SectionName,
} from '../../wm/document.js';
import { type MergeResult, mergeWorkingMemory } from '../../wm/merge.js';
import { type RequestedOperation, readOperations, type SectionOperations } from '../../wm/operations.js';
import type { TranscriptMessage, WmTemplates } from '../../wm/prompt.js';
import type { OverviewSource } from '../archive/archives.js';
import { cutText } from '../context/cut.js';
import type { MessageDraft, MessagePart, SessionMessage } from '../message.js';
import { addLinesOfRules } from './floor.js';
import type { MemoryLedger } from './ledger/ledger.js';
import { cutSectionToBudget, mergeMessagesByRules, updateLedgerAfterModel } from './rules.js';
import { makeItemTest, removeUnsupportedItems, type UnsupportedItem } from './support.js';

/** The result of an update: a new Working Memory, and a report of each merge that led to it. */
export interface WmUpdate {
  readonly document: string;
  readonly madeBy: OverviewSource;
  /** Name of the model, if one made it. */
  readonly model?: string;
  readonly merges: readonly MergeResult[];
  /** The ledger of the lines in `document` that the rules wrote. */
  readonly ledger: MemoryLedger;
  /** Items of the model that neither the messages nor the old Working Memory carry. They are not in `document`. */
  readonly refused?: readonly UnsupportedItem[];
  /** Reasons why `document` is less good than one that a model made from all messages. */
  readonly notes: readonly string[];
  /** Number of messages that a model has read, counted from the oldest one. */
  readonly read: number;
  /**
   * True if the model ran out of time or reached the maximum number of questions. The next step continues with the other
   * messages.
   */
  readonly goesOn?: boolean;
}

interface WmUpdateInput {
  /** The Working Memory so far, an older free-form summary, or null. */
  readonly old: string | null;
  readonly messages: readonly SessionMessage[];
  /** The ledger of the lines in `old` that the rules wrote. */
  readonly ledger: MemoryLedger;
  /**
   * Number of messages at the beginning that only the rules have read. Their content is already in `old`, but the model has
   * not seen them, so it reads them now.
   */
  readonly covered?: number | undefined;
  readonly templates: WmTemplates;
  readonly model: ChatModel;
  /** The day of a message. */
  readonly dayOf: (message: SessionMessage) => Day;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** Aborts when the model's time is over. */
  readonly limit?: AbortSignal | undefined;
}

/**
 * Maximum number of prompts that one update sends to the model. `wide`: if the model's window has at least {@link WIDE}
 * tokens. `narrow`: if the window is smaller, so that more prompts are needed. The next update continues with the rest.
 */
const MOST_QUESTIONS = { wide: 15, narrow: 35 } as const;
const WIDE = 16_384;

/**
 * `ANSWER_TOKENS`: maximum number of tokens of an answer. `LEAST_TRANSCRIPT`: minimum number of tokens of a transcript in a
 * small window.
 */
const ANSWER_TOKENS = 8_000;
const LEAST_TRANSCRIPT = 1_000;

/**
 * Lets the model update a Working Memory from messages; the guards check its operations. The messages are split into as many
 * parts as the model's window requires. If the whole document does not fit into a prompt, the model is asked for one group
 * of sections at a time. Messages that the model can't read are read by the rules instead. The rules read all messages
 * first, and the lines of theirs that the model does not carry are added.
 * @throws MemoryError `interrupted`
 */
export async function updateWorkingMemory(input: WmUpdateInput): Promise<WmUpdate> {
  const { old, ledger, messages, covered } = input;
  const fresh = messages.slice(covered ?? 0);
  const ruled =
    fresh.length > 0
      ? await updateByRules({ ...input, messages: fresh }, 'first')
      : { document: old ?? '', merges: [], ledger };
  return addLinesOfRules(await updateByModel(input), ruled, ledger);
}

async function updateByModel(input: WmUpdateInput): Promise<WmUpdate> {
  const { messages, model } = input;
  const most = model.window >= WIDE ? MOST_QUESTIONS.wide : MOST_QUESTIONS.narrow;
  const merges: MergeResult[] = [];
  const refused: UnsupportedItem[] = [];
  let document = messages.length === 0 ? input.old : await consolidated(input, merges);
  let counted: string | undefined;
  for (let at = 0; at < messages.length; ) {
    const groups = await groupsOf(document, input);
    const left = Math.floor((most - merges.length) / groups.length);
    if (left < 1)
      return {
        ...(await restByRules(input, document, merges, at, { ok: false, why: `in ${most} questions`, isRest: true })),
        refused,
      };
    const room = Math.min(...groups.map((group) => group.room));
    const longest = maxToolTextChars(messages.slice(at), room, left);
    counted ??= inQuestions(Math.min(most, makeMessageChunks(messages, at, room, longest).length * groups.length));
    input.onProgress?.(at, messages.length, counted);
    const chunk = nextChunk(messages, at, room, longest);
    for (const { names } of groups) {
      const shownMessages = chunk.transcript.map((message, index) => ({
        ...message,
        day: dayAt(messages, at + index, input),
      }));
      const asked = await askFor(document, shownMessages, names, input);
      refused.push(...(asked.refused ?? []));
      if (!asked.ok) return { ...(await restByRules(input, document, merges, at, asked)), refused };
      const merge = mergeWorkingMemory(document, asked.operations);
      merges.push(merge);
      document = merge.document;
    }
    at = chunk.end;
  }
  if (document === null || merges.length === 0) return updateByRules(input, 'no messages');
  // KEEP for an empty Working Memory: there is nothing that could be kept.
  if (!hasContent(document))
    return {
      ...(await updateByRules(
        { ...input, messages: messages.slice(input.covered ?? 0) },
        'the model has written nothing',
      )),
      refused,
    };
  const ledger = updateLedgerAfterModel(input.ledger, document, messages.length - (input.covered ?? 0));
  return { document, madeBy: 'model', merges, ledger, refused, notes: [], read: messages.length };
}

/** The day of the message at an index of a transcript. */
function dayAt(messages: readonly SessionMessage[], at: number, { dayOf }: WmUpdateInput): Day {
  const message = messages[at];
  if (message === undefined) throw new Error('a transcript has no more messages than the update');
  return dayOf(message);
}

/**
 * The unit in a progress report: "messages in about 3 questions". The number of questions to the model is an estimate. If
 * the Working Memory grows, more questions are needed.
 */
function inQuestions(count: number): string {
  return `messages in about ${count} ${count === 1 ? 'question' : 'questions'}`;
}

async function restByRules(
  input: WmUpdateInput,
  document: string | null,
  merges: readonly MergeResult[],
  read: number,
  { why, isRest }: Refused,
): Promise<WmUpdate> {
  const messages = input.messages.slice(Math.max(read, input.covered ?? 0));
  const rest = await updateByRules({ ...input, old: document, messages }, why);
  const notes = isRest ? [noteOfRest(read, input.messages.length, why)] : rest.notes;
  return { ...rest, read, merges: [...merges, ...rest.merges], notes, goesOn: isRest === true };
}

/** The note of an update for which the model read only some of the messages. @param why ends "read 3 of 9 messages" */
export function noteOfRest(read: number, count: number, why: string): string {
  return `the model read ${read} of ${count} messages ${why}: the rules read the others, and the next commit or session resume goes on`;
}

/** Reduces every section to its budget. Asks the model once; if the section is still too long, the rules cut it. */
async function consolidated(input: WmUpdateInput, merges: MergeResult[]): Promise<string | null> {
  const { old } = input;
  if (old === null || !isWorkingMemory(old)) return old;
  let document = old;
  for (const name of SECTION_NAMES) {
    if (!isOver(document, name)) continue;
    const asked = await askFor(document, [], [name], input);
    if (asked.ok) {
      merges.push(mergeWorkingMemory(document, asked.operations));
      document = merges.at(-1)?.document ?? document;
    }
    if (!isOver(document, name)) continue;
    merges.push(cutSectionToBudget(document, name, input.ledger, CUT_TO * SECTION_TOKEN_BUDGET));
    document = merges.at(-1)?.document ?? document;
  }
  return document;
}

/** The rules cut a section to this share of its budget, so that the next commits have room. */
const CUT_TO = 0.75;

function isOver(document: string | null, name: SectionName): boolean {
  return estimateTokens(parseDocument(document).bodies[name]) > SECTION_TOKEN_BUDGET;
}

interface Group {
  readonly names: readonly SectionName[];
  /** Number of tokens of the prompt that are left for the transcript. */
  readonly room: number;
}

/**
 * The groups of sections. The model gets one question for each group. If a prompt has room for all sections and a minimal
 * transcript, there is only one group. Otherwise each group has as many sections as fit.
 */
async function groupsOf(document: string | null, input: WmUpdateInput): Promise<readonly Group[]> {
  const whole = await roomFor(document, SECTION_NAMES, input);
  if (whole >= LEAST_TRANSCRIPT || !isWorkingMemory(document)) {
    return [{ names: SECTION_NAMES, room: Math.max(LEAST_TRANSCRIPT, whole) }];
  }
  const groups: Group[] = [];
  for (const name of SECTION_NAMES) {
    const last = groups.at(-1);
    const names = [...(last?.names ?? []), name];
    const room = last === undefined ? -1 : await roomFor(document, names, input);
    if (room >= LEAST_TRANSCRIPT) groups[groups.length - 1] = { names, room };
    else groups.push({ names: [name], room: Math.max(LEAST_TRANSCRIPT, await roomFor(document, [name], input)) });
  }
  return groups;
}

/** Number of messages that are read between two checks whether the user has interrupted the command. */
const AT_ONCE = 1_000;

/** Updates a Working Memory by the rules alone. @throws MemoryError `interrupted` */
export async function updateByRules(
  { old, messages, ledger: before, signal }: LedgerInput & Pick<WmUpdateInput, 'signal'>,
  why: string,
): Promise<WmUpdate> {
  const merges: MergeResult[] = [];
  let ledger = before;
  for (let at = 0; at < messages.length || at === 0; at += AT_ONCE) {
    if (at > 0) await nextTurn();
    if (signal?.aborted === true)
      fail(
        'interrupted',
        'stopped before the Working Memory was done',
        'continue with: openclaw memory session resume',
      );
    const step = mergeMessagesByRules(merges.at(-1)?.document ?? old, ledger, messages.slice(at, at + AT_ONCE));
    merges.push(step.merge);
    ledger = step.ledger;
  }
  const document = merges.at(-1)?.document ?? old ?? '';
  return { document, madeBy: 'deterministic', merges, ledger, notes: [`without a model: ${why}`], read: 0 };
}

type LedgerInput = Pick<WmUpdateInput, 'old' | 'messages' | 'ledger'>;

/** Applies operations of the calling agent's own model, part by part. */
export function applyAgentAnswers(
  { old, messages, ledger }: LedgerInput,
  answers: readonly SectionOperations[],
): WmUpdate {
  const merges: MergeResult[] = [];
  for (const operations of answers) merges.push(mergeWorkingMemory(merges.at(-1)?.document ?? old, operations));
  const document = merges.at(-1)?.document ?? old ?? '';
  const kept = updateLedgerAfterModel(ledger, document, messages.length);
  return { document, madeBy: 'agent', merges, ledger: kept, notes: [], read: messages.length };
}

interface Refused {
  readonly ok: false;
  readonly why: string;
  /** True if the model ran out of time or reached the maximum number of questions. The next call continues. */
  readonly isRest?: true;
}

type AskedOperations = ({ readonly ok: true; readonly operations: SectionOperations } | Refused) & {
  readonly refused?: readonly UnsupportedItem[];
};

async function askFor(
  old: string | null,
  transcript: readonly (TranscriptMessage & { readonly day: Day })[],
  names: readonly SectionName[],
  input: WmUpdateInput,
): Promise<AskedOperations> {
  const { templates, model } = input;
  // The schema library is loaded only if a model is asked.
  const { buildWmQuestion } = await import('../../wm/prompt.js');
  const question = buildWmQuestion(shown(old, model), transcript, templates, names);
  const answer = await model.ask(
    { ...question, maxTokens: answerTokens(model) },
    joinSignals(input.signal, input.limit),
  );
  if (!answer.ok) return refused(answer.error, input);
  const operations = readOperations(answer.value);
  if (!operations.ok) return { ok: false, why: operations.error.message };
  // A model can't rewrite a section that it was not shown: keep only the sections that were asked for.
  const isPlaceholder = makePlaceholderTest(question.prompt);
  const asked = bySectionName((name) =>
    names.includes(name)
      ? withoutPlaceholders(operations.value[name], isPlaceholder)
      : leftOut(operations.value[name], 'left out: this section was not asked for'),
  );
  const carried = removeUnsupportedItems(asked, makeItemTest(old, transcript));
  const isUsable = Object.values(carried.operations).some(({ problem }) => problem === undefined);
  const { refused: items } = carried;
  return isUsable
    ? { ok: true, operations: carried.operations, refused: items }
    : { ok: false, why: 'the answer has no valid operation', refused: items };
}

function leftOut(operation: RequestedOperation, problem: string): RequestedOperation {
  return { ...operation, operation: { op: 'KEEP' }, problem };
}

/** Removes the lines that say nothing, and repeated bullets. An operation of which nothing is left becomes KEEP. */
function withoutPlaceholders(asked: RequestedOperation, isPlaceholder: (line: string) => boolean): RequestedOperation {
  const { operation } = asked;
  if (operation.op === 'KEEP') return asked;
  const given = operation.op === 'UPDATE' ? operation.content.split('\n') : operation.items;
  const seen = new Set<string>();
  const kept = given.filter((line) => {
    const item = itemOfLine(line);
    if (item === '' && operation.op === 'UPDATE') return true;
    const isRepeated = /^\s*[-*+]\s/u.test(line) && seen.has(itemKey(item));
    seen.add(itemKey(item));
    return !isRepeated && !isPlaceholder(line);
  });
  if (!hasContent(kept.join('\n')) && given.join('').trim() !== '') return leftOut(asked, 'refused: it says nothing');
  if (kept.length === given.length) return asked;
  return {
    ...asked,
    operation: operation.op === 'UPDATE' ? { op: 'UPDATE', content: kept.join('\n') } : { op: 'APPEND', items: kept },
  };
}

function refused(failure: Failure, { signal, limit }: WmUpdateInput): Refused {
  if (limit?.aborted === true && signal?.aborted !== true) return { ok: false, why: 'in time', isRest: true };
  if (failure.type === 'interrupted') throw new MemoryError(failure);
  return { ok: false, why: failure.message };
}

function answerTokens({ window }: ChatModel): number {
  return Math.min(ANSWER_TOKENS, Math.floor(window / 4));
}

/** Number of tokens that the prompt and the answer leave for the transcript. */
async function roomFor(
  old: string | null,
  names: readonly SectionName[],
  { templates, model }: WmUpdateInput,
): Promise<number> {
  const { buildWmQuestion } = await import('../../wm/prompt.js');
  const { system, user } = buildWmQuestion(shown(old, model), [], templates, names).prompt;
  const fixed = estimateTokens(system) + estimateTokens(user);
  // A tenth of the window is reserved for estimation errors.
  return Math.floor(model.window * 0.9) - fixed - answerTokens(model);
}

/**
 * The document for the prompt. If it is an earlier summary in free form, it only serves as context, so a long summary is
 * shortened in its middle.
 */
function shown(old: string | null, { window }: ChatModel): string | null {
  return old === null || isWorkingMemory(old) ? old : cutText(old, window);
}

/** Splits messages into parts of at most `room` tokens; each part has at least one message. */
export function makeMessageChunks(
  messages: readonly SessionMessage[],
  from: number,
  room: number,
  longest?: number,
): readonly ReturnType<typeof nextChunk>[] {
  const chunks: ReturnType<typeof nextChunk>[] = [];
  for (let at = from; at < messages.length; at = chunks.at(-1)?.end ?? messages.length) {
    chunks.push(nextChunk(messages, at, room, longest));
  }
  return chunks;
}

/**
 * The messages from index `from` on that fit into a prompt, in the form in which a prompt shows them. `end`: the index of
 * the next message. If one message alone is too long, its middle is left out.
 */
function nextChunk(
  messages: readonly SessionMessage[],
  from: number,
  room: number,
  longest: number = LONGEST_TOOL_TEXTS[0],
) {
  const transcript: TranscriptMessage[] = [];
  let used = 0;
  let end = from;
  for (; end < messages.length; end++) {
    const message = messages[end];
    if (message === undefined) break;
    const { role, body } = toTranscript(message, longest);
    // A character costs at most 1.5 tokens, so this cut always fits.
    const fitting = { role, body: estimateTokens(body) > room ? cutText(body, Math.floor(room / 1.5)) : body };
    const tokens = estimateTokens(`[${role}]: ${fitting.body}\n`);
    if (transcript.length > 0 && used + tokens > room) break;
    transcript.push(fitting);
    used += tokens;
  }
  return { transcript, end };
}

/**
 * Possible maximum lengths of a tool input or output in a prompt, in characters. The more messages there are, the shorter
 * is the length that is used. The middle of a longer text is left out.
 */
const LONGEST_TOOL_TEXTS = [8_000, 3_000, 1_200, 500, 240] as const;
/** Maximum number of parts. Tool texts, and then other texts, are cut until all messages fit into this number of parts. */
const MOST_PARTS = 10;

/** The maximum length of tool texts, in characters, with which all messages fit into `parts` parts of `room` tokens. */
function maxToolTextChars(messages: readonly SessionMessage[], room: number, parts: number): number {
  const fits = (longest: number): boolean => {
    let left = Math.min(parts, MOST_PARTS) * room;
    return messages.every((message) => {
      left -= estimateTokens(toTranscript(message, longest).body);
      return left >= 0;
    });
  };
  return LONGEST_TOOL_TEXTS.find(fits) ?? LONGEST_TOOL_TEXTS[4];
}

/**
 * Minimum length to which a text is cut, in characters: `user` for texts of users, `other` for other texts. Texts are cut
 * only if cutting tool texts is not enough. The middle of a text is left out, because the middle of a user's long text is
 * mostly pasted.
 */
const LEAST_TEXT = { user: 1_200, other: 500 } as const;

/** A message as a prompt shows it. @param longest maximum length of a tool input or output, in characters */
export function toTranscript(
  { role, parts }: MessageDraft,
  longest: number = LONGEST_TOOL_TEXTS[0],
): TranscriptMessage {
  const lines = parts.map((part) => partText(part, longest, role)).filter((text) => text.trim() !== '');
  return { role, body: lines.join('\n') };
}

function partText(part: MessagePart, longest: number, role: MessageDraft['role']): string {
  switch (part.type) {
    case 'text':
      if (longest === LONGEST_TOOL_TEXTS[0]) return part.text;
      return cutText(part.text, Math.max(longest, role === 'user' ? LEAST_TEXT.user : LEAST_TEXT.other));
    case 'tool_call':
      return `[tool call:${part.name}] ${cutText(JSON.stringify(part.input), longest)}`;
    case 'tool_result':
      return `[tool:${part.name} (${part.status})] ${cutText(part.output, longest)}`;
    case 'context':
      return `[context] ${part.abstract}`;
    case 'other':
      return '';
  }
}
