import { groupBy } from '../../base/order.js';
import { isMachineTurn, isSilentReply } from '../../text/machine-text.js';
import { dropGatewayMetadata } from '../../text/query.js';
import { stripInjected } from '../../text/strip.js';
import { isHarnessText } from '../log/harness.js';
import { type MessageDraft, type MessagePart, messageText, readDraft } from '../message.js';
import type { NestedCall, Transcript, TranscriptEntry } from './records.js';

/**
 * The records on the current branch of the conversation, in file order. Leaves out branches from which a person went back.
 * The branch has the records on the path to the root from the last message that no harness wrote. The path does not begin at
 * the last record of the file, because that record may be elsewhere: for example, a command to the host may have the first
 * record as its parent. The branch also has records next to the path: results of parallel calls, parts of one message, and
 * later records whose parents are on the branch. A record without a known parent follows the record before it. Pure.
 * @param isEarlier true for a record in the part of the transcript that is not read again
 */
export function currentConversationBranch(
  { entries, isTree }: Transcript,
  isEarlier: (id: string) => boolean,
): readonly TranscriptEntry[] {
  const spoken = entries.filter(({ isAside }) => !isAside);
  if (!isTree) return spoken;
  const parents = parentsOf(spoken, isEarlier);
  const onWay = new Set<number>();
  const tip = spoken.findLastIndex(({ draft }) => draft !== null && !isHarnessText(messageText(draft)));
  let way: number | undefined = tip < 0 ? spoken.length - 1 : tip;
  for (; way !== undefined && way >= 0; way = parents[way]) onWay.add(way);
  const messages = new Set([...onWay].flatMap((at) => spoken[at]?.message ?? []));
  const kept = new Set<number>();
  for (const [at, entry] of spoken.entries()) {
    const parent = parents[at];
    const isFollowed = parent !== undefined && (parent === EARLIER || kept.has(parent));
    const isBeside = isFollowed && goesAlong(entry, messages, parent !== EARLIER && !onWay.has(parent));
    if (onWay.has(at) || isBeside || (isFollowed && at > tip)) kept.add(at);
  }
  return spoken.filter((_, at) => kept.has(at));
}

/** Stands for the index of a parent that is in the earlier part of the transcript, which is not read again. */
const EARLIER = -1;

/** Index of the parent of each record; undefined for the first. */
function parentsOf(
  entries: readonly TranscriptEntry[],
  isEarlier: (id: string) => boolean,
): readonly (number | undefined)[] {
  const places = new Map<string, number>();
  return entries.map(({ id, parent }, at) => {
    const named = parent === null ? undefined : (places.get(parent) ?? (isEarlier(parent) ? EARLIER : undefined));
    places.set(id, at);
    return named ?? (at === 0 ? undefined : at - 1);
  });
}

/**
 * True if a record next to the path still belongs to the branch: a result, a part of a message, or a record below one of
 * these. The path leads from the last record to the root.
 */
function goesAlong(
  { draft, message, nested, isNamed }: TranscriptEntry,
  messages: ReadonlySet<string>,
  below: boolean,
): boolean {
  if (!isNamed) return true;
  if (draft === null) return nested !== undefined || below;
  if (message !== undefined && messages.has(message)) return true;
  return draft.role === 'tool' || draft.parts.some(({ type }) => type === 'tool_result');
}

/**
 * Replaces the call of a tool by the calls that this tool made itself. Some hosts have a tool that calls other tools. The
 * inner calls tell more than the input of the outer call. Pure.
 */
export function expandNestedCalls(
  drafts: readonly MessageDraft[],
  entries: readonly TranscriptEntry[],
): readonly MessageDraft[] {
  const calls = entries.flatMap(({ nested }) => nested ?? []);
  const byParent = groupBy(calls, ({ parent }) => parent);
  if (byParent.size === 0) return drafts;
  return drafts.map((draft) => ({ ...draft, parts: draft.parts.flatMap((part) => inner(part, byParent)) }));
}

function inner(part: MessagePart, byParent: ReadonlyMap<string, readonly NestedCall[]>): readonly MessagePart[] {
  const calls = part.type === 'tool_call' || part.type === 'tool_result' ? byParent.get(part.id) : undefined;
  if (calls === undefined) return [part];
  return calls.flatMap((call): readonly MessagePart[] => {
    const id = calls.length === 1 ? call.parent : call.id;
    if (part.type === 'tool_call') return [{ type: 'tool_call', id, name: call.name, input: call.input }];
    const read = readDraft({
      role: 'tool',
      toolCallId: id,
      toolName: call.name,
      isError: call.isError,
      ...asFields(call.result),
    });
    return read?.parts ?? [];
  });
}

function asFields(result: unknown): object {
  if (typeof result === 'object' && result !== null && 'content' in result) return { content: result.content };
  return { content: typeof result === 'string' ? result : (JSON.stringify(result) ?? '') };
}

/** A slash command to the host, with at most two arguments. */
const COMMAND = /^\s*\/[a-z][\w:-]*(?:[ \t]+\S+){0,2}\s*$/i;

/**
 * The messages of the conversation between people and the agent. Leaves out turns of heartbeats, cron jobs, flushes and
 * other sessions. Also leaves out commands, retries, silent answers and repeated answers. After a machine's turn,
 * everything is dropped up to the next message of a person. Pure.
 */
export function withoutTranscriptNoise(entries: readonly TranscriptEntry[]): readonly MessageDraft[] {
  const kept: MessageDraft[] = [];
  let inMachineTurn = false;
  for (const { draft, isMachine, isCopy } of entries) {
    if (draft === null) continue;
    const text = messageText(draft);
    const isResult = draft.parts.some(({ type }) => type === 'tool_result');
    if (draft.role === 'user' && !isResult) inMachineTurn = isMachine || isMachineTurn(text);
    const isNoise = draft.role === 'user' ? isSaidByMachine(draft, text) : isMachine || isSilentReply(text);
    const isTwice = isCopy && text !== '' && messageText(kept.findLast(isAnswer) ?? NOBODY) === text;
    if (!inMachineTurn && !isNoise && !isTwice) kept.push(draft);
  }
  return kept;
}

const NOBODY: MessageDraft = { role: 'assistant', parts: [], timestamp: null };

function isAnswer(draft: MessageDraft): boolean {
  return draft.role === 'assistant' && messageText(draft) !== '';
}

function isSaidByMachine({ parts }: MessageDraft, text: string): boolean {
  return parts.every(({ type }) => type === 'text') && (COMMAND.test(text) || isHarnessText(text));
}

/** Removes text that a chat gateway or a memory added to a user's message: the sender, recalled text. Pure. */
export function withoutGatewayText(draft: MessageDraft): MessageDraft {
  return draft.role === 'user' ? { ...draft, parts: draft.parts.map(withoutMetadata) } : draft;
}

function withoutMetadata(part: MessagePart): MessagePart {
  if (part.type !== 'text') return part;
  const text = dropGatewayMetadata(stripInjected(part.text));
  return text === part.text ? part : { ...part, text: text.trim() };
}
