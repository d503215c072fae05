import { HOST_RESET_ADDRESS, HOST_SUMMARY_ADDRESS, isHostNote } from '../log/harness.js';
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
import { repairToolPairs } from './pairs.js';
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
