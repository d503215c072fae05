import { findFirstNotBelow } from '../../base/order.js';
import { estimateTokens } from '../../text/tokens.js';
import { isHarnessText } from '../log/harness.js';
import { countMessageTokens, type MessagePart, messageText, readableMessage, type SessionMessage } from '../message.js';
import { cutMessage, cutText, cutToTokens, MESSAGE_CAPS, type MessageCap, SMALLEST_CAP } from './cut.js';
import type { PlacedMessage } from './timeline.js';

/** A message with its size. */
export interface SizedMessage extends PlacedMessage {
  /** Size in tokens, as the message is printed in the context. */
  readonly tokens: number;
  /** Number of characters of the message's longest part. */
  readonly longest: number;
}

/** Messages that are kept or dropped together: a message with calls, and the messages with their results. */
export type MessageGroup = readonly SizedMessage[];

export interface FitResult {
  readonly units: readonly MessageGroup[];
  readonly tokens: number;
  /** Number of shortened messages. */
  readonly shortened: number;
}

export function measureMessage(message: SessionMessage, archive: string | undefined, age: number): SizedMessage {
  const longest = message.parts.map(lengthOf).reduce((most, length) => Math.max(most, length), 0);
  return { message, archive, age, tokens: printedTokens(message), longest };
}

/** A copy of a message with other parts, measured again. */
export function replaceMessageParts(
  { message, archive, age }: PlacedMessage,
  parts: readonly MessagePart[],
): SizedMessage {
  return measureMessage({ ...message, parts }, archive, age);
}

/** Length of a part. A tool input counts as its JSON text. */
function lengthOf(part: MessagePart): number {
  return part.type === 'tool_call' ? (JSON.stringify(part.input)?.length ?? 0) : longText(part).length;
}

/** Number of tokens of a message as it is printed in the context, including the ids and names of results. */
function printedTokens({ parts }: Pick<SessionMessage, 'parts'>): number {
  const [only] = parts;
  if (parts.length === 1 && only?.type === 'text') return estimateTokens(only.text);
  const names = parts.flatMap((part) => (part.type === 'tool_result' ? [part.id + part.name] : [])).join('');
  return countMessageTokens({ parts, role: 'user', timestamp: null }) + (names === '' ? 0 : estimateTokens(names));
}

/** Number of tokens of a message group that is cut as short as possible. */
export function countMinimumTokens(unit: MessageGroup): number {
  return countGroupTokens(unit, SMALLEST_CAP);
}

/** Groups calls with the results next to them, oldest first. */
export function groupMessages(messages: readonly SizedMessage[]): readonly MessageGroup[] {
  const units: SizedMessage[][] = [];
  for (const said of messages) {
    if (said.message.role === 'tool' && units.length > 0) units.at(-1)?.push(said);
    else units.push([said]);
  }
  return units;
}

/**
 * Makes message groups fit into a room. First shortens long outputs as little as necessary, then long texts. Drops the
 * oldest groups only if that is not enough. If room remains, the newest shortened groups become longer again. Pure.
 * @param units oldest first
 * @param room in tokens
 */
export function fitGroups(units: readonly MessageGroup[], room: number): FitResult {
  // Finds the largest cap with which all groups fit. If no cap is small enough, takes the smallest cap. The caps are sorted,
  // largest first.
  const isTooMuch = (place: number): boolean => totalOf(units, MESSAGE_CAPS[place] ?? SMALLEST_CAP, room) > room;
  const cap = MESSAGE_CAPS[findFirstNotBelow(MESSAGE_CAPS.length - 1, isTooMuch)] ?? SMALLEST_CAP;
  const kept: MessageGroup[] = [];
  let tokens = 0;
  for (const unit of units.toReversed()) {
    const cut = cutUnit(unit, cap);
    const size = countGroupTokens(cut);
    if (tokens + size > room) break;
    tokens += size;
    kept.push(cut);
  }
  return restoreNewestGroups(units.slice(units.length - kept.length), kept.reverse(), tokens, room);
}

/**
 * `share`: maximum share of the context for one output of the newest group. Outputs of older groups get less: an output that
 * is `halfAfter` groups before the newest one gets half of this share. If room remains, the outputs become longer again.
 */
const OUTPUT = { share: 1 / 8, halfAfter: 8 };

/**
 * Cuts the outputs of each group. The older a group is, the shorter its outputs become.
 * @param units oldest first
 * @param room of the whole context, in tokens
 */
export function cutByAge(units: readonly MessageGroup[], room: number): readonly MessageGroup[] {
  return units.map((unit, index) => {
    const back = units.length - 1 - index;
    const tokens = (OUTPUT.share * room * OUTPUT.halfAfter) / (OUTPUT.halfAfter + back);
    return cutUnit(unit, {
      output: Math.max(SMALLEST_CAP.output, Math.floor(4 * tokens)),
      text: Number.POSITIVE_INFINITY,
    });
  });
}

/** Makes the newest shortened groups longer again, as far as the room allows. @param whole the same groups, not cut */
export function restoreNewestGroups(
  whole: readonly MessageGroup[],
  cut: readonly MessageGroup[],
  used: number,
  room: number,
): FitResult {
  const units = [...cut];
  let tokens = used;
  let shortened = 0;
  for (let index = units.length - 1; index >= 0; index--) {
    const full = whole[index] ?? [];
    const now = units[index] ?? [];
    if (full.every((said, at) => said === now[at])) continue;
    const size = countGroupTokens(now);
    const wider = widest(full, now, size + room - tokens);
    units[index] = wider;
    tokens += countGroupTokens(wider) - size;
    shortened += wider.filter((said, at) => said !== full[at]).length;
  }
  return { units, tokens, shortened };
}

function widest(full: MessageGroup, cut: MessageGroup, most: number): MessageGroup {
  for (const cap of MESSAGE_CAPS) {
    const wider = cutUnit(full, cap);
    if (countGroupTokens(wider) <= most) return fillLast(full, wider, most);
  }
  return cut;
}

/**
 * Makes the cut parts of a group longer, one after the other, as long as the group has at most `most` tokens. The next
 * larger cap would often be too large for the whole group.
 */
function fillLast(full: MessageGroup, cut: MessageGroup, most: number): MessageGroup {
  let unit = cut;
  for (const [at, { message }] of full.entries()) {
    for (const [index, part] of message.parts.entries()) unit = fillPart(unit, at, index, part, most);
  }
  return unit;
}

function fillPart(unit: MessageGroup, at: number, index: number, whole: MessagePart, most: number): MessageGroup {
  const said = unit[at];
  const now = said?.message.parts[index];
  if (said === undefined || now === undefined || now === whole) return unit;
  const had = longText(now);
  const text = cutToTokens(longText(whole), estimateTokens(had) + most - countGroupTokens(unit));
  if (text.length <= had.length) return unit;
  const parts = said.message.parts.with(index, withLongText(whole, text));
  const wider = unit.with(at, replaceMessageParts(said, parts));
  return countGroupTokens(wider) <= most ? wider : unit;
}

/** The text of a part that may be cut anywhere. */
function longText(part: MessagePart): string {
  if (part.type === 'text') return part.text;
  return part.type === 'tool_result' ? part.output : '';
}

function withLongText(part: MessagePart, text: string): MessagePart {
  if (part.type === 'text') return { ...part, text };
  return part.type === 'tool_result' ? { ...part, output: text } : part;
}

/** Number of tokens of all groups under a cap. Stops counting when there are more than `enough`. */
function totalOf(units: readonly MessageGroup[], cap: MessageCap, enough: number): number {
  let total = 0;
  for (let index = units.length - 1; index >= 0 && total <= enough; index--)
    total += countGroupTokens(units[index] ?? [], cap);
  return total;
}

function cutUnit(unit: MessageGroup, cap: MessageCap): MessageGroup {
  const most = Math.min(cap.output, cap.text);
  if (unit.every(({ longest }) => longest <= most)) return unit;
  return unit.map((said) => {
    const message = said.longest <= most ? said.message : cutMessage(said.message, cap);
    return message === said.message ? said : measureMessage(message, said.archive, said.age);
  });
}

/** Number of tokens of a group as it is printed, uncut or cut by a cap. */
export function countGroupTokens(unit: MessageGroup, cap?: MessageCap): number {
  return (cap === undefined ? unit : cutUnit(unit, cap)).reduce((sum, { tokens }) => sum + tokens, 0);
}

/**
 * Shortens a group that is too long even if all its parts are cut. Keeps the last calls of the group with their results, as
 * many as fit. Returns an empty group if no call fits.
 */
export function fitLastCalls(unit: MessageGroup, room: number): MessageGroup {
  const tiny = cutUnit(unit, { output: 60, text: 120 });
  const calls = tiny.flatMap(({ message }) =>
    message.parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : [])),
  );
  for (let first = 0; first <= calls.length; first++) {
    const gone = new Set(calls.slice(0, first));
    const kept = tiny.flatMap((said) => {
      const parts = said.message.parts.filter(
        (part) => !((part.type === 'tool_call' || part.type === 'tool_result') && gone.has(part.id)),
      );
      return parts.length === 0 ? [] : [replaceMessageParts(said, parts)];
    });
    if (countGroupTokens(kept) <= room) return kept;
  }
  return [];
}

/** Cuts a user's message to `tokens` tokens: keeps the beginning and end of its longest text. */
export function cutUserMessage(said: SizedMessage, tokens: number): SizedMessage {
  const { parts } = said.message;
  if (said.tokens <= tokens) return said;
  const whole = parts.reduce((best, part) => (longText(part).length > longText(best).length ? part : best));
  const rest = parts.filter((part) => part !== whole);
  const others = printedTokens({ parts: rest });
  const kept = others <= tokens / 2 ? rest : [];
  const text = cutToTokens(longText(whole), tokens - (kept.length > 0 ? others : 0));
  const cut: MessagePart = { type: 'text', text: text || cutText(longText(whole), 8) };
  return replaceMessageParts(said, [cut, ...kept]);
}

/** Default context window of the agent, in tokens. */
export const DEFAULT_WINDOW_TOKENS = 128_000;

const RESERVE = { share: 0.15, least: 20_000, from: 40_000 };
const ARCHIVE = { share: 0.15, most: 8_000 };

/**
 * Divides a budget in tokens. The reserve is 15 % of the budget; if the budget is 40,000 or more, the reserve is at least
 * 20,000 tokens. Archives get 15 % of what remains after the reserve and the core file, at most 8,000 tokens. Room that the
 * summary does not use goes to the messages.
 * @param instruction tokens of the core file
 */
export function partitionBudget(total: number, instruction: number) {
  const least = total >= RESERVE.from ? RESERVE.least : 0;
  const reserve = Math.min(total, Math.floor(Math.max(RESERVE.share * total, least)));
  const usable = Math.max(0, total - reserve - instruction);
  return { total, reserve, instruction, archive: Math.floor(Math.min(ARCHIVE.share * usable, ARCHIVE.most)) };
}

/** A message as a model sees it. A part that is not text becomes a placeholder that says where the original is. */
export function makeReadableSizedMessage({ message, archive, age }: PlacedMessage, session: string): SizedMessage {
  const log = archive === undefined ? 'messages.jsonl' : `history/${archive}/messages.jsonl`;
  return measureMessage(readableMessage(message, `sessions/${session}/${log}`), archive, age);
}

/** True if a person wrote the message. A tool result or a text of a harness does not count. */
export function isUserText(message: SessionMessage): boolean {
  if (message.role !== 'user') return false;
  const text = messageText(message);
  if (text.trim() === '') return message.parts.some(({ type }) => type === 'other');
  return !isHarnessText(text);
}

/** True if the agent wrote text in the message. */
export function isAgentText(message: SessionMessage): boolean {
  return message.role === 'assistant' && messageText(message).trim() !== '';
}
