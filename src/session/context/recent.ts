import { HOST_RESET_ADDRESS, HOST_SUMMARY_ADDRESS, isHostNote } from '../log/harness.js';
import type { MessagePart, SessionMessage, ToolCallPart, ToolResultPart } from '../message.js';
import {
  countMinimumTokens,
  groupMessages,
  isAgentText,
  isUserText,
  type MessageGroup,
  makeReadableSizedMessage,
  measureMessage,
  replaceMessageParts,
  type SizedMessage,
} from './fit.js';
import { type LogSource, messagesByNewest, type PlacedMessage } from './timeline.js';

export type RecentMessages = ReturnType<typeof readRecentMessages>;

/**
 * Reads the end of a conversation: as many messages as may fit into `room` tokens. Searches the archives, too, for the
 * user's last request and the calls after it, because a compaction archives these as well.
 * @returns `asked`: the user's last message. `units`: groups of the other messages that the newest overview does not contain
 * yet, oldest first, as many as may fit. `openUnits`: number of groups at the end that have calls which the agent has not
 * yet answered with text. `isWhole`: true if all messages that the newest overview does not contain yet were read. `read`:
 * all messages that were read, newest first, as a model sees them
 */
export function readRecentMessages(
  session: string,
  { open, covered }: { readonly open: readonly LogSource[]; readonly covered: readonly LogSource[] },
  room: number,
) {
  const taken: SizedMessage[] = [];
  let tokens = 0;
  const take = (said: PlacedMessage): boolean => {
    if (isHostNote(said.message, HOST_RESET_ADDRESS, HOST_SUMMARY_ADDRESS)) return true;
    const shown = makeReadableSizedMessage(said, session);
    taken.push(shown);
    tokens += countMinimumTokens([shown]);
    return tokens <= room;
  };
  let isWhole = true;
  for (const said of messagesByNewest(open)) {
    isWhole = take(said);
    if (!isWhole) break;
  }
  const last = lastAsked([...open, ...covered]);
  const asked = last === undefined ? undefined : only(makeReadableSizedMessage(last, session), false);
  if (isWhole && asked !== undefined && !taken.some(({ age }) => age === asked.age)) {
    for (const said of messagesByNewest(covered)) {
      if (said.age >= asked.age || taken.some(({ message }) => isAgentText(message)) || !take(said)) break;
    }
  }
  const others = taken.toReversed().map((said) => (said.age === asked?.age ? only(said, true) : said));
  const units = pairedUnits(others.filter(({ message }) => message.parts.length > 0));
  return { asked, units, openUnits: countOpen(units, asked), isWhole, read: taken };
}

function lastAsked(sources: readonly LogSource[]): PlacedMessage | undefined {
  for (const said of messagesByNewest(sources, 'user')) if (isUserText(said.message)) return said;
  return undefined;
}

/** Keeps only the tool results of a message, or only its other parts. Some clients send both in one message. */
function only(said: SizedMessage, isResult: boolean): SizedMessage {
  const parts = said.message.parts.filter(({ type }) => (type === 'tool_result') === isResult);
  return replaceMessageParts(said, parts);
}

function pairedUnits(said: readonly SizedMessage[]): readonly MessageGroup[] {
  const places = new Map(said.map((each) => [each.message.id, each]));
  const paired = repairToolPairs(said.map(({ message }) => message)).map((message): SizedMessage => {
    const place = places.get(message.id) ?? places.get(message.id.replace(/-missing$/, ''));
    return place?.message === message ? place : measureMessage(message, place?.archive, place?.age ?? 0);
  });
  return groupMessages(paired);
}

/**
 * Number of message groups at the end that the agent has not yet answered: the groups after the agent's last text. If the
 * message with that text also has calls, its group counts, too.
 */
function countOpen(units: readonly MessageGroup[], asked: SizedMessage | undefined): number {
  let count = 0;
  for (const unit of units.toReversed()) {
    const [first] = unit;
    if (first === undefined || first.age > (asked?.age ?? 0)) break;
    const spoke = isAgentText(first.message);
    if (!spoke || first.message.parts.some(({ type }) => type === 'tool_call')) count++;
    if (spoke) break;
  }
  return count;
}

/**
 * Puts every result next to its call, because models refuse any other order. Gives an error result to a call that has none,
 * and drops results without a call. Some servers use the same call ids again in each turn. So a call gets the result that
 * comes before the next call with the same id. A call in the last message still waits for its result, so it stays
 * unchanged. Parts without an id stay unchanged, too. Pure, linear.
 */
export function repairToolPairs(messages: readonly SessionMessage[]): readonly SessionMessage[] {
  const answers = pairUp(messages);
  const repaired: SessionMessage[] = [];
  for (const [index, message] of messages.entries()) {
    const own = message.parts.filter((part) => part.type !== 'tool_result' || part.id === '');
    if (own.length > 0) repaired.push(own.length === message.parts.length ? message : { ...message, parts: own });
    for (const call of own.filter(isCall)) {
      const answer = answers.get(call);
      if (answer !== undefined) repaired.push(asResult(answer));
      else if (index < messages.length - 1) repaired.push(missingResult(message, call));
    }
  }
  return repaired;
}

type Answer = { readonly part: ToolResultPart; readonly from: SessionMessage };

function asResult({ from, part }: Answer): SessionMessage {
  return from.role === 'tool' && from.parts.length === 1 ? from : { ...from, role: 'tool', parts: [part] };
}

/**
 * Finds the result of each call. A result may come before its call. It then belongs to the first call with the same id that
 * has no other result.
 */
function pairUp(messages: readonly SessionMessage[]): ReadonlyMap<ToolCallPart, Answer> {
  const answers = new Map<ToolCallPart, Answer>();
  const lastCall = new Map<string, ToolCallPart>();
  const early = new Map<string, Answer>();
  const parts = messages.flatMap((from) => from.parts.map((part) => ({ part, from })));
  for (const { part, from } of parts) {
    if (isCall(part)) lastCall.set(part.id, part);
    if (part.type !== 'tool_result' || part.id === '') continue;
    const call = lastCall.get(part.id);
    if (call === undefined) early.set(part.id, early.get(part.id) ?? { part, from });
    else if (!answers.has(call)) answers.set(call, { part, from });
  }
  for (const { part } of parts) {
    const answer = isCall(part) && !answers.has(part) ? early.get(part.id) : undefined;
    if (!isCall(part) || answer === undefined) continue;
    early.delete(part.id);
    answers.set(part, answer);
  }
  return answers;
}

function isCall(part: MessagePart): part is ToolCallPart {
  return part.type === 'tool_call' && part.id !== '';
}

function missingResult(message: SessionMessage, { id, name }: ToolCallPart): SessionMessage {
  const part: MessagePart = { type: 'tool_result', id, name, output: '(no result was recorded)', status: 'error' };
  return { id: `${message.id}-missing`, role: 'tool', parts: [part], timestamp: message.timestamp };
}
